"""A window as the model reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

from mem0g.extract.protocol import Window
from mem0g.model import Message


def window_words(window: Window) -> dict[str, str]:
    """What the names in a prompt stand for, as far as the window says it.

    Messages are numbered from 1, those of the context first, and quoted as JSON strings: no text can pass for the start
    of another message.
    """
    context, new = len(window.context), len(window.messages)
    days = _Days()
    earlier = "\n".join(days.lines(window.context, range(1, context + 1)))
    return {
        "context": earlier,
        "messages": "\n".join(days.lines(window.messages, range(context + 1, context + new + 1))),
        "when": _when(window.messages[0].time),
        "summary": window.summary,
        "usual": ", ".join(window.usual),
    }


class _Days:
    """Messages line by line, the day told whenever it changes."""

    def __init__(self) -> None:
        self._day: date | None = None

    def lines(self, messages: Sequence[Message], numbers: range) -> Iterator[str]:
        for number, message in zip(numbers, messages, strict=True):
            if message.time and message.time.date() != self._day:
                self._day = message.time.date()
                yield f"On {in_words(self._day)}:"
            yield f"[{number}] {message.speaker}: {json.dumps(message.text, ensure_ascii=False)}"


def in_words(day: date) -> str:
    """A day as people write it, with its weekday, and as dates are to be given."""
    return f"{day:%A} {day.day} {day:%B %Y} ({day:%Y-%m-%d})"


def _when(time: datetime | None) -> str:
    """The day of the first new message, and a calendar around it: models are bad at weekdays."""
    if time is None:
        return "It is not known when these messages were sent."
    monday = time.date() - timedelta(days=time.weekday())
    weeks = [f"{monday + timedelta(weeks=week):%d %b %Y}" for week in range(-3, 3)]
    return f"The new messages were sent on {in_words(time.date())}. Mondays around that day: {', '.join(weeks)}."
