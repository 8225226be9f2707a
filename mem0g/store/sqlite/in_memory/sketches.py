"""Short forms of many vectors: their signs, by which the nearest are looked for, and a byte for each component.

A product with a million vectors of 384 dimensions reads 1.5 GB; their signs take 48 MB. What is likely near by the
signs is compared by bytes, and the best of these by the vectors themselves, which stay in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.model import Matrix, Vector
    from mem0g.store.sqlite.in_memory.column import Numbers

from mem0g.store.sqlite.in_memory.column import Column

SHARE, LEAST = 1 / 50, 40
"""Which part of all vectors is compared by bytes, and how many of them at least for each one wanted."""

EXACT = 4
"""How many vectors are compared exactly for each one wanted. Of the 50 nearest of 3,739 turns of conversations 98% are
among the 8% with most signs in common, of the 5 nearest 99% among 1%: the fewer of all, the surer."""

BLOCK = 1 << 14
"""Vectors whose signs are compared at once, so that they stay in the processor's cache."""

WORD = 64
"""Signs in one number."""


class Sketches:
    """The signs of vectors and their components as bytes, in the order in which they were added."""

    def __init__(self, dimensions: int) -> None:
        self._signs = Column(np.uint64, -(-dimensions // WORD))
        self._bytes = Column(np.int8, dimensions)
        self._scales = Column(np.float32)

    @property
    def nbytes(self) -> int:
        """Memory allocated."""
        return self._signs.nbytes + self._bytes.nbytes + self._scales.nbytes

    def append(self, matrix: Matrix) -> None:
        """Add vectors at the end."""
        for start in range(0, len(matrix), BLOCK):
            part = matrix[start : start + BLOCK]
            scales = np.maximum(np.abs(part).max(axis=1, initial=0), np.float32(1e-30)) / 127
            self._signs.append(_signs(part))
            self._bytes.append(np.rint(part / scales[:, None]))
            self._scales.append(scales)

    def reserve(self, size: int) -> None:
        """Make room for ``size`` vectors in all."""
        for column in (self._signs, self._bytes, self._scales):
            column.reserve(size)

    def near(self, asked: Vector, limit: int, hidden: Numbers) -> Numbers:
        """Return the places of vectors among which the ``limit`` with the highest products with ``asked`` likely are.

        They are in order of place, without those at the places ``hidden``.
        """
        signs, asked_signs = self._signs.values, _signs(asked[None])[0]
        apart = np.empty(len(signs), dtype=np.uint16)
        for start in range(0, len(signs), BLOCK):
            counts = np.bitwise_count(signs[start : start + BLOCK] ^ asked_signs)
            apart[start : start + BLOCK] = counts.sum(axis=1, dtype=np.uint16)
        apart[hidden] = np.iinfo(np.uint16).max
        places = _lowest(apart, max(LEAST * limit, int(SHARE * len(signs))))
        products = (self._bytes.values[places].astype(np.float32) @ asked) * self._scales.values[places]
        kept = places[_lowest(-products, EXACT * limit)]
        return np.setdiff1d(kept, hidden)


def _signs(matrix: Matrix) -> NDArray[np.uint64]:
    """Return the signs of the components, shape (vectors, numbers)."""
    wide = -(-matrix.shape[1] // WORD) * WORD
    padded = np.zeros((len(matrix), wide), dtype=bool)
    padded[:, : matrix.shape[1]] = matrix > 0
    return np.packbits(padded, axis=1).view(np.uint64)


def _lowest(values: NDArray[np.generic], limit: int) -> Numbers:
    """Return the places of the ``limit`` lowest values, in any order."""
    if limit >= len(values):
        return np.arange(len(values))
    found: Numbers = np.argpartition(values, limit)[:limit]
    return found
