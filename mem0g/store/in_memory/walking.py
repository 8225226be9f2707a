"""Walks along the facts around entities: in both directions, and along outgoing facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.rows import HeldFact
from mem0g.store.queries import PathTraversal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Read = Callable[[Sequence[int]], Mapping[int, HeldFact]]
"""Returns facts by row number, in the order asked for."""


def walk(
    edges: Edges, read: Read, among: NDArray[np.bool_], start: Sequence[str], hops: int, budget: int
) -> dict[int, tuple[str, ...]]:
    """Return the row numbers of the facts around ``start``, nearest first, then latest, with paths of names.

    They are at most ``budget`` of the facts ``among`` (see Edges).
    """
    paths: dict[int, tuple[str, ...]] = {}
    reached: dict[str, tuple[str, ...]] = dict.fromkeys(start, ())
    frontier = list(start)
    for _ in range(hops):
        found = edges.touching(frontier, among, budget + len(paths))
        facts = read([number for number in found if number not in paths][: budget - len(paths)])
        frontier = []
        for number, held in facts.items():
            fact = held.row
            ends = ((fact.subject_id, fact.subject), (fact.object_id, fact.object))
            (near, name), (far, far_name) = ends if fact.subject_id in reached else ends[::-1]
            paths[number] = (*(reached[near] or (name,)), fact.relation, far_name)
            if far not in reached and not fact.object_is_literal:
                reached[far] = paths[number]
                frontier.append(far)
        if not frontier or len(paths) >= budget:
            break
    return paths


def traverse(edges: Edges, read: Read, among: NDArray[np.bool_], traversal: PathTraversal) -> list[int]:
    """Return the row numbers of the facts of a traversal, in its order; they are of the facts ``among``."""
    followed: list[int] = []
    reached, frontier = set(traversal.anchors), list(traversal.anchors)
    for _ in range(traversal.hops):
        left = traversal.budget - len(followed)
        if not frontier or left <= 0:
            break
        found = edges.outgoing(frontier, among, traversal.max_degree, left)
        followed += reversed(found)
        ends = dict.fromkeys(held.row.object_id for held in read(found).values())
        frontier = [end for end in ends if end not in reached]
        reached.update(frontier)
    return followed
