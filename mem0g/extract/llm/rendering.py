"""The placeholders of the extraction prompts: the window as text, and the options of the extraction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from mem0g.extract.protocol import Window
from mem0g.llm.prompts import quoted
from mem0g.model import Message
from mem0g.settings import LLMSettings

MAX_CONTEXT_MESSAGE = 2000
"""Characters of a message of the context; of a longer one, the middle is left out."""

_WEEKS = range(-3, 3)
"""The weeks of the calendar, relative to the week of the messages."""


def window_words(window: Window) -> dict[str, str]:
    """Return the values of the placeholders that depend on the window.

    Messages are numbered from 1, those of the context first, and quoted as JSON strings, so that no text can imitate
    the start of another message.
    """
    context, new = len(window.context), len(window.messages)
    formatter = _MessageLines()
    earlier = "\n".join(formatter.lines(list(map(shortened, window.context)), range(1, context + 1)))
    return {
        "context": earlier,
        "messages": "\n".join(formatter.lines(window.messages, range(context + 1, context + new + 1))),
        "when": _when([each.time for each in window.messages if each.time]),
        "summary": window.summary,
        "usual": ", ".join(window.relations),
    }


class _MessageLines:
    """Formats messages, one per line, with a line for the date whenever it changes."""

    def __init__(self) -> None:
        self._day: date | None = None

    def lines(self, messages: Sequence[Message], numbers: range) -> Iterator[str]:
        for number, message in zip(numbers, messages, strict=True):
            if message.time and message.time.date() != self._day:
                self._day = message.time.date()
                yield f"On {in_words(self._day)}:"
            speaker = " ".join(message.speaker.split())  # a name with line breaks cannot imitate one either
            yield f"[{number}] {speaker}: {quoted(message.text)}"


def shortened(message: Message) -> Message:
    """Return the message; if it is very long, only its beginning and end."""
    text, half = message.text, MAX_CONTEXT_MESSAGE // 2
    return message if len(text) <= MAX_CONTEXT_MESSAGE else replace(message, text=f"{text[:half]} … {text[-half:]}")


def in_words(day: date) -> str:
    """Return a date in words, with its weekday, and in ISO format."""
    return f"{day:%A} {day.day} {day:%B %Y} ({day:%Y-%m-%d})"


def _when(times: Sequence[datetime]) -> str:
    """Return the dates of the new messages and the Mondays around the first: models are bad at weekdays."""
    if not times:
        return "It is not known when these messages were sent."
    day, last = times[0].date(), times[-1].date()
    first = day.toordinal() - day.weekday()
    mondays = [first + 7 * week for week in _WEEKS if 0 < first + 7 * week <= date.max.toordinal()]
    weeks = ", ".join(f"{date.fromordinal(monday):%d %b %Y}" for monday in mondays)
    sent = f"on {in_words(day)}" if last == day else f"from {in_words(day)} to {in_words(last)}"
    return f"The new messages were sent {sent}. Mondays around that day: {weeks}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionOptions:
    """Options of the extraction: ``instructions`` are added to the rules, the types are suggested to the model.

    With ``closed``, a reply with any other ``entity_types`` or ``relation_types`` is refused.
    """

    instructions: str = ""
    entity_types: tuple[str, ...] = ()
    relation_types: tuple[str, ...] = ()
    closed: bool = False

    @classmethod
    def of(cls, settings: LLMSettings) -> ExtractionOptions:
        """Return the options in the settings."""
        return cls(
            instructions=settings.instructions,
            entity_types=settings.entity_types,
            relation_types=settings.relation_types,
            closed=settings.closed_types,
        )

    @property
    def words(self) -> dict[str, str]:
        """The values of the placeholders that depend on the options."""
        return {
            "instructions": self.instructions.strip(),
            "entity_types": self._listed(self.entity_types),
            "relation_types": self._listed(self.relation_types),
        }

    def _listed(self, names: Sequence[str]) -> str:
        if not names:
            return ""
        rule = "Use only these; leave out what fits none" if self.closed else "Use these where they fit"
        return f"{rule}: {', '.join(names)}."
