"""Facts and messages of rows that were read before, kept until another connection commits or they are changed.

Searches of a scope find the same rows again and again, and making records of them takes longer than finding them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, TypeVar

from mem0g.model import Fact, Scope
from mem0g.store.change import Change
from mem0g.store.in_memory.rows import HeldFact, HeldMessage
from mem0g.store.sqlite.columns import state_of
from mem0g.store.sqlite.reading import Reader

K = TypeVar("K", int, str)
T = TypeVar("T")

MOST = 50_000
"""Rows kept of each kind: facts take about 2 kB each."""


class KeptRows:
    """Reads of a Reader by row number, of which the results are kept; the caller must hold the store's lock.

    Call ``renew`` first in a transaction: whatever another connection has committed, or this one has written without
    telling by ``wrote``, discards everything; ``clear`` does too.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._state: tuple[int, int] = (0, 0)
        self._rows: dict[str, dict[Any, Any]] = {}
        self._ends: dict[str, tuple[str, str]] = {}  # names and types of the ends of facts that are kept

    def renew(self) -> None:
        """Discard everything if the file has changed."""
        state = state_of(self._reader.connection)
        if state != self._state:
            self.clear()
            self._state = state

    def wrote(self, change: Change) -> None:
        """Discard what a change that this connection has just written, all since ``renew``, replaces."""
        self._state = state_of(self._reader.connection)
        renamed = (
            self._ends.get(each.id, (each.name, each.type)) != (each.name, each.type) for each in change.entities
        )
        if change.merges or change.rewritten or change.erased or any(renamed):
            self.clear()
            return
        ended = [each.succession.fact_id for each in change.retirements] + [each.fact_id for each in change.support]
        for number in self._reader.fact_numbers(ended) if ended else ():
            self._rows.get("fact", {}).pop(number, None)
        evidence = chain((each.evidence for each in change.facts), (each.evidence for each in change.support))
        for message in chain.from_iterable(evidence):
            self._rows.get("citing", {}).pop(message, None)

    def facts(self, scopes: dict[int, Scope], numbers: Iterable[int]) -> dict[int, Fact]:
        """Return facts by row number, in the order of ``numbers``."""
        return {number: held.fact for number, held in self.fact_rows(scopes, numbers).items()}

    def fact_rows(self, scopes: dict[int, Scope], numbers: Iterable[int]) -> dict[int, HeldFact]:
        """Return facts by row number, in the order of ``numbers``."""
        return self._of("fact", numbers, lambda missing: self._reader.fact_rows(scopes, missing, self._ends))

    def message_rows(self, numbers: Iterable[int]) -> dict[int, HeldMessage]:
        """Return messages by row number, in the order of ``numbers``."""
        return self._of("message", numbers, self._reader.message_rows)

    def citing(self, messages: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """Return the row numbers of the facts that cite each of these messages, by message id."""
        return self._of("citing", messages, self._reader.citing)

    def clear(self) -> None:
        """Discard everything."""
        self._rows.clear()
        self._ends.clear()

    def _of(self, kind: str, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, T]]) -> dict[K, T]:
        """Return what there is of these numbers or ids, in their order."""
        kept: dict[K, T] = self._rows.setdefault(kind, {})
        wanted = list(keys)
        missing = [key for key in wanted if key not in kept]
        if missing:
            if len(kept) + len(missing) > MOST:
                self.clear()
                kept, missing = self._rows.setdefault(kind, {}), wanted
            kept.update(read(missing))
        return {key: kept[key] for key in wanted if key in kept}
