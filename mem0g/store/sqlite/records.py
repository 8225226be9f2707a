"""The tables of the records outside the graph: one for each type of mem0g.store.records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mem0g.model import Receipt, Scope
from mem0g.store.change import Change
from mem0g.store.records import (
    DONE,
    FIELDS,
    ConversationSummary,
    Done,
    ModelCall,
    ModelReply,
    PendingWindow,
    R,
    Record,
    RetirementReview,
    retirements_as_text,
    retirements_from_text,
)
from mem0g.store.sqlite.rows import Row
from mem0g.times import utc


@dataclass(frozen=True, slots=True)
class Column:
    """Conversions of a field's value to and from its column."""

    store: Callable[[Any], object]
    read: Callable[[Any], Any]


PLAIN = Column(lambda value: value, lambda value: value)
FLAG = Column(int, bool)
TIME = Column(lambda time: utc(time).isoformat(timespec="microseconds"), datetime.fromisoformat)
LIST = Column(lambda values: json.dumps(values, ensure_ascii=False), lambda text: tuple(json.loads(text)))
RETIREMENTS = Column(retirements_as_text, retirements_from_text)


def _columns(plain: str, **others: Column) -> dict[str, Column]:
    return {**dict.fromkeys(plain.split(), PLAIN), **others}


TABLES: Mapping[type, tuple[str, Mapping[str, Column]]] = {
    PendingWindow: (
        "pending_window",
        _columns("state problem reply", messages=LIST, context=LIST, speakers=LIST, since=TIME, embedded=FLAG),
    ),
    ModelCall: (
        "model_call",
        _columns(
            "purpose model window key attempt prompt_tokens completion_tokens seconds problem", at=TIME, cached=FLAG
        ),
    ),
    ModelReply: ("model_reply", _columns("text")),
    ConversationSummary: ("summary", _columns("source text problem", waiting=LIST)),
    RetirementReview: ("review", _columns("window model", at=TIME, retirements=RETIREMENTS)),
    Receipt: (
        "receipt",
        _columns("messages entities facts retired decisions notes replies", at=TIME, complete=FLAG),
    ),
}
"""Table and columns of each type of record; every table also has the columns n, scope, id and done."""

NAMES = tuple(name for name, _ in TABLES.values())


def record_of(kind: type[R], row: Row, scope: Scope) -> R:
    """Return the record of a row, which must not be done."""
    given = {name: column.read(row[name]) for name, column in TABLES[kind][1].items()}
    if kind is not Receipt:
        given["scope"] = scope
    return kind(id=row["id"], **given)


def change_of(kind: type[Record], rows: Sequence[Row], scope: Scope) -> Change:
    """Return the change that writes the records of ``rows``, including those that are done."""
    done_kind = next((name for name, done in DONE.items() if done is kind), None)
    kept: dict[str, Any] = {FIELDS[kind]: tuple(record_of(kind, row, scope) for row in rows if not row["done"])}
    done = tuple(Done(done_kind, row["id"]) for row in rows if row["done"]) if done_kind else ()
    return Change(scope=scope, done=done, **kept)


def write_records(connection: sqlite3.Connection, scope: int, change: Change, *, replace: bool = True) -> None:
    """Insert or replace the records of a change; records that are done are never replaced.

    With ``replace=False``, existing records are left as they are.
    """
    for kind, (table, columns) in TABLES.items():
        names = ("scope", "id", *columns)
        insert = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) ON CONFLICT "  # noqa: S608
        updates = ", ".join(f"{name} = excluded.{name}" for name in columns)
        update = f"(scope, id) DO UPDATE SET {updates} WHERE NOT {table}.done"
        rows = [
            (scope, each.id, *(column.store(getattr(each, name)) for name, column in columns.items()))
            for each in getattr(change, FIELDS[kind])
        ]
        connection.executemany(insert + (update if replace else "DO NOTHING"), rows)


def add_done(connection: sqlite3.Connection, scope: int, done: Sequence[Done]) -> None:
    """Insert the ids of records that are done; existing records are left as they are."""
    for each in done:
        sql = f"INSERT INTO {TABLES[DONE[each.kind]][0]} (scope, id, done) VALUES (?, ?, 1) ON CONFLICT DO NOTHING"  # noqa: S608
        connection.execute(sql, (scope, each.id))


def mark_done(connection: sqlite3.Connection, scope: int, done: Sequence[Done]) -> None:
    """Mark stored records as done and clear their contents; unknown ids are ignored."""
    for each in done:
        table, columns = TABLES[DONE[each.kind]]
        emptied = ", ".join(f"{name} = NULL" for name in columns)
        connection.execute(f"UPDATE {table} SET done = 1, {emptied} WHERE scope = ? AND id = ?", (scope, each.id))  # noqa: S608


def dumped(connection: sqlite3.Connection, number: int, scope: Scope, size: int) -> Iterator[Change]:
    """Yield the records of a scope as changes of at most ``size`` rows, each type in the order of insertion."""
    for kind, (table, _) in TABLES.items():
        last = 0
        sql = f"SELECT * FROM {table} WHERE scope = ? AND n > ? ORDER BY n LIMIT ?"  # noqa: S608
        while rows := connection.execute(sql, (number, last, size)).fetchall():
            yield change_of(kind, rows, scope)
            last = rows[-1]["n"]
