"""JSON as transcripts hold it: loading that names the line, and looking for keys without loading."""

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
    """Whether JSON text has every one of ``keys`` somewhere; a broken one is looked through as well.

    Within a JSON string a quote is always escaped, so ``"key":`` can only be a key.
    """
    return all(re.search(rf'"{re.escape(key)}"\s*:', text) for key in keys)


def is_json(text: str) -> bool:
    """Whether ``text`` begins as a JSON list or object does."""
    return re.match(r"\s*[\[{]", text) is not None


def load(text: str, source: str, line: int = 1) -> Any:
    """The value of JSON text that starts at ``line`` of its source. Raises TranscriptError naming the broken line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"broken JSON: {error.msg} at column {error.colno}"
        raise unreadable(source, line + error.lineno - 1, problem, BROKEN_HINT) from error
    except (RecursionError, ValueError) as error:  # nested thousands deep, or a number of thousands of digits
        raise unreadable(source, line, f"JSON that cannot be loaded: {error}", BROKEN_HINT) from error


def as_object(value: Any, source: str, place: int | str) -> Mapping[str, Any]:
    """``value`` as the JSON object that it must be. Raises TranscriptError naming ``place`` when it is none."""
    if not isinstance(value, Mapping):
        raise unreadable(source, place, f"expected an object, not {str(value)[:40]!r}", BROKEN_HINT)
    return value


def storable(utterance: Utterance) -> Utterance:
    """The utterance with U+FFFD for NULs and halves of surrogates, which JSON can say but no database keeps."""
    names = ("source", "session", "speaker", "text", "source_id")
    given = {name: value for name in names if (value := getattr(utterance, name))}
    if not any(map(UNSTORABLE.search, given.values())):
        return utterance
    changed: dict[str, Any] = {name: UNSTORABLE.sub("\ufffd", value) for name, value in given.items()}
    return replace(utterance, **changed)
