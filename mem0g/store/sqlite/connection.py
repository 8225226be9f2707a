"""The store's connection to its file: one thread at a time, and one writer of all processes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from time import monotonic, sleep

from mem0g.settings import FileSettings
from mem0g.store.sqlite.opening import BUSY_SECONDS, connect, is_busy, translated, wait_for

ATTEMPT_SECONDS = 0.1
"""How long one attempt to take the write lock waits inside SQLite, where it blocks this store's readers and Ctrl-C."""


class FileConnection:
    """A connection to a SQLite file behind a lock; errors of SQLite are raised as StoreErrors."""

    def __init__(self, path: Path, settings: FileSettings) -> None:
        self._path, self._settings = path, settings
        self.lock = RLock()
        self.connection = connect(path, settings)
        self.connection.row_factory = sqlite3.Row

    @contextmanager
    def using(self) -> Iterator[None]:
        """Hold the lock, and translate SQLite's errors into StoreErrors."""
        with self.lock, translated(self._path):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Open a read transaction: several reads see the same snapshot, whatever other processes commit."""
        with self.using():
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                if self.connection.in_transaction:  # else an error has ended it already
                    self.connection.execute("ROLLBACK")

    @contextmanager
    def writing(self, undone: Callable[[], object]) -> Iterator[None]:
        """Open a transaction that holds the file's write lock; commit on success, roll back on any error.

        ``undone`` is called after a rollback, before another thread may use the connection.
        """
        with translated(self._path):
            self._begin()
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:  # some errors, such as a full disk, roll back
                    self.connection.execute("ROLLBACK")
                undone()
                raise
            finally:
                self.lock.release()

    def _begin(self) -> None:
        """Take the lock and begin a transaction with the file's write lock, without blocking readers."""
        until = monotonic() + self._settings.lock_timeout
        while True:
            self.lock.acquire()
            try:
                wait_for(self.connection, ATTEMPT_SECONDS)
                self.connection.execute("BEGIN IMMEDIATE")
                wait_for(self.connection, BUSY_SECONDS)
            except BaseException as error:
                self.lock.release()
                if not isinstance(error, sqlite3.OperationalError) or not is_busy(error) or monotonic() >= until:
                    raise
            else:
                return
            sleep(0.01)
