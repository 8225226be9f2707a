"""One JSON list of OpenAI-style messages, or an object with that list as ``messages``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mem0g.model import Utterance
from mem0g.transcripts.json_text import has_keys, is_json, load
from mem0g.transcripts.openai_message import utterances
from mem0g.transcripts.protocol import Format, Options, unreadable

FOR_ALL = ("session", "timestamp")
"""What the object around the messages may say for all of them that do not say it themselves."""


def read(text: str, source: str, options: Options) -> Iterator[Utterance]:
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
    yield from utterances(
        ((f"message {number}", _with(defaults, value)) for number, value in enumerate(document, 1)), source, options
    )


def _with(defaults: Mapping[str, Any], message: Any) -> Any:
    """The message with the defaults for what it does not say, also where it says null."""
    if not isinstance(message, dict):
        return message
    return {**defaults, **{key: value for key, value in message.items() if value is not None or key not in defaults}}


def recognises(text: str) -> bool:
    """Whether it is JSON with roles, or with messages."""
    return is_json(text) and (has_keys(text, "role") or has_keys(text, "messages"))


FORMAT = Format(
    name="openai-json",
    about='a JSON list of such messages, or {"messages": [...]}',
    recognises=recognises,
    read=read,
)
