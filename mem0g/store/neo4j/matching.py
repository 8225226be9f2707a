"""Reads of a window's transaction answered from memory: entities that names may mean, facts that triples may affect.

What the server does by some hundred look-ups in indexes takes it a quarter of a second; here it is a matrix product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from mem0g.model import LITERAL
from mem0g.store.in_memory.matching import SHARING_TOKENS, STRUCTURE, with_nearest, with_similar
from mem0g.store.in_memory.structure import Structure
from mem0g.store.queries import CURRENT, MAX_NEIGHBOURS, EntityCandidate, EntityQuery, FactQuery, RelatedFact
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Entity
    from mem0g.store.in_memory.rows import FactRow
    from mem0g.store.neo4j.held import HeldScopes

T = TypeVar("T")

Around: TypeAlias = tuple[frozenset[str], frozenset[tuple[str, Moment]], frozenset[tuple[str, str]]]


def match_entities(held: HeldScopes, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[EntityCandidate, ...]]:
    """Return the candidates of each query; see Transaction.match_entities."""
    numbers = []
    for query in queries:
        sharing = held.index.sharing(query.tokens)
        latest = sharing if len(sharing) <= SHARING_TOKENS else _latest(held, sharing)
        numbers.append({*held.numbers_named(query.names), *latest})
    found = with_nearest(partial(held.vectors, "entity"), [query.vector for query in queries], numbers, nearest)

    @cache
    def entity(number: int) -> Entity:
        return held.entity(number)

    @cache
    def around(number: int) -> Around:
        return _around(held, held.entity_rows[number].id)

    def candidates(query: EntityQuery, similarities: dict[int, float]) -> Iterator[EntityCandidate]:
        for number, similarity in similarities.items():
            yield EntityCandidate(entity(number), similarity, *(around(number) if query.around else ()))

    made = map(candidates, queries, found)
    return [tuple(sorted(each, key=lambda one: (-one.similarity, one.entity.id))) for each in made]


def related_facts(held: HeldScopes, queries: Sequence[FactQuery], nearest: int) -> list[tuple[RelatedFact, ...]]:
    """Return the facts that each query might affect; see Transaction.related_facts."""
    structure = Structure(held.edges, held.relations)
    sharing = [structure.sharing(query, STRUCTURE) for query in queries]
    rows = held.vectors("fact", len(queries[0].vector))
    found = with_similar(rows, queries, sharing, nearest, lambda: held.unseen(CURRENT).tolist())
    every = sorted({number for each in found for number in each})
    table, slots = held.found_facts(every)
    facts = dict(zip(every, map(table.made, slots.tolist()), strict=True))
    made = ([RelatedFact(facts[number], similarity) for number, similarity in each.items()] for each in found)
    return [tuple(sorted(each, key=lambda one: (-one.similarity, one.fact.id))) for each in made]


def _latest(held: HeldScopes, numbers: Iterable[int]) -> list[int]:
    """Return the entities that were updated last."""
    rows = held.entity_rows
    return sorted(numbers, key=lambda number: (-rows[number].updated_at, rows[number].id))[:SHARING_TOKENS]


def _around(held: HeldScopes, entity: str) -> Around:
    """Return neighbours, dates and roles of an entity; see EntityCandidate."""
    rows = [held.fact_rows[number] for number in held.index.facts(entity)]
    ends = (end for row in rows for end in _entities_of(row))
    others = _few(end for end in ends if end != entity)
    dates = _few((row.relation, row.valid_from) for row in rows if row.valid_from is not None)
    roles = _few((row.relation, row.subject_id) for row in rows if row.object_id == entity and row.retired_at is None)
    return others, frozenset((relation, Moment.parse(date)) for relation, date in dates), roles


def _entities_of(row: FactRow) -> tuple[str, ...]:
    """Return the ends of a fact that are entities."""
    return (row.subject_id,) if row.object_type == LITERAL else (row.subject_id, row.object_id)


def _few(some: Iterable[T]) -> frozenset[T]:
    """Return what is there, each once; nothing if there is more than MAX_NEIGHBOURS."""
    found = set[T]()
    for each in some:
        found.add(each)
        if len(found) > MAX_NEIGHBOURS:
            return frozenset()
    return frozenset(found)
