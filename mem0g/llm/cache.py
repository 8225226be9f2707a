"""A file cache of model replies: repeating a run costs nothing, and a run can be shared and replayed."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Collection, Iterator
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from mem0g.errors import InputError
from mem0g.private_files import locked, make_folder, replacing

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_BINARY = getattr(os, "O_BINARY", 0)  # Windows only


class _Line(BaseModel):
    key: str
    reply: dict[str, Any]


class ReplyCache:
    """Replies by key, in a JSON Lines file. May be shared by several threads and processes.

    A line has key, purpose, model, created (the time of the reply) and reply (a JSON object); the last line of a key
    counts. The file is read by the constructor, so lines that another process adds later are not seen. It is created,
    readable by its owner only, when the first reply is written. Each line is one write; an incomplete line that a
    crash left is followed by an empty one and ignored.

    Raises InputError, naming file and line, for any other invalid line, or if the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._replies = dict(_read(path))

    def reply(self, key: str) -> str | None:
        """Return the reply with this key as JSON text, or None."""
        return self._replies.get(key)

    def keep(self, key: str, purpose: str, model: str, reply: str, created: datetime) -> None:
        """Write ``reply``, the JSON text of an object, unless the file already has it.

        Raises InputError if the file cannot be written.
        """
        value = from_json(reply)
        text = json.dumps(value, ensure_ascii=False)
        with self._lock:
            if self._replies.get(key) == text:
                return
            when = created.isoformat(timespec="seconds")
            line = {"key": key, "purpose": purpose, "model": model, "created": when, "reply": value}
            self._append(json.dumps(line, ensure_ascii=False).encode() + b"\n")
            self._replies[key] = text

    def _append(self, line: bytes) -> None:
        try:
            make_folder(self.path.parent)
            with locked(self.path, os.O_CREAT) as handle:
                data = b"\n\n" + line if _torn(handle) else line
                written = os.write(handle, data)
        except OSError as error:
            raise _unwritten(self.path, error) from error
        if written < len(data):
            raise _unwritten(self.path, OSError("the disk is full"))

    def forget(self, keys: Collection[str]) -> int:
        """Remove the replies with these keys and return the number of keys found.

        The file is replaced in one step; incomplete lines are removed, too. Raises InputError if it cannot be written;
        it is unchanged then.
        """
        with self._lock:
            for key in keys:
                self._replies.pop(key, None)
            try:
                # Windows cannot replace an open file
                with locked(self.path) if fcntl is not None else nullcontext():
                    return _without(self.path, frozenset(keys))
            except FileNotFoundError:
                return 0
            except OSError as error:
                raise _unwritten(self.path, error) from error


def _unwritten(path: Path, error: OSError) -> InputError:
    message = f"cannot write the reply cache {path}: {error.strerror or error}"
    return InputError(message, hint="name another file (--llm-cache)")


def _without(path: Path, keys: frozenset[str]) -> int:
    """Replace the file by one without these keys and incomplete lines; return the number of keys removed."""
    content = path.read_bytes()
    lines = [line for line in content.split(b"\n") if line.strip()]
    found = [(line, _key(line)) for line in lines]
    kept = [line for line, key in found if key is not None and key not in keys]
    if len(kept) == len(lines):
        return 0
    with replacing(path) as file:
        file.write(b"".join(line + b"\n" for line in kept))
    return len({key for _, key in found if key in keys})


def _key(line: bytes) -> str | None:
    """Return the key of a line; None if it is incomplete."""
    try:
        return _Line.model_validate_json(line).key
    except ValidationError:
        return None


def _torn(handle: int) -> bool:
    """Whether the last line is incomplete."""
    size = os.lseek(handle, 0, os.SEEK_END)
    if size == 0:
        return False
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) != b"\n"


def _read(path: Path) -> Iterator[tuple[str, str]]:
    """Yield key and reply of each line; nothing if the file does not exist."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    except OSError as error:
        message = f"cannot read the reply cache {path}: {error.strerror}"
        raise InputError(message, hint="name a file (--llm-cache)") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = _Line.model_validate_json(line)
        except ValidationError as error:
            after = lines[number:]  # ends with b"" if the last line is complete
            if line.startswith(b"{") and (not after or (len(after) > 1 and not after[0].strip())):
                continue
            message = f"{path}, line {number}: not a model's reply"
            raise InputError(message, hint="remove the line, or name another file (--llm-cache)") from error
        yield found.key, json.dumps(found.reply, ensure_ascii=False)
