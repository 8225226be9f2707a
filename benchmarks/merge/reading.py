"""Reading of JSON files into validated types; errors are one line."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from mem0g.errors import InputError

T = TypeVar("T")


def read_json(path: Path, shape: TypeAdapter[T], hint: str) -> T:
    """Return the document of a file. Raises InputError with ``hint`` if it is missing or malformed."""
    return _checked(path.read_bytes(), shape, str(path), hint)


def read_lines(path: Path, shape: TypeAdapter[T], hint: str) -> list[T]:
    """Return the document of each non-empty line. Raises InputError with ``hint`` for a malformed line."""
    if not path.is_file():
        raise InputError(f"no such file: {path}", hint=hint)
    lines = path.read_bytes().split(b"\n")
    return [
        _checked(line, shape, f"{path}, line {number}", hint)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _checked(text: bytes, shape: TypeAdapter[T], place: str, hint: str) -> T:
    try:
        return shape.validate_json(text.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{place}: {field + ': ' if field else ''}{first['msg']}", hint=hint) from error
