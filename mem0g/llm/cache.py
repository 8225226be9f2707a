"""Replies kept in a file, so that the same run again costs nothing and a run can be shared and replayed."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from mem0g.errors import InputError
from mem0g.llm.request import Purpose

_BINARY = getattr(os, "O_BINARY", 0)  # Windows only


class _Line(BaseModel):
    key: str
    reply: dict[str, Any]


class ReplyCache:
    r"""Replies by key in a JSON Lines file: key, purpose, model, created (the time of the reply), and reply, the JSON
    object itself. The last line of a key counts.

    The file is read when this is made, and made when the first reply is written, in one write a line, so that several
    threads and processes may use it; what another process adds is seen by the next. The beginning of a line that a
    crash left is passed over: an empty line marks it.

    Raises InputError naming file and line for any other line that is no reply, or if the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._replies = dict(_read(path))

    def reply(self, key: str) -> str | None:
        """The reply to what has this key as JSON text, if there is one."""
        return self._replies.get(key)

    def keep(self, key: str, purpose: Purpose, model: str, reply: str, created: datetime) -> None:
        """Write ``reply``, the JSON text of an object, unless it is what the file says already.

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
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY, 0o666)
            try:
                data = b"\n\n" + line if _torn(handle) else line
                if os.write(handle, data) < len(data):
                    raise OSError("the disk is full")
            finally:
                os.close(handle)
        except OSError as error:
            message = f"cannot write the reply cache {self.path}: {error.strerror or error}"
            raise InputError(message, hint="name another file (--llm-cache)") from error


def _torn(handle: int) -> bool:
    """Whether the file ends within a line."""
    size = os.lseek(handle, 0, os.SEEK_END)
    if size == 0:
        return False
    os.lseek(handle, size - 1, os.SEEK_SET)
    return os.read(handle, 1) != b"\n"


def _read(path: Path) -> Iterator[tuple[str, str]]:
    """Key and reply of each line; nothing of a file that is not there yet."""
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
            after = lines[number:]  # ends with b"" where the file ends with a whole line
            if line.startswith(b"{") and (not after or (len(after) > 1 and not after[0].strip())):
                continue
            message = f"{path}, line {number}: no reply of a model"
            raise InputError(message, hint="remove the line, or name another file (--llm-cache)") from error
        yield found.key, json.dumps(found.reply, ensure_ascii=False)
