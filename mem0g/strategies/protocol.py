"""The protocol of memory strategies, which choose what an agent is shown of its past before it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeAlias

from mem0g.ingest.report import Report
from mem0g.model import Context, Utterance

Said: TypeAlias = str | Mapping[str, object] | Utterance | Iterable[Mapping[str, object] | Utterance]
"""What was said: one message or several, in the forms that ``Memory.add`` takes."""


class Strategy(Protocol):
    """Chooses what a model is shown of a conversation. All strategies of this package can replace one another.

    A strategy uses one scope of a ``Memory``. What is added is durable when ``add`` returns, and a strategy opened
    later over the same scope continues from there. One object serves one conversation and one thread.
    """

    @property
    def name(self) -> str:
        """Its name, as in ``STRATEGIES``."""
        ...

    def add(self, said: Said) -> Report:
        """Remember one message, or several that belong together, such as a question and its answer.

        Returns and raises what ``Memory.add`` does.
        """
        ...

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return what to show for ``query`` as text of at most ``tokens`` (words × 1.3), with what it is made of.

        Raises QueryError for an empty query or a budget under 1. No strategy calls a language model here.
        """
        ...
