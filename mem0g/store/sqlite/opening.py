"""Opening the file: creating and upgrading its layout, and translating SQLite's errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from mem0g.errors import (
    DamagedStoreError,
    ForeignStoreError,
    LockedStoreError,
    NewerStoreError,
    ReadOnlyStoreError,
    StoreError,
)
from mem0g.private_files import make_file
from mem0g.settings import FileSettings
from mem0g.store.sqlite.maintenance.upgrading import VERSION, statements, upgrade

SCHEMA = "schema.sql"
"""The layout of a new file."""

APPLICATION_ID = 0x4D454D47  # "MEMG", in the header of each of mem0g's files

MAGIC, ID_OFFSET = b"SQLite format 3\0", 68
"""Start of the file's header, and offset of the application id in it (sqlite.org/fileformat2.html, section 1.3)."""

PAGE_SIZE = 8192
"""Bytes of a page of a new file: 13 vectors of 384 dimensions fit on one."""

CACHED_KB = 16_000
"""Memory that a connection keeps pages in: a search in a large scope reads some hundred rows from pages far apart."""

BUSY_SECONDS = 5.0
"""How long SQLite waits for the short locks that readers and checkpoints take."""

SIDE_FILES = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps next to an open database: the write-ahead log and its index."""


def connect(
    path: Path,
    settings: FileSettings = FileSettings(),  # noqa: B008 - frozen
) -> tuple[sqlite3.Connection, os.stat_result]:
    """Open the store in ``path``; create it, readable by its owner only, if it does not exist.

    Returns the connection, and the status of the file, which tells it from another one of the same name. Raises a
    StoreError if the file cannot be used.
    """
    with translated(path):
        there = path.exists()
        if there and not path.is_file():
            what = "a folder" if path.is_dir() else "no regular file"
            raise ForeignStoreError(f"{path} is {what}", hint="name a file, such as memory.db")
        fresh = not there or path.stat().st_size == 0
        if fresh:
            make_file(path)
        wait = max(settings.lock_timeout, BUSY_SECONDS)
        connection = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
        try:
            opened = path.stat()
            if fresh or _begun(connection):
                _create(connection, wait)
            _upgrade(connection, _check(connection, path))
            connection.execute(f"PRAGMA synchronous = {settings.synchronous}")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(f"PRAGMA cache_size = -{CACHED_KB}")
            wait_for(connection, BUSY_SECONDS)
        except BaseException:
            connection.close()
            raise
    return connection, opened


def connect_reading(path: Path) -> sqlite3.Connection:
    """Return a further, read-only connection to a store that is already open."""
    address = f"{path.absolute().as_uri()}?mode=rw"  # never creates a file
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA query_only = ON")
    return connection


def wait_for(connection: sqlite3.Connection, seconds: float) -> None:
    """Set how long SQLite waits for a lock that another connection holds."""
    connection.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")


def is_busy(error: sqlite3.Error) -> bool:
    """Whether the error is due to a lock that another connection holds."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Translate errors of sqlite3 and the operating system into StoreErrors."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _meaning(error, path) from error
    except OSError as error:
        raise StoreError(f"cannot open {path}: {error.strerror}", hint="check the path and its permissions") from error


def _meaning(error: sqlite3.DatabaseError, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", 0)
    if is_busy(error):
        hint = "try again when it has finished, or wait longer (MEM0G_LOCK_TIMEOUT, in seconds)"
        return LockedStoreError(f"{path} is locked by another process", hint=hint)
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return StoreError(f"{path} was closed", hint="open it again, or use it inside of its `with` block")
    if _is_damage(error, code):
        return _damaged(error, path)
    code &= 0xFF
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ReadOnlyStoreError(f"{path} cannot be written", hint="check its permissions, or copy it elsewhere")
    if code == sqlite3.SQLITE_CANTOPEN:
        beside = f"{path.name} needs a folder that can be written, even to be read: copy it into one"
        hint = beside if os.access(path, os.R_OK) and path.is_file() else "check the path and its permissions"
        return StoreError(f"cannot open {path}: {error}", hint=hint)
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        hint = "the change was rolled back; free some disk space, then try again"
        what = "the disk is full" if code == sqlite3.SQLITE_FULL else f"it cannot be read or written ({error})"
        return StoreError(f"{path}: {what}", hint=hint)
    return StoreError(f"{path}: {error}", hint="run `mem0g doctor`")


def _is_damage(error: sqlite3.DatabaseError, code: int) -> bool:
    """Whether the file is damaged: pages that cannot be read or are missing, text that is not UTF-8."""
    if code == sqlite3.SQLITE_IOERR_SHORT_READ or "Could not decode to UTF-8" in str(error):
        return True
    return code & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def _damaged(error: sqlite3.DatabaseError, path: Path) -> StoreError:
    if _is_ours(path):
        hint = "`mem0g verify` shows what is left of it; restore a backup (`mem0g backup` makes them)"
        return DamagedStoreError(f"{path} is damaged: {error}", hint=hint)
    return ForeignStoreError(f"{path} is not a mem0g store: {error}", hint="name another file with --store")


def _is_ours(path: Path) -> bool:
    """Whether the header of the file has mem0g's application id, read without SQLite."""
    try:
        with path.open("rb") as file:
            head = file.read(ID_OFFSET + 4)
    except OSError:
        return False
    return head.startswith(MAGIC) and int.from_bytes(head[ID_OFFSET:], "big") == APPLICATION_ID


def _create(connection: sqlite3.Connection, wait: float) -> None:
    """Create the layout, unless another process has done so meanwhile."""
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    _write_ahead(connection, wait)
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA application_id").fetchone()[0] == 0:
        for statement in statements(SCHEMA):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("COMMIT")


def _begun(connection: sqlite3.Connection) -> bool:
    """Whether the file is an empty database: another process is about to create the layout."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    return application == 0 and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone()


def _write_ahead(connection: sqlite3.Connection, wait: float) -> None:
    """Switch to the write-ahead log; retried here, as SQLite does not wait for another process that does the same."""
    until = monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or monotonic() > until:
                raise
            sleep(0.02)
        else:
            return


def _upgrade(connection: sqlite3.Connection, version: int) -> None:
    """Upgrade a file of an older mem0g to the current layout."""
    if version == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    upgrade(connection, _version(connection))  # read again: another process may have upgraded it meanwhile
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _check(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the file's layout; raise a StoreError if this version of mem0g cannot use it."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = _version(connection)
    if application != APPLICATION_ID:
        raise ForeignStoreError(f"{path} is the database of another program", hint="name another file with --store")
    if version < 1:
        raise DamagedStoreError(f"{path} has no layout {version}", hint="restore a backup (`mem0g backup` makes them)")
    if version > VERSION:
        raise NewerStoreError(
            f"{path} was made by a newer mem0g (layout {version}, this version supports {VERSION})",
            hint="upgrade mem0g",
        )
    return version
