"""Facts, messages, turns and stems of rows that were read before, kept while nothing is committed to the file.

Searches of a scope find the same rows again and again, and making records of them takes longer than finding them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import count
from typing import Any, TypeVar

from mem0g.model import Fact, Message, Scope
from mem0g.store.queries import CURRENT, EVERYTHING, Turns, View
from mem0g.store.sqlite.columns import state_of
from mem0g.store.sqlite.reading import Reader

K = TypeVar("K", int, str)
T = TypeVar("T")

MOST = 50_000
"""Rows kept of each kind: facts take about 2 kB each."""


class KeptRows:
    """Reads of a Reader by row number, of which the results are kept; the caller must hold the store's lock.

    Whatever any connection commits, or this one writes, discards everything; ``clear`` does too.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._state: tuple[int, int] = (0, 0)
        self._rows: dict[str, dict[Any, Any]] = {}

    def facts(self, scopes: dict[int, Scope], numbers: Iterable[int]) -> dict[int, Fact]:
        """Return facts by row number, in order of row number."""
        return self._of("fact", sorted(numbers), lambda missing: self._reader.facts_by_row(scopes, missing))

    def messages(self, numbers: Iterable[int]) -> dict[int, Message]:
        """Return messages by row number, in order of row number."""
        return self._of("message", sorted(numbers), self._reader.messages_by_row)

    def terms(self, table: str, numbers: Iterable[int]) -> dict[int, str]:
        """Return the stems of rows of ``table`` by row number, separated by spaces."""
        read = self._reader.terms
        return self._of(f"{table} terms", numbers, lambda missing: read(table, missing))

    def turns_around(
        self, scopes: Collection[int], ids: Collection[str], radius: int, without: Collection[int] = ()
    ) -> Turns:
        """Return the messages ``ids`` and those near them in their sessions, without the rows ``without``."""
        near = self._of(f"turns {radius}", ids, lambda missing: self._reader.turns_near(missing, radius))
        found = {turn.n: turn for turns in near.values() for turn in turns if turn.scope in scopes}
        for number in without:
            found.pop(number, None)
        ordered = sorted(found.values())
        numbers: defaultdict[tuple[object, ...], int] = defaultdict(count(1).__next__)
        return Turns(
            ids=tuple(turn.id for turn in ordered),
            sessions=tuple(numbers[turn[:3]] for turn in ordered),
            positions=tuple(turn.position for turn in ordered),
            terms=tuple(turn.terms for turn in ordered),
            noted=tuple(turn.id for turn in ordered if turn.noted),
        )

    def in_view(self, kind: str, view: View, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, T]]) -> dict[K, T]:
        """Return what ``read`` gives for each key in a view; it is kept for views that are not of a moment."""
        if view not in (CURRENT, EVERYTHING):
            return dict(read(list(keys)))
        return self._of(f"{kind} {view.include_retired}", keys, read)

    def clear(self) -> None:
        """Discard everything."""
        self._rows.clear()

    def _of(self, kind: str, keys: Iterable[K], read: Callable[[list[K]], Mapping[K, T]]) -> dict[K, T]:
        """Return what there is of these numbers or ids, in their order."""
        state = state_of(self._reader.connection)
        if state != self._state:
            self._rows.clear()
            self._state = state
        kept: dict[K, T] = self._rows.setdefault(kind, {})
        wanted = list(keys)
        missing = [key for key in wanted if key not in kept]
        if missing:
            if len(kept) + len(missing) > MOST:
                kept.clear()
                missing = wanted
            kept.update(read(missing))
        return {key: kept[key] for key in wanted if key in kept}
