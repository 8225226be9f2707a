"""Dump the SQLite store as changes; loaded into an empty store, they make an equal one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mem0g.model import Scope
from mem0g.relations.tenant_types import in_use
from mem0g.store.change import Change
from mem0g.store.sqlite import history
from mem0g.store.sqlite.packing import packed_dimensions, unpacked
from mem0g.store.sqlite.passages import OF_MESSAGES
from mem0g.store.sqlite.reading import Reader, listed
from mem0g.store.sqlite.records import dumped
from mem0g.store.sqlite.rows import Row, decision_of, entity_of, message_of

if TYPE_CHECKING:
    from mem0g.model import Vector

BATCH = 500
"""Maximum rows per change: one or two megabytes with their vectors."""


def dump(reader: Reader, scopes: dict[int, Scope]) -> Iterator[Change]:
    """Yield the contents of ``scopes`` (by row number) as changes of at most ``BATCH`` rows.

    Relation types come first, by tenant. Then, scope by scope: messages, entities, facts with their successions,
    decisions, and records outside the graph.
    """
    yield from _relations(reader, scopes)
    for number, scope in scopes.items():
        for rows in _batches(reader, "message", number):
            messages = tuple(message_of(row) for row in rows)
            vectors = _vectors(reader, "message", rows) | _passage_vectors(reader, rows)
            yield Change(scope=scope, messages=messages, vectors=vectors)
        for rows in _batches(reader, "entity", number):
            entities = tuple(entity_of(row, scope) for row in rows)
            yield Change(scope=scope, entities=entities, vectors=_vectors(reader, "entity", rows))
        for rows in _batches(reader, "fact", number):
            facts = tuple(reader.facts_by_row(scopes, [row["n"] for row in rows]).values())
            ids = {fact.id for fact in facts}
            successions = tuple(each for each in history.successions(reader, sorted(ids)) if each.fact_id in ids)
            vectors = _vectors(reader, "fact", rows)
            yield Change(scope=scope, facts=facts, successions=successions, vectors=vectors)
        for rows in _batches(reader, "decision", number):
            yield Change(scope=scope, decisions=tuple(decision_of(row) for row in rows))
        yield from dumped(reader.connection, number, scope, BATCH)


def _relations(reader: Reader, scopes: dict[int, Scope]) -> Iterator[Change]:
    """Yield the relation types of each tenant; only those in use where not all scopes of the tenant are dumped."""
    tenants: dict[Scope, list[int]] = {}
    for number, scope in scopes.items():
        tenants.setdefault(scope.tenant, []).append(number)
    for tenant, numbers in tenants.items():
        types = reader.vocabulary(tenant).types
        if set(reader.tenant_scopes(tenant)) != set(numbers):
            types = in_use(types, history.relation_names(reader, numbers))
        if types:
            yield Change(scope=scopes[numbers[0]], relations=types)


def _batches(reader: Reader, table: str, scope: int) -> Iterator[list[Row]]:
    sql = f"SELECT * FROM {table} WHERE scope = ? AND n > ? ORDER BY n LIMIT ?"  # noqa: S608
    last = 0
    while rows := reader.all(sql, (scope, last, BATCH)):
        yield rows
        last = rows[-1]["n"]


def _vectors(reader: Reader, table: str, rows: list[Row]) -> dict[str, Vector]:
    sql = f"""
      SELECT id, vector FROM {table} JOIN {table}_vector USING (n) WHERE n IN (SELECT value FROM json_each(?))
    """  # noqa: S608
    return _unpacked(reader.all(sql, (listed(row["n"] for row in rows),)))


def _passage_vectors(reader: Reader, messages: list[Row]) -> dict[str, Vector]:
    sql = f"SELECT id, vector FROM passage JOIN passage_vector USING (n) WHERE n IN ({OF_MESSAGES})"  # noqa: S608
    return _unpacked(reader.all(sql, (listed(row["n"] for row in messages),)))


def _unpacked(rows: list[Row]) -> dict[str, Vector]:
    """Return the vectors of rows by id."""
    dimensions = packed_dimensions(len(rows[0]["vector"])) if rows else 0
    return dict(zip((row["id"] for row in rows), unpacked([row["vector"] for row in rows], dimensions), strict=True))
