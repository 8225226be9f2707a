"""Knowledge graph: what mem0g finds in its graph of dated facts, and in the messages where facts do not cover.

Cost: extraction of facts, by rules without a call or by a language model with about one call for a window of messages;
none for a question. Fits: conversations that go on for months, questions about people, times and changes, and answers
that are spread over several sessions. It is what ``Memory.context`` returns, so everything else in mem0g applies: time
travel, corrections, the log of decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.model import Context, Scope
from mem0g.strategies.history import History, check
from mem0g.strategies.protocol import Said

if TYPE_CHECKING:
    from mem0g.memory import Memory


class KnowledgeGraph:
    """Shows the context of ``Memory.context``, filled up to the budget; see mem0g.strategies.Strategy.

    Open the memory with ``extractor="llm"`` or "rules"; with "none" only messages are found.
    """

    name = "knowledge-graph"

    def __init__(
        self, memory: Memory, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> None:
        self._history = History(memory, Scope(user_id, agent_id, run_id))

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy."""
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the facts and messages that answer ``query`` best."""
        check(query, tokens)
        history = self._history
        return history.memory.context(query, tokens=tokens, fill=True, **scope_keys(history.scope))
