"""Reads of a window's transaction: the entities that its names may mean, and the facts that its triples may affect.

All queries of a window are answered together: each index entry, row and vector is read once, however many of them ask
for it, and all are compared with the vectors of the scope in one matrix product.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Literal, Never, TypeAlias

import numpy as np

from mem0g.model import Scope
from mem0g.store.in_memory.searching import Table
from mem0g.store.queries import MAX_NEIGHBOURS, EntityCandidate, EntityQuery, FactQuery, RelatedFact
from mem0g.store.sqlite.columns import Columns
from mem0g.store.sqlite.kept import KeptRows
from mem0g.store.sqlite.reading import Reader, listed
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector

SHARING_TOKENS = 50
STRUCTURE = 200
"""Maximum of entities that share a token, and of facts found by structure, per query; the latest are kept."""

End: TypeAlias = Literal["subject", "object"]


class Matcher:
    """Candidates of a window over one connection; the caller holds the store's lock."""

    def __init__(self, reader: Reader, columns: Columns, kept: KeptRows) -> None:
        self._reader, self._columns, self._kept = reader, columns, kept

    def match_entities(
        self, scopes: dict[int, Scope], queries: Sequence[EntityQuery], nearest: int
    ) -> list[tuple[EntityCandidate, ...]]:
        """See Transaction.match_entities."""
        named = self._reader.named(scopes, sorted({name for query in queries for name in query.names}))
        tokens = {token for query in queries for token in query.tokens}
        sharing = {token: self._sharing_token(scopes, token, SHARING_TOKENS) for token in tokens}
        numbers = [
            {number for name in query.names for number in named.get(name, ())}.union(
                _latest({row for token in query.tokens for row in sharing[token]})
            )
            for query in queries
        ]
        found = self._with_nearest("entity", scopes, [query.vector for query in queries], numbers, nearest)
        return self._candidates(scopes, queries, found)

    def _candidates(
        self, scopes: dict[int, Scope], queries: Sequence[EntityQuery], found: Sequence[dict[int, float]]
    ) -> list[tuple[EntityCandidate, ...]]:
        """Return the candidates of each query, given the similarities of entities by row number."""
        entities = self._reader.entities_by_row(scopes, {number for each in found for number in each})
        wanted = {number for query, each in zip(queries, found, strict=True) if query.around for number in each}
        ids = [entity.id for number, entity in entities.items() if number in wanted]
        around, dates = self._neighbours(ids, MAX_NEIGHBOURS), self._dates(ids, MAX_NEIGHBOURS)
        nothing: frozenset[Never] = frozenset()

        def candidate(number: int, similarity: float) -> EntityCandidate:
            entity = entities[number]
            return EntityCandidate(entity, similarity, around.get(entity.id, nothing), dates.get(entity.id, nothing))

        made = ([candidate(*item) for item in each.items() if item[0] in entities] for each in found)
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.entity.id))) for each in made]

    def related_facts(
        self, scopes: dict[int, Scope], queries: Sequence[FactQuery], nearest: int
    ) -> list[tuple[RelatedFact, ...]]:
        """See Transaction.related_facts."""
        if not queries:
            return []
        vectors, retired = [query.vector for query in queries], self._retired(scopes)
        found = self._with_nearest("fact", scopes, vectors, self._structure(scopes, queries), nearest, retired)
        self._kept.renew()
        facts = self._kept.facts(scopes, {number for each in found for number in each})
        made = ([RelatedFact(facts[n], similarity) for n, similarity in each.items()] for each in found)
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.fact.id))) for each in made]

    def _structure(self, scopes: Iterable[int], queries: Sequence[FactQuery]) -> list[list[int]]:
        """Return the row numbers of the facts with the same ends or a relation and an end of each query, latest first.

        What a look-up of a relation reads is one range of an index, from its end; the queries of a window have many in
        common.
        """
        with_relation, between = cache(self._facts_with_relation), self._columns.edges(scopes).between(STRUCTURE)
        found = []
        for query in queries:
            ends = (query.subject_id, query.object_id)
            numbers = {*between(*ends), *between(*ends[::-1])}
            for relation in query.relations:
                numbers.update(with_relation("subject", query.subject_id, relation, STRUCTURE))
            for relation, end in product(query.of_either_end, ends):
                numbers.update(with_relation("subject", end, relation, STRUCTURE))
                numbers.update(with_relation("object", end, relation, STRUCTURE))
            found.append(sorted(numbers, reverse=True)[:STRUCTURE])
        return found

    def _neighbours(self, ids: Sequence[str], limit: int) -> dict[str, frozenset[str]]:
        """Return the ids of the neighbours of each of these entities that has at most ``limit``.

        Of one that has more, no more facts are read than show that.
        """
        sql = """
          SELECT value AS id, (
            SELECT json_group_array(other) FROM (
              SELECT DISTINCT other FROM (
                SELECT object AS other FROM fact JOIN entity ON entity.id = object
                  WHERE subject = wanted.value AND type <> 'literal'
                UNION ALL SELECT subject FROM fact WHERE object = wanted.value
              ) LIMIT ?
            )
          ) AS others FROM json_each(?) AS wanted
        """
        rows = self._reader.all(sql, (limit + 2, listed(ids)))
        around = {row["id"]: frozenset(json.loads(row["others"])) - {row["id"]} for row in rows}
        return {each: others for each, others in around.items() if len(others) <= limit}

    def _dates(self, ids: Sequence[str], limit: int) -> dict[str, frozenset[tuple[str, Moment]]]:
        """Return the relations and dates of the dated facts of each of these entities that has at most ``limit``."""
        sql = """
          SELECT value AS id, (
            SELECT json_group_array(json_array(relation, valid_from)) FROM (
              SELECT DISTINCT relation, valid_from FROM (
                SELECT relation, valid_from FROM fact WHERE subject = wanted.value AND valid_from IS NOT NULL
                UNION ALL SELECT relation, valid_from FROM fact WHERE object = wanted.value AND valid_from IS NOT NULL
              ) LIMIT ?
            )
          ) AS dates FROM json_each(?) AS wanted
        """
        found = {row["id"]: json.loads(row["dates"]) for row in self._reader.all(sql, (limit + 1, listed(ids)))}
        return {
            each: frozenset((relation, Moment.parse(date)) for relation, date in dates)
            for each, dates in found.items()
            if len(dates) <= limit
        }

    def _sharing_token(self, scopes: Iterable[int], token: str, limit: int) -> list[tuple[int, str, int]]:
        """Return time of update, id and row number of entities with a name that has a token, latest updated first."""
        sql = (
            "SELECT entity.updated_at, entity.id, entity.n "
            "FROM entity_token JOIN entity ON entity.n = entity_token.entity "
            "WHERE entity_token.scope IN (SELECT value FROM json_each(?)) AND token = ? AND merged_into IS NULL "
            "ORDER BY entity.updated_at DESC, entity.id LIMIT ?"
        )
        return list(map(tuple, self._reader.all(sql, (listed(scopes), token, limit))))

    def _facts_with_relation(self, column: End, end: str, relation: str, limit: int) -> list[int]:
        """Return the row numbers of the facts with this subject or object and relation, latest first."""
        sql = f"SELECT n FROM fact WHERE {column} = ? AND relation = ? ORDER BY n DESC LIMIT ?"  # noqa: S608
        return [row["n"] for row in self._reader.all(sql, (end, relation, limit))]

    def _retired(self, scopes: Iterable[int]) -> list[int]:
        """Return the row numbers of the retired facts of these scopes."""
        sql = "SELECT n FROM fact WHERE scope IN (SELECT value FROM json_each(?)) AND retired_at IS NOT NULL"
        return [row["n"] for row in self._reader.all(sql, (listed(scopes),))]

    def _with_nearest(
        self,
        table: Table,
        scopes: Iterable[int],
        vectors: Sequence[Vector | None],
        numbers: Sequence[Collection[int]],
        nearest: int,
        without: Sequence[int] = (),
    ) -> list[dict[int, float]]:
        """Return ``numbers`` and the rows nearest to each vector, with their cosines, 0 where there is no vector."""
        given = [vector for vector in vectors if vector is not None]
        if not given:
            return [dict.fromkeys(some, 0.0) for some in numbers]
        rows = self._columns.vectors(table, scopes, len(given[0]))
        near = iter(rows.nearest_of_each(np.stack(given), nearest, without))
        found = []
        for vector, some in zip(vectors, numbers, strict=True):
            all_ = sorted(some if vector is None else {*some, *next(near)})
            cosines = {} if vector is None else rows.similarities(all_, vector[np.newaxis])
            found.append({number: cosines.get(number, (0.0,))[0] for number in all_})
        return found


def _latest(sharing: Collection[tuple[int, str, int]]) -> list[int]:
    """Return the row numbers of the entities updated last, given as (time of update, id, row number)."""
    by_id = sorted(sharing, key=lambda row: row[1])
    return [number for _, _, number in sorted(by_id, key=lambda row: row[0], reverse=True)[:SHARING_TOKENS]]
