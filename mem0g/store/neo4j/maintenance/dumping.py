"""Reading a Neo4j store as a snapshot: changes that make an equal store when loaded in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import neo4j

from mem0g.errors import LockedStoreError, ReadOnlyStoreError, StoreAccessError
from mem0g.model import Fact, Scope, Succession
from mem0g.relations.tenant_types import in_use
from mem0g.store.change import Change
from mem0g.store.neo4j.fact_rows import decision_of, fact_of, succession_of
from mem0g.store.neo4j.records import LABELS, change_of
from mem0g.store.neo4j.rows import Row, entity_of, message_of, scope_keys, scope_of, vector_of
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.neo4j.tenants import relation_names, tenant_scopes, tenant_types

if TYPE_CHECKING:
    from mem0g.model import Vector

BATCH = 500
"""Rows in a change: a megabyte or two with their vectors."""


@dataclass(frozen=True, slots=True)
class SnapshotReader:
    """Reads scopes one after the other, each under its lock: Neo4j's transactions see what others commit meanwhile.

    ``embedder`` is the store's embedder when the snapshot began. Raises LockedStoreError where a scope was re-embedded
    since, or was written to while it was read without a lock.
    """

    connection: Connection
    embedder: str | None

    def changes(self, scopes: Sequence[Row]) -> Iterator[Change]:
        """Yield the relation types of the tenants, then everything in ``scopes``, scope by scope."""
        yield from self._relation_types(scopes)
        for row in scopes:
            try:
                yield from self._under_lock(row)
            except (ReadOnlyStoreError, StoreAccessError):  # of the lock: nothing was yielded yet
                yield from self._without_lock(row)

    def _relation_types(self, rows: Sequence[Row]) -> Iterator[Change]:
        """Yield the relation types of each tenant; where only part of a tenant is read, those that this part uses."""
        tenants: dict[Scope, list[Row]] = {}
        for row in rows:
            tenants.setdefault(scope_of(row).tenant, []).append(row)
        for tenant, parts in tenants.items():
            types, scopes = tenant_types(self.connection.rows, tenant).types, [row["scope"] for row in parts]
            if set(tenant_scopes(self.connection.rows, tenant)) != set(scopes):
                types = in_use(types, relation_names(self.connection.rows, scopes))
            if types:
                yield Change(scope=scope_of(parts[0]), relations=types)

    def _under_lock(self, row: Row) -> Iterator[Change]:
        with self.connection.hold() as run:
            for locked in run("lock_scopes", scopes=[row["scope"]]):  # none: it was forgotten meanwhile
                if locked["embedder"] != self.embedder:
                    raise self._changed("was re-embedded")
                yield from dump(run, row["scope"], scope_of(row))

    def _without_lock(self, row: Row) -> Iterator[Change]:
        """Read a scope where no lock can be taken, as the user or the database is read-only; fail if it was written."""
        with self.connection.hold(neo4j.READ_ACCESS) as run:
            before = run("scopes_written", scopes=[row["scope"]])
            if any(each["embedder"] != self.embedder for each in before):
                raise self._changed("was re-embedded")
            if before:
                yield from dump(run, row["scope"], scope_of(row))
            if run("scopes_written", scopes=[row["scope"]]) != before:
                raise self._changed("was written to")

    def _changed(self, how: str) -> LockedStoreError:
        hint = "try again when no `mem0g reindex` is running"
        return LockedStoreError(f"{self.connection.address} {how} while it was read", hint=hint)


def dump(run: Run, scope: str, of: Scope) -> Iterator[Change]:
    """Yield all of one scope: messages, entities, facts, successions, decisions, records outside the graph."""
    for rows in _batches(run, "dump_messages", scope):
        nodes = [row["message"] for row in rows]
        parts = [passage for row in rows for passage in row["passages"]]
        yield Change(scope=of, messages=tuple(map(message_of, nodes)), vectors=_vectors([*nodes, *parts]))
    for rows in _batches(run, "dump_entities", scope):
        nodes = [row["entity"] for row in rows]
        yield Change(scope=of, entities=tuple(map(entity_of, nodes)), vectors=_vectors(nodes))
    for rows in _batches(run, "dump_facts", scope):
        nodes = [row["fact"] for row in rows]
        facts = tuple(map(fact_of, nodes))
        yield Change(scope=of, facts=facts, successions=_successions(run, of, facts), vectors=_vectors(nodes))
    for rows in _batches(run, "dump_decisions", scope):
        yield Change(scope=of, decisions=tuple(decision_of(row["decision"]) for row in rows))
    for kind, label in LABELS.items():
        for rows in _batches(run, "dump_records", scope, label=label):
            yield change_of(kind, [row["record"] for row in rows], of)


def _successions(run: Run, of: Scope, facts: Sequence[Fact]) -> tuple[Succession, ...]:
    """Return the successions by which the facts were retired."""
    ids = sorted(fact.id for fact in facts)
    rows = run("successions", ids=ids, **scope_keys(of))
    return tuple(succession_of(row) for row in rows if row["fact_id"] in ids)


def _batches(run: Run, name: str, scope: str, **given: str) -> Iterator[list[Row]]:
    after = 0
    while rows := run(name, scope=scope, after=after, limit=BATCH, **given):
        yield rows
        after = rows[-1]["n"]


def _vectors(nodes: list[Row]) -> dict[str, Vector]:
    return {node["id"]: vector_of(node["embedding"]) for node in nodes if node.get("embedding") is not None}
