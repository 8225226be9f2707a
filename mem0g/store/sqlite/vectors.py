"""Exact nearest-neighbour search over the vectors of a set of scopes, held in memory and extended as rows are added."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.model import Matrix, Vector

Table = Literal["message", "passage", "entity", "fact"]

CACHED_BYTES = 1 << 30
"""Maximum bytes of vectors held in memory for all scopes: about 700,000 vectors of 384 dimensions."""

COMPARED_AT_ONCE = 1 << 23
"""Maximum of cosines of one matrix product, 32 MB: more queries are compared one part after the other."""

_BLOCKS = 16
"""Rows of which the best one counts in the first look for the nearest: a power of two, as few enough remain."""

_ADDED = {
    table: f"SELECT {table}.n, vector FROM {table} JOIN {table}_vector USING (n) "  # noqa: S608 - table names are ours
    f"WHERE scope IN (SELECT value FROM json_each(?)) AND {table}.n > ? ORDER BY {table}.n"
    for table in ("message", "passage", "entity", "fact")
}


@dataclass(frozen=True, slots=True)
class Cosines:
    """The cosine similarities of one vector with the rows of ``n``; both of shape (rows,)."""

    n: NDArray[np.int64]
    values: NDArray[np.float32]

    def of(self, numbers: Sequence[int]) -> dict[int, float]:
        """Return the cosine similarity of each of these rows, by row number; rows without a vector are omitted."""
        wanted = np.asarray(numbers, dtype=np.int64)
        places, there = _places(self.n, wanted)
        return dict(zip(wanted[there].tolist(), self.values[places[there]].tolist(), strict=True))

    def nearest(self, limit: int, without: NDArray[np.bool_] | None = None) -> list[int]:
        """Return up to ``limit`` row numbers, most similar first, ties by row number.

        ``without`` is true for rows to exclude; shape (rows,).
        """
        values = self.values if without is None else np.where(without, np.float32(-np.inf), self.values)
        places = _highest(values, limit)
        return [int(n) for n in self.n[places[values[places] > -np.inf]]]


class Rows:
    """The vectors of one table's rows in one set of scopes, in order of row number ``n``."""

    def __init__(self, dimensions: int) -> None:
        self._n: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._matrix: Matrix = np.empty((0, dimensions), dtype=np.float32)
        self._size = 0

    @property
    def last(self) -> int:
        """The highest row number held; 0 without rows."""
        return int(self._n[self._size - 1]) if self._size else 0

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated for the vectors."""
        return self._matrix.nbytes

    @property
    def n(self) -> NDArray[np.int64]:
        """Row numbers, shape (rows,)."""
        return self._n[: self._size]

    @property
    def matrix(self) -> Matrix:
        """Vectors, shape (rows, dimensions)."""
        return self._matrix[: self._size]

    def append(self, numbers: Sequence[int], blobs: Sequence[bytes]) -> None:
        """Add rows. Capacity doubles when it is exhausted, so that appending takes amortised constant time."""
        size = self._size + len(numbers)
        if size > len(self._n):
            room = max(size, 2 * len(self._n))
            self._n = np.concatenate([self.n, np.empty(room - self._size, dtype=np.int64)])
            self._matrix = np.concatenate(
                [self.matrix, np.empty((room - self._size, self._matrix.shape[1]), dtype=np.float32)]
            )
        self._n[self._size : size] = numbers
        self._matrix[self._size : size] = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1)
        self._size = size

    def similarities(self, numbers: Sequence[int], vectors: Matrix) -> dict[int, tuple[float, ...]]:
        """Return the cosine similarity of each row in ``numbers`` with each of ``vectors``, by row number.

        Rows without a vector are omitted.
        """
        wanted = np.asarray(numbers, dtype=np.int64)
        places, there = _places(self.n, wanted)
        cosines = self.matrix[places[there]] @ vectors.T
        return dict(zip(wanted[there].tolist(), map(tuple, cosines.tolist()), strict=True))

    def nearest(self, vectors: Matrix, limit: int, without: Collection[int] = ()) -> list[int]:
        """Return up to ``limit`` row numbers by descending sum of cosine similarities with ``vectors``.

        Ties are ordered by row number. The rows ``without`` are excluded.
        """
        if not self._size or limit <= 0:
            return []
        scores = self.matrix @ vectors.sum(axis=0)
        if without:
            scores[np.isin(self.n, np.fromiter(without, dtype=np.int64, count=len(without)))] = -np.inf
        order = _highest(scores, limit)
        return [int(self._n[place]) for place in order if scores[place] > -np.inf]

    def cosines(self, vectors: Matrix) -> Iterator[Cosines]:
        """Yield the cosines of all rows with each of ``vectors``, computed in as few matrix products as fit in memory.

        Of 40 vectors, a product takes a fifth of the time of one after the other.
        """
        at_once = max(1, COMPARED_AT_ONCE // max(1, self._size))
        for start in range(0, len(vectors), at_once):
            for values in vectors[start : start + at_once] @ self.matrix.T:
                yield Cosines(self.n, values)

    def among(self, numbers: Collection[int]) -> NDArray[np.bool_]:
        """Return which rows are among ``numbers``; shape (rows,)."""
        found = np.zeros(self._size, dtype=np.bool_)
        places, there = _places(self.n, np.fromiter(numbers, dtype=np.int64, count=len(numbers)))
        found[places[there]] = True
        return found


def _places(n: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the places of row numbers in ``n``, which ascends, and which of them it has."""
    places = np.searchsorted(n, wanted)
    there = places < len(n)
    there[there] = n[places[there]] == wanted[there]
    return places, there


