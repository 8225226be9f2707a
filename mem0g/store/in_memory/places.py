"""Where the messages of a set of scopes stand in their sessions, held in memory to find those around others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.candidates import Turns
from mem0g.store.found_columns import Picked, Whole
from mem0g.store.in_memory.column import Column, each_once, numbers_of, places_of

if TYPE_CHECKING:
    from mem0g.store.in_memory.column import Numbers

SPAN = 1 << 40
"""Positions that the key of a place tells apart in each session; room is left for eight million sessions."""


class Places:
    """The ids, sessions and positions of messages, in order of row number ``n``.

    Their keys are numbers by which they are sorted: of the session, in the order in which it was seen first, and of the
    position in it. Positions too far from 0 for that share a key; ``around`` compares them themselves.
    """

    def __init__(self) -> None:
        self._n, self._keys, self._positions = Column(np.int64), Column(np.int64), Column(np.int64)
        self._noted = Column(bool)
        self._ids: list[str] = []
        self._sessions: defaultdict[tuple[int, str, str], int] = defaultdict(count().__next__)
        self._names: list[tuple[int, str, str]] = []
        self._order: Numbers = np.empty(0, dtype=np.int64)
        self._ordered: Numbers = np.empty(0, dtype=np.int64)

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated, with about 80 bytes for each id and 300 for each session."""
        columns = (self._n, self._keys, self._positions, self._noted, self._order, self._ordered)
        return sum(each.nbytes for each in columns) + 80 * len(self._ids) + 300 * len(self._names)

    @property
    def n(self) -> Numbers:
        """Row numbers, shape (messages,)."""
        numbers: Numbers = self._n.values
        return numbers

    def reserve(self, size: int) -> None:
        """Make room for ``size`` messages in all."""
        for column in (self._n, self._keys, self._positions, self._noted):
            column.reserve(size)

    def append(
        self,
        numbers: Sequence[int],
        scopes: Sequence[int],
        sources: Sequence[str],
        sessions: Sequence[str],
        positions: Sequence[int],
        ids: Sequence[str],
        noted: Sequence[int],
    ) -> None:
        """Add messages of higher row numbers than those held; ``noted``: whether each has metadata."""
        names = zip(scopes, sources, sessions, strict=True)
        of = np.fromiter((self._sessions[each] for each in names), np.int64, len(numbers))
        self._names = list(self._sessions)
        self._ids += ids
        self._n.append(numbers)
        self._positions.append(positions)
        self._keys.append(of * SPAN + np.clip(np.asarray(positions, dtype=np.int64), -SPAN // 2, SPAN // 2 - 1))
        self._noted.append(noted)

    def around(self, numbers: Numbers, radius: int, without: Collection[int] = ()) -> Numbers:
        """Return the places of messages by row number and of those up to ``radius`` positions from one in its session.

        They are in order of scope, source, session and position. The rows ``without`` are excluded.
        """
        cited, _ = places_of(self.n, each_once(numbers))
        self._sort()
        order, ordered, keys = self._order, self._ordered, self._keys.values
        first = np.searchsorted(ordered, keys[cited] - radius)
        counts = np.searchsorted(ordered, keys[cited] + radius, side="right") - first
        steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        near, of = order[np.repeat(first, counts) + steps], np.repeat(cited, counts)
        close = np.abs(self._positions.values[near] - self._positions.values[of]) <= radius
        found = each_once(near[close & (self._session(near) == self._session(of))])
        if len(without):
            found = found[~places_of(np.sort(numbers_of(without)), self.n[found])[1]]
        return self._in_order(found)

    def turns(self, places: Numbers, terms: Sequence[str]) -> Turns:
        """Return the messages at these places; ``terms`` are the stems of each."""
        sessions = self._session(places)
        return Turns(
            ids=Picked(self._ids, places),
            sessions=Whole(np.cumsum(np.diff(sessions, prepend=-1) != 0)),
            positions=Whole(self._positions.values[places]),
            terms=terms,
            noted=Picked(self._ids, places[self._noted.values[places]]),
            numbers=self.n[places],
        )

    def _session(self, places: Numbers) -> Numbers:
        """Return the numbers of the sessions of these places."""
        numbers: Numbers = (self._keys.values[places] + SPAN // 2) // SPAN
        return numbers

    def _in_order(self, places: Numbers) -> Numbers:
        """Return places in order of scope, source, session and position, the same position by row number."""
        numbers = self._session(places)
        sessions = each_once(numbers)
        of = np.searchsorted(sessions, numbers)
        names = [self._names[number] for number in sessions.tolist()]
        ranks = np.empty(len(names), dtype=np.int64)
        ranks[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        ordered: Numbers = places[np.lexsort((places, self._positions.values[places], ranks[of]))]
        return ordered

    def _sort(self) -> None:
        """Sort all places by their keys; to sort some new ones among many takes little."""
        if len(self._order) < len(self._keys):
            every = np.concatenate([self._order, np.arange(len(self._order), len(self._keys))])
            self._order = every[np.argsort(self._keys.values[every], kind="stable")]
            self._ordered = self._keys.values[self._order]
