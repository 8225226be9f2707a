"""A LangChain agent that knows in one thread what was said in another.

Run it with the extra ``langchain`` installed: python examples/langchain_agent.py
Its model is a stand-in that answers with what it was told about the user; put any chat model in its place.
"""

import tempfile
from pathlib import Path

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from mem0g import Memory, Scope
from mem0g.integrations.langchain import MemoryMiddleware


class StandIn(BaseChatModel):
    """Answers with its system message."""

    @property
    def _llm_type(self) -> str:
        return "stand-in"

    def _generate(self, messages: list[BaseMessage], *_: object, **__: object) -> ChatResult:
        known = messages[0].text if messages[0].type == "system" else "I know nothing about you yet."
        return ChatResult(generations=[ChatGeneration(message=AIMessage(known))])


def main(file: Path) -> None:
    """Tell the agent something in one thread and ask in another, as two users."""
    with Memory.open(file) as memory:
        middleware = MemoryMiddleware(memory, lambda runtime: Scope(user_id=runtime.context["user"]))
        agent = create_agent(StandIn(), middleware=[middleware], checkpointer=InMemorySaver(), context_schema=dict)
        for user, thread, text in (
            ("ann", "monday", "I moved to Oslo in May 2024, with my dog Rex."),
            ("ann", "friday", "Where do I live?"),
            ("bob", "friday, bob", "Where do I live?"),
        ):
            state = agent.invoke(
                {"messages": [("user", text)]}, {"configurable": {"thread_id": thread}}, context={"user": user}
            )
            print(f"{user}: {text}\nagent: {state['messages'][-1].text}\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder) / "memory.db")
