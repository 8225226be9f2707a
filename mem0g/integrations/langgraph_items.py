"""A LangGraph store of exact items in one SQLite file, for use beside a memory.

Several processes may use one file. It has no semantic search: a query is ignored.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from mem0g.errors import InputError
from mem0g.operators import matches

SCHEMA = """
CREATE TABLE IF NOT EXISTS namespace (n INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS item (
  n INTEGER PRIMARY KEY AUTOINCREMENT, namespace INTEGER NOT NULL REFERENCES namespace, key TEXT NOT NULL,
  value TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (namespace, key)
);
"""

Namespace = tuple[str, ...]


class ItemFile(BaseStore):
    """A BaseStore in one file: items are exact as JSON, in the order in which they were first put.

    As in LangGraph's InMemoryStore, a batch reads the state before it, and the last put of a key wins. A comparison
    ($gt, $gte, $lt, $lte) of what is in no order matches nothing. ttl is not supported.
    """

    def __init__(self, path: str | Path) -> None:
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.executescript(SCHEMA)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations in one transaction. Raises before it for one that is not valid."""
        given = list(ops)
        for op in given:
            check(op)
        puts = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        values = {place: None if op.value is None else json.dumps(op.value) for place, op in puts.items()}
        with self._lock, self._transaction(writes=bool(puts)):
            results = [self._read(op) for op in given]
            for (namespace, key), value in values.items():
                self._write(namespace, key, value)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations as ``batch`` does, in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _transaction(self, *, writes: bool) -> sqlite3.Connection:
        self._connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
        return self._connection  # which commits at the end of a ``with`` block, and rolls back on an error

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            found = self._items(op.namespace, op.key)
            return next((Item(**row) for row in found), None)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        return None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        depth = len(op.namespace_prefix)
        within = (each for each in self._paths() if each[:depth] == op.namespace_prefix)
        rows = (row for namespace in within for row in self._items(namespace))
        found = (SearchItem(**row) for row in rows if not op.filter or matches(row["value"], op.filter))
        return list(islice(found, op.offset, min(op.offset + op.limit, sys.maxsize)))

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        found = (each for each in self._paths() if all(fits(each, condition) for condition in conditions))
        return sorted({each[: op.max_depth] for each in found})[op.offset : op.offset + op.limit]

    def _paths(self) -> list[Namespace]:
        rows = self._connection.execute("SELECT path FROM namespace ORDER BY n")
        return [tuple(json.loads(path)) for (path,) in rows.fetchall()]

    def _items(self, namespace: Namespace, key: str | None = None) -> Iterator[dict[str, Any]]:
        sql = (
            "SELECT key, value, created_at, updated_at FROM item JOIN namespace ON namespace.n = namespace"
            " WHERE path = ? AND (? IS NULL OR key = ?) ORDER BY item.n"
        )
        rows = self._connection.execute(sql, (_path(namespace), key, key)).fetchall()
        for name, value, created_at, updated_at in rows:
            yield {
                "namespace": namespace,
                "key": name,
                "value": json.loads(value),
                "created_at": datetime.fromisoformat(created_at),
                "updated_at": datetime.fromisoformat(updated_at),
            }

    def _write(self, namespace: Namespace, key: str, value: str | None) -> None:
        run, path, at = self._connection.execute, _path(namespace), datetime.now(UTC).isoformat()
        of = "namespace = (SELECT n FROM namespace WHERE path = ?)"
        if value is None:
            run(f"DELETE FROM item WHERE {of} AND key = ?", (path, key))  # noqa: S608 - a constant
            empty = "NOT EXISTS (SELECT 1 FROM item WHERE namespace = namespace.n)"
            run(f"DELETE FROM namespace WHERE path = ? AND {empty}", (path,))  # noqa: S608 - a constant
            return
        run("INSERT INTO namespace (path) VALUES (?) ON CONFLICT DO NOTHING", (path,))
        run(
            "INSERT INTO item (namespace, key, value, created_at, updated_at)"
            " SELECT n, ?, ?, ?, ? FROM namespace WHERE path = ? ON CONFLICT (namespace, key)"
            " DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
            (key, value, at, at, path),
        )


def check(op: Op) -> None:
    """Raise for an operation that cannot be run: a bad namespace or page, a ttl, a value that is no dict."""
    if not isinstance(op, GetOp | SearchOp | PutOp | ListNamespacesOp):
        raise TypeError(f"unknown operation {type(op).__name__}")
    validate_op_namespace(op)
    if isinstance(op, SearchOp | ListNamespacesOp) and (op.limit < 0 or op.offset < 0):
        raise InputError(f"limit {op.limit} and offset {op.offset} must not be negative", hint="count from 0")
    if isinstance(op, PutOp) and not op.namespace:
        raise InputError("the namespace is empty", hint='put items below a name, such as ("memories",)')
    if isinstance(op, PutOp) and op.ttl is not None:
        raise NotImplementedError("items do not expire: ttl is not supported")
    if isinstance(op, PutOp) and op.value is not None and not isinstance(op.value, dict):
        raise InputError(f"the value of {op.key!r} is of type {type(op.value).__name__}", hint="give a dict")


def fits(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether a namespace starts or ends as the condition says; "*" stands for any label."""
    path: Sequence[str] = condition.path
    if len(namespace) < len(path):
        return False
    if condition.match_type not in ("prefix", "suffix"):
        raise InputError(f"unknown match type {condition.match_type!r}", hint="prefix or suffix")
    labels = namespace if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(labels, path, strict=False))


def _path(namespace: Namespace) -> str:
    return json.dumps(namespace)
