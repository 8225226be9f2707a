"""Writing a change to the SQLite store, row by row, within the caller's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from mem0g.metadata import metadata_text
from mem0g.model import Entity, Scope, Succession
from mem0g.relations.relation_type import RelationType, to_json
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.in_memory.rows import instant
from mem0g.store.queries import scope_text
from mem0g.store.sqlite.changing import erase, reword_decision, rewrite_fact
from mem0g.store.sqlite.columns import epoch_key
from mem0g.store.sqlite.inserting import insert_decisions, insert_facts, insert_messages
from mem0g.store.sqlite.maintenance.forgetting import leave_to_sweep
from mem0g.store.sqlite.packing import packed, packed_each
from mem0g.store.sqlite.passages import cut_anew, to_embed
from mem0g.store.sqlite.reading import Reader
from mem0g.store.sqlite.records import add_done, mark_done, write_records
from mem0g.store.sqlite.rows import (
    moment_text,
    scope_parts,
)
from mem0g.text.names import fold, name_tokens

if TYPE_CHECKING:
    from mem0g.store.protocol import Embed

UPSERT_ENTITY = """
  INSERT INTO entity (id, scope, name, type, aliases, created_at, updated_at, merged_into)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, type = excluded.type, aliases = excluded.aliases,
    updated_at = excluded.updated_at, merged_into = excluded.merged_into RETURNING n
"""
INSERT_LITERAL = """
  INSERT INTO entity (id, scope, name, type, aliases, created_at, updated_at, merged_into)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
