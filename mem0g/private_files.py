"""Files and folders that only their owner can read, because they hold personal data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import IO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_BINARY = getattr(os, "O_BINARY", 0)  # Windows only

FILE_MODE, FOLDER_MODE = 0o600, 0o700
"""Permissions of new files and folders; the umask may remove more."""


def make_folder(folder: Path) -> None:
    """Create ``folder`` and its missing parents with FOLDER_MODE; existing folders keep their permissions.

    Raises NotADirectoryError if ``folder`` is a file.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=FOLDER_MODE, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))


def make_file(path: Path) -> None:
    """Create ``path`` with FILE_MODE, and its folder if it is missing; an existing file is not changed."""
    make_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))


def readable_by_others(path: Path) -> bool:
    """Whether ``path`` can be read by its group or by others; False on Windows, which has no such permissions."""
    return os.name == "posix" and bool(path.stat().st_mode & 0o044)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file that replaces ``path`` in one step when the block ends without an error.

    Until then it has another name in the same folder. What is written is on the disk when it gets its name.
    """
    number, made = mkstemp(prefix=".mem0g-", suffix=".part", dir=path.parent)  # readable by its owner alone
    try:
        with os.fdopen(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(number)
        Path(made).replace(path)
    finally:
        Path(made).unlink(missing_ok=True)


@contextmanager
def locked(path: Path, flags: int = 0) -> Iterator[int]:
    """Open the file for appending, locked against other writers (not on Windows), and yield its descriptor.

    A writer that replaces the file within the block leaves no other with the former one.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | flags | _BINARY, FILE_MODE)
        try:
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX)
            if _is_at(path, handle):  # otherwise it was replaced while waiting for the lock
                yield handle
                return
        finally:
            os.close(handle)


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
