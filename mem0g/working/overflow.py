"""Which messages leave a buffer that has grown over its limit.

The rule is that of ``llama_index.core.memory.Memory`` (version 0.14): the oldest messages, at least ``flush_size``
tokens of them, and as many more until the next one is a user's; the last turn stays. It differs in three cases: a last
turn that exceeds the limit by itself loses its oldest steps (LlamaIndex exceeds the limit); the last step always stays
(LlamaIndex drops a whole buffer without a user's message); and the result of a tool never stays without its call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """What counts of a message: its role, its tokens, the ids of the tool calls it makes, and of the one it answers."""

    role: str
    tokens: int
    calls: tuple[str, ...] = ()
    answers: str = ""

    @classmethod
    def of(cls, message: Mapping[str, Any], tokens: int) -> Entry:
        """Return the entry of a chat message."""
        calls = tuple(str(call.get("id", "")) for call in message.get("tool_calls") or ())
        return cls(str(message.get("role")), tokens, calls, str(message.get("tool_call_id") or ""))


def leaving(entries: Sequence[Entry], limit: float, flush_size: int) -> list[int]:
    """Return the places of the messages that leave, in order; none while all have at most ``limit`` tokens."""
    if sum(each.tokens for each in entries) <= limit:
        return []
    start = _whole_turns(entries, limit, flush_size)
    return [*range(start), *_steps(entries, start, limit, flush_size)]


def steps_of(entries: Sequence[Entry], start: int = 0) -> list[list[int]]:
    """Return the places from ``start`` on in steps: a message, or one that calls tools and all up to their results."""
    steps: list[list[int]] = []
    for place in range(start, len(entries)):
        steps.append([place])
        if entries[place].role == "tool" and len(steps) > 1:
            caller = _caller(entries, steps)
            steps[caller:] = [[each for step in steps[caller:] for each in step]]
    return steps


def _caller(entries: Sequence[Entry], steps: Sequence[Sequence[int]]) -> int:
    """Return the number of the step that makes the call which the last one answers; the one before it, if none does."""
    call = entries[steps[-1][0]].answers
    calling = (n for n in reversed(range(len(steps))) if any(call in entries[place].calls for place in steps[n]))
    return next(calling, len(steps) - 2)


def _whole_turns(entries: Sequence[Entry], limit: float, flush_size: int) -> int:
    """Return how many of the oldest messages leave, so that a user's message comes first."""
    start, last = 0, len(entries) - 1
    while start < last and _tokens(entries[start:]) > limit:
        end, flushed = start, 0
        while flushed < flush_size and end < last:
            flushed += entries[end].tokens
            end += 1
        end = _at_user(entries, end)
        while end < last and _parted(entries, end):
            end = _at_user(entries, end + 1)
        if entries[end].role != "user":  # only the end of the last turn would be left
            users = [place for place in range(start, end) if entries[place].role == "user"]
            return next((place for place in reversed(users) if not _parted(entries, place)), start)
        start = end
    return start


def _at_user(entries: Sequence[Entry], place: int) -> int:
    """Return the place of the first user's message from ``place`` on; the last place, if there is none."""
    return next((each for each in range(place, len(entries)) if entries[each].role == "user"), len(entries) - 1)


def _parted(entries: Sequence[Entry], end: int) -> bool:
    """Whether a result from ``end`` on answers a call before it."""
    called = {call for each in entries[:end] for call in each.calls}
    again = {call for each in entries[end:] for call in each.calls}
    return any(each.answers in called - again for each in entries[end:] if each.answers)


def _steps(entries: Sequence[Entry], start: int, limit: float, flush_size: int) -> list[int]:
    """Return the places of the oldest steps of the last turn, if it is over the limit; the user's words stay."""
    steps = steps_of(entries, start)
    total, left = _tokens(entries[start:]), list[int]()
    first = 1 if entries[start].role == "user" else 0
    for step in steps[first:-1]:
        if total <= limit and _tokens(entries[each] for each in left) >= flush_size:
            break
        if not left and total <= limit:
            break
        left += step
        total -= _tokens(entries[each] for each in step)
    return left


def _tokens(entries: Iterable[Entry]) -> int:
    return sum(each.tokens for each in entries)