def _highest(scores: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Return the places of the ``limit`` highest scores, highest first, ties in order.

    Of many scores, the limit-th highest of the maxima of blocks is a bound that at least as many scores reach, and few
    more. Finding it takes a twentieth of the time that a partition of all scores takes.
    """
    if limit <= 0:
        return np.empty(0, dtype=np.intp)
    if limit < len(scores):
        width = len(scores) // _BLOCKS
        some = scores[: width * _BLOCKS].reshape(_BLOCKS, width).max(axis=0) if limit < width else scores
        places = np.flatnonzero(scores >= np.partition(some, -limit)[-limit])
    else:
        places = np.arange(len(scores))
    return places[np.lexsort((places, -scores[places]))][:limit]


class VectorCache:
    """A least-recently-used cache of vectors by table and set of scopes; the caller must hold the store's lock."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: OrderedDict[tuple[Table, tuple[int, ...]], Rows] = OrderedDict()
        self._epoch = 0

    def rows(self, table: Table, scopes: tuple[int, ...], dimensions: int, epoch: int) -> Rows:
        """Return the current rows of ``table`` in ``scopes``, reading only those added since the last call.

        A new ``epoch``, which means that vectors were replaced or removed, empties the cache.
        """
        if epoch != self._epoch:
            self._rows.clear()
            self._epoch = epoch
        key = (table, scopes)
        rows = self._rows.pop(key, None) or Rows(dimensions)
        listed = "[" + ",".join(map(str, scopes)) + "]"
        added = self._connection.execute(_ADDED[table], (listed, rows.last)).fetchall()
        if added:
            rows.append([row[0] for row in added], [row[1] for row in added])
        self._rows[key] = rows
        while len(self._rows) > 1 and sum(each.size_in_bytes for each in self._rows.values()) > CACHED_BYTES:
            self._rows.popitem(last=False)
        return rows

    def clear(self) -> None:
        """Empty the cache."""
        self._rows.clear()


def packed(vector: Vector) -> bytes:
    """Return the vector as it is stored: little-endian float32."""
    return np.asarray(vector, dtype="<f4").tobytes()


def unpacked(blob: bytes) -> Vector:
    """Return the vector of a stored blob."""
    return np.frombuffer(blob, dtype="<f4").astype(np.float32)
