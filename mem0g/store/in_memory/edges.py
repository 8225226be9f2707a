"""The facts of a set of scopes as edges between entities, held in memory: their ends, and when they were recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.in_memory.column import Column, each_once, highest, numbers_of, places_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.store.in_memory.column import Numbers


class Edges:
    """Subjects, objects and times of recording of facts, in order of row number ``n``.

    The ends are numbers of entities; those of some entities are found by a look at all facts, which takes a
    microsecond a thousand: less than reading the facts of one entity from an index when it has a few hundred.
    """

    def __init__(self) -> None:
        self._n, self._times = Column(np.int64), Column(np.int64)
        self._subjects, self._objects = Column(np.int32), Column(np.int32)
        self._entities: defaultdict[str, int] = defaultdict(count().__next__)

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated, with about 170 bytes for each entity."""
        columns = (self._n, self._times, self._subjects, self._objects)
        return sum(each.nbytes for each in columns) + 170 * len(self._entities)

    @property
    def n(self) -> Numbers:
        """Row numbers, shape (facts,)."""
        numbers: Numbers = self._n.values
        return numbers

    def reserve(self, size: int) -> None:
        """Make room for ``size`` facts in all."""
        for column in (self._n, self._times, self._subjects, self._objects):
            column.reserve(size)

    def append(
        self, numbers: Sequence[int], subjects: Sequence[str], objects: Sequence[str], times: Sequence[int]
    ) -> None:
        """Add facts of higher row numbers than those held; ``times`` are microseconds since 1970."""
        self._n.append(numbers)
        self._times.append(times)
        for column, ids in ((self._subjects, subjects), (self._objects, objects)):
            column.append(np.fromiter((self._entities[each] for each in ids), np.int32, len(ids)))

    def without(self, numbers: Collection[int] | Numbers) -> NDArray[np.bool_]:
        """Return which facts are not of these row numbers, shape (facts,)."""
        left = np.ones(len(self._n), dtype=bool)
        left[places_of(self.n, numbers_of(numbers))[0]] = False
        return left

    def touching(self, ids: Iterable[str], among: NDArray[np.bool_], limit: int) -> list[int]:
        """Return the row numbers of the facts with a subject or object in ``ids``, last recorded first.

        They are of the facts ``among``, at most ``limit``; of those recorded at one time the last stored are first.
        """
        wanted = self._wanted(ids)
        either = wanted.take(self._subjects.values) | wanted.take(self._objects.values)
        return self._latest(np.flatnonzero(among & either), limit)

    def outgoing(self, ids: Iterable[str], among: NDArray[np.bool_], max_degree: int, limit: int) -> list[int]:
        """Return the row numbers of the facts of subjects in ``ids`` that have at most ``max_degree`` of ``among``.

        The order is that of ``touching``.
        """
        places = np.flatnonzero(among & self._wanted(ids).take(self._subjects.values))
        subjects = self._subjects.values[places]
        few = np.bincount(subjects, minlength=1)[subjects] <= max_degree
        return self._latest(places[few], limit)

    def of_subject(self, entity: str) -> Numbers:
        """Return the places, in order, of the facts with this subject."""
        return np.flatnonzero(self._subjects.values == self._entities.get(entity, -1))

    def of_object(self, entity: str) -> Numbers:
        """Return the places, in order, of the facts with this object."""
        return np.flatnonzero(self._objects.values == self._entities.get(entity, -1))

    def to(self, places: Numbers, entity: str) -> Numbers:
        """Return those of these places that have this object."""
        there: Numbers = places[self._objects.values[places] == self._entities.get(entity, -1)]
        return there

    def latest(self, numbers: Collection[int] | Numbers, among: NDArray[np.bool_], limit: int) -> list[int]:
        """Return those of these row numbers that are held and ``among``, each once, in the order of ``touching``."""
        places, _ = places_of(self.n, each_once(numbers_of(numbers)))
        return self._latest(places[among[places]], limit)

    def _wanted(self, ids: Iterable[str]) -> NDArray[np.bool_]:
        """Return which entities have one of these ids, shape (entities,)."""
        wanted = np.zeros(max(len(self._entities), 1), dtype=bool)
        wanted[[self._entities[each] for each in ids if each in self._entities]] = True
        return wanted

    def _latest(self, places: Numbers, limit: int) -> list[int]:
        """Return the row numbers of the last recorded facts at these places, which are in order."""
        last_first = places[::-1]
        found: list[int] = self.n[last_first[highest(self._times.values[last_first], limit)]].tolist()
        return found
