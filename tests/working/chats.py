"""Chats for the tests of working memory."""

from __future__ import annotations

import json
import re
from typing import Any

Chat = dict[str, Any]


def words(text: str) -> int:
    """Count words, so that a test can tell how many tokens a message has."""
    return len(re.findall(r"\w+", text))


def user(text: str, **given: Any) -> Chat:
    """Return a message of the user."""
    return {"role": "user", "content": text, **given}


def assistant(text: str) -> Chat:
    """Return a message of the assistant."""
    return {"role": "assistant", "content": text}


def call(*ids: str, content: str | None = None, name: str = "look", **arguments: Any) -> Chat:
    """Return a message of the assistant that calls a tool once for each id."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    calls = [{"id": each, "type": "function", "function": dict(function)} for each in ids]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def result(id: str, text: str = "done") -> Chat:  # noqa: A002 - the id of the call
    """Return the result of a tool."""
    return {"role": "tool", "content": text, "tool_call_id": id}


def is_accepted(messages: list[Chat]) -> bool:
    """Whether a chat API takes the messages: each call has its result right behind it, each result its call."""
    open_calls: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return False
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            return False
        open_calls = {each["id"] for each in message.get("tool_calls", ())}
    return not open_calls