"""
TEXTS = {
    "message": """
      SELECT n, speaker || ': ' || text AS text FROM message WHERE n NOT IN (SELECT message FROM passage)
    """,  # Message.spoken
    "entity": "SELECT n, name AS text FROM entity WHERE merged_into IS NULL AND type <> 'literal'",
    "fact": "SELECT n, text FROM fact",
}
"""The texts that are embedded, by table; those of passages are cut from the messages."""

EMBEDDED_AT_ONCE = 500


class Writer:
    """Writes changes over one connection; the caller begins and ends the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def write(self, change: Change, *, loaded: bool = False) -> None:
        """Write ``change`` in the order of its fields; entities replace those of the same id.

        ``loaded``: the change is part of a snapshot; existing records outside the graph, done or not, are kept.
        """
        makes = change.adds or (loaded and change.done)
        scope = self.scope_row(change.scope) if makes else self._known_scope(change.scope)
        if scope is None:
            return
        vectors = packed_each(change.vectors)
        self._add(scope, change, vectors)
        for support in change.support:
            self._support(support)
        for retirement in change.retirements:
            self._retire(retirement)
        for loser, winner in change.merges:
            self._merge(scope, loser, winner)
        self._rewrite(scope, change, vectors)
        self._successions((*change.successions, *(each.succession for each in change.retirements)))
        insert_decisions(self._connection, scope, change.decisions)
        for decision in change.reworded:
            reword_decision(self._connection, scope, decision)
        self.relation_types(change.scope.tenant, change.relations, change.vocabulary)
        write_records(self._connection, scope, change, replace=not loaded)
        (add_done if loaded else mark_done)(self._connection, scope, change.done)
        self._unembedded(scope, change, vectors)
        if change.erased:
            erase(self._connection, scope, change.erased)
            leave_to_sweep(self._connection)
            self.next_epoch(scope)

    def _add(self, scope: int, change: Change, vectors: Mapping[str, bytes]) -> None:
        keys = len(change.scope.keys)
        insert_messages(self._connection, scope, change, keys, vectors)
        for entity in change.entities:
            self._entity(scope, entity, vectors)
        insert_facts(self._connection, scope, keys, change.facts, vectors)

    def set_embedder(self, name: str, dimensions: int) -> None:
        """Note which embedder the stored vectors are from."""
        rows = [("embedder", name), ("dimensions", str(dimensions))]
        self._connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", rows)

    def scope_row(self, scope: Scope) -> int:
        """Return the row number of the scope, which is created if new."""
        parts = scope_parts(scope)
        self._run("INSERT INTO scope (user_id, agent_id, run_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", parts)
        sql = "SELECT n FROM scope WHERE user_id = ? AND agent_id = ? AND run_id = ?"
        return int(self._run(sql, parts).fetchone()["n"])

    def _known_scope(self, scope: Scope) -> int | None:
        """Return the row number of the scope; None if nothing was written to it."""
        sql = "SELECT n FROM scope WHERE user_id = ? AND agent_id = ? AND run_id = ?"
        row = self._run(sql, scope_parts(scope)).fetchone()
        return None if row is None else int(row["n"])

    def relation_types(self, tenant: Scope, types: Iterable[RelationType], version: str = "") -> None:
        """Add or replace relation types of a tenant; their version becomes ``version``, or a new one."""
        name = scope_text(tenant)
        rows = [(name, each.name, to_json(each)) for each in types]
        if rows:
            sql = "INSERT OR REPLACE INTO tenant_relation (tenant, name, definition) VALUES (?, ?, ?)"
            self._connection.executemany(sql, rows)
            self._run(
                "INSERT OR REPLACE INTO tenant (name, vocabulary) VALUES (?, ?)", (name, version or new_version())
            )

    def join_relations(self, tenant: Scope, scopes: Iterable[int], names: Mapping[str, str]) -> bool:
        """Give the facts of each relation of ``names`` its new name, and delete its type; return whether facts had it.

        ``scopes`` are the row numbers of the tenant's scopes.
        """
        within, found = json.dumps(sorted(scopes)), 0
        for before, after in names.items():
            sql = "UPDATE fact SET relation = ? WHERE relation = ? AND scope IN (SELECT value FROM json_each(?))"
            found += self._run(sql, (after, before, within)).rowcount
            self._run("DELETE FROM tenant_relation WHERE tenant = ? AND name = ?", (scope_text(tenant), before))
        if found:
            self.next_epoch()
        return found > 0

    def keep_relation_types(self, tenant: Scope, types: Iterable[RelationType]) -> None:
        """Delete all relation types of a tenant except these."""
        self._run("DELETE FROM tenant_relation WHERE tenant = ?", (scope_text(tenant),))
        self._run("DELETE FROM tenant WHERE name = ?", (scope_text(tenant),))
        self.relation_types(tenant, types)

    def embed_all(self, embed: Embed) -> int:
        """Cut all messages anew and replace all vectors; return how many there are."""
        reader = Reader(self._connection)
        cut_anew(reader)
        count = self._embed("passage", to_embed(reader), embed)
        return count + sum(self._embed(table, list(map(tuple, reader.all(sql))), embed) for table, sql in TEXTS.items())

    def _embed(self, table: str, texts: Sequence[tuple[int, str]], embed: Embed) -> int:
        """Replace the vectors of ``table`` by those of ``texts``, given by row number; return how many there are."""
        self._run(f"DELETE FROM {table}_vector")  # noqa: S608
        for start in range(0, len(texts), EMBEDDED_AT_ONCE):
            part = texts[start : start + EMBEDDED_AT_ONCE]
            blobs = packed(np.stack(embed([text for _, text in part])))
            made = list(zip((number for number, _ in part), blobs, strict=True))
            self._connection.executemany(f"INSERT INTO {table}_vector (n, vector) VALUES (?, ?)", made)  # noqa: S608
        return len(texts)

    def next_epoch(self, scope: int | None = None) -> None:
        """Record that vectors or texts of a scope, or of any, were replaced or deleted.

        All processes then read the columns of the scope anew.
        """
        sql = "INSERT INTO meta VALUES (?, '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
        self._run(sql, (epoch_key(scope),))

    def _run(self, sql: str, parameters: tuple[object, ...] = ()) -> sqlite3.Cursor:
        return self._connection.execute(sql, parameters)

    def _entity(self, scope: int, entity: Entity, vectors: Mapping[str, bytes]) -> None:
        times = (instant(entity.created_at), instant(entity.updated_at), entity.merged_into)
        aliases = json.dumps(entity.aliases, ensure_ascii=False)
        columns = (entity.id, scope, entity.name, entity.type, aliases, *times)
        if entity.is_literal:  # found by no name and no vector
            self._run(INSERT_LITERAL, columns)
            return
        before = self._names_of(entity.id)
        number = self._run(UPSERT_ENTITY, columns).fetchone()["n"]
        self._name(scope, number, before, entity.names if entity.merged_into is None else ())
        vector = vectors.get(entity.id)
        if entity.merged_into is not None:
            if self._run("DELETE FROM entity_vector WHERE n = ?", (number,)).rowcount:
                self.next_epoch(scope)
        elif vector is not None:
            self._entity_vector(scope, number, vector)

    def _names_of(self, entity: str) -> tuple[str, ...]:
        """Return the names by which an entity is found; none if it is new, merged or a literal."""
        sql = "SELECT name, aliases FROM entity WHERE id = ? AND merged_into IS NULL AND type <> 'literal'"
        row = self._run(sql, (entity,)).fetchone()
        return () if row is None else (row["name"], *json.loads(row["aliases"]))

    def _name(self, scope: int, number: int, before: Iterable[str], after: Iterable[str]) -> None:
        """Replace the names by which the entity of a row is found."""
        for table, column, parts in (("entity_name", "folded", _folded), ("entity_token", "token", name_tokens)):
            old, new = ({part for name in names for part in parts(name)} for names in (before, after))
            gone = [(scope, each, number) for each in sorted(old - new)]
            where = f"scope = ? AND {column} = ? AND entity = ?"
            self._connection.executemany(f"DELETE FROM {table} WHERE {where}", gone)  # noqa: S608
            added = [(scope, each, number) for each in sorted(new - old)]
            sql = f"INSERT OR IGNORE INTO {table} (scope, {column}, entity) VALUES (?, ?, ?)"  # noqa: S608
            self._connection.executemany(sql, added)

    def _entity_vector(self, scope: int, number: int, vector: bytes) -> None:
        """Write the vector of an entity; invalidate caches if it replaces one or the entity is not the newest."""
        row = self._run("SELECT vector FROM entity_vector WHERE n = ?", (number,)).fetchone()
        if row is None or row["vector"] != vector:
            self._run("INSERT OR REPLACE INTO entity_vector (n, vector) VALUES (?, ?)", (number, vector))
        last = self._run("SELECT max(n) AS n FROM entity_vector").fetchone()
        if (row is None and number < last["n"]) or (row is not None and row["vector"] != vector):
            self.next_epoch(scope)

    def _unembedded(self, scope: int, change: Change, vectors: Mapping[str, bytes]) -> None:
        """Add the vectors of known messages and passages without one: they were stored while embedding failed."""
        new = {message.id for message in change.messages}
        new |= {each.id for message in change.messages for each in change.passages_of(message)}
        for each, vector in vectors.items():
            table = {"m": "message", "p": "passage"}.get(each[0])
            if table is not None and each not in new:
                row = self._run(f"SELECT n FROM {table} WHERE id = ?", (each,)).fetchone()  # noqa: S608
                if row is not None:
                    self._vector(table, row["n"], vector)
                    self.next_epoch(scope)

    def _rewrite(self, scope: int, change: Change, vectors: Mapping[str, bytes]) -> None:
        changed = [rewrite_fact(self._connection, scope, each, vectors.get(each.id)) for each in change.rewritten]
        if any(changed):
            self.next_epoch(scope)

    def _vector(self, table: str, number: int, vector: bytes | None) -> None:
        if vector is not None:
            sql = f"INSERT OR IGNORE INTO {table}_vector (n, vector) VALUES (?, ?)"  # noqa: S608
            self._run(sql, (number, vector))

    def _evidence(self, fact: int, messages: Iterable[str]) -> None:
        sql = (
            "INSERT INTO evidence (fact, message, place) SELECT ?1, ?2, count(*) FROM evidence WHERE fact = ?1 "
            "ON CONFLICT DO NOTHING"
        )
        self._connection.executemany(sql, [(fact, message) for message in messages])

    def _support(self, support: Support) -> None:
        row = self._run("SELECT n FROM fact WHERE id = ?", (support.fact_id,)).fetchone()
        self._evidence(row["n"], support.evidence)
        if support.valid_from:
            dated = (str(support.valid_from), instant(support.valid_from.start), row["n"])
            self._run("UPDATE fact SET valid_from = ?, starts = ? WHERE n = ? AND valid_from IS NULL", dated)
        if support.valid_to:
            ended = (str(support.valid_to), instant(support.valid_to.start), row["n"])
            sql = "UPDATE fact SET valid_to = ?, ends = ? WHERE n = ? AND valid_to IS NULL AND retired_at IS NULL"
            self._run(sql, ended)
        observed, planned = moment_text(support.observed), moment_text(support.planned_for)
        self._run("UPDATE fact SET observed = ?1 WHERE n = ?2 AND ?1 > ifnull(observed, '')", (observed, row["n"]))
        self._run("UPDATE fact SET planned_for = ? WHERE n = ? AND planned_for IS NULL", (planned, row["n"]))
        if support.metadata:
            self._run("UPDATE fact SET metadata = ? WHERE n = ?", (metadata_text(support.metadata), row["n"]))

    def _retire(self, retirement: Retirement) -> None:
        ended = retirement.valid_to
        times = (instant(retirement.succession.at), moment_text(ended), instant(ended.start if ended else None))
        self._run(
            "UPDATE fact SET retired_at = ?, valid_to = ?, ends = ? WHERE id = ? AND retired_at IS NULL",
            (*times, retirement.succession.fact_id),
        )

    def _merge(self, scope: int, loser: str, winner: str) -> None:
        self._run("UPDATE fact SET subject = ? WHERE subject = ?", (winner, loser))
        self._run("UPDATE fact SET object = ? WHERE object = ?", (winner, loser))
        self._run("DELETE FROM entity_vector WHERE n = (SELECT n FROM entity WHERE id = ?)", (loser,))
        names = self._names_of(loser)
        for row in self._run("UPDATE entity SET merged_into = ? WHERE id = ? RETURNING n", (winner, loser)).fetchall():
            self._name(scope, row["n"], names, ())
        self.next_epoch(scope)

    def _successions(self, successions: Iterable[Succession]) -> None:
        sql = (
            "INSERT INTO succession (fact_id, successor_id, reason, decided_by, at) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING"
        )
        rows = [
            (each.fact_id, each.successor_id, each.reason, each.decided_by, instant(each.at)) for each in successions
        ]
        self._connection.executemany(sql, rows)


def _folded(name: str) -> tuple[str, ...]:
    return (fold(name),)


def new_version() -> str:
    """Return a new, unique version."""
    return uuid4().hex[:16]
