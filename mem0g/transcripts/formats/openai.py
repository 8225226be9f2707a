"""Read OpenAI-style messages: JSON Lines, a JSON list, or the messages that a program passes to ``Memory.add``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import count, islice
from typing import Any

from mem0g.model import Role, Utterance
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import read_timestamp

Place = int | str

ROLES: Mapping[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
"""mem0g's roles by those of the chat API, including the newer name of system and the older one of tool."""


LOOKED_AT = 20
"""Number of lines that are read to recognise the format."""


TIMES = ("timestamp", "created_at", "time")
"""Fields of the time of a message; the first one given counts. OpenAI's threads have created_at."""

SINCE_1970 = 10**8
"""Seconds from which on a number in created_at or time is a time, from 1973 on: fewer are how long something took."""

FOR_ALL = ("session", "timestamp")
"""Fields of the object around the messages that are defaults for its messages."""


def read_messages(messages: Iterable[tuple[Place, Any]], source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Yield the utterances of messages, each of which is given with its place in the source.

    Messages that have no text for a reason are left out: tool calls, empty tool results, pictures without words.

    Raises TranscriptError for an unknown role, an unreadable time, and a user's or assistant's message without text.
    """
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    for place, value in messages:
        message = as_object(value, source, place)
        role = _role(message, source, place)
        text = _text(message)
        time = _time(message, source, place, options)
        session = _text_of(message, "session", source, place)
        if text:
            yield storable(
                Utterance(
                    source=source,
                    session=session,
                    position=next(positions[session]),
                    speaker=_plain(message, "name", source, place),
                    role=role,
                    text=text,
                    time=time,
                    source_id=_plain(message, "id", source, place) or None,
                    metadata=_metadata(message, source, place),
                )
            )
        elif role in ("user", "assistant") and not _is_wordless(message):
            raise unreadable(source, place, "a message without text", "give it a content, or remove it")


def _role(message: Mapping[str, Any], source: str, place: Place) -> Role:
    given = message.get("role")
    if isinstance(given, str) and given in ROLES:
        return ROLES[given]
    problem = f"unknown role {given!r}" if "role" in message else "a message without a role"
    raise unreadable(source, place, problem, f"one of {', '.join(ROLES)}")


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or message.get("refusal")
    parts = content if isinstance(content, list) else [content]
    return "\n".join(words for part in parts if (words := part_text(part)))


def part_text(part: Any) -> str:
    """Return the text of a content part: text, a refusal, the transcript of speech; "" for a picture or a file."""
    if isinstance(part, dict):
        part = part.get("text") or part.get("refusal") or part.get("transcript")
    return part.strip() if isinstance(part, str) else ""


def _is_wordless(message: Mapping[str, Any]) -> bool:
    """Whether the message may be without text: it calls a tool or has a part that is not text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    shows = any(isinstance(part, dict) and "text" not in str(part.get("type", "text")) for part in parts)
    return bool(shows or message.get("tool_calls") or message.get("function_call"))


def _time(message: Mapping[str, Any], source: str, place: Place, options: ReadOptions) -> datetime | None:
    given = next((message[key] for key in TIMES if _has_time(message, key)), None)
    return None if given is None else read_timestamp(given, options.zone, source, place)


def _has_time(message: Mapping[str, Any], key: str) -> bool:
    """Whether a field of a message has a time, and not how long something took."""
    given = message.get(key)
    return given is not None and (key == "timestamp" or not isinstance(given, int | float) or given >= SINCE_1970)


def _metadata(message: Mapping[str, Any], source: str, place: Place) -> Mapping[str, Any]:
    given = message.get("metadata")
    if given is not None and not isinstance(given, Mapping):
        raise unreadable(source, place, f"the metadata is no object: {str(given)[:40]}", 'write {"key": "value"}')
    return given or {}


def _plain(message: Mapping[str, Any], key: str, source: str, place: Place) -> str:
    """Return a field that is text or a number as text, stripped of white space; "" if it is not given."""
    return _text_of(message, key, source, place).strip()


def _text_of(message: Mapping[str, Any], key: str, source: str, place: Place) -> str:
    """Return a field that is text or a number as text; "" if it is not given."""
    value = message.get(key)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise unreadable(source, place, f"the {key} is not text: {str(value)[:40]}", "write it as a string")
    return str(value)


def read_lines(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read one message a line: role, content, and if given name, timestamp, session and id. Blank lines are skipped."""
    parsed = ((number, load(line, source, number)) for number, line in _lines(text))
    yield from read_messages(parsed, source, options)


def looks_like_lines(text: str) -> bool:
    """Whether at least half of the first lines look like a message, whole or broken."""
    if text.lstrip().startswith("["):
        return False
    lines = list(islice((line for _, line in _lines(text)), LOOKED_AT))
    return 2 * sum(map(_is_message, lines)) >= max(1, len(lines))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers from 1."""
    for number, line in enumerate(text.split("\n"), 1):  # not splitlines(): JSON strings may hold U+2028
        if stripped := line.strip():
            yield number, stripped


def _is_message(line: str) -> bool:
    # A line that ends in a comma is part of a JSON list that is written over several lines.
    return line.startswith("{") and not line.endswith(",") and has_keys(line, "role") and not has_keys(line, "messages")


JSON_LINES = TranscriptFormat(
    name="openai-jsonl",
    about="JSON Lines of messages: role, content, and if given name, timestamp, session",
    recognises=looks_like_lines,
    read=read_lines,
)


def read_list(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read the messages of a list or of ``{"messages": [...]}``, whose session and timestamp hold for all of them."""
    document = load(text, source)
    defaults = {}
    if isinstance(document, dict) and "messages" in document:
        defaults = {key: document[key] for key in FOR_ALL if document.get(key) is not None}
        document = document["messages"]
    if isinstance(document, dict):
        document = [document]
    if not isinstance(document, list):
        raise unreadable(source, 1, "no list of messages", 'write [...] or {"messages": [...]}')
    yield from read_messages(
        ((f"message {number}", _with(defaults, value)) for number, value in enumerate(document, 1)), source, options
    )


def _with(defaults: Mapping[str, Any], message: Any) -> Any:
    """Return the message with the defaults for fields that are missing or null; no timestamp if it has a time."""
    if not isinstance(message, dict):
        return message
    if any(_has_time(message, key) for key in TIMES):
        defaults = {key: value for key, value in defaults.items() if key not in TIMES}
    return {**defaults, **{key: value for key, value in message.items() if value is not None or key not in defaults}}


def looks_like_list(text: str) -> bool:
    """Whether the text is JSON with roles or messages."""
    return is_json(text) and (has_keys(text, "role") or has_keys(text, "messages"))


JSON_LIST = TranscriptFormat(
    name="openai-json",
    about='a JSON list of such messages, or {"messages": [...]}',
    recognises=looks_like_list,
    read=read_list,
)
