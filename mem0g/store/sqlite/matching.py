"""Reads of a window's transaction: the entities that its names may mean, and the facts that its triples may affect.

All queries of a window are answered together: each index entry, row and vector is read once, however many of them ask
for it, and all are compared with the vectors of the scope in one matrix product.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Never

from mem0g.model import Scope
from mem0g.store.in_memory.matching import SHARING_TOKENS, STRUCTURE, with_nearest, with_similar
from mem0g.store.in_memory.structure import Structure
from mem0g.store.queries import MAX_NEIGHBOURS, EntityCandidate, EntityQuery, FactQuery, RelatedFact
from mem0g.store.sqlite.columns import Columns
from mem0g.store.sqlite.kept import KeptRows
from mem0g.store.sqlite.reading import Reader, listed
from mem0g.times import Moment


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
        rows = partial(self._columns.vectors, "entity", scopes)
        found = with_nearest(rows, [query.vector for query in queries], numbers, nearest)
        return self._candidates(scopes, queries, found)

    def _candidates(
        self, scopes: dict[int, Scope], queries: Sequence[EntityQuery], found: Sequence[dict[int, float]]
    ) -> list[tuple[EntityCandidate, ...]]:
        """Return the candidates of each query, given the similarities of entities by row number."""
        entities = self._reader.entities_by_row(scopes, {number for each in found for number in each})
        wanted = {number for query, each in zip(queries, found, strict=True) if query.around for number in each}
        ids = [entity.id for number, entity in entities.items() if number in wanted]
        around, dates = self._neighbours(ids, MAX_NEIGHBOURS), self._dates(ids, MAX_NEIGHBOURS)
        roles = self._roles(ids, MAX_NEIGHBOURS)
        nothing: frozenset[Never] = frozenset()

        def candidate(number: int, similarity: float) -> EntityCandidate:
            entity = entities[number]
            known = around.get(entity.id, nothing), dates.get(entity.id, nothing), roles.get(entity.id, nothing)
            return EntityCandidate(entity, similarity, *known)

        made = ([candidate(*item) for item in each.items() if item[0] in entities] for each in found)
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.entity.id))) for each in made]

    def related_facts(
        self, scopes: dict[int, Scope], queries: Sequence[FactQuery], nearest: int
    ) -> list[tuple[RelatedFact, ...]]:
        """See Transaction.related_facts."""
        if not queries:
            return []
        structure = Structure(self._columns.edges(scopes), self._columns.relations(scopes))
        sharing = [structure.sharing(query, STRUCTURE) for query in queries]
        rows = self._columns.vectors("fact", scopes, len(queries[0].vector))
        found = with_similar(rows, queries, sharing, nearest, lambda: self._retired(scopes))
        self._kept.renew()
        facts = self._kept.facts(scopes, {number for each in found for number in each})
        made = ([RelatedFact(facts[n], similarity) for n, similarity in each.items()] for each in found)
        return [tuple(sorted(each, key=lambda one: (-one.similarity, one.fact.id))) for each in made]

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

    def _roles(self, ids: Sequence[str], limit: int) -> dict[str, frozenset[tuple[str, str]]]:
        """Return relations and subjects of the current facts whose object is each of these, if at most ``limit``."""
        sql = """
          SELECT value AS id, (
            SELECT json_group_array(json_array(relation, subject)) FROM (
              SELECT DISTINCT relation, subject FROM fact
              WHERE object = wanted.value AND retired_at IS NULL LIMIT ?
            )
          ) AS roles FROM json_each(?) AS wanted
        """
        found = {row["id"]: json.loads(row["roles"]) for row in self._reader.all(sql, (limit + 1, listed(ids)))}
        return {each: frozenset(map(tuple, roles)) for each, roles in found.items() if len(roles) <= limit}

    def _sharing_token(self, scopes: Iterable[int], token: str, limit: int) -> list[tuple[int, str, int]]:
        """Return time of update, id and row number of entities with a name that has a token, latest updated first."""
        sql = (
            "SELECT entity.updated_at, entity.id, entity.n "
            "FROM entity_token JOIN entity ON entity.n = entity_token.entity "
            "WHERE entity_token.scope IN (SELECT value FROM json_each(?)) AND token = ? AND merged_into IS NULL "
            "ORDER BY entity.updated_at DESC, entity.id LIMIT ?"
        )
        return list(map(tuple, self._reader.all(sql, (listed(scopes), token, limit))))

    def _retired(self, scopes: Iterable[int]) -> list[int]:
        """Return the row numbers of the retired facts of these scopes."""
        sql = "SELECT n FROM fact WHERE scope IN (SELECT value FROM json_each(?)) AND retired_at IS NOT NULL"
        return [row["n"] for row in self._reader.all(sql, (listed(scopes),))]


def _latest(sharing: Collection[tuple[int, str, int]]) -> list[int]:
    """Return the row numbers of the entities updated last, given as (time of update, id, row number)."""
    by_id = sorted(sharing, key=lambda row: row[1])
    return [number for _, _, number in sorted(by_id, key=lambda row: row[0], reverse=True)[:SHARING_TOKENS]]
