"""Opening the file: making the layout, and saying clearly why a file cannot be used."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from time import monotonic, sleep

from mem0g.errors import (
    ForeignStoreError,
    LockedStoreError,
    NewerStoreError,
    ReadOnlyStoreError,
    StoreError,
)

SCHEMAS = ("schema.sql", "schema_2.sql")
"""The layout: what was there first, and what each version added."""

VERSION = len(SCHEMAS)
"""Of the layout; kept in the file's user_version."""

APPLICATION_ID = 0x4D454D47  # "MEMG": marks the file as ours in its header

BUSY_SECONDS = 5.0
"""How long a writer waits for another; a window's commit takes milliseconds."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the store in ``path``, or make it. Raises the StoreError that says what is wrong with it."""
    if path.is_dir():
        raise ForeignStoreError(f"{path} is a folder", hint="name a file, such as memory.db")
    with translated(path):
        fresh = not path.exists() or path.stat().st_size == 0
        if fresh:
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            if fresh or _begun(connection):
                _create(connection)
            _upgrade(connection, _check(connection, path))
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
    return connection


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what sqlite3 raises into the StoreError that says it in our words."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _meaning(error, path) from error
    except OSError as error:
        raise StoreError(f"cannot open {path}: {error.strerror}", hint="check the path and its permissions") from error


def _meaning(error: sqlite3.DatabaseError, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LockedStoreError(f"{path} is locked by another process", hint="try again when it has finished")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ReadOnlyStoreError(f"{path} cannot be written", hint="check its permissions, or copy it elsewhere")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return ForeignStoreError(f"{path} is not a mem0g store: {error}", hint="name another file with --store")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"cannot open {path}: {error}", hint="check the path and its permissions")
    return StoreError(f"{path}: {error}", hint="run `mem0g doctor`")


def _create(connection: sqlite3.Connection) -> None:
    """Make the layout; of two processes that come at once, the second finds it made."""
    _write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA application_id").fetchone()[0] == 0:
        _bring_up(connection, 0)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("COMMIT")


def _begun(connection: sqlite3.Connection) -> bool:
    """Whether the file is a database with nothing in it: another process is about to make the layout."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    return application == 0 and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone()


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log, which SQLite does not wait for when another process is doing the same."""
    until = monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.02)
        else:
            return


def _upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file of an older mem0g up to this one's layout."""
    if version == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    _bring_up(connection, _version(connection))  # another process may have been faster
    connection.execute("COMMIT")


def _bring_up(connection: sqlite3.Connection, version: int) -> None:
    for name in SCHEMAS[version:]:
        for statement in _statements(resources.files(__package__).joinpath(name).read_text(encoding="utf-8")):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """The script's statements one by one: executescript would commit the transaction that guards them."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _check(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the file's layout. Raises ForeignStoreError or NewerStoreError for one that cannot be used."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = _version(connection)
    if application != APPLICATION_ID:
        raise ForeignStoreError(f"{path} is the database of another program", hint="name another file with --store")
    if version > VERSION:
        raise NewerStoreError(
            f"{path} was made by a newer mem0g (layout {version}, this one knows {VERSION})", hint="upgrade mem0g"
        )
    return version
