"""Upgrades of files of older layouts, each run in one transaction."""

from __future__ import annotations

import json
import sqlite3
from functools import cache
from importlib import resources

import numpy as np

from mem0g.relations.relation_type import from_json, to_json
from mem0g.relations.tenant_types import share_of
from mem0g.store.queries import scope_text
from mem0g.store.sqlite.packing import packed
from mem0g.store.sqlite.records import add_done, write_records
from mem0g.store.sqlite.rows import scope_of
from mem0g.store.upgrading import change_of_note

UPGRADES = (
    "upgrade_2.sql",
    "upgrade_3.sql",
    "upgrade_4.sql",
    "upgrade_5.sql",
    "upgrade_6.sql",
    "upgrade_7.sql",
    "upgrade_8.sql",
    "upgrade_9.sql",
)
"""What each version after the first changes in a file of the version before it."""

VERSION = 1 + len(UPGRADES)
"""Version of the layout, stored in the file's user_version."""

AT_ONCE = 5000
"""Vectors that are packed at once."""


@cache
def statements(name: str) -> tuple[str, ...]:
    """Return the statements of a script of this package: executescript would commit the surrounding transaction."""
    found, pending = [], ""
    for line in resources.files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            found.append(pending)
            pending = ""
    return tuple(found)


def upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file of layout ``version``, 1 or newer, to the current one. Call within a transaction."""
    for name in UPGRADES[version - 1 :]:
        for statement in statements(name):
            connection.execute(statement)
    if version < 3:
        _share_relation_types(connection)
    if version < 4:
        _split_notes(connection)
    if version < 5:
        _part_literals(connection)
    if version < 8:
        _pack_vectors(connection)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _share_relation_types(connection: sqlite3.Connection) -> None:
    """Copy the relation types, one table for all tenants before version 3, to the tenants that use them."""
    stored = [from_json(text) for (text,) in connection.execute("SELECT definition FROM relation_type")]
    scopes: dict[str, list[int]] = {}
    for number, *keys in connection.execute("SELECT n, user_id, agent_id, run_id FROM scope ORDER BY n").fetchall():
        scopes.setdefault(scope_text(scope_of(keys).tenant), []).append(number)
    within = "scope IN (SELECT value FROM json_each(?))"
    for tenant, numbers in scopes.items():
        listed = json.dumps(numbers)
        sql = f"SELECT relation, relation_given FROM fact WHERE {within} ORDER BY recorded_at, n"  # noqa: S608
        share = share_of(stored, connection.execute(sql, (listed,)).fetchall())
        for before, after in share.renamed.items():
            sql = f"UPDATE fact SET relation = ? WHERE relation = ? AND {within}"  # noqa: S608
            connection.execute(sql, (after, before, listed))
        rows = [(tenant, each.name, to_json(each)) for each in share.types]
        connection.executemany("INSERT INTO tenant_relation (tenant, name, definition) VALUES (?, ?, ?)", rows)
        if rows:
            connection.execute("INSERT INTO tenant (name, vocabulary) VALUES (?, 'upgraded')", (tenant,))
    connection.execute("DROP TABLE relation_type")


def _split_notes(connection: sqlite3.Connection) -> None:
    """Move the notes, one table for all types of records before version 4, to one table per type."""
    sql = """
      SELECT scope, user_id, agent_id, run_id, kind, key, body
      FROM note JOIN scope ON scope.n = note.scope ORDER BY note.n
    """
    for number, user, agent, run, kind, key, body in connection.execute(sql).fetchall():
        change = change_of_note(scope_of((user, agent, run)), kind, key, None if body is None else json.loads(body))
        if change is not None:
            write_records(connection, number, change, replace=False)
            add_done(connection, number, change.done)
    connection.execute("DROP TABLE note")


def _part_literals(connection: sqlite3.Connection) -> None:
    """Make literals of the entities of that type, which meant nothing before version 5.

    One that is the subject of a fact, has aliases or was merged stays an entity, without a type.
    """
    connection.execute(
        """
        UPDATE entity SET type = '' WHERE type = 'literal' AND (
          aliases <> '[]' OR merged_into IS NOT NULL OR id IN (SELECT subject FROM fact)
          OR id IN (SELECT merged_into FROM entity))
        """
    )
    literals = "(SELECT n FROM entity WHERE type = 'literal')"
    for table, column in (("entity_name", "entity"), ("entity_token", "entity"), ("entity_vector", "n")):
        connection.execute(f"DELETE FROM {table} WHERE {column} IN {literals}")  # noqa: S608


def _pack_vectors(connection: sqlite3.Connection) -> None:
    """Pack the vectors, which took four bytes a component before version 8.

    The note makes the store rewrite the file when it has opened it, which gives back the space.
    """
    for table in ("message", "passage", "entity", "fact"):
        last = 0
        select = f"SELECT n, vector FROM {table}_vector WHERE n > ? ORDER BY n LIMIT {AT_ONCE}"  # noqa: S608
        while rows := connection.execute(select, (last,)).fetchall():
            last = rows[-1][0]
            for size in {len(blob) for _, blob in rows}:
                same = [(number, blob) for number, blob in rows if len(blob) == size]
                vectors = np.frombuffer(b"".join(blob for _, blob in same), dtype="<f4").reshape(len(same), -1)
                made = [(blob, number) for (number, _), blob in zip(same, packed(vectors), strict=True)]
                connection.executemany(f"UPDATE {table}_vector SET vector = ? WHERE n = ?", made)  # noqa: S608
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('unswept', 'layout 8')")
