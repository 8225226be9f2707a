"""JSON Lines of OpenAI-style messages, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from mem0g.model import Utterance
from mem0g.transcripts.json_text import has_keys, load
from mem0g.transcripts.openai_message import utterances
from mem0g.transcripts.protocol import Format, Options

LOOKED_AT = 20
"""Lines that recognition looks at."""


def read(text: str, source: str, options: Options) -> Iterator[Utterance]:
    """Read one message a line: role, content, and if given name, timestamp, session and id. Blank lines are skipped."""
    yield from utterances(_messages(text, source), source, options)


def recognises(text: str) -> bool:
    """Whether at least half of the first lines look like a message, whole or broken."""
    if text.lstrip().startswith("["):
        return False
    lines = list(islice((line for _, line in _lines(text)), LOOKED_AT))
    return 2 * sum(map(_is_message, lines)) >= max(1, len(lines))


def _messages(text: str, source: str) -> Iterator[tuple[int, Any]]:
    for number, line in _lines(text):
        yield number, load(line, source, number)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, each with its number counted from 1."""
    for number, line in enumerate(text.split("\n"), 1):  # not splitlines(): JSON strings may hold U+2028
        if stripped := line.strip():
            yield number, stripped


def _is_message(line: str) -> bool:
    # A line that ends in a comma is part of a JSON list that is written over several lines.
    return line.startswith("{") and not line.endswith(",") and has_keys(line, "role") and not has_keys(line, "messages")


FORMAT = Format(
    name="openai-jsonl",
    about="JSON Lines of messages: role, content, and if given name, timestamp, session",
    recognises=recognises,
    read=read,
)
