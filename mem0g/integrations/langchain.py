"""A memory for LangChain: a retriever, and a middleware for agents.

Needs the extra ``langchain``: pip install "mem0g[langchain]".
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.retrievers import BaseRetriever
from langgraph.runtime import Runtime
from pydantic import ConfigDict

from mem0g.integrations.conversation import TOKENS, Turn, keep, recalled, scope_of
from mem0g.lookup import scope_keys
from mem0g.memory import Memory
from mem0g.model import Hit, Scope


class MemoryRetriever(BaseRetriever):
    """Returns the ``k`` facts and messages of a scope that answer a query best, best first.

    The text is the document's content; its metadata hold ``id``, ``kind`` ("fact" or "message"), ``score``,
    ``evidence`` (ids of messages), and of a fact ``current``, ``valid_from`` and ``valid_to`` as text.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    memory: Memory
    scope: Scope
    k: int = 10
    include_retired: bool = False

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
    ) -> list[Document]:
        keys = scope_keys(self.scope)
        hits = self.memory.search(query, limit=self.k, include_retired=self.include_retired, **keys)
        return [document_of(hit) for hit in hits]


def document_of(hit: Hit) -> Document:
    """Return a hit as a document."""
    metadata: dict[str, Any] = {
        "kind": "fact" if hit.fact else "message",
        "score": hit.score,
        "evidence": list(hit.evidence),
    }
    if hit.fact:
        ends = {"valid_from": hit.fact.valid_from, "valid_to": hit.fact.valid_to}
        metadata |= {"current": hit.fact.current, **{name: str(end) for name, end in ends.items() if end}}
    return Document(id=hit.key, page_content=hit.text, metadata={"id": hit.key, **metadata})


class MemoryMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Gives an agent of ``langchain.agents.create_agent`` a memory.

    Before each call of the model, what is remembered about the user's last message is put into the system message, for
    this call only. After the run, what the user and the assistant said in it is added, without tools' results, in
    sessions by the thread's id. ``scope`` is that of all runs, or is chosen by the run's Runtime (its ``context``
    says whose run it is). ``wait``: whether a run waits until facts are extracted.
    """

    def __init__(
        self,
        memory: Memory,
        scope: Scope | Callable[[Runtime[Any]], Scope],
        *,
        tokens: int = TOKENS,
        wait: bool = False,
    ) -> None:
        super().__init__()
        self.memory, self.scope, self.tokens, self.wait = memory, scope, tokens, wait

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with the context in the system message."""
        return handler(self._with_context(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """As ``wrap_model_call``; the search runs in a thread."""
        return await handler(await asyncio.to_thread(self._with_context, request))

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        """Add what was said in the run."""
        thread = runtime.execution_info.thread_id if runtime.execution_info else None
        turns = (_turn(message, thread or "") for message in _latest(state["messages"]))
        keep(self.memory, scope_of(self.scope, runtime), turns, wait=self.wait)

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        """As ``after_agent``, in a thread."""
        await asyncio.to_thread(self.after_agent, state, runtime)

    def _with_context(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        asked = next((each for each in reversed(request.messages) if isinstance(each, HumanMessage)), None)
        scope = scope_of(self.scope, request.runtime)
        context = recalled(self.memory, scope, asked.text, tokens=self.tokens) if asked else ""
        if not context:
            return request
        system: list[str | dict[Any, Any]] = [{"type": "text", "text": context}]
        if request.system_message:
            system = [*request.system_message.content_blocks, *system]  # type: ignore[list-item]
        return request.override(system_message=SystemMessage(content=system))


def _latest(messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    """Return what was said since the last answer before the user's last message.

    A caller without a checkpointer passes the whole conversation again in each run, without ids.
    """
    asked = max((place for place, each in enumerate(messages) if isinstance(each, HumanMessage)), default=0)
    while asked and isinstance(messages[asked - 1], HumanMessage):
        asked -= 1
    return messages[asked:]


def _turn(message: BaseMessage, session: str) -> Turn:
    role = {HumanMessage: "user", AIMessage: "assistant"}.get(type(message), "")
    return Turn(role, message.text, session, message.id or "")
