"""What an extractor reads of a message: whether a person speaks, and the text that a prompt shows."""

from __future__ import annotations

from mem0g.model import Message
from mem0g.text.code import with_short_code
from mem0g.text.passages import outlined

ROLE_NAMES = frozenset({"assistant", "system", "tool"})
"""What a message without a speaker has in place of a name."""


def is_person(message: Message) -> bool:
    """Whether "I" in the message is a person: not the system, a tool, or an assistant without a name."""
    if message.role in {"system", "tool"}:
        return False
    return message.role != "assistant" or message.speaker.lower() not in ROLE_NAMES


def prompt_text(message: Message) -> str:
    """Return the text of a message as a prompt shows it: the first lines of code, and an outline of a long answer.

    What an assistant explains is no fact, and is found in its passages; it would be four fifths of the prompts.
    """
    text = with_short_code(message.text)
    return outlined(text) if message.role == "assistant" else text
