"""What searches read of a scope, held in memory as columns: the vectors and the stems of its rows.

A set of scopes is read once; afterwards only what was committed since, by whatever process.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Literal, TypeVar

from mem0g.store.sqlite.postings import Postings
from mem0g.store.sqlite.vectors import Rows

Table = Literal["message", "passage", "entity", "fact"]
Texts = Literal["message", "passage", "fact"]

CACHED_BYTES = 3 << 29
"""Memory that the columns of all scopes may take, 1.5 GB; the least recently used are dropped."""

AT_ONCE = 20_000
"""Rows read at once, so that reading a large scope takes little more memory than its columns."""

_VECTORS = {
    table: f"SELECT {table}.n, vector FROM {table} JOIN {table}_vector USING (n) "  # noqa: S608 - table names are ours
    f"WHERE scope IN (SELECT value FROM json_each(?)) AND {table}.n > ? ORDER BY {table}.n"
    for table in ("message", "passage", "entity", "fact")
}
_STEMS = {
    table: f"SELECT n, CASE c0 WHEN '' THEN 0 ELSE 1 + length(c0) - length(replace(c0, ' ', '')) END, c1 "  # noqa: S608
    f"FROM {table} JOIN {table}_terms_content AS stems ON stems.id = n "
    f"WHERE scope IN (SELECT value FROM json_each(?)) AND n > ? ORDER BY n"
    for table in ("message", "passage", "fact")
}
"""The rows added since the last one held. Texts of a full-text table are read from the table in which FTS5 keeps them
(sqlite.org/fts5.html, section 9): it takes a tenth of the time."""

Kind = TypeVar("Kind", Rows, Postings)

Epochs = tuple[tuple[str, str], ...]


class Columns:
    """The columns of the rows of sets of scopes, as of the current transaction; the caller must hold the store's lock.

    For the nearest facts or entities of a scope: ``vectors("fact", scopes, dimensions).nearest(...)``, or for many at
    once ``nearest_of_each(...)``; ``similarities(...)`` for rows found otherwise. ``vectors`` and ``stems`` read what
    was added since the last call, so call them once in a transaction and after each of its commits.

    Rows are only ever added, except when the scope's epoch changes (``Writer.next_epoch``): vectors or texts were
    replaced, or rows deleted; then its columns are read anew. Whoever deletes or rolls back drops them by ``clear``.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._held: OrderedDict[tuple[type, str, tuple[int, ...]], tuple[Epochs, Rows | Postings]] = OrderedDict()

    def vectors(self, table: Table, scopes: Iterable[int], dimensions: int) -> Rows:
        """Return the vectors of the rows of ``table`` in ``scopes``, given by their row numbers."""
        epochs = self._epochs(scopes)
        rows = self._known(Rows, table, scopes, epochs) or Rows(dimensions)
        for some in self._added(_VECTORS[table], scopes, rows.last):
            rows.append([row[0] for row in some], [row[1] for row in some])
        return self._kept(rows, table, scopes, epochs)

    def stems(self, table: Texts, scopes: Iterable[int]) -> Postings:
        """Return the stems of the rows of ``table`` in ``scopes``, given by their row numbers."""
        epochs = self._epochs(scopes)
        postings = self._known(Postings, table, scopes, epochs) or Postings()
        for some in self._added(_STEMS[table], scopes, postings.last):
            postings.append(*zip(*some, strict=True))
        return self._kept(postings, table, scopes, epochs)

    def clear(self) -> None:
        """Drop all columns."""
        self._held.clear()

    def _known(self, kind: type[Kind], table: str, scopes: Iterable[int], epochs: Epochs) -> Kind | None:
        """Take the column held, unless its rows may have changed since."""
        since, held = self._held.pop((kind, table, tuple(sorted(scopes))), (epochs, None))
        return held if isinstance(held, kind) and since == epochs else None

    def _kept(self, column: Kind, table: str, scopes: Iterable[int], epochs: Epochs) -> Kind:
        """Keep the column as the one used last, and drop others if all take too much memory."""
        self._held[type(column), table, tuple(sorted(scopes))] = (epochs, column)
        while len(self._held) > 1 and sum(each.size_in_bytes for _, each in self._held.values()) > CACHED_BYTES:
            self._held.popitem(last=False)
        return column

    def _epochs(self, scopes: Iterable[int]) -> Epochs:
        """Return the epochs of the file and of the scopes."""
        sql = "SELECT key, value FROM meta WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key"
        keys = ",".join(f'"{epoch_key(each)}"' for each in (None, *scopes))
        return tuple(map(tuple, self._connection.execute(sql, (f"[{keys}]",))))

    def _added(self, sql: str, scopes: Iterable[int], last: int) -> Iterator[list[sqlite3.Row]]:
        listed = "[" + ",".join(map(str, sorted(scopes))) + "]"
        cursor = self._connection.execute(sql, (listed, last))
        while rows := cursor.fetchmany(AT_ONCE):
            yield rows


def epoch_key(scope: int | None) -> str:
    """Return the key of the metadata that counts the changes which make columns of a scope, or of all, be read anew."""
    return "epoch" if scope is None else f"epoch {scope}"
