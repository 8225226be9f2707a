"""Triples made elsewhere: a file of JSON Lines into triples."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mem0g.errors import TimeError, TripleError
from mem0g.model import Triple
from mem0g.times import Moment

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

LINE_HINT = "each line is a JSON object with subject, relation, object and fact (the sentence)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the file; other fields it has are passed over, among them ``id``, ``session`` and ``invalidates``.

    ``fact`` is the sentence, times are ISO 8601 (whole, or cut after the year or the month), ``evidence`` are ids of
    messages, or the ids these have in their source.
    """

    subject: str
    relation: str
    object: str
    fact: str
    subject_type: str | None = None
    object_type: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    evidence: tuple[str, ...] | None = None
    retracts: bool = False
    confidence: float = 1.0


def read_triples(path: Path) -> list[Triple]:
    """The triples of a JSON Lines file, in order; empty lines are passed over.

    Raises TripleError naming the file, and the line where one is to blame: for what cannot be read or has no triple in
    it, broken JSON, a missing or mistyped field, an unreadable time, and a triple that ``Triple`` refuses.
    """
    triples = [_triple(line, f"{path}, line {number}") for number, line in _lines(path)]
    if not triples:
        raise TripleError(f"{path} is empty", hint=LINE_HINT)
    return triples


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers from 1."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise TripleError(f"no such file: {path}", hint="check the path") from error
    except OSError as error:
        raise TripleError(f"cannot read {path}: {error.strerror}", hint="name a file that can be read") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TripleError(f"{path}, line {line}: not UTF-8", hint=LINE_HINT) from error
    # Not splitlines(): JSON strings may hold U+2028 and its like as they are.
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _triple(text: str, place: str) -> Triple:
    from pydantic import ValidationError

    try:
        line = _reader().validate_json(text, strict=True)
    except ValidationError as error:
        raise TripleError(f"{place}: {_problem(error)}", hint=LINE_HINT) from error
    try:
        return Triple(
            subject=line.subject,
            relation=line.relation,
            object=line.object,
            text=line.fact,
            subject_type=line.subject_type or "",
            object_type=line.object_type or "",
            valid_from=_moment(line.valid_from),
            valid_until=_moment(line.valid_until),
            evidence=line.evidence or (),
            retracts=line.retracts,
            confidence=line.confidence,
        )
    except (TripleError, TimeError) as error:
        raise TripleError(f"{place}: {error}", hint=error.hint) from error


@functools.cache
def _reader() -> TypeAdapter[Line]:
    from pydantic import TypeAdapter

    return TypeAdapter(Line)


def _moment(text: str | None) -> Moment | None:
    return Moment.parse(text) if text else None


def _problem(error: ValidationError) -> str:
    """The first thing that is wrong with a line, in words."""
    first: Mapping[str, Any] = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return f"broken JSON: {first['ctx']['error']}"
    field = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        return f"no {field!r}"
    given = repr(first["input"])[:40]
    return f"{field!r} is {given}: {first['msg']}" if field else f"{given} is no object"
