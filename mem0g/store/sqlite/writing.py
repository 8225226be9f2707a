"""Writing a change to the embedded store, row by row inside the caller's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mem0g.lexical import tokens
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.names import fold
from mem0g.relations.definition import to_json
from mem0g.relations.registry import RelationType
from mem0g.resolve.names import name_tokens
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.keys import key_tokens
from mem0g.store.note import Note
from mem0g.store.sqlite.reading import listed
from mem0g.store.sqlite.rows import instant, scope_parts
from mem0g.store.sqlite.vectors import packed

if TYPE_CHECKING:
    from mem0g.model import Vector

INSERT_MESSAGE = """
  INSERT INTO message (id, scope, source, session, position, speaker, role, text, time, source_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING n
"""
UPSERT_ENTITY = """
  INSERT INTO entity (id, scope, name, type, aliases, created_at, updated_at, merged_into)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, type = excluded.type, aliases = excluded.aliases,
    updated_at = excluded.updated_at, merged_into = excluded.merged_into RETURNING n
"""
INSERT_FACT = """
  INSERT INTO fact (id, scope, subject, relation, relation_given, object, text, valid_from, valid_to, starts, ends,
    said_at, recorded_at, retired_at, confidence)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING n
"""
ADD_NOTE = "INSERT INTO note (scope, kind, key, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
PUT_NOTE = """
  INSERT INTO note (scope, kind, key, body) VALUES (?, ?, ?, ?)
  ON CONFLICT (scope, kind, key) DO UPDATE SET body = excluded.body WHERE note.body IS NOT NULL
"""


class Writer:
    """Writes changes over one connection; the caller has begun the transaction and ends it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def write(self, change: Change) -> None:
        """Write ``change`` in the order of its fields; entities replace those of the same id."""
        scope = self.scope_row(change.scope)
        keys = " ".join(key_tokens(change.scope))
        for message in change.messages:
            self._message(scope, keys, message, change.vectors)
        for entity in change.entities:
            self._entity(scope, entity, change.vectors)
        for fact in change.facts:
            self._fact(scope, keys, fact, change.vectors)
        for support in change.support:
            self._support(support)
        for retirement in change.retirements:
            self._retire(retirement)
        for loser, winner in change.merges:
            self._merge(loser, winner)
        self._successions((*change.successions, *(each.succession for each in change.retirements)))
        for decision in change.decisions:
            self._decision(scope, decision)
        self.relation_types(change.relations)
        self.notes(change.notes)

    def scope_row(self, scope: Scope) -> int:
        """The row number of the scope, made when it is new."""
        parts = scope_parts(scope)
        self._run("INSERT INTO scope (user_id, agent_id, run_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", parts)
        row = self._run("SELECT n FROM scope WHERE user_id = ? AND agent_id = ? AND run_id = ?", parts).fetchone()
        return int(row["n"])

    def relation_types(self, types: Iterable[RelationType]) -> None:
        """Add or replace relation types."""
        rows = [(each.name, to_json(each)) for each in types]
        self._connection.executemany("INSERT OR REPLACE INTO relation_type (name, definition) VALUES (?, ?)", rows)

    def notes(self, notes: Iterable[Note], *, replace: bool = True) -> None:
        """Add notes, or replace those of the same kind and key that are not struck out."""
        sql = PUT_NOTE if replace else ADD_NOTE
        for note in notes:
            body = None if note.body is None else json.dumps(note.body, ensure_ascii=False)
            self._run(sql, (self.scope_row(note.scope), note.kind, note.key, body))

    def vectors(self, table: str, vectors: Mapping[str, Vector]) -> None:
        """Replace the vectors of rows of ``table`` (message, entity or fact) by id."""
        rows = [(packed(vector), each) for each, vector in vectors.items()]
        sql = f"INSERT OR REPLACE INTO {table}_vector (vector, n) SELECT ?, n FROM {table} WHERE id = ?"  # noqa: S608
        self._connection.executemany(sql, rows)

    def forget(self, scopes: Iterable[int]) -> None:
        """Delete all rows of these scopes, and the scopes."""
        within = (listed(scopes),)
        where = "SELECT n FROM {} WHERE scope IN (SELECT value FROM json_each(?))"
        for table in ("message", "entity", "fact"):
            self._run(f"DELETE FROM {table}_vector WHERE n IN ({where.format(table)})", within)  # noqa: S608
        for table in ("message", "fact"):
            self._run(f"DELETE FROM {table}_terms WHERE rowid IN ({where.format(table)})", within)  # noqa: S608
        self._run(f"DELETE FROM evidence WHERE fact IN ({where.format('fact')})", within)  # noqa: S608
        self._run(f"DELETE FROM decision_about WHERE decision IN ({where.format('decision')})", within)  # noqa: S608
        of_facts = "(SELECT id FROM fact WHERE scope IN (SELECT value FROM json_each(?)))"
        self._run(f"DELETE FROM succession WHERE fact_id IN {of_facts}", within)  # noqa: S608
        for table in ("entity_name", "entity_token", "note", "decision", "fact", "entity", "message"):
            self._run(f"DELETE FROM {table} WHERE scope IN (SELECT value FROM json_each(?))", within)  # noqa: S608
        self._run("DELETE FROM scope WHERE n IN (SELECT value FROM json_each(?))", within)

    def next_epoch(self) -> None:
        """Say that vectors were replaced or removed, so that caches of any process start afresh."""
        self._run(
            "INSERT INTO meta VALUES ('epoch', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
        )

    def _run(self, sql: str, parameters: tuple[object, ...] = ()) -> sqlite3.Cursor:
        return self._connection.execute(sql, parameters)

    def _message(self, scope: int, keys: str, message: Message, vectors: Mapping[str, Vector]) -> None:
        place = (message.source, message.session, message.position)
        said = (message.speaker, message.role, message.text, instant(message.time), message.source_id)
        row = self._run(INSERT_MESSAGE, (message.id, scope, *place, *said)).fetchone()
        if row is None:
            return
        terms = " ".join(tokens(f"{message.speaker} {message.text}"))
        self._run("INSERT INTO message_terms (rowid, keys, terms) VALUES (?, ?, ?)", (row["n"], keys, terms))
        self._vector("message", row["n"], vectors.get(message.id))

    def _entity(self, scope: int, entity: Entity, vectors: Mapping[str, Vector]) -> None:
        times = (instant(entity.created_at), instant(entity.updated_at), entity.merged_into)
        aliases = json.dumps(entity.aliases, ensure_ascii=False)
        row = self._run(UPSERT_ENTITY, (entity.id, scope, entity.name, entity.type, aliases, *times)).fetchone()
        number = row["n"]
        for table, column, values in (
            ("entity_name", "folded", {fold(name) for name in entity.names}),
            ("entity_token", "token", {token for name in entity.names for token in name_tokens(name)}),
        ):
            self._run(f"DELETE FROM {table} WHERE entity = ?", (number,))  # noqa: S608
            if entity.merged_into is None:
                sql = f"INSERT INTO {table} (scope, {column}, entity) VALUES (?, ?, ?)"  # noqa: S608
                self._connection.executemany(sql, [(scope, value, number) for value in sorted(values)])
        vector = vectors.get(entity.id)
        if entity.merged_into is None and vector is not None:
            self._entity_vector(number, packed(vector))

    def _entity_vector(self, number: int, vector: bytes) -> None:
        """Of a new entity, or of one that got a fuller name: then caches start afresh."""
        row = self._run("SELECT vector FROM entity_vector WHERE n = ?", (number,)).fetchone()
        if row is None or row["vector"] != vector:
            self._run("INSERT OR REPLACE INTO entity_vector (n, vector) VALUES (?, ?)", (number, vector))
        if row is not None and row["vector"] != vector:
            self.next_epoch()

    def _fact(self, scope: int, keys: str, fact: Fact, vectors: Mapping[str, Vector]) -> None:
        starts = fact.valid_from.start if fact.valid_from else fact.said_at
        ends = fact.valid_to.start if fact.valid_to else None
        claim = (fact.subject_id, fact.relation, fact.relation_given, fact.object_id, fact.text)
        valid = (_text(fact.valid_from), _text(fact.valid_to), instant(starts), instant(ends))
        recorded = (instant(fact.said_at), instant(fact.recorded_at), instant(fact.retired_at))
        values = (fact.id, scope, *claim, *valid, *recorded, fact.confidence)
        row = self._run(INSERT_FACT, values).fetchone()
        if row is None:
            return
        terms = " ".join(tokens(fact.text))
        self._run("INSERT INTO fact_terms (rowid, keys, terms) VALUES (?, ?, ?)", (row["n"], keys, terms))
        self._evidence(row["n"], fact.evidence)
        self._vector("fact", row["n"], vectors.get(fact.id))

    def _vector(self, table: str, number: int, vector: Vector | None) -> None:
        if vector is not None:
            sql = f"INSERT OR IGNORE INTO {table}_vector (n, vector) VALUES (?, ?)"  # noqa: S608
            self._run(sql, (number, packed(vector)))

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

    def _retire(self, retirement: Retirement) -> None:
        ended = retirement.valid_to
        times = (instant(retirement.succession.at), _text(ended), instant(ended.start if ended else None))
        self._run(
            "UPDATE fact SET retired_at = ?, valid_to = ?, ends = ? WHERE id = ? AND retired_at IS NULL",
            (*times, retirement.succession.fact_id),
        )

    def _merge(self, loser: str, winner: str) -> None:
        self._run("UPDATE fact SET subject = ? WHERE subject = ?", (winner, loser))
        self._run("UPDATE fact SET object = ? WHERE object = ?", (winner, loser))
        self._run("DELETE FROM entity_vector WHERE n = (SELECT n FROM entity WHERE id = ?)", (loser,))
        self._run("UPDATE entity SET merged_into = ? WHERE id = ?", (winner, loser))
        for table in ("entity_name", "entity_token"):
            self._run(f"DELETE FROM {table} WHERE entity = (SELECT n FROM entity WHERE id = ?)", (loser,))  # noqa: S608
        self.next_epoch()

    def _successions(self, successions: Iterable[Succession]) -> None:
        sql = (
            "INSERT INTO succession (fact_id, successor_id, reason, decided_by, at) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING"
        )
        rows = [
            (each.fact_id, each.successor_id, each.reason, each.decided_by, instant(each.at)) for each in successions
        ]
        self._connection.executemany(sql, rows)

    def _decision(self, scope: int, decision: Decision) -> None:
        what = (decision.operation, decision.rule, decision.reason, instant(decision.at), decision.decided_by)
        about = (decision.fact_id, json.dumps(decision.targets), decision.score)
        given = (json.dumps(decision.evidence), json.dumps(dict(decision.triple), ensure_ascii=False))
        sql = """
          INSERT INTO decision (id, scope, operation, rule, reason, at, decided_by, fact_id, targets, score, evidence,
            triple)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING n
        """
        row = self._run(sql, (decision.id, scope, *what, *about, *given)).fetchone()
        if row is not None:
            ids = dict.fromkeys(each for each in (decision.fact_id, *decision.targets) if each)
            rows = [(each, row["n"]) for each in ids]
            self._connection.executemany("INSERT INTO decision_about (id, decision) VALUES (?, ?)", rows)


def _text(moment: object) -> str | None:
    return None if moment is None else str(moment)
