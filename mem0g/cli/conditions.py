"""The options --filter and --metadata: KEY=VALUE, conditions such as said_at>=2024, or JSON objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from mem0g.errors import InputError

FilterOption = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="FIELD=VALUE",
        help="Only what fulfils this: relation=lives_in, said_at>=2024, metadata.topic=work, or JSON; can be repeated.",
    ),
]
MetadataOption = Annotated[
    list[str] | None,
    typer.Option("--metadata", metavar="KEY=VALUE", help="Metadata of the messages, or JSON; can be repeated."),
]

_OPERATORS = {"=": "$eq", "!=": "$ne", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte"}
_CONDITION = re.compile(r"([^=!<>]+)(!=|>=|<=|=|>|<)(.*)", re.DOTALL)


def filters_of(given: Iterable[str] | None) -> dict[str, Any] | None:
    """Return filters as --filter gives them; several on one field have to hold together.

    Raises InputError for what is neither a condition nor a JSON object.
    """
    filters: dict[str, Any] = {}
    for each in given or ():
        for field, wanted in (_object(each, "--filter") or _condition(each)).items():
            operators = wanted if _has_operators(wanted) else {"$eq": wanted}
            known = filters.setdefault(field, {})
            if known.keys() & operators.keys():
                raise InputError(f"--filter has two conditions alike on {field!r}", hint='use JSON with "$in"')
            known.update(operators)
    return filters or None


def metadata_given(given: Iterable[str] | None) -> dict[str, Any] | None:
    """Return metadata as --metadata gives it. Raises InputError for what is neither KEY=VALUE nor a JSON object."""
    metadata: dict[str, Any] = {}
    for each in given or ():
        made = _object(each, "--metadata")
        if made is None:
            key, equals, value = each.partition("=")
            if not (key.strip() and equals):
                raise InputError(
                    f"--metadata is {each[:80]!r}", hint="write a key and its value: --metadata topic=work"
                )
            made = {key.strip(): _value(value.strip())}
        metadata.update(made)
    return metadata or None


def _condition(text: str) -> dict[str, Any]:
    match = _CONDITION.fullmatch(text)
    if match is None:
        hint = "write a field, an operator and a value: --filter relation=lives_in"
        raise InputError(f"--filter is {text[:80]!r}", hint=hint)
    field, operator, value = (part.strip() for part in match.groups())
    return {field: {_OPERATORS[operator]: _value(value) if field.startswith("metadata") else value}}


def _object(text: str, option: str) -> dict[str, Any] | None:
    """Return the JSON object that ``text`` is; None for text that does not begin as one."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        made: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{option} is no JSON: {error}", hint='quote it for the shell: \'{"topic": "work"}\''
        ) from error
    return made


def _value(text: str) -> Any:
    """Return a number, true, false or null as such, and all else as text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if value is None or isinstance(value, bool | int | float) else text


def _has_operators(wanted: object) -> bool:
    return isinstance(wanted, dict) and any(str(name).startswith("$") for name in wanted)
