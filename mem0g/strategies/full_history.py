"""Full history: the whole conversation in every prompt.

Cost: no model call and nothing to build; the tokens of a prompt grow with every message, and so do its price and its
latency. Fits: short conversations, and comparisons. If the conversation outgrows the budget, ``context`` raises an
error; nothing is left out silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mem0g.errors import QueryError
from mem0g.ingest.report import Report
from mem0g.model import Context, Scope
from mem0g.strategies.history import History, check, message_line, page
from mem0g.strategies.protocol import Said

if TYPE_CHECKING:
    from mem0g.memory import Memory


class FullHistory:
    """Shows every message, oldest first; see mem0g.strategies.Strategy.

    Open the memory with ``extractor="none"``: facts are not used.
    """

    name = "full-history"

    def __init__(
        self, memory: Memory, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> None:
        self._history = History(memory, Scope(user_id, agent_id, run_id))

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy."""
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the whole conversation. Raises QueryError when it has more than ``tokens``."""
        check(query, tokens)
        whole = page([message_line(message) for message in self._history.messages])
        if whole.tokens > tokens:
            raise QueryError(
                f"the whole conversation has {whole.tokens:,} tokens, more than {tokens:,}",
                hint="give a higher budget, or take a strategy that leaves something out, such as SlidingWindow",
            )
        return whole
