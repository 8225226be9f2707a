"""Online backup: a consistent copy of the database file, made while others may write to it."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from mem0g.errors import StoreError
from mem0g.private_files import make_folder


def back_up(source: sqlite3.Connection, path: Path) -> None:
    """Copy the database of ``source`` to the new file ``path``, readable by its owner only.

    The copy is written to a temporary file in the same folder and renamed once it is complete and flushed to disk.
    Raises StoreError if ``path`` exists or cannot be written.
    """
    try:
        if path.exists() or path.is_symlink():
            raise _exists(path)
        make_folder(path.parent)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")  # with mode 0600
        os.close(handle)
        part = Path(name)
        try:
            with closing(sqlite3.connect(part)) as target:
                source.backup(target)  # in one step: otherwise each concurrent write would restart the copy
            _flush(part)
            _give_name(part, path)
        finally:
            for ending in ("", "-journal", "-wal", "-shm"):
                Path(f"{name}{ending}").unlink(missing_ok=True)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        hint = "check the folder, its permissions and the free disk space"
        raise StoreError(f"cannot write the backup {path}: {error.strerror}", hint=hint) from error


def _exists(path: Path) -> StoreError:
    return StoreError(f"{path} exists already", hint="name a file that does not exist yet")


def _flush(path: Path) -> None:
    """Flush the file to disk."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _give_name(part: Path, path: Path) -> None:
    """Rename ``part`` to ``path``. Raises FileExistsError if ``path`` exists."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        if path.exists():
            raise FileExistsError(path) from None
        part.rename(path)
    if os.name == "posix":
        with suppress(OSError):  # some file systems cannot flush folders
            _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
