"""Load the JSON of transcripts with errors that name the line, and look for keys without loading."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mem0g.model import UNSTORABLE, Utterance
from mem0g.transcripts.protocol import unreadable

BROKEN_HINT = "repair or remove it"


def has_keys(text: str, *keys: str) -> bool:
    """Whether JSON text has all of ``keys`` somewhere, even if it is broken JSON.

    Within a JSON string a quote is always escaped, so ``"key":`` can only be a key.
    """
    return all(re.search(rf'"{re.escape(key)}"\s*:', text) for key in keys)


def is_json(text: str) -> bool:
    """Whether ``text`` begins as a JSON list or object does."""
    return re.match(r"\s*[\[{]", text) is not None


def load(text: str, source: str, line: int = 1) -> Any:
    """Return the value of JSON text starting at ``line`` of its source. Raises TranscriptError naming the bad line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"broken JSON: {error.msg} at column {error.colno}"
        raise unreadable(source, line + error.lineno - 1, problem, BROKEN_HINT) from error
    except (RecursionError, ValueError) as error:  # nested thousands deep, or a number of thousands of digits
        raise unreadable(source, line, f"JSON that cannot be loaded: {error}", BROKEN_HINT) from error


def as_object(value: Any, source: str, place: int | str) -> Mapping[str, Any]:
    """Return ``value``, which must be a JSON object. Raises TranscriptError naming ``place`` if it is not."""
    if not isinstance(value, Mapping):
        raise unreadable(source, place, f"expected an object, not {str(value)[:40]!r}", BROKEN_HINT)
    return value


def storable(utterance: Utterance) -> Utterance:
    """Return the utterance with U+FFFD for NULs and halves of surrogate pairs, which no database can store."""
    names = ("source", "session", "speaker", "text", "source_id")
    given = {name: value for name in names if (value := getattr(utterance, name))}
    if not any(map(UNSTORABLE.search, given.values())):
        return utterance
    changed: dict[str, Any] = {name: UNSTORABLE.sub("\ufffd", value) for name, value in given.items()}
    return replace(utterance, **changed)
