"""Read ``result.json`` of Telegram Desktop: one chat, or all chats of an account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from mem0g.model import Utterance
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import read_timestamp

DELETED = "Deleted Account"
"""The speaker of messages whose author's account is gone, as Telegram shows it."""


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read the messages that people wrote, of every chat. Its source is "telegram:" followed by its id.

    Notices and media without a caption are left out. What was forwarded is said by the one who wrote it.
    """
    document = as_object(load(text, source), source, 1)
    for number, chat in enumerate(_chats(document, source), 1):
        name = chat.get("id") or chat.get("name") or number
        place = f"chat {str(chat.get('name') or name)[:40]!r}"
        messages = chat.get("messages") or []
        if not isinstance(messages, list):
            raise unreadable(source, place, "expected a list of messages", "export it again")
        given = (as_object(each, source, f"{place}, message {n}") for n, each in enumerate(messages, 1))
        written = (each for each in given if each.get("type", "message") == "message" and _text(each))
        for position, message in enumerate(written):
            yield storable(
                Utterance(
                    source=f"telegram:{name}",
                    session="",
                    position=position,
                    speaker=_speaker(message),
                    role="user",
                    text=_text(message),
                    time=_time(message, source, f"{place}, message {message.get('id')}", options),
                    source_id=str(message["id"]) if message.get("id") else None,
                )
            )


def _chats(document: Mapping[str, Any], source: str) -> Iterator[Mapping[str, Any]]:
    """Yield the chats of an account, also those that were left, or the one chat that the document is."""
    groups = [document[key] for key in ("chats", "left_chats") if isinstance(document.get(key), dict)]
    if not groups:
        yield document
    for group in groups:
        listed = group.get("list") or []
        if not isinstance(listed, list):
            raise unreadable(source, 1, "expected a list of chats", "export it again")
        for number, chat in enumerate(listed, 1):
            yield as_object(chat, source, f"chat {number}")


def _text(message: Mapping[str, Any]) -> str:
    """Return the text, which is plain or a list of pieces, some of them with a format."""
    given = message.get("text")
    pieces = given if isinstance(given, list) else [given]
    texts = (piece.get("text") if isinstance(piece, dict) else piece for piece in pieces)
    return "".join(text for text in texts if isinstance(text, str)).strip()


def _speaker(message: Mapping[str, Any]) -> str:
    given = message.get("forwarded_from") or message.get("from")
    return str(given).strip() if given else DELETED


def _time(message: Mapping[str, Any], source: str, place: str, options: ReadOptions) -> datetime | None:
    given = message.get("date_unixtime") or message.get("date")
    return None if given is None else read_timestamp(given, options.zone, source, place)


def recognises(text: str) -> bool:
    """Whether the text is a JSON object of messages with Telegram's ids of people."""
    is_object = is_json(text) and text.lstrip().startswith("{")
    return (
        is_object and has_keys(text, "messages", "date") and (has_keys(text, "from_id") or has_keys(text, "actor_id"))
    )


FORMAT = TranscriptFormat(
    name="telegram",
    about="Telegram Desktop's JSON export (result.json), of a chat or of the account",
    recognises=recognises,
    read=read,
)
