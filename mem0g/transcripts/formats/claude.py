"""Read ``conversations.json`` of Claude's data export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from mem0g.model import Role, Utterance
from mem0g.transcripts.formats.openai import part_text
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import read_timestamp

ROLES: Mapping[str, Role] = {"human": "user", "user": "user", "assistant": "assistant"}


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read every conversation. Its source is "claude:" followed by its id, its session is its title.

    Thoughts, tool calls and attachments are left out, and messages that have no other text. A message without a time
    has that of its conversation.
    """
    document = load(text, source)
    conversations = document if isinstance(document, list) else [document]
    for number, value in enumerate(conversations, 1):
        yield from _conversation(as_object(value, source, f"conversation {number}"), number, source, options)


def _conversation(
    conversation: Mapping[str, Any], number: int, source: str, options: ReadOptions
) -> Iterator[Utterance]:
    name = conversation.get("uuid")
    if not isinstance(name, str) or not name:
        raise unreadable(source, f"conversation {number}", "it has no uuid", "export it again")
    place = f"conversation {name}"
    messages = conversation.get("chat_messages") or []
    if not isinstance(messages, list):
        raise unreadable(source, place, "expected a list of chat_messages", "export it again")
    begun = _time(conversation, source, place, options)
    said = (as_object(each, source, f"{place}, message {number}") for number, each in enumerate(messages, 1))
    for position, message in enumerate(each for each in said if _text(each)):
        yield storable(
            Utterance(
                source=f"claude:{name}",
                session=str(conversation.get("name") or ""),
                position=position,
                speaker="",
                role=_role(message, source, place),
                text=_text(message),
                time=_time(message, source, place, options) or begun,
                source_id=str(message["uuid"]) if message.get("uuid") else None,
            )
        )


def _text(message: Mapping[str, Any]) -> str:
    """Return the text parts of the content; exports of 2023 and 2024 have the text alone."""
    content = message.get("content")
    if isinstance(content, list) and content:
        parts = [part for part in content if isinstance(part, dict) and part.get("type", "text") == "text"]
        return "\n".join(words for part in parts if (words := part_text(part)))
    return part_text(message.get("text"))


def _role(message: Mapping[str, Any], source: str, place: str) -> Role:
    given = message.get("sender")
    if isinstance(given, str) and given in ROLES:
        return ROLES[given]
    raise unreadable(source, place, f"unknown sender {str(given)[:40]!r}", f"one of {', '.join(ROLES)}")


def _time(thing: Mapping[str, Any], source: str, place: str, options: ReadOptions) -> datetime | None:
    given = thing.get("created_at")
    return None if given is None else read_timestamp(given, options.zone, source, place)


def recognises(text: str) -> bool:
    """Whether the text is JSON with the messages of an export."""
    return is_json(text) and has_keys(text, "chat_messages")


FORMAT = TranscriptFormat(
    name="claude",
    about="Claude's data export (conversations.json)",
    recognises=recognises,
    read=read,
)
