"""Files and folders that only their owner can read: what is in them is about people."""

from __future__ import annotations

import os
from pathlib import Path

FILE_MODE, FOLDER_MODE = 0o600, 0o700
"""Permissions of what mem0g makes; an umask may take more away."""


def make_folder(folder: Path) -> None:
    """Make ``folder`` and those above it that are missing, each with FOLDER_MODE; existing ones stay as they are."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=FOLDER_MODE, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))


def make_file(path: Path) -> None:
    """Make ``path`` with FILE_MODE, in a folder that is made where it is missing; an existing file stays as it is."""
    make_folder(path.parent)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, FILE_MODE))


def readable_by_others(path: Path) -> bool:
    """Whether ``path`` can be read by its group or by everybody; False on Windows, which has no such permissions."""
    return os.name == "posix" and bool(path.stat().st_mode & 0o044)
