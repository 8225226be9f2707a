"""Convert notes, which held all types of records outside the graph before layout 4 and export format 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mem0g.model import Scope
from mem0g.store.change import Change
from mem0g.store.records import DONE, FIELDS, Done

_FIELDS = {"window": "windows", "call": "calls", "reply": "replies", "review": "reviews", "receipt": "receipts"} | {
    "summary": "summaries"
}


def record_of_note(
    scope: Scope, kind: str, key: str, body: Mapping[str, Any] | None
) -> tuple[str, dict[str, Any]] | None:
    """Return the field of Change for a note and its record as JSON; None for an unknown kind.

    A ``body`` of None marks a record that is done. Raises KeyError, TypeError or ValueError for an incomplete body.
    """
    if body is None:
        return ("done", {"kind": kind, "id": key}) if kind in DONE else None
    if kind not in _FIELDS:
        return None
    record = {"id": key, "scope": scope.keys} | dict(body)
    if kind == "reply":
        record["text"] = record.pop("reply")
    if kind == "review":
        record["retirements"] = [
            {"fact_id": row["fact"], "successor_id": row["successor"], "reason": row["reason"], "since": row["since"]}
            for row in body["retirements"]
        ]
    return _FIELDS[kind], record


def change_of_note(scope: Scope, kind: str, key: str, body: Mapping[str, Any] | None) -> Change | None:
    """Return the change that writes the record of a note; None if the note is invalid or of an unknown kind."""
    from pydantic import TypeAdapter

    types: dict[str, type] = {field: record for record, field in FIELDS.items()} | {"done": Done}
    try:
        found = record_of_note(scope, kind, key, body)
        if found is None:
            return None
        field, plain = found
        given: dict[str, Any] = {field: (TypeAdapter(types[field]).validate_python(plain),)}
    except (KeyError, TypeError, ValueError):
        return None
    return Change(scope=scope, **given)
