"""An array that grows at its end, numbers looked up in a sorted one, and the highest of many."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from mem0g.model import Matrix, Vector

    Numbers = NDArray[np.int64]

BY_ONE_THREAD = 50_000
"""Vectors that are compared with one by the calling thread alone. BLAS wakes its threads from some thousand on, and
they busy-wait after each product: on two busy cores, searches of 10,000 facts took 35 to 62 ms of processor time with
them, and 23 to 30 without."""

SMALL = 196_608
"""Multiplications of a product that BLAS leaves to the calling thread: it wakes others from 262,144 on."""

BLOCK = 16
"""Scores of which the highest one counts in a first look for the highest of all."""


class Column:
    """An array that grows at its end, by a quarter when it is full: appending takes amortised constant time.

    ``values`` is a view of what it holds, shape (size,) or (size, width).
    """

    def __init__(self, kind: DTypeLike, width: int | None = None) -> None:
        self._room: NDArray[Any] = np.empty(0 if width is None else (0, width), dtype=kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Any]:
        """What it holds."""
        return self._room[: self._size]

    @property
    def nbytes(self) -> int:
        """Memory allocated."""
        return self._room.nbytes

    def append(self, values: ArrayLike) -> None:
        """Add values at the end."""
        added = np.asarray(values, dtype=self._room.dtype)
        size = self._size + len(added)
        if size > len(self._room):
            self.reserve(max(size, len(self._room) * 5 // 4 + 16))
        self._room[self._size : size] = added
        self._size = size

    def reserve(self, size: int) -> None:
        """Make room for ``size`` values in all, if there is less, so that appending them copies nothing."""
        if size > len(self._room):
            room = np.empty((size, *self._room.shape[1:]), dtype=self._room.dtype)
            room[: self._size] = self.values
            self._room = room


def numbers_of(some: Collection[int] | Numbers) -> Numbers:
    """Return numbers as an array; an array as it is."""
    return some if isinstance(some, np.ndarray) else np.fromiter(some, np.int64, len(some))


def each_once(numbers: Numbers) -> Numbers:
    """Return numbers in order, each once, in half the time of np.unique, which imports numpy.ma for it (15 ms)."""
    ordered = np.sort(numbers)
    once: Numbers = ordered[first_of_each(ordered)]
    return once


def first_of_each(ordered: Numbers) -> NDArray[np.bool_]:
    """Return which numbers of a sorted array differ from the one before, shape (n,)."""
    return np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]


def runs(ordered: Numbers) -> tuple[Numbers, Numbers]:
    """Return where each number of a sorted array begins, and how often it occurs."""
    starts = np.flatnonzero(first_of_each(ordered))
    return starts, np.concatenate([starts[1:], [len(ordered)]])[: len(starts)] - starts


def places_of(ordered: Numbers, wanted: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the places of those of ``wanted`` that are in ``ordered``, and which these are, shape (wanted,)."""
    places = np.searchsorted(ordered, wanted)
    there = places < len(ordered)
    there[there] = ordered[places[there]] == wanted[there]
    return places[there], there


def highest(scores: NDArray[Any], limit: int) -> Numbers:
    """Return the places of the ``limit`` highest scores, highest first, ties by place.

    Of many scores, the limit-th highest of the maxima of blocks is a bound that at least as many scores reach, and few
    more. Finding it takes a twentieth of the time that a partition of all scores takes.
    """
    places = among_highest(scores, limit)
    found: Numbers = places[np.argsort(-scores[places], kind="stable")][: max(limit, 0)]
    return found


def among_highest(scores: NDArray[Any], limit: int) -> Numbers:
    """Return the places, in order, of scores among which are the ``limit`` highest, and few more."""
    if limit <= 0 or limit >= len(scores):
        return np.arange(len(scores))
    width = len(scores) // BLOCK
    some = scores[: width * BLOCK].reshape(BLOCK, width).max(axis=0) if limit < width else scores
    return np.flatnonzero(scores >= np.partition(some, len(some) - limit)[len(some) - limit])


def products(matrix: Matrix, asked: Vector) -> Vector:
    """Return the product of each row with a vector."""
    found: Vector = np.einsum("ij,j->i", matrix, asked) if len(matrix) <= BY_ONE_THREAD else matrix @ asked
    return found


def products_of_each(matrix: Matrix, asked: Matrix) -> Matrix:
    """Return the products of each row with each of some vectors, shape (vectors, rows).

    Of a matrix that one thread is to compare, each product is of so few rows that BLAS uses no other: on two busy
    cores, 64 vectors and 1,500 rows took 10 to 15 ms of processor time in one product, and take 2 in many.
    """
    step = SMALL // asked.size
    if len(matrix) > BY_ONE_THREAD or not step:
        found: Matrix = asked @ matrix.T
        return found
    even = len(matrix) // step * step
    scores = np.empty((len(matrix), len(asked)), dtype=np.result_type(matrix, asked))
    blocks = matrix[:even].reshape(-1, step, matrix.shape[1])
    np.matmul(blocks, asked.T, out=scores[:even].reshape(-1, step, len(asked)))
    np.matmul(matrix[even:], asked.T, out=scores[even:])
    return np.ascontiguousarray(scores.T)
