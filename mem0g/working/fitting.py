"""Make a buffer fit a prompt: whole steps with the results of their tools, the oldest left out, long texts cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mem0g.working.chat_messages import ChatMessage
from mem0g.working.overflow import Entry, steps_of

CountTokens = Callable[[str], int]
"""Returns the number of tokens of a text."""

PART_TOKENS: Mapping[str, int] = {"image_url": 256, "input_audio": 256, "file": 2048}
"""Tokens that a part without text counts, by its type, as in LlamaIndex; 256 for any other."""

FEWEST_TOKENS = 32
"""Tokens to which a text is cut at least, rather than show a picture beside what is left of it."""

HEAD = 2 / 3
"""Share of a shortened text that is its beginning; the rest is its end."""


def message_tokens(message: ChatMessage, count: CountTokens) -> int:
    """Return the tokens of a chat message: its text, and as JSON all that it has beside role and content."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"text": content or ""}]
    total = sum(count(each["text"]) if "text" in each else PART_TOKENS.get(each.get("type", ""), 256) for each in parts)
    rest = {key: value for key, value in message.items() if key not in ("role", "content")}
    return total + (count(json.dumps(rest, ensure_ascii=False)) if rest else 0)


def total_tokens(messages: Sequence[ChatMessage], count: CountTokens) -> int:
    """Return the tokens of chat messages."""
    return sum(message_tokens(each, count) for each in messages)


def fitted(messages: Sequence[ChatMessage], limit: int, count: CountTokens) -> list[ChatMessage]:
    """Return the messages in at most ``limit`` tokens.

    Calls without a result and results without a call are left out, which chat models refuse. Then, as far as needed,
    the oldest turns are left out, then the oldest steps of the last turn, then the longest texts are shortened, and
    then pictures and files are left out.
    """
    kept = answered(messages)
    entries = [Entry.of(each, message_tokens(each, count)) for each in kept]
    turns: list[list[list[int]]] = []
    for step in steps_of(entries):
        if turns and entries[step[0]].role != "user":
            turns[-1].append(step)
        else:
            turns.append([step])

    def too_long() -> bool:
        return sum(entries[place].tokens for turn in turns for step in turn for place in step) > limit

    while len(turns) > 1 and too_long():
        turns.pop(0)
    words = 1 if turns and entries[turns[0][0][0]].role == "user" else 0
    while turns and len(turns[0]) > words + 1 and too_long():
        turns[0].pop(words)
    return _shortened([kept[place] for turn in turns for step in turn for place in step], limit, count)


