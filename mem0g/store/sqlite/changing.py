"""Replace and remove rows of the SQLite store: manual corrections, merges, undo and erasure."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from mem0g.model import Decision, Fact
from mem0g.store.in_memory.rows import instant
from mem0g.store.sqlite.passages import delete as delete_passages
from mem0g.store.sqlite.reading import listed
from mem0g.store.sqlite.records import NAMES
from mem0g.store.sqlite.rows import (
    fact_values,
)
from mem0g.text.stemming import tokens

UPDATE_FACT = """
  UPDATE fact SET subject = ?, relation = ?, relation_given = ?, object = ?, text = ?, valid_from = ?, valid_to = ?,
    starts = ?, ends = ?, said_at = ?, recorded_at = ?, retired_at = ?, confidence = ?, brief = ?,
    observed = ?, planned_for = ?, metadata = ? WHERE n = ?
"""
UPDATE_DECISION = """
  UPDATE decision SET operation = ?, rule = ?, reason = ?, decided_by = ?, fact_id = ?, targets = ?, score = ?,
    evidence = ?, triple = ?, before = ? WHERE n = ?
"""


def rewrite_fact(connection: sqlite3.Connection, scope: int, fact: Fact, vector: bytes | None) -> bool:
    """Replace the row and evidence of ``fact`` and delete its successions.

    Return whether anything was replaced that is held in memory: text, vector, ends or time of recording. A fact that is
    not in the scope is ignored.
    """
    sql = "SELECT n, text, subject, object, recorded_at FROM fact WHERE id = ? AND scope = ?"
    row = connection.execute(sql, (fact.id, scope)).fetchone()
    if row is None:
        return False
    number = row["n"]
    connection.execute(UPDATE_FACT, (*fact_values(fact), number))
    if fact.text != row["text"]:
        stems = " ".join(tokens(fact.text))
        connection.execute("UPDATE fact_stems SET stems = ? WHERE n = ?", (stems, number))
    connection.execute("DELETE FROM evidence WHERE fact = ?", (number,))
    evidence = [(number, message, place) for place, message in enumerate(dict.fromkeys(fact.evidence))]
    connection.executemany("INSERT INTO evidence (fact, message, place) VALUES (?, ?, ?)", evidence)
    connection.execute("DELETE FROM succession WHERE fact_id = ?", (fact.id,))
    if vector is not None:
        connection.execute("INSERT OR REPLACE INTO fact_vector (n, vector) VALUES (?, ?)", (number, vector))
    held = (fact.text, fact.subject_id, fact.object_id, instant(fact.recorded_at))
    return vector is not None or held != tuple(row)[1:]


def reword_decision(connection: sqlite3.Connection, scope: int, decision: Decision) -> None:
    """Replace the row of ``decision``, except its time and its place in the log; ignore an unknown decision."""
    row = connection.execute("SELECT n FROM decision WHERE id = ? AND scope = ?", (decision.id, scope)).fetchone()
    if row is None:
        return
    what = (decision.operation, decision.rule, decision.reason, decision.decided_by)
    given = (decision.evidence, dict(decision.triple), dict(decision.before))
    about = (decision.fact_id, json.dumps(decision.targets), decision.score)
    texts = (json.dumps(each, ensure_ascii=False) for each in given)
    connection.execute(UPDATE_DECISION, (*what, *about, *texts, row["n"]))
    connection.execute("DELETE FROM decision_about WHERE decision = ?", (row["n"],))
    rows = [(each, row["n"]) for each in decision.about]
    connection.executemany("INSERT INTO decision_about (id, decision) VALUES (?, ?)", rows)


def erase(connection: sqlite3.Connection, scope: int, ids: Sequence[str]) -> None:
    """Delete messages, entities, facts, decisions and records outside the graph by id; ignore ids of other scopes."""
    within = (listed(ids), scope)
    numbers = "SELECT n FROM {} WHERE id IN (SELECT value FROM json_each(?)) AND scope = ?"
    facts = numbers.format("fact").replace("SELECT n", "SELECT id")
    connection.execute(f"DELETE FROM succession WHERE fact_id IN ({facts})", within)  # noqa: S608
    connection.execute(f"DELETE FROM succession WHERE successor_id IN ({facts})", within)  # noqa: S608
    messages = connection.execute(numbers.format("message"), within).fetchall()
    delete_passages(connection, (row["n"] for row in messages))
    for table in ("message", "entity", "fact"):
        connection.execute(f"DELETE FROM {table}_vector WHERE n IN ({numbers.format(table)})", within)  # noqa: S608
    for table in ("message", "fact"):
        connection.execute(f"DELETE FROM {table}_stems WHERE n IN ({numbers.format(table)})", within)  # noqa: S608
    for table, column, of in (
        ("evidence", "fact", "fact"),
        ("decision_about", "decision", "decision"),
    ):
        connection.execute(f"DELETE FROM {table} WHERE {column} IN ({numbers.format(of)})", within)  # noqa: S608
    for table in ("entity_name", "entity_token"):  # by the scope, as no index is by entity
        where = f"scope = ? AND entity IN ({numbers.format('entity')})"
        connection.execute(f"DELETE FROM {table} WHERE {where}", (scope, *within))  # noqa: S608
    for table in ("decision", "fact", "entity", "message", *NAMES):
        connection.execute(
            f"DELETE FROM {table} WHERE id IN (SELECT value FROM json_each(?)) AND scope = ?",  # noqa: S608
            within,
        )
