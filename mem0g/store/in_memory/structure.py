"""Facts that share an entity with a new triple, looked up in columns: their ends and their relations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import count, product
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from mem0g.store.in_memory.column import Column, each_once, places_of
from mem0g.store.in_memory.edges import Edges
from mem0g.store.queries import FactQuery

if TYPE_CHECKING:
    from mem0g.store.in_memory.column import Numbers

End: TypeAlias = Literal["subject", "object"]


class Relations:
    """The relations of facts, in order of row number ``n``, as numbers of ``names``."""

    def __init__(self) -> None:
        self._n, self._codes = Column(np.int64), Column(np.int32)
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated, with about 170 bytes for each relation."""
        return self._n.nbytes + self._codes.nbytes + 170 * len(self._numbers)

    @property
    def codes(self) -> Numbers:
        """The number of each fact's relation, shape (facts,)."""
        codes: Numbers = self._codes.values
        return codes

    @property
    def names(self) -> list[str]:
        """The relations by number."""
        return list(self._numbers)

    def number(self, relation: str) -> int:
        """Return the number of a relation, -1 if no fact has it."""
        return self._numbers.get(relation, -1)

    def reserve(self, size: int) -> None:
        """Make room for ``size`` facts in all."""
        self._n.reserve(size)
        self._codes.reserve(size)

    def append(self, numbers: Sequence[int], relations: Sequence[str]) -> None:
        """Add facts of higher row numbers than those held."""
        self._n.append(numbers)
        self._codes.append(np.fromiter((self._numbers[each] for each in relations), np.int32, len(relations)))


class Sharing(NamedTuple):
    """Row numbers, in order, of facts that share an entity with a triple.

    ``structure``: those that the query asks for by structure. ``concerning``: those that concern the triple if they are
    similar to it; None for any fact.
    """

    structure: Numbers
    concerning: Numbers | None

    @property
    def is_open(self) -> bool:
        """Whether facts that were not found by structure may concern the triple."""
        return self.concerning is None or len(self.concerning) > len(self.structure)

    def concerned(self, similar: Sequence[int]) -> Collection[int]:
        """Return those of some facts, by row number, that concern the triple."""
        return similar if self.concerning is None else {*similar}.intersection(self.concerning.tolist())


class Structure:
    """Look-ups of the facts that the triples of a window share an entity with; those of an entity are found once.

    ``edges`` and ``relations`` are of the same facts.
    """

    def __init__(self, edges: Edges, relations: Relations) -> None:
        self._edges, self._n, self._relations, self._names = edges, edges.n, relations, relations.names
        self._of: Mapping[End, Callable[[str], Numbers]] = {
            "subject": cache(edges.of_subject),
            "object": cache(edges.of_object),
        }

    def sharing(self, query: FactQuery, limit: int) -> Sharing:
        """Return the facts that share an entity with a triple.

        Those found by structure are the latest ``limit`` of all, and of each look-up. If the query says what concerns
        it, others that have not both ends in common are left out.
        """
        ends = (query.subject_id, query.object_id)
        everywhere = [self._between(*ends), self._between(*ends[::-1])]
        for relation, entity in product(query.of_either_end, ends):
            everywhere += [self._with(relation, end, entity) for end in self._of]
        of_subject = [self._with(relation, "subject", query.subject_id) for relation in query.relations]
        latest = _union([each[-limit:] for each in (*everywhere, *of_subject)])[-limit:]
        if query.concerns is None:
            return Sharing(self._n[latest], None)
        concerning = _union([*everywhere, self._concerning(query.subject_id, query.concerns)])
        return Sharing(self._n[latest[places_of(concerning, latest)[1]]], self._n[concerning])

    def _between(self, subject: str, obj: str) -> Numbers:
        """Return the places of the facts from one entity to another."""
        return self._edges.to(self._of["subject"](subject), obj)

    def _with(self, relation: str, end: End, entity: str) -> Numbers:
        """Return the places of the facts of a relation with this subject or object."""
        places = self._of[end](entity)
        with_relation: Numbers = places[self._relations.codes[places] == self._relations.number(relation)]
        return with_relation

    def _concerning(self, subject: str, concerns: Callable[[str], bool]) -> Numbers:
        """Return the places of the facts of a subject whose relations concern a triple."""
        places = self._of["subject"](subject)
        codes = self._relations.codes[places]
        concerned = np.zeros(len(self._names), dtype=bool)
        for code in each_once(codes).tolist():
            concerned[code] = concerns(self._names[code])
        return places[concerned[codes]]


def _union(some: Sequence[Numbers]) -> Numbers:
    return each_once(np.concatenate(some))
