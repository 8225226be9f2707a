"""Messages, facts and decisions that are new to the SQLite store: all those of a change at once, within a transaction.

Rows are numbered here, as SQLite would number them. So no statement has to return the number of a row that others
refer to, and each is executed for many rows: less than half of the time that a statement for each row takes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from mem0g.model import Decision, Fact, Message
from mem0g.store.change import Change
from mem0g.store.in_memory.rows import instant
from mem0g.store.sqlite.passages import add as add_passages
from mem0g.store.sqlite.reading import listed
from mem0g.store.sqlite.rows import fact_values, message_values
from mem0g.text.stemming import tokens

R = TypeVar("R", Message, Fact, Decision)

_MESSAGE = """
  INSERT INTO message (n, id, scope, source, session, position, speaker, role, text, time, source_id, recorded_at,
    metadata, utc_offset)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_FACT = """
  INSERT INTO fact (n, id, scope, subject, relation, relation_given, object, text, valid_from, valid_to, starts, ends,
    said_at, recorded_at, retired_at, confidence, brief, observed, planned_for, metadata)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_DECISION = """
  INSERT INTO decision (n, id, scope, operation, rule, reason, at, decided_by, fact_id, targets, score, evidence,
    triple, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_as_json = json.JSONEncoder(ensure_ascii=False).encode


def insert_messages(
    connection: sqlite3.Connection, scope: int, change: Change, keys: int, vectors: Mapping[str, bytes]
) -> None:
    """Insert those of the messages of a change that are not stored, with their passages, stems and vectors.

    ``keys``: how many keys the scope has.
    """
    new = [(n, each, change.passages_of(each)) for n, each in _numbered(connection, "message", change.messages)]
    connection.executemany(_MESSAGE, [(n, each.id, scope, *message_values(each)) for n, each, _ in new])
    stems = [(n, 0 if parts else keys, " ".join(tokens(f"{each.speaker} {each.text}"))) for n, each, parts in new]
    connection.executemany("INSERT INTO message_stems (n, keys, stems) VALUES (?, ?, ?)", stems)
    embedded = [(n, vectors[each.id]) for n, each, _ in new if each.id in vectors]
    connection.executemany("INSERT OR IGNORE INTO message_vector (n, vector) VALUES (?, ?)", embedded)
    for n, each, parts in new:
        for key, number in add_passages(connection, scope, keys, n, each, parts).items():
            if key in vectors:
                sql = "INSERT OR IGNORE INTO passage_vector (n, vector) VALUES (?, ?)"
                connection.execute(sql, (number, vectors[key]))


def insert_facts(
    connection: sqlite3.Connection, scope: int, keys: int, facts: Sequence[Fact], vectors: Mapping[str, bytes]
) -> None:
    """Insert those of the facts that are not stored, with their stems, evidence and vectors.

    ``keys``: how many keys the scope has.
    """
    new = _numbered(connection, "fact", facts)
    connection.executemany(_FACT, [(n, fact.id, scope, *fact_values(fact)) for n, fact in new])
    stems = [(n, keys, " ".join(tokens(fact.text))) for n, fact in new]
    connection.executemany("INSERT INTO fact_stems (n, keys, stems) VALUES (?, ?, ?)", stems)
    cited = [(n, each, place) for n, fact in new for place, each in enumerate(dict.fromkeys(fact.evidence))]
    connection.executemany("INSERT INTO evidence (fact, message, place) VALUES (?, ?, ?)", cited)
    embedded = [(n, vectors[fact.id]) for n, fact in new if fact.id in vectors]
    connection.executemany("INSERT OR IGNORE INTO fact_vector (n, vector) VALUES (?, ?)", embedded)


def insert_decisions(connection: sqlite3.Connection, scope: int, decisions: Sequence[Decision]) -> None:
    """Insert those of the decisions that are not stored, with the ids of what they are about."""
    new = _numbered(connection, "decision", decisions)
    connection.executemany(_DECISION, [(n, each.id, scope, *_values(each)) for n, each in new])
    about = [(key, n) for n, each in new for key in each.about]
    connection.executemany("INSERT INTO decision_about (id, decision) VALUES (?, ?)", about)


def _values(decision: Decision) -> Iterable[object]:
    """Return the columns of a decision from ``operation`` to ``before``."""
    what = (decision.operation, decision.rule, decision.reason, instant(decision.at), decision.decided_by)
    about = (decision.fact_id, json.dumps(decision.targets), decision.score, json.dumps(decision.evidence))
    return (*what, *about, _as_json(dict(decision.triple)), _as_json(dict(decision.before)))


def _numbered(connection: sqlite3.Connection, table: str, records: Sequence[R]) -> list[tuple[int, R]]:
    """Return those of the records that a table does not have, each once, after the numbers of their rows."""
    if not records:
        return []
    sql = f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608
    known = {row[0] for row in connection.execute(sql, (listed(each.id for each in records),))}
    last = connection.execute(f"SELECT ifnull(max(n), 0) FROM {table}").fetchone()[0]  # noqa: S608
    new: dict[str, R] = {}
    for each in records:
        if each.id not in known:
            new.setdefault(each.id, each)
    return list(enumerate(new.values(), start=last + 1))
