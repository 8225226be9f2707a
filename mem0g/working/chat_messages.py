"""Convert messages of a chat API to messages of a memory and back, so that a model is shown exactly what was appended.

The text of a stored message has all words, so that they are searched and may be long: the content, and each call of a
tool as ``name(arguments)``. What else the chat message has is kept in its metadata under CHAT: the lengths of the parts
of the text, ids of calls, pictures by address.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from mem0g.errors import InputError
from mem0g.ingest.input_messages import SOURCE, check_text
from mem0g.metadata import MAX_METADATA_BYTES, checked_metadata
from mem0g.model import Message, Scope, Utterance
from mem0g.transcripts.formats.openai import ROLES
from mem0g.transcripts.timestamps import read_timestamp

CHAT = "chat_message"
"""The key of the metadata under which a chat message's structure is kept."""

OWN = ("id", "timestamp", "session", "metadata")
"""Fields of a message that are mem0g's: a model is not shown them."""

ChatMessage = dict[str, Any]
"""A message as in the OpenAI API: ``role``, ``content``, and of tools ``tool_calls`` and ``tool_call_id``."""


def read_chat_messages(given: object, scope: Scope, session: str, at: datetime, longest: int) -> list[Message]:
    """Return one text of the user, a message or several as messages of the session, said ``at`` unless they say when.

    Raises InputError for what is no message of a chat, or cannot be stored.
    """
    listed = [given] if isinstance(given, str | Mapping) or hasattr(given, "model_dump") else given
    if not isinstance(listed, Iterable):
        raise InputError(f"{type(given).__name__} is not a message", hint='give text, or {"role": ..., "content": ...}')
    read = [_read(each, f"message {number}", scope, session, at, longest) for number, each in enumerate(listed, 1)]
    return list({message.id: message for message in read}.values())


def _read(given: object, place: str, scope: Scope, session: str, at: datetime, longest: int) -> Message:
    raw = _as_mapping(given, place)
    role = raw.get("role")
    if not isinstance(role, str) or role not in ROLES:
        raise InputError(f"{place}: unknown role {role!r}", hint=f"one of {', '.join(ROLES)}")
    if raw.get("session") not in (None, session):
        hint = "a working memory has one session: leave it out"
        raise InputError(f"{place} belongs to the session {raw['session']!r}, not {session!r}", hint=hint)
    text, chat = _taken_apart(raw, ROLES[role], place)
    check_text(text, place, longest)
    when = raw.get("timestamp")
    said = Utterance(
        source=SOURCE,
        session=session,
        position=0,  # settled when it is stored
        speaker=raw["name"] if isinstance(raw.get("name"), str) and ROLES[role] != "tool" else "",
        role=ROLES[role],
        text=text,
        time=at if when is None else read_timestamp(when, UTC, SOURCE, place),
        source_id=None if raw.get("id") is None else str(raw["id"]),
        metadata=_metadata(raw.get("metadata"), chat, place),
    )
    return Message.of(said, scope, key=f"id:{said.source_id}" if said.source_id else f"{uuid4().hex}:{place}")


def _as_mapping(given: object, place: str) -> Mapping[str, Any]:
    """Return a message as a mapping: text is the user's, objects of the openai library are dumped."""
    if isinstance(given, str):
        return {"role": "user", "content": given}
    if hasattr(given, "model_dump"):
        given = given.model_dump(mode="json", exclude_none=True)
    if not isinstance(given, Mapping):
        hint = 'give text, or {"role": ..., "content": ...}'
        raise InputError(f"{place} is of type {type(given).__name__}", hint=hint)
    return given


def _metadata(given: object, chat: Mapping[str, Any], place: str) -> dict[str, Any]:
    name = f"the metadata of {place}"
    own = checked_metadata(given, name)
    if not chat:
        return own
    if len(json.dumps(chat, default=str)) > MAX_METADATA_BYTES:
        hint = "text may be long; give pictures and files by their address"
        raise InputError(f"{place} has parts that are too long", hint=hint)
    return checked_metadata({**own, CHAT: chat}, name)