def answered(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the messages without calls that no result follows, results of no call before them, and second results."""
    kept: list[ChatMessage] = []
    for place, message in enumerate(messages):
        if message.get("role") == "tool":
            if _is_called(kept, message.get("tool_call_id")):
                kept.append(message)
            continue
        calls = message.get("tool_calls")
        if calls:
            given = _results_after(messages, place)
            calls = [call for call in calls if call.get("id") in given]
            rest = {key: value for key, value in message.items() if key != "tool_calls"}
            if not calls and not rest.get("content"):
                continue
            message = {**rest, "tool_calls": calls} if calls else rest
        kept.append(message)
    return kept


def _is_called(before: Sequence[ChatMessage], call: object) -> bool:
    """Whether the message before these results makes the call, and none of them answers it yet."""
    caller: ChatMessage = {}
    for each in reversed(before):
        if each.get("role") != "tool":
            caller = each
            break
        if each.get("tool_call_id") == call:
            return False
    return any(each.get("id") == call for each in caller.get("tool_calls") or ())


def _results_after(messages: Sequence[ChatMessage], place: int) -> set[object]:
    """Return the ids of the calls whose results come right after a message."""
    found = set()
    for each in messages[place + 1 :]:
        if each.get("role") != "tool":
            break
        found.add(each.get("tool_call_id"))
    return found


def _shortened(messages: list[ChatMessage], limit: int, count: CountTokens) -> list[ChatMessage]:
    """Return the messages with the longest texts cut to one length at which all fit.

    Where that is less than FEWEST_TOKENS beside a picture or a file, a note takes the place of pictures and files,
    those of the oldest messages first. Then the oldest steps are left out, but not the words of the user that begin
    the turn.
    """
    if total_tokens(messages, count) <= limit:
        return messages
    low, high, best = 0, limit, list[ChatMessage]()
    while low <= high:
        cap = (low + high) // 2
        tried = [_capped(each, cap, count) for each in messages]
        if total_tokens(tried, count) <= limit:
            best, low = tried, cap + 1
        else:
            high = cap - 1
    wordless = next((place for place, each in enumerate(messages) if _has_wordless_part(each)), None)
    if wordless is not None and low <= FEWEST_TOKENS:  # the texts are cut to one token less than ``low``
        return _shortened(
            [*messages[:wordless], _in_words(messages[wordless]), *messages[wordless + 1 :]], limit, count
        )
    if best or not messages:
        return best
    steps = steps_of([Entry.of(each, 0) for each in messages])
    steps.pop(1 if len(steps) > 1 and messages[0].get("role") == "user" else 0)
    return _shortened([messages[place] for step in steps for place in step], limit, count)


def _parts(message: ChatMessage) -> list[dict[str, Any]]:
    """Return the parts of the message's content where it is a list."""
    content = message.get("content")
    return content if isinstance(content, list) else []


def _has_wordless_part(message: ChatMessage) -> bool:
    """Whether it has a picture, a file or another part without text."""
    return any("text" not in part for part in _parts(message))


def _in_words(message: ChatMessage) -> ChatMessage:
    """Return the message with a note in place of each part that has no text."""
    parts = [
        each if "text" in each else {"type": "text", "text": f"[… {each.get('type', 'part')} left out …]"}
        for each in _parts(message)
    ]
    return {**message, "content": parts}


def _capped(message: ChatMessage, cap: int, count: CountTokens) -> ChatMessage:
    """Return the message with no text of more than ``cap`` tokens, in the arguments of its calls neither."""
    made = dict(message)
    content = message.get("content")
    if isinstance(content, str):
        made["content"] = shortened(content, cap, count)
    elif isinstance(content, list):
        made["content"] = [
            {**part, "text": shortened(part["text"], cap, count)} if "text" in part else part for part in content
        ]
    if message.get("tool_calls"):
        made["tool_calls"] = [_capped_call(call, cap, count) for call in message["tool_calls"]]
    return made


def _capped_call(call: Mapping[str, Any], cap: int, count: CountTokens) -> dict[str, Any]:
    """Return a call with shorter arguments, which stay a JSON object."""
    function = call["function"]
    given = function["arguments"]
    if count(given) <= cap:
        return dict(call)
    try:
        read = json.loads(given)
    except ValueError:
        read = {"arguments": given}
    values = read.items() if isinstance(read, dict) else [("arguments", read)]
    texts = {key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for key, value in values}
    share = cap // max(len(texts), 1)
    arguments = json.dumps({key: shortened(text, share, count) for key, text in texts.items()}, ensure_ascii=False)
    return {**call, "function": {**function, "arguments": arguments}}


def shortened(text: str, tokens: int, count: CountTokens) -> str:
    """Return the beginning and the end of a text, of at most ``tokens``, with a note of what is left out between."""
    if count(text) <= tokens:
        return text
    low, high, best = 0, len(text), ""
    while low <= high:
        length = (low + high) // 2
        head = round(length * HEAD)
        tail = text[len(text) - (length - head) :] if length > head else ""
        tried = f"{text[:head]} [… {len(text) - length} characters left out …] {tail}".strip()
        if count(tried) <= tokens:
            best, low = tried, length + 1
        else:
            high = length - 1
    return best
