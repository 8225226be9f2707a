"""Read the JSON of DiscordChatExporter: one channel or direct chat a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mem0g.model import Utterance
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import read_timestamp

SAID = ("Default", "Reply")
"""Types of messages that people write; others are notices: who joined, what was pinned."""


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read the messages that were written. Notices and media without text are left out; bots are tools."""
    document = as_object(load(text, source), source, 1)
    messages = document.get("messages") or []
    if not isinstance(messages, list):
        raise unreadable(source, 1, "expected a list of messages", "export it again")
    given = (as_object(each, source, f"message {number}") for number, each in enumerate(messages, 1))
    for position, message in enumerate(each for each in given if each.get("type", SAID[0]) in SAID and _text(each)):
        place = f"message {message.get('id')}"
        author = as_object(message.get("author") or {}, source, place)
        stamp = message.get("timestamp")
        yield storable(
            Utterance(
                source=source,
                session="",
                position=position,
                speaker=str(author.get("nickname") or author.get("name") or "").strip(),
                role="tool" if author.get("isBot") is True else "user",
                text=_text(message),
                time=None if stamp is None else read_timestamp(stamp, options.zone, source, place),
                source_id=str(message["id"]) if message.get("id") else None,
            )
        )


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content.strip() if isinstance(content, str) else ""


def recognises(text: str) -> bool:
    """Whether the text is a JSON object of messages of a channel."""
    return (
        is_json(text) and text.lstrip().startswith("{") and has_keys(text, "guild", "channel", "messages", "timestamp")
    )


FORMAT = TranscriptFormat(
    name="discord",
    about="the JSON of DiscordChatExporter, a channel a file",
    recognises=recognises,
    read=read,
)
