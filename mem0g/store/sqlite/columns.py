"""What searches read of a scope, held in memory as columns: vectors, stems, places in sessions, edges.

A set of scopes is read once; afterwards only what was committed since, by whatever process.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.places import Places
from mem0g.store.in_memory.postings import Postings
from mem0g.store.in_memory.searching import Table, Texts
from mem0g.store.in_memory.structure import Relations
from mem0g.store.in_memory.tables import Numbering
from mem0g.store.in_memory.vectors import Rows
from mem0g.store.sqlite.packing import unpacked
from mem0g.store.sqlite.reading import listed

if TYPE_CHECKING:
    from mem0g.model import Matrix

CACHED_BYTES = 1 << 30
"""Memory that the columns of all scopes may take, 1 GB; the least recently used are dropped, but never those of the
scopes that are searched."""

WORD_BYTES = 1 << 28
"""Memory that the words of all scopes may take, 256 MB, of dropped ones, too; then all columns are dropped."""

AT_ONCE = 20_000
"""Rows read at once, so that reading a large scope takes little more memory than its columns."""

FEW = 10_000
"""New rows of a table, of all tenants, up to which these are looked through for those of a scope."""

_NUMBERS = "SELECT n FROM {table} WHERE scope IN (SELECT value FROM json_each(?)) AND n > ? ORDER BY n"
_NEW_NUMBERS = "SELECT n FROM {table} WHERE +scope IN (SELECT value FROM json_each(?)) AND n > ? ORDER BY n"
"""The rows of scopes after one, by the index of the scope, and by looking through all rows after it."""

_VECTORS = "SELECT n, vector FROM json_each(?) CROSS JOIN {table}_vector ON n = value"
_STEMS = "SELECT n, keys, stems FROM json_each(?) CROSS JOIN {table}_stems ON n = value"
_EDGES = "SELECT n, subject, object, recorded_at FROM json_each(?) CROSS JOIN {table} ON n = value"
_RELATIONS = "SELECT n, relation FROM json_each(?) CROSS JOIN {table} ON n = value"
_PLACES = (
    "SELECT n, scope, source, session, position, {table}.id, metadata IS NOT NULL FROM json_each(?) "
    "CROSS JOIN {table} ON n = value"
)
"""What is read of some rows."""

Kind = TypeVar("Kind", Rows, Postings, Places, Edges, Relations)
Key = tuple[str, str, tuple[int, ...]]


class _Held(NamedTuple):
    """A column with the epochs it is of, the newest row of its table that it has seen, and the state of the file.

    ``size``: its size in bytes when it was read.
    """

    column: Rows | Postings | Places | Edges | Relations
    epochs: tuple[object, ...]
    newest: int
    state: tuple[int, int]
    size: int


class Columns:
    """The columns of the rows of sets of scopes, as of the current transaction; the caller must hold the store's lock.

    For the nearest facts or entities of a scope: ``vectors("fact", scopes, dimensions).nearest(...)``, or for many at
    once ``nearest_of_each(...)``; ``similarities(...)`` for rows found otherwise. Each method reads what was added
    since the last call, so call it once in a transaction and after each of its commits.

    Rows are only ever added, except when the scope's epoch changes (``Writer.next_epoch``): what a column holds was
    replaced, or rows deleted; then its columns are read anew. Whoever deletes or rolls back drops them by ``clear``.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._state: tuple[int, int] | None = None
        self.clear()

    def vectors(self, table: Table, scopes: Iterable[int], dimensions: int) -> Rows:
        """Return the vectors of the rows of ``table`` in ``scopes``, given by their row numbers."""

        def read(numbers: Sequence[int]) -> Matrix:
            blobs = dict(map(tuple, self._connection.execute(_VECTORS.format(table=table), (listed(numbers),))))
            return unpacked([blobs[number] for number in numbers], dimensions)

        return self._current(Rows(dimensions, read), table, scopes, _VECTORS)

    def stems(self, table: Texts, scopes: Iterable[int]) -> Postings:
        """Return the stems of the rows of ``table`` in ``scopes``, given by their row numbers."""
        if self._words.size_in_bytes > WORD_BYTES:
            self.clear()
        return self._current(Postings(self._words), table, scopes, _STEMS)

    def places(self, scopes: Iterable[int]) -> Places:
        """Return the places of the messages in ``scopes``, given by their row numbers."""
        return self._current(Places(), "message", scopes, _PLACES)

    def edges(self, scopes: Iterable[int]) -> Edges:
        """Return the ends of the facts in ``scopes``, given by their row numbers, and when they were recorded."""
        return self._current(Edges(), "fact", scopes, _EDGES)

    def relations(self, scopes: Iterable[int]) -> Relations:
        """Return the relations of the facts in ``scopes``, given by their row numbers."""
        return self._current(Relations(), "fact", scopes, _RELATIONS)

    @contextmanager
    def of_snapshot(self) -> Iterator[None]:
        """Ask once, for all columns, whether the file has changed: within a transaction that only reads."""
        self._state = state_of(self._connection)
        try:
            yield
        finally:
            self._state = None

    def clear(self) -> None:
        """Drop all columns."""
        self._held: OrderedDict[Key, _Held] = OrderedDict()
        self._size, self._words = 0, Numbering()

    def _current(self, empty: Kind, table: str, scopes: Iterable[int], sql: str) -> Kind:
        """Return a column of these rows, with those added since it was read last; keep it as the one used last.

        Those of other scopes are dropped if all take too much memory.
        """
        key = (type(empty).__name__, table, tuple(sorted(scopes)))
        state = self._state or state_of(self._connection)
        held = self._held.get(key)
        if held and held.state == state and isinstance(held.column, type(empty)):
            self._held.move_to_end(key)
            return held.column
        self._drop(key)  # if reading fails, it may have some of the new rows
        epochs = self._epochs(key[2])
        column, seen = empty, 0
        if held and held.epochs == epochs and isinstance(held.column, type(empty)):
            column, seen = held.column, held.newest
        newest = self._connection.execute(f"SELECT max(n) FROM {table}").fetchone()[0] or 0  # noqa: S608
        if newest > seen:
            self._add(column, table, key[2], seen, few=newest - seen <= FEW, sql=sql)
        self._keep(key, _Held(column, epochs, newest, state, column.size_in_bytes))
        return column

    def _keep(self, key: Key, held: _Held) -> None:
        """Keep a column as the one used last; drop the least recently used of other scopes if all are too large."""
        self._held[key] = held
        self._size += held.size
        if self._size + self._words.size_in_bytes > CACHED_BYTES:
            for other in [each for each in self._held if each[2] != key[2]]:
                if self._size + self._words.size_in_bytes <= CACHED_BYTES:
                    return
                self._drop(other)

    def _drop(self, key: Key) -> None:
        if key in self._held:
            self._size -= self._held.pop(key).size

    def _add(self, column: Kind, table: str, scopes: Iterable[int], seen: int, *, few: bool, sql: str) -> None:
        """Add the rows with numbers above ``seen`` to a column."""
        numbers = (_NEW_NUMBERS if few else _NUMBERS).format(table=table)
        added = [row[0] for row in self._connection.execute(numbers, (listed(scopes), seen))]
        if not seen:
            column.reserve(len(added) * 9 // 8)  # room that is not filled takes no memory
        for start in range(0, len(added), AT_ONCE):
            some = (listed(added[start : start + AT_ONCE]),)
            rows = sorted(map(tuple, self._connection.execute(sql.format(table=table), some)), key=itemgetter(0))
            if rows:
                fields: list[Any] = list(zip(*rows, strict=True))
                if isinstance(column, Rows):
                    fields[1] = unpacked(fields[1], column.dimensions)
                column.append(*fields)

    def _epochs(self, scopes: Iterable[int]) -> tuple[object, ...]:
        """Return the epochs of the file and of the scopes."""
        sql = "SELECT key, value FROM meta WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key"
        keys = [epoch_key(each) for each in (None, *scopes)]
        return tuple(map(tuple, self._connection.execute(sql, (listed(keys),))))


def state_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return two numbers of which one changes with whatever other connections commit, or this one writes."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0]), connection.total_changes


def epoch_key(scope: int | None) -> str:
    """Return the key of the metadata that counts the changes which make columns of a scope, or of all, be read anew."""
    return "epoch" if scope is None else f"epoch {scope}"