def _taken_apart(raw: Mapping[str, Any], role: str, place: str) -> tuple[str, dict[str, Any]]:
    """Return the text of a message, and what is needed to make the message of it again; {} for mere text."""
    content, calls = raw.get("content"), raw.get("tool_calls") or ()
    rest = {key: value for key, value in raw.items() if key not in (*OWN, "role", "content", "tool_calls")}
    rest = {key: value for key, value in rest.items() if value not in (None, "", [], {})}
    if raw["role"] != role:
        rest["role"] = raw["role"]
    if isinstance(content, str) and content and not calls:
        return content, rest
    parts = _parts(content, place)
    texts = [part["text"] for part in parts if "text" in part]
    shapes = [{**part, "text": len(part["text"])} if "text" in part else part for part in parts]
    named = [_call(call, place) for call in calls]
    texts += [f"{call['name']}({call['arguments']})" for call in named]
    if not texts and not parts and role != "tool":
        raise InputError(f"{place} is without text", hint="give it a content, or leave it out")
    structure = {
        "content": shapes if isinstance(content, list) else content if content in (None, "") else len(content),
        "calls": [{**call, "arguments": len(call["arguments"])} for call in named],
    }
    words = "\n".join(texts) or " ".join(f"[{part.get('type', 'part')}]" for part in parts)
    return words, {**rest, **{key: value for key, value in structure.items() if value is not None and value != []}}


def _parts(content: object, place: str) -> list[dict[str, Any]]:
    """Return the parts of a content: a text is one part."""
    if content is None or content == "":
        return []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, Sequence) or not all(isinstance(part, Mapping) for part in content):
        raise InputError(f"{place}: cannot read the content {str(content)[:40]!r}", hint="text, or a list of parts")
    parts = [dict(part) for part in content]
    if any(not isinstance(part["text"], str) for part in parts if "text" in part):
        raise InputError(f"{place}: the text of a part is not text", hint='write {"type": "text", "text": "..."}')
    return parts


def _call(call: object, place: str) -> dict[str, Any]:
    """Return the id, the name and the arguments (JSON text) of a call of a tool."""
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        hint = 'write {"id": ..., "type": "function", "function": {"name": ..., "arguments": "{...}"}}'
        raise InputError(f"{place}: cannot read the tool call {str(call)[:60]!r}", hint=hint)
    given = function.get("arguments") or ""
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {"id": str(call.get("id") or ""), "name": function["name"], "arguments": arguments}


def chat_message(message: Message) -> ChatMessage:
    """Return a stored message as the chat message it was; one that was added otherwise as mere text."""
    chat = message.metadata.get(CHAT)
    if not isinstance(chat, Mapping):
        return {"role": message.role, "content": message.text}
    rest = {key: value for key, value in chat.items() if key not in ("role", "content", "calls")}
    made: ChatMessage = {"role": chat.get("role", message.role), "content": message.text, **rest}
    if not {"content", "calls"} & chat.keys():
        return made
    start, shape = 0, chat.get("content")

    def taken(length: int) -> str:
        nonlocal start
        text = message.text[start : start + length]
        start += length + 1  # the line break between the parts
        return text

    if isinstance(shape, int):
        made["content"] = taken(shape)
    elif isinstance(shape, list):
        made["content"] = [{**part, "text": taken(part["text"])} if "text" in part else dict(part) for part in shape]
    else:
        made["content"] = shape
    calls = []
    for call in chat.get("calls", ()):
        line = taken(len(call["name"]) + call["arguments"] + 2)
        function = {"name": call["name"], "arguments": line[len(call["name"]) + 1 : -1]}
        calls.append({"id": call["id"], "type": "function", "function": function})
    return {**made, "tool_calls": calls} if calls else made


def is_worded(message: Message) -> bool:
    """Whether a user or an assistant says something in it: it is no mere call of a tool, and no mere picture."""
    chat = message.metadata.get(CHAT)
    content = chat.get("content", None if "calls" in chat else "") if isinstance(chat, Mapping) else ""
    if isinstance(chat, Mapping) and ("calls" in chat or "content" in chat):
        texts = [part.get("text", 0) for part in content] if isinstance(content, list) else [content or 0]
        return message.role in ("user", "assistant") and any(texts)
    return message.role in ("user", "assistant") and bool(message.text.strip())
