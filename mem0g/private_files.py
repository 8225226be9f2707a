"""Files and folders that only their owner can read, because they hold personal data."""

from __future__ import annotations

import os
from pathlib import Path

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
