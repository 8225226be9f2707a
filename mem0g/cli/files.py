"""Files that commands read and write: written whole or not at all, readable by the owner alone."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from mem0g.errors import InputError
from mem0g.private_files import replacing


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for bytes that replaces ``path`` when the block ends without an error; only its owner may read it.

    Until then it has another name in the same folder, so that a failure leaves the former file. Other than regular
    files, such as pipes and /dev/null, are written directly. Raises InputError naming the path when it cannot be
    written.
    """
    try:
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            with path.open("wb") as file:
                yield file
        else:
            with replacing(Path(os.path.realpath(path))) as file:
                yield file
    except OSError as error:
        raise _cannot_write(path, error) from error


def folder_made(path: Path) -> Path:
    """Create a folder for its owner alone, if there is none. Raises InputError when it cannot be created."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error
    return path


def text_of(file: str, hint: str) -> str:
    """Read a UTF-8 file, or standard input for "-". Raises InputError with ``hint`` when it cannot be read."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"no such file: {file}", hint=hint) from error
    except IsADirectoryError as error:
        raise InputError(f"{file} is a folder", hint=hint) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{file}, line {line}: not UTF-8", hint=hint) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot read {file}: {reason}", hint="check the path and its permissions") from error


def _cannot_write(path: Path, error: OSError) -> InputError:
    if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a name that is too long
        return InputError(f"cannot write {path}: it is a folder", hint="give a file in it")
    if isinstance(error, FileNotFoundError):
        return InputError(f"cannot write {path}: no such folder", hint=f"create the folder {path.parent} first")
    return InputError(
        f"cannot write {path}: {error.strerror}", hint="check the path, its permissions and the free space"
    )
