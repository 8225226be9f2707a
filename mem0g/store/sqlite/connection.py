"""The store's connection to its file: one thread at a time, and one writer of all processes."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from time import monotonic, sleep

from mem0g.errors import StoreError
from mem0g.forks import OwnProcess
from mem0g.settings import FileSettings
from mem0g.store.sqlite.opening import BUSY_SECONDS, SIDE_FILES, connect, is_busy, translated, wait_for

ATTEMPT_SECONDS = 0.1
"""How long one attempt to take the write lock waits inside SQLite, where it blocks this store's readers and Ctrl-C."""


class FileConnection:
    """A connection to a SQLite file behind a lock; errors of SQLite are raised as StoreErrors.

    A file that was deleted stays usable to the processes that have it open, and what they write to it is lost. So each
    use compares the file at the path with the one that was opened. The path is absolute: the current folder may change.
    A fork may not use the connection: SQLite's locks are those of the process that opened it.
    """

    def __init__(self, path: Path, settings: FileSettings) -> None:
        self._path, self._settings = path, settings
        self.lock = RLock()
        self.process = OwnProcess()
        self.connection, self._opened = connect(path, settings)
        self.connection.row_factory = sqlite3.Row

    @property
    def is_current(self) -> bool:
        """Whether the file at the path is the one that was opened, as far as this process may look at it."""
        try:
            return os.path.samestat(self._path.stat(), self._opened)
        except OSError as error:
            return not isinstance(error, FileNotFoundError | NotADirectoryError)

    def check(self, consequence: str = "nothing was read or written") -> None:
        """Raise StoreError if the file was deleted or replaced by another one since it was opened."""
        if not self.is_current:
            raise StoreError(
                f"{self._path} was deleted or replaced while it was open; {consequence}",
                hint="close this memory and open it again; a store that does not exist is created then",
            )

    @contextmanager
    def using(self) -> Iterator[None]:
        """Hold the lock, and translate SQLite's errors into StoreErrors.

        Raises StoreError if the file was deleted or replaced, and in a fork.
        """
        self.process.check(self._path)
        with self.lock, translated(self._path):
            self.check()
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

        ``undone`` is called after a rollback, before another thread may use the connection. Raises StoreError if the
        file was deleted or replaced, be it during the commit.
        """
        with translated(self._path):
            self._begin()
            try:
                self.check()
                yield
                self.connection.execute("COMMIT")
                self.check("what was written last may be lost")
            except BaseException:
                if self.connection.in_transaction:  # some errors, such as a full disk, roll back
                    self.connection.execute("ROLLBACK")
                undone()
                raise
            finally:
                self.lock.release()

    def delete(self) -> None:
        """Delete the file and those beside it once no other process writes to it, and close the connection.

        Who waits to write finds the file gone. The file itself goes last: a store that is created at its path at once
        keeps the files beside it.
        """
        with translated(self._path):
            self._begin()
            try:
                self.check("nothing was deleted")
                if os.name == "nt":  # there an open file cannot be deleted
                    self.connection.close()
                for end in (*SIDE_FILES, ""):
                    self._path.with_name(f"{self._path.name}{end}").unlink(missing_ok=True)
            finally:
                self.connection.close()
                self.lock.release()

    def _begin(self) -> None:
        """Take the lock and begin a transaction with the file's write lock, without blocking readers."""
        self.process.check(self._path)
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
