"""Read ``conversations.json`` of ChatGPT's data export: of each conversation the branch that was last shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from mem0g.model import Role, Utterance
from mem0g.transcripts.formats.openai import part_text
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import read_timestamp

ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}

SAID = ("text", "multimodal_text")
"""Content types that are part of the conversation; others are code for tools, their output, thoughts and profiles."""


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read every conversation. Its source is "chatgpt:" followed by its id, its session is its title.

    Hidden and empty nodes and tool calls are left out. A message without a time has that of its conversation.
    """
    document = load(text, source)
    conversations = document if isinstance(document, list) else [document]
    for number, value in enumerate(conversations, 1):
        yield from _conversation(as_object(value, source, f"conversation {number}"), number, source, options)


def _conversation(
    conversation: Mapping[str, Any], number: int, source: str, options: ReadOptions
) -> Iterator[Utterance]:
    name = conversation.get("conversation_id") or conversation.get("id")
    if not name:
        raise unreadable(source, f"conversation {number}", "it has no id", "export it again")
    place = f"conversation {name}"
    begun = _time(conversation, source, place, options)
    shown = (message for message in _branch(conversation, source, place) if _is_said(message))
    for position, message in enumerate(shown):
        author = _inner(message, "author")
        yield storable(
            Utterance(
                source=f"chatgpt:{name}",
                session=str(conversation.get("title") or ""),
                position=position,
                speaker=str(author.get("name") or ""),
                role=_role(author, source, place),
                text=_text(message),
                time=_time(message, source, place, options) or begun,
                source_id=str(message["id"]) if message.get("id") else None,
            )
        )


def _branch(conversation: Mapping[str, Any], source: str, place: str) -> list[Mapping[str, Any]]:
    """Return the messages from the root to the current node."""
    mapping = as_object(conversation.get("mapping") or {}, source, place)
    name = conversation.get("current_node")
    if mapping and not (isinstance(name, str) and name in mapping):
        raise unreadable(source, place, f"its current node {name!r} is not in it", "export it again")
    messages: list[Mapping[str, Any]] = []
    passed: set[str] = set()
    while isinstance(name, str) and name in mapping and name not in passed:
        passed.add(name)
        node = as_object(mapping[name], source, place)
        if node.get("message"):
            messages.append(as_object(node["message"], source, place))
        name = node.get("parent")
    return messages[::-1]


def _is_said(message: Mapping[str, Any]) -> bool:
    """Whether the message was shown and has text. Rewrites have a weight of 0, messages to tools a recipient."""
    hidden = _inner(message, "metadata").get("is_visually_hidden_from_conversation") or message.get("weight") == 0
    return not hidden and message.get("recipient") in (None, "all") and bool(_text(message))


def _text(message: Mapping[str, Any]) -> str:
    content = _inner(message, "content")
    parts = content.get("parts")
    if content.get("content_type") not in SAID or not isinstance(parts, list):
        return ""
    return "\n".join(words for part in parts if (words := part_text(part)))


def _inner(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = message.get(key)
    return value if isinstance(value, dict) else {}


def _role(author: Mapping[str, Any], source: str, place: str) -> Role:
    given = author.get("role")
    if isinstance(given, str) and given in ROLES:
        return ROLES[given]
    raise unreadable(source, place, f"unknown role {given!r}", f"one of {', '.join(ROLES)}")


def _time(thing: Mapping[str, Any], source: str, place: str, options: ReadOptions) -> datetime | None:
    given = thing.get("create_time")
    return None if given is None else read_timestamp(given, options.zone, source, place)


def recognises(text: str) -> bool:
    """Whether the text is JSON with the message tree of an export."""
    return is_json(text) and has_keys(text, "mapping") and (has_keys(text, "current_node") or has_keys(text, "author"))


FORMAT = TranscriptFormat(
    name="chatgpt",
    about="ChatGPT's data export (conversations.json): the current branch of each conversation",
    recognises=recognises,
    read=read,
)
