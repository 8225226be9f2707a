"""One OpenAI-style message as an utterance: what its two formats share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import count
from typing import Any

from mem0g.model import Role, Utterance
from mem0g.transcripts.json_text import as_object, storable
from mem0g.transcripts.protocol import Options, unreadable
from mem0g.transcripts.stamps import stamp

Place = int | str

ROLES: Mapping[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
"""The roles of the chat API, the newer name of system and the older one of tool included, as mem0g's."""


def utterances(messages: Iterable[tuple[Place, Any]], source: str, options: Options) -> Iterator[Utterance]:
    """The utterances of messages, each given with its place in the source.

    Left out are messages without words that are not spoken: tool calls, empty tool results, pictures alone.

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
    """The words of one part of a content: text, a refusal, the transcript of speech; "" for a picture or a file."""
    if isinstance(part, dict):
        part = part.get("text") or part.get("refusal") or part.get("transcript")
    return part.strip() if isinstance(part, str) else ""


def _is_wordless(message: Mapping[str, Any]) -> bool:
    """Whether it need not have words: it calls a tool, or shows something."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    shows = any(isinstance(part, dict) and "text" not in str(part.get("type", "text")) for part in parts)
    return bool(shows or message.get("tool_calls") or message.get("function_call"))


def _time(message: Mapping[str, Any], source: str, place: Place, options: Options) -> datetime | None:
    given = message.get("timestamp")
    return None if given is None else stamp(given, options.zone, source, place)


def _plain(message: Mapping[str, Any], key: str, source: str, place: Place) -> str:
    """A field that is text or a number, as text without white space around it; "" when it is not given."""
    return _text_of(message, key, source, place).strip()


def _text_of(message: Mapping[str, Any], key: str, source: str, place: Place) -> str:
    """A field that is text or a number, as text; "" when it is not given."""
    value = message.get(key)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise unreadable(source, place, f"the {key} is not text: {str(value)[:40]}", "write it as a string")
    return str(value)
