"""Read ShareGPT's conversations: ``{"conversations": [{"from": "human", "value": "..."}]}``, as JSON or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mem0g.model import Role, Utterance
from mem0g.transcripts.json_loading import as_object, has_keys, is_json, load, storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable

ROLES: Mapping[str, Role] = {
    **dict.fromkeys(("human", "user"), "user"),
    **dict.fromkeys(("gpt", "assistant", "chatgpt", "model", "bot", "bing", "bard"), "assistant"),
    "system": "system",
    **dict.fromkeys(("tool", "function", "function_call", "observation"), "tool"),
}


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:  # noqa: ARG001 - there are no times
    """Read every conversation; its session is its id, or its number. Messages without words are left out."""
    for number, (place, value) in enumerate(_conversations(text, source), 1):
        conversation = as_object(value, source, place)
        turns = conversation.get("conversations") or []
        if not isinstance(turns, list):
            raise unreadable(source, place, "expected a list of conversations", "write a list of from and value")
        said = (as_object(turn, source, f"{place}, message {n}") for n, turn in enumerate(turns, 1))
        for position, turn in enumerate(each for each in said if _text(each, source, place)):
            yield storable(
                Utterance(
                    source=source,
                    session=str(conversation.get("id") or number),
                    position=position,
                    speaker="",
                    role=_role(turn, source, place),
                    text=_text(turn, source, place),
                )
            )


def _conversations(text: str, source: str) -> Iterator[tuple[int | str, Any]]:
    """Yield the conversations of JSON, or of JSON Lines, with their places."""
    if not _is_lines(text):
        document = load(text, source)
        listed = document if isinstance(document, list) else [document]
        yield from ((f"conversation {number}", each) for number, each in enumerate(listed, 1))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, load(line, source, number)


def _is_lines(text: str) -> bool:
    """Whether there are several lines, and the first is a conversation by itself."""
    first, _, rest = text.strip().partition("\n")
    return bool(rest) and first.startswith("{") and has_keys(first, "conversations") and first.rstrip().endswith("}")


def _text(turn: Mapping[str, Any], source: str, place: int | str) -> str:
    value = turn.get("value")
    if value is not None and not isinstance(value, str):
        raise unreadable(source, place, f"the value is not text: {str(value)[:40]}", "write it as a string")
    return (value or "").strip()


def _role(turn: Mapping[str, Any], source: str, place: int | str) -> Role:
    given = turn.get("from")
    if isinstance(given, str) and given.casefold() in ROLES:
        return ROLES[given.casefold()]
    raise unreadable(source, place, f"unknown role {str(given)[:40]!r}", f"one of {', '.join(ROLES)}")


def recognises(text: str) -> bool:
    """Whether the text is JSON or JSON Lines with conversations of this form."""
    return is_json(text) and has_keys(text, "conversations", "from", "value")


FORMAT = TranscriptFormat(
    name="sharegpt",
    about="ShareGPT's conversations (from and value), as JSON or JSON Lines",
    recognises=recognises,
    read=read,
)
