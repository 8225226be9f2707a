"""Read triples that another program extracted, from a file of JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from mem0g.errors import InputError, TripleError
from mem0g.metadata import checked_metadata
from mem0g.model import Triple
from mem0g.times import Moment, check_interval

LINE_HINT = "each line is a JSON object with subject, relation, object and text (the sentence)"


class Line(BaseModel):
    """One line of the file; other fields, such as ``id``, ``session`` and ``invalidates``, are ignored.

    Times are ISO 8601, whole or cut after the year or the month; ``evidence`` are ids of messages, or the ids that
    these have in their source. ``fact`` and ``valid_until`` are former names of ``text`` and ``valid_to``.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    subject: str
    relation: str
    object: str
    text: str = Field(validation_alias=AliasChoices("text", "fact"))
    subject_type: str | None = None
    object_type: str | None = None
    valid_from: str | None = None
    valid_to: str | None = Field(default=None, validation_alias=AliasChoices("valid_to", "valid_until"))
    evidence: tuple[str, ...] | None = None
    retracts: bool = False
    confidence: float = 1.0
    brief: str | None = None
    observed: str | None = None
    planned_for: str | None = None
    metadata: dict[str, Any] | None = None


def read_triples(path: Path) -> list[Triple]:
    """Return the triples of a JSON Lines file, in order; empty lines are skipped.

    Raises TripleError naming the file and, where one line is the cause, its number: for a file that cannot be read or
    holds no triple, broken JSON, a missing or mistyped field, an unreadable time, an end before the beginning, and a
    triple that ``Triple`` refuses.
    """
    triples = [_triple(line, f"{path}, line {number}") for number, line in _lines(path)]
    if not triples:
        raise TripleError(f"{path} is empty", hint=LINE_HINT)
    return triples


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers from 1."""
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
    try:
        line = Line.model_validate_json(text)
    except ValidationError as error:
        raise TripleError(f"{place}: {_problem(error)}", hint=LINE_HINT) from error
    try:
        triple = Triple(
            subject=line.subject,
            relation=line.relation,
            object=line.object,
            text=line.text,
            subject_type=line.subject_type or "",
            object_type=line.object_type or "",
            valid_from=_moment(line.valid_from),
            valid_to=_moment(line.valid_to),
            evidence=line.evidence or (),
            retracts=line.retracts,
            confidence=line.confidence,
            brief=line.brief,
            observed=_moment(line.observed),
            planned_for=_moment(line.planned_for),
            metadata=checked_metadata(line.metadata),
        )
        check_interval(triple.valid_from, triple.valid_to)
    except InputError as error:
        raise TripleError(f"{place}: {error}", hint=error.hint) from error
    return triple


def _moment(text: str | None) -> Moment | None:
    return Moment.parse(text) if text else None


def _problem(error: ValidationError) -> str:
    """Return the first error of a line as text."""
    first: Mapping[str, Any] = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        return f"broken JSON: {first['ctx']['error']}"
    field = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        return f"no {field!r}"
    given = repr(first["input"])[:40]
    return f"{field!r} is {given}: {first['msg']}" if field else f"{given} is no object"
