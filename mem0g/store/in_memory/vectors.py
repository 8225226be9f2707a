"""Exact nearest-neighbour search over vectors that are held in memory and extended as rows are added."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.in_memory.column import Column, highest, numbers_of, places_of, products, products_of_each
from mem0g.store.in_memory.projections import Projections
from mem0g.store.in_memory.sketches import Sketches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.model import Matrix, Vector
    from mem0g.store.in_memory.column import Numbers


LARGE = 1 << 18 if hasattr(np, "bitwise_count") else 1 << 62
"""Rows from which on short forms of the vectors are held, not the vectors; numpy 1 cannot count bits."""

PROJECTED, AFTER = 1 << 13, 8
"""Rows from which on, and searches after which, projections of the vectors are held beside them: to make them takes as
long as some searches with them save."""


class Rows:
    """The vectors of one table's rows in one set of scopes, in order of row number ``n``.

    Of PROJECTED rows and more the nearest are looked for by projections, and then compared exactly.

    Of LARGE rows and more it holds short forms. The nearest among these are compared exactly, by vectors that ``read``
    returns for row numbers: about 99 of 100 of the nearest are found, and their cosines are exact.
    """

    def __init__(self, dimensions: int, read: Callable[[Sequence[int]], Matrix] | None = None) -> None:
        self._n = Column(np.int64)
        self.dimensions, self._read = dimensions, read
        self._matrix = Column(np.float32, dimensions)
        self._sketches: Sketches | None = None
        self._projections: Projections | None = None
        self._expected = self._searches = 0

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated."""
        short = self._sketches or self._projections
        return self._n.nbytes + self._matrix.nbytes + (short.nbytes if short else 0)

    @property
    def n(self) -> Numbers:
        """Row numbers, shape (rows,)."""
        return self._n.values

    def append(self, numbers: Sequence[int], added: Matrix) -> None:
        """Add rows of higher numbers than those held, with their vectors."""
        self._n.append(numbers)
        if self._sketches is None and (self._read is None or len(self._n) < LARGE):
            self._matrix.append(added)
            if self._projections:
                self._projections.append(added)
            return
        if self._sketches is None:
            self._sketches = Sketches(self.dimensions)
            self._sketches.reserve(self._expected)
            self._sketches.append(self._matrix.values)
            self._matrix, self._projections = Column(np.float32, self.dimensions), None
        self._sketches.append(added)

    def has(self, numbers: Sequence[int]) -> bool:
        """Whether all these rows are held."""
        return bool(places_of(self.n, numbers_of(numbers))[1].all())

    def replace(self, numbers: Sequence[int], vectors: Matrix) -> None:
        """Replace the vectors of rows that are held; of fewer than LARGE rows, as short forms are not replaced."""
        self._matrix.values[places_of(self.n, numbers_of(numbers))[0]] = vectors
        self._projections = None

    def reserve(self, size: int) -> None:
        """Make room for ``size`` rows in all, so that appending them takes no more memory than holding them."""
        self._expected = size
        self._n.reserve(size)
        self._matrix.reserve(size if self._read is None else min(size, LARGE))

    def similarities(self, numbers: Sequence[int], vectors: Matrix) -> dict[int, tuple[float, ...]]:
        """Return the cosine similarity of each row in ``numbers`` with each of ``vectors``, by row number.

        Rows without a vector are omitted.
        """
        wanted = np.asarray(numbers, dtype=np.int64)
        places, there = places_of(self.n, wanted)
        cosines = self._at(places) @ vectors.T
        return dict(zip(wanted[there].tolist(), map(tuple, cosines.tolist()), strict=True))

    def cosines(self, numbers: Numbers, vectors: Matrix) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the same as an array in the order of ``numbers``, 0 for rows without a vector; and which have one."""
        order = np.argsort(numbers)
        places, there = places_of(self.n, numbers[order])
        cosines, have = np.zeros((len(numbers), len(vectors))), np.zeros(len(numbers), dtype=bool)
        cosines[order[there]] = self._at(places) @ vectors.T
        have[order] = there
        return cosines, have

    def nearest(self, vectors: Matrix, limit: int, without: Collection[int] = ()) -> list[int]:
        """Return up to ``limit`` row numbers by descending sum of cosine similarities with ``vectors``.

        Ties are ordered by row number. The rows ``without`` are excluded.
        """
        if not len(self._n) or limit <= 0:
            return []
        asked, hidden = vectors.sum(axis=0), self._hidden(without)
        short = self._sketches or self._projected()
        if short is None:
            return self._first(products(self._matrix.values, asked), limit, hidden)
        near = short.near(asked, limit, hidden)
        found: list[int] = self.n[near[highest(products(self._at(near), asked), limit)]].tolist()
        return found

    def _projected(self) -> Projections | None:
        """Return the projections of many vectors that are searched often."""
        self._searches += 1
        if self._projections is None and len(self._n) >= PROJECTED and self._searches > AFTER:
            self._projections = Projections(self._matrix.values)
        return self._projections

    def nearest_of_each(self, vectors: Matrix, limit: int, without: Collection[int] = ()) -> list[list[int]]:
        """Return what ``nearest`` returns for each of ``vectors`` alone: many in one product, for less time."""
        if not len(self._n) or limit <= 0:
            return [[] for _ in vectors]
        if self._sketches is not None:
            return [self.nearest(each[None], limit, without) for each in vectors]
        hidden, found = self._hidden(without), []
        for start in range(0, len(vectors), AT_ONCE):
            scores = products_of_each(self._matrix.values, vectors[start : start + AT_ONCE])
            found += [self._first(each, limit, hidden) for each in scores]
        return found

    def _at(self, places: Numbers) -> Matrix:
        """Return the vectors at these places."""
        if self._sketches is None or self._read is None:
            return self._matrix.values[places]
        return self._read(self.n[places].tolist())

    def _hidden(self, numbers: Collection[int]) -> Numbers:
        """Return the places of the rows of these numbers."""
        return places_of(self.n, numbers_of(numbers))[0]

    def _first(self, scores: Vector, limit: int, hidden: Numbers) -> list[int]:
        """Return the numbers of the rows with the highest of these scores."""
        scores[hidden] = -np.inf
        order = highest(scores, limit)
        found: list[int] = self.n[order[scores[order] > -np.inf]].tolist()
        return found


AT_ONCE = 64
"""Vectors that are compared with all rows at once: of 100,000 rows their scores take 26 MB."""
