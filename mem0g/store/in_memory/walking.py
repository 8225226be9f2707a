"""Walks along the facts around entities: in both directions, and along outgoing facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mem0g.model import LITERAL, Fact
from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.rows import FactRow
from mem0g.store.in_memory.tables import Found, Table
from mem0g.store.queries import PathTraversal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Read = Callable[[Sequence[int]], Found[FactRow, Fact]]
"""Returns facts by row number, in the order asked for."""


class Paths(Mapping[int, tuple[str, ...]]):
    """The paths of names from an anchor to facts, by row number of the fact; each is put together when it is read."""

    def __init__(self) -> None:
        self._steps: dict[int, tuple[Table[FactRow, Fact], int, bool, int]] = {}

    def add(self, number: int, table: Table[FactRow, Fact], slot: int, before: int, *, forward: bool) -> None:
        """Add the path to the fact in a slot, from its subject if ``forward``, by way of the fact ``before`` or 0."""
        self._steps[number] = (table, slot, forward, before)

    def __getitem__(self, number: int) -> tuple[str, ...]:
        table, slot, forward, before = self._steps[number]
        row = table.row(slot)
        near, far = (row.subject, row.object) if forward else (row.object, row.subject)
        return (*(self[before] if before else (near,)), row.relation, far)

    def __iter__(self) -> Iterator[int]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)


def walk(edges: Edges, read: Read, among: NDArray[np.bool_], start: Sequence[str], hops: int, budget: int) -> Paths:
    """Return the facts around ``start`` by row number, nearest first, then latest, with paths of names.

    They are at most ``budget`` of the facts ``among`` (see Edges).
    """
    paths = Paths()
    reached: dict[str, int] = dict.fromkeys(start, 0)
    frontier = list(start)
    for _ in range(hops):
        found = edges.touching(frontier, among, budget + len(paths))
        table, slots = read([number for number in found if number not in paths][: budget - len(paths)])
        numbers, literal = table.numbers.values[slots].tolist(), table.names("object_type", slots).are((LITERAL,))
        ends = (table.names("subject_id", slots), table.names("object_id", slots))
        frontier = []
        for number, slot, subject, obj, value in zip(numbers, slots.tolist(), *ends, literal.tolist(), strict=True):
            forward = subject in reached
            near, far = (subject, obj) if forward else (obj, subject)
            paths.add(number, table, slot, reached[near], forward=forward)
            if far not in reached and not value:
                reached[far] = number
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
        table, slots = read(found)
        ends = dict.fromkeys(table.names("object_id", slots))
        frontier = [end for end in ends if end not in reached]
        reached.update(frontier)
    return followed
