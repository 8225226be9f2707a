"""Metadata: the JSON object of a caller's that a message or a fact carries; its bounds, and how a store writes it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from mem0g.errors import InputError
from mem0g.model import UNSTORABLE

MAX_METADATA_BYTES = 16_384
"""Maximum size of the metadata of one message or fact, as JSON in UTF-8."""

MAX_METADATA_DEPTH = 16
"""Maximum nesting of objects and lists in it, itself included."""


def checked_metadata(given: object, name: str = "the metadata") -> dict[str, Any]:
    """Return a copy of metadata that a caller gives; {} for None. ``name`` says what it is in an error.

    Raises InputError for what is no JSON object with text as keys: other types, NaN and infinities, whole numbers of
    more than 64 bits, text that no store keeps (NUL, halves of surrogate pairs); and for what is too large or too deep.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        hint = 'give a JSON object, such as {"topic": "work"}'
        raise InputError(f"{name} is of type {type(given).__name__}, not an object", hint=hint)
    checked: dict[str, Any] = _checked(given, name, 1)
    size = len(json.dumps(checked, ensure_ascii=False).encode())
    if size > MAX_METADATA_BYTES:
        hint = f"at most {MAX_METADATA_BYTES:,}: keep an id in it, and the rest elsewhere"
        raise InputError(f"{name} has {size:,} bytes", hint=hint)
    return checked


def _checked(value: Any, name: str, depth: int) -> Any:
    if depth > MAX_METADATA_DEPTH and isinstance(value, Mapping | list):
        raise InputError(f"{name} is nested too deep", hint=f"at most {MAX_METADATA_DEPTH} levels")
    if isinstance(value, Mapping):
        return {_key(key, name): _checked(each, name, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_checked(each, name, depth + 1) for each in value]
    if isinstance(value, str):
        return _text(value, name)
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{name} has the value {value}", hint="JSON has no NaN and no infinity: give null")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError(f"{name} has a number of more than 64 bits", hint="give it as text")
    if value is not None and not isinstance(value, bool | int | float):
        hint = "JSON has text, numbers, true, false, null, lists and objects"
        raise InputError(f"{name} has a value of type {type(value).__name__}", hint=hint)
    return value


def _key(key: object, name: str) -> str:
    if not isinstance(key, str):
        raise InputError(f"{name} has the key {str(key)[:40]!r}, which is not text", hint="give keys as text")
    return _text(key, name)


def _text(text: str, name: str) -> str:
    if UNSTORABLE.search(text):
        raise InputError(f"{name} holds a NUL or half of a surrogate pair", hint="remove it")
    return text


def metadata_text(metadata: Mapping[str, Any]) -> str | None:
    """Return metadata as a store keeps it: JSON, equal for equal objects; None for an empty one."""
    if not metadata:
        return None
    return json.dumps(metadata, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def metadata_of(text: str | None) -> dict[str, Any]:
    """Return the metadata that ``metadata_text`` wrote."""
    if text is None:
        return {}
    metadata: dict[str, Any] = json.loads(text)
    return metadata
