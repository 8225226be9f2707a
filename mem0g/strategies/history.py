"""The messages of a scope in the order in which they were said, and how strategies put them on a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from mem0g.errors import QueryError
from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.model import Context, Fact, Hit, Message, Scope, Utterance
from mem0g.strategies.protocol import Said
from mem0g.text.token_count import TOKENS_PER_WORD, count_words, estimate_tokens

if TYPE_CHECKING:
    from mem0g.memory import Memory

LONG_AGO = datetime.min.replace(tzinfo=UTC)
"""The time of a message without one that was recorded by a version which did not note when."""


class History:
    """The messages of a scope, oldest first: read from the store when they are first needed, then added to.

    What other processes add to the scope later is not seen; open a new one for that.
    """

    def __init__(self, memory: Memory, scope: Scope) -> None:
        self.memory = memory
        self.scope = scope
        self._messages: list[Message] | None = None

    @property
    def messages(self) -> Sequence[Message]:
        """All messages, in the order in which they were said; those without a time by when they were recorded."""
        if self._messages is None:
            found = self.memory.messages(**scope_keys(self.scope))
            self._messages = sorted(found, key=_when)
        return self._messages

    def add(self, said: Said) -> Report:
        """Add what was said to the memory; see ``Memory.add``."""
        messages = [said] if isinstance(said, Mapping | Utterance) else said
        report = self.memory.add(messages, **scope_keys(self.scope))
        if self._messages is not None:
            known = {message.id for message in self._messages}
            new = [each for each in dict.fromkeys(report.message_ids) if each not in known]
            self._messages += self.memory.messages(ids=new, **scope_keys(self.scope))
            self._messages.sort(key=_when)
        return report


class Line(NamedTuple):
    """A line of a context, and the fact or message that it shows."""

    text: str
    hit: Hit

    @property
    def words(self) -> int:
        """Its words, as a budget counts them."""
        return count_words(self.text)


def check(query: str, tokens: int) -> None:
    """Raise QueryError for an empty query or a budget under 1."""
    if not query.strip():
        raise QueryError("the query is empty", hint="ask something")
    if tokens < 1:
        raise QueryError(f"the budget is {tokens} tokens", hint="ask for at least 1")


def message_line(message: Message, score: float = 0.0) -> Line:
    """Return a message on one line: "2023-05-08 13:56 | Nora: Hi Sam!"."""
    when = f"{message.time:%Y-%m-%d %H:%M} | " if message.time else ""
    text = " ".join(f"{when}{message.spoken}".split())
    return Line(text, Hit(score=score, reasons=(), message=message))


def fact_line(fact: Fact, score: float = 0.0) -> Line:
    """Return the sentence of a fact with its date, or the day on which it was said: "(2023-05-07) Ann moved."."""
    said = f"(said {fact.said_at:%Y-%m-%d}) " if fact.said_at else ""
    when = f"({fact.date}) " if fact.date else said
    return Line(" ".join(f"{when}{fact.text}".split()), Hit(score=score, reasons=(), fact=fact))


def best(lines: Iterable[Line], tokens: float) -> list[Line]:
    """Return the lines that fit ``tokens``, taken in order; one that does not fit, or repeats another, is skipped."""
    left = tokens / TOKENS_PER_WORD
    taken: dict[str, Line] = {}
    for line in lines:
        if line.text not in taken and line.words <= left:
            taken[line.text] = line
            left -= line.words
    return list(taken.values())


def latest(messages: Sequence[Message], tokens: float) -> list[Line]:
    """Return the last messages that fit ``tokens``, oldest first; of a last one that is too long, its beginning."""
    left = tokens / TOKENS_PER_WORD
    taken: list[Line] = []
    for message in reversed(messages):
        line = message_line(message)
        if line.words > left:
            return taken[::-1] if taken else _beginning(line, left)
        taken.append(line)
        left -= line.words
    return taken[::-1]


def words_of(lines: Iterable[Line]) -> int:
    """Return the words of lines together."""
    return sum(line.words for line in lines)


def page(sections: Mapping[str, Sequence[Line]] | Sequence[Line]) -> Context:
    """Return lines as a context; sections under their headings, but for empty ones.

    The budget has to hold the headings too: see ``heading_tokens``.
    """
    named = sections if isinstance(sections, Mapping) else {"": sections}
    parts = [
        "\n".join([*([heading] if heading else []), *(line.text for line in lines)])
        for heading, lines in named.items()
        if lines
    ]
    text = "\n\n".join(parts)
    hits = {line.hit.key: line.hit for lines in named.values() for line in lines if line.hit.key}
    return Context(text=text, hits=tuple(hits.values()), tokens=estimate_tokens(text), known=bool(text))


def heading_tokens(*headings: str) -> float:
    """Return the tokens that headings take."""
    return sum(map(count_words, headings)) * TOKENS_PER_WORD


def _beginning(line: Line, words: float) -> list[Line]:
    """Return the line cut after as many words as fit, if any do."""
    kept = line.text.split()[: int(words)]
    while kept and count_words(" ".join(kept)) > words:
        kept.pop()
    return [Line(" ".join(kept), line.hit)] if kept else []


def _when(message: Message) -> datetime:
    return message.time or message.recorded_at or LONG_AGO
