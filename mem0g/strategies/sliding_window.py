"""Sliding window: the last messages.

Cost: no model call, a constant number of tokens. Fits: tasks in which only the present matters, such as filling in a
form or repairing one thing. Messages outside the window stay stored, but are not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.model import Context, Scope
from mem0g.strategies.history import History, check, latest, page
from mem0g.strategies.protocol import Said

if TYPE_CHECKING:
    from mem0g.memory import Memory


class SlidingWindow:
    """Shows the last messages that fit the budget, at most ``turns`` of them; see mem0g.strategies.Strategy.

    Open the memory with ``extractor="none"``: facts are not used. Raises InputError for ``turns`` under 1.
    """

    name = "sliding-window"

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        turns: int | None = None,
    ) -> None:
        if turns is not None and turns < 1:
            raise InputError(f"a window of {turns} turns", hint="at least 1, or None for as many as fit")
        self._history = History(memory, Scope(user_id, agent_id, run_id))
        self._turns = turns

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy."""
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the last messages, whatever ``query`` asks."""
        check(query, tokens)
        messages = self._history.messages
        return page(latest(messages[-self._turns :] if self._turns else messages, tokens))
