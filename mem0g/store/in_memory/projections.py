"""Short forms of vectors: their components along the axes in which a sample of them differs most.

A product with 100,000 vectors of 384 dimensions reads 154 MB, one with a third of the dimensions 51 MB. What is
likely near by these is compared by the vectors themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.in_memory.column import Column, among_highest, products

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector
    from mem0g.store.in_memory.column import Numbers

PART = 3
"""One of how many dimensions is left."""

SAMPLE = 2048
"""Vectors of which the axes are found."""

EXACT, SHARE = 10, 1 / 80
"""How many vectors are compared exactly for each one wanted, and which part of all of them at least. Of 26,000
sentences of conversations, assistants' answers and articles, embedded by MiniLM, these hold 99.9% of the 100 nearest to
a question and 99.8% of the 70 nearest. A quarter of the dimensions with twice that part takes as long and holds 98%."""

BLOCK = 1 << 13
"""Vectors that are projected at once."""


class Projections:
    """The projections of vectors, in the order in which they are added; the axes are those of the first ones."""

    def __init__(self, matrix: Matrix) -> None:
        sample = matrix[:: -(-len(matrix) // SAMPLE)]
        _, axes = np.linalg.eigh(sample.T @ sample)
        self._axes = np.ascontiguousarray(axes[:, ::-1][:, : max(matrix.shape[1] // PART, 1)])
        self._short = Column(np.float32, self._axes.shape[1])
        self.append(matrix)

    @property
    def nbytes(self) -> int:
        """Memory allocated."""
        return self._short.nbytes + self._axes.nbytes

    def append(self, matrix: Matrix) -> None:
        """Add vectors at the end."""
        for start in range(0, len(matrix), BLOCK):
            self._short.append(matrix[start : start + BLOCK] @ self._axes)

    def near(self, asked: Vector, limit: int, hidden: Numbers) -> Numbers:
        """Return the places of vectors among which the ``limit`` with the highest products with ``asked`` likely are.

        They are in order of place, without those at the places ``hidden``.
        """
        scores = products(self._short.values, asked @ self._axes)
        scores[hidden] = -np.inf
        kept = among_highest(scores, max(EXACT * limit, int(SHARE * len(scores))))
        seen: Numbers = kept[scores[kept] > -np.inf]
        return seen
