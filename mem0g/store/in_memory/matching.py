"""The nearest of a window's candidates, by vectors held in memory, with the cosines of all of them.

All vectors of a window are compared with those of the scope in one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.in_memory.structure import Sharing
from mem0g.store.queries import FactQuery

if TYPE_CHECKING:
    from mem0g.model import Vector
    from mem0g.store.in_memory.vectors import Rows

SHARING_TOKENS = 50
STRUCTURE = 200
"""Maximum of entities that share a token, and of facts found by structure, per query; the latest are kept."""


def with_nearest(
    rows: Callable[[int], Rows], vectors: Sequence[Vector | None], numbers: Sequence[Collection[int]], nearest: int
) -> list[dict[int, float]]:
    """Return entities and those nearest to each vector, with their cosines, 0 where there is no vector.

    ``rows`` returns the vectors of the entities, of the given number of dimensions. ``numbers``: the row numbers of the
    entities known for each vector.
    """
    given = [vector for vector in vectors if vector is not None]
    if not given:
        return [dict.fromkeys(sorted(some), 0.0) for some in numbers]
    held = rows(len(given[0]))
    near = iter(held.nearest_of_each(np.stack(given), nearest))
    return [
        dict.fromkeys(sorted(some), 0.0) if vector is None else _cosines(held, {*some, *next(near)}, vector)
        for vector, some in zip(vectors, numbers, strict=True)
    ]


def with_similar(
    rows: Rows,
    queries: Sequence[FactQuery],
    sharing: Sequence[Sharing],
    nearest: int,
    retired: Callable[[], Sequence[int]],
) -> list[dict[int, float]]:
    """Return the facts found by structure and the nearest ones, with their cosines.

    Nothing is compared for a query whose structure has all that concerns it already. ``retired`` returns the row
    numbers of retired facts, of which none is looked for.
    """
    searched = [place for place, each in enumerate(sharing) if each.is_open]
    near: dict[int, list[int]] = {}
    if searched:
        vectors = np.stack([queries[place].vector for place in searched])
        near = dict(zip(searched, rows.nearest_of_each(vectors, nearest, retired()), strict=True))
    return [
        _cosines(rows, {*each.structure.tolist(), *each.concerned(near.get(place, ()))}, query.vector)
        for place, (query, each) in enumerate(zip(queries, sharing, strict=True))
    ]


def _cosines(rows: Rows, numbers: Collection[int], vector: Vector) -> dict[int, float]:
    """Return the cosine of each of these rows with a vector, 0 for one that has none, in order of row number."""
    ordered = sorted(numbers)
    cosines = rows.similarities(ordered, vector[np.newaxis])
    return {number: cosines.get(number, (0.0,))[0] for number in ordered}
