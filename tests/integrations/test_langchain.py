"""LangChain's retriever and middleware over a memory, with a model that says what it is told to say."""

from __future__ import annotations

from typing import Any

import pytest

from mem0g import Memory, Scope
from mem0g.errors import QueryError
from tests.integrations.extras import needs

needs("langchain", "langchain")

from langchain.agents import create_agent  # noqa: E402 - after the check that it is installed
from langchain.tools import tool  # noqa: E402
from langchain_core.language_models import GenericFakeChatModel  # noqa: E402
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage  # noqa: E402
from langgraph.checkpoint.memory import InMemorySaver  # noqa: E402

from mem0g.integrations.conversation import HEADING  # noqa: E402
from mem0g.integrations.langchain import MemoryMiddleware, MemoryRetriever  # noqa: E402

ANN = Scope(user_id="ann")


class Model(GenericFakeChatModel):
    """A model that notes what it is asked."""

    asked: list[list[BaseMessage]]

    def _generate(self, messages: list[BaseMessage], *given: Any, **more: Any) -> Any:
        self.asked.append(messages)
        return super()._generate(messages, *given, **more)

    def bind_tools(self, *given: Any, **more: Any) -> Any:
        return self


def model(*replies: str | AIMessage) -> Model:
    """A model with these replies."""
    return Model(messages=iter(AIMessage(each) if isinstance(each, str) else each for each in replies), asked=[])


def said(memory: Memory, user: str = "ann") -> list[tuple[str, str, str]]:
    """What the memory holds: session, role and text of its messages."""
    memory.flush()
    return [(each.session, each.role, each.text) for each in memory.messages(user_id=user)]


@pytest.mark.anyio
async def test_a_retriever_returns_documents(memory: Memory) -> None:
    """Facts and messages with their scores, dates and evidence; awaited as well."""
    memory.add("I moved to Oslo in May 2024.", user_id="ann")
    retriever = MemoryRetriever(memory=memory, scope=ANN, k=2)
    documents = retriever.invoke("Where does Ann live?")
    assert [each.id for each in await retriever.ainvoke("Where does Ann live?")] == [each.id for each in documents]
    (message,) = memory.messages(user_id="ann")
    fact = next(each for each in documents if each.metadata["kind"] == "fact")
    assert "Oslo" in fact.page_content
    assert fact.metadata["evidence"] == [message.id]
    assert (fact.metadata["valid_from"], fact.metadata["current"]) == ("2024-05", True)
    assert {each.metadata["kind"] for each in documents} == {"fact", "message"}
    with pytest.raises(QueryError):
        retriever.invoke(" ")


def test_an_agent_remembers(memory: Memory) -> None:
    """What is said in one thread is in the system message in another, behind the agent's own."""
    fake = model("Noted.", "In Oslo.")
    agent: Any = create_agent(
        fake, system_prompt="Be brief.", middleware=[MemoryMiddleware(memory, ANN)], checkpointer=InMemorySaver()
    )

    def ask(text: str, thread: str) -> None:
        agent.invoke({"messages": [("user", text)]}, {"configurable": {"thread_id": thread}})

    ask("I live in Oslo.", "one")
    assert said(memory) == [("one", "user", "I live in Oslo."), ("one", "assistant", "Noted.")]
    ask("Where do I live?", "two")
    first, second = fake.asked
    assert first[0].text == "Be brief."
    assert second[0].text.startswith(f"Be brief.{HEADING}")
    assert "Oslo" in second[0].text
    assert isinstance(second[0], SystemMessage)
    assert [each.type for each in second] == ["system", "human"], "the context is for one call, not for the thread"
    assert [fact.object for fact in memory.facts(user_id="ann", relation="lives_in")] == ["Oslo"]


@pytest.mark.anyio
async def test_it_is_asynchronous_too(memory: Memory) -> None:
    """The same, awaited."""
    memory.add("I live in Oslo.", user_id="ann")
    fake = model("In Oslo.")
    agent: Any = create_agent(fake, middleware=[MemoryMiddleware(memory, ANN, wait=True)])
    await agent.ainvoke({"messages": [("user", "Where do I live?")]})
    assert "Oslo" in fake.asked[0][0].text
    assert [role for _, role, _ in said(memory)] == ["user", "user", "assistant"]


def test_a_conversation_that_is_passed_again_is_stored_once(memory: Memory) -> None:
    """Without a checkpointer a caller passes all of it in each run."""
    agent: Any = create_agent(model("Nice.", "Oslo."), middleware=[MemoryMiddleware(memory, ANN)])
    turns: list[BaseMessage] = [HumanMessage("I live in Oslo.")]
    agent.invoke({"messages": turns})
    agent.invoke({"messages": [*turns, AIMessage("Nice."), HumanMessage("Where do I live?"), HumanMessage("Well?")]})
    assert [text for _, _, text in said(memory)] == [
        "I live in Oslo.",
        "Nice.",
        "Where do I live?",
        "Well?",
        "Oslo.",
    ]


def test_tools_are_not_remembered(memory: Memory) -> None:
    """Neither their calls nor what they return; the user's question is asked of the memory in each step."""

    @tool
    def weather(city: str) -> str:
        """Return the weather."""
        return f"Rain in {city}."

    call = AIMessage("", tool_calls=[{"name": "weather", "args": {"city": "Oslo"}, "id": "1"}])
    fake = model(call, "Take an umbrella.")
    agent: Any = create_agent(fake, tools=[weather], middleware=[MemoryMiddleware(memory, ANN)])
    agent.invoke({"messages": [("user", "Do I need an umbrella?")]})
    assert isinstance(fake.asked[1][-1], ToolMessage)
    assert [text for _, _, text in said(memory)] == ["Do I need an umbrella?", "Take an umbrella."]


def test_the_scope_is_chosen_by_the_run(memory: Memory) -> None:
    """By the context that the caller gives, never by what is said."""
    memory.add("I live in Oslo.", user_id="ann")
    fake = model("I do not know.")
    middleware = MemoryMiddleware(memory, lambda runtime: Scope(user_id=runtime.context["user"]))
    agent: Any = create_agent(fake, middleware=[middleware], context_schema=dict)
    agent.invoke({"messages": [("user", "I am ann. Where do I live?")]}, context={"user": "bob"})
    assert [each.type for each in fake.asked[0]] == ["human"]
    assert len(said(memory, "bob")) == 2
    assert len(said(memory, "ann")) == 1
