"""The placeholders of the extraction prompts: the window as text, and the options of the extraction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from mem0g.extract.messages import is_person, prompt_text
from mem0g.extract.protocol import KnownEntity, KnownState, Window
from mem0g.llm.prompts import quoted
from mem0g.model import Fact, Message
from mem0g.settings import LLMSettings
from mem0g.text.code import with_short_code

MAX_CONTEXT_MESSAGE = 800
"""Characters of a message of the context; of a longer one, the middle is left out."""

_WEEKS = range(-2, 3)
"""The weeks of the calendar, relative to the week of a message."""

MAX_WEEKS = 8
"""Weeks of the calendar of a window whose messages are of several days."""


def window_words(window: Window, *, brief: bool = False) -> dict[str, str]:
    """Return the values of the placeholders that depend on the window.

    Messages are numbered from 1, those of the context first, and quoted as JSON strings, so that no text can imitate
    the start of another message. Code and long answers are shortened, see prompt_text: facts are made of what people
    say. Those of the context are cut besides, see shortened; with ``brief`` all are.
    """
    context, new = len(window.context), len(window.messages)
    formatter = _MessageLines()
    messages = list(map(shortened if brief else _shown, window.messages))
    earlier = "\n".join(formatter.lines(list(map(shortened, window.context)), range(1, context + 1)))
    return {
        "context": earlier,
        "messages": "\n".join(formatter.lines(messages, range(context + 1, context + new + 1))),
        "when": _when([each.local_time for each in window.messages if each.local_time]),
        "known": "\n".join(map(_known_line, window.known)),
        "states": "\n".join(map(_state_line, window.states)),
        "summary": window.summary,
        "usual": ", ".join(window.relations),
    }


class _MessageLines:
    """Formats messages, one per line, with a line for the date whenever it changes."""

    def __init__(self) -> None:
        self._day: date | None = None

    def lines(self, messages: Sequence[Message], numbers: range) -> Iterator[str]:
        for number, message in zip(numbers, messages, strict=True):
            if message.local_time and message.local_time.date() != self._day:
                self._day = message.local_time.date()
                yield f"On {in_words(self._day)}:"
            speaker = " ".join(message.speaker.split())  # a name with line breaks cannot imitate one either
            yield f"[{number}] {speaker}: {quoted(message.text)}"


def has_assistant(window: Window) -> bool:
    """Whether an assistant without a name speaks in the window, or one whose messages are long."""
    messages = (each for each in (*window.context, *window.messages) if each.role == "assistant")
    return any(not is_person(each) or prompt_text(each) != with_short_code(each.text) for each in messages)


def _shown(message: Message) -> Message:
    return replace(message, text=prompt_text(message))


def shortened(message: Message) -> Message:
    """Return the message as prompt_text shows it; if that is long, only its beginning and end."""
    text, half = prompt_text(message), MAX_CONTEXT_MESSAGE // 2
    return replace(message, text=text if len(text) <= 2 * half else f"{text[:half]} … {text[-half:]}")


def in_words(day: date) -> str:
    """Return a date in words, with its weekday, and in ISO format."""
    return f"{day:%A} {day.day} {day:%B %Y} ({day:%Y-%m-%d})"


def _known_line(entity: KnownEntity) -> str:
    """Return a known entity on one line; its note is quoted, so that it cannot imitate another line."""
    also = f"also {', '.join(quoted(' '.join(each.split())) for each in entity.aliases)}" if entity.aliases else ""
    about = ", ".join(filter(None, (" ".join(entity.type.split()), entity.day, also)))
    name = " ".join(entity.name.split())
    return f"- {name}{f' ({about})' if about else ''}{f': {quoted(entity.note)}' if entity.note else ''}"


def _state_line(state: KnownState) -> str:
    """Return a state on one line; its value is quoted, so that it cannot imitate another line."""
    subject, told = " ".join(state.subject.split()), f" ({state.day})" if state.day else ""
    return f"- {subject}, {state.relation}, {quoted(' '.join(state.object.split()))}{told}"


def earlier_line(fact: Fact) -> str:
    """Return a fact on one line after the day on which it was said; it is quoted, so that it imitates no other line."""
    return f"- {f'{fact.said_at:%Y-%m-%d}: ' if fact.said_at else ''}{quoted(' '.join(fact.text.split()))}"


def _when(times: Sequence[datetime]) -> str:
    """Return the dates of the new messages and the days around them: models are bad at weekdays."""
    if not times:
        return "It is not known when these messages were sent."
    days = sorted({time.date() for time in times})
    sent = f"on {in_words(days[0])}" if len(days) == 1 else f"from {in_words(days[0])} to {in_words(days[-1])}"
    return "\n".join([f"The new messages were sent {sent}. The weeks around:", *_calendar(days)])


def _calendar(days: Sequence[date]) -> Iterator[str]:
    """Yield the weeks around the days, one per line, each from Monday to Sunday; if there are many, their own weeks."""
    own = {day.toordinal() - day.weekday() for day in days}
    around = {monday + 7 * week for monday in own for week in _WEEKS}
    for monday in sorted(around if len(around) <= MAX_WEEKS else own)[-MAX_WEEKS:]:
        ordinals = (each for each in range(monday, monday + 7) if 0 < each <= date.max.toordinal())
        week = list(map(date.fromordinal, ordinals))
        shown = (f"{day:%a} {day.day}{f' {day:%B %Y}' if day == week[0] or day.day == 1 else ''}" for day in week)
        if week:
            yield ", ".join(shown)


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
