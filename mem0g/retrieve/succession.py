"""Newest first among messages that contradict each other: a later one takes the place above the one that it changes.

No fact may tell that "Fine, let's say Friday instead" replaces a date: rules find few facts. So of two messages about
the same thing the later one replaces the earlier one if it says that something changed ("now", "instead", "no, I
meant"), ends it ("cancelled", "not any more"), or gives other numbers and otherwise the same words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from mem0g.model import Fact, Message
from mem0g.retrieve.statements import stated
from mem0g.text.languages import CHANGING, ENDING, SPEAKING, word_set
from mem0g.text.names import fold
from mem0g.text.stemming import content

ALIKE = 0.4
"""Share of the weight of two messages' words, of that with less, that they have to have in common to be about one
thing. The weight of a word is its inverse document frequency."""

ENDS = 0.5
"""Share of the weight of the words beside "cancelled" or "not any more" that the message which it ends has to have."""

ON_TOPIC = 0.4
"""Share of the weight of the question's words that both messages have to have."""

LONGEST = 2000
"""Characters of a message that are read."""

_NUMBER = re.compile(r"\d+")
_CLAUSE = re.compile(r"[.!?…,;:–—]\s+|\n+| but | aber | pero | mais | maar ")


@dataclass(frozen=True)
class Said:
    """What a message says: its words, numbers, and what it says of a change.

    ``question`` is the text of the question it follows, "" if none: "It's on the hook" is about the key asked for.
    ``of_speaker``: whether it is about a speaker though nobody says "I" in it, as a fact does.
    """

    message: str
    speaker: str
    question: str = ""
    of_speaker: bool = False

    @cached_property
    def text(self) -> str:
        """What it states, folded."""
        return fold(stated(self.message[:LONGEST]))

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its content words, without the speaker's name."""
        return content(self.text) - content(self.speaker)

    @cached_property
    def topic(self) -> frozenset[str]:
        """Its content words without numbers, and those of the question it follows."""
        named = content(CHANGING.sub(" ", self.text)) - content(self.speaker)
        return frozenset(term for term in named if not _NUMBER.search(term)) | content(self.question)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in it."""
        return frozenset(_NUMBER.findall(self.text))

    @cached_property
    def ended(self) -> tuple[frozenset[str], ...]:
        """The content words of each clause that says that something ended, without the words that say so."""
        return tuple(content(ENDING.sub(" ", each)) for each in _CLAUSE.split(self.text) if ENDING.search(each))

    @cached_property
    def changes(self) -> bool:
        """Whether it says that something changed."""
        return CHANGING.search(self.text) is not None

    @cached_property
    def own(self) -> bool:
        """Whether somebody speaks of herself in it."""
        return self.of_speaker or not SPEAKING.isdisjoint(word_set(self.text))


read = lru_cache(maxsize=16384)(Said)
"""Read a message: a ``Said`` of its text, speaker and question, kept for later searches."""


class Successions:
    """Which of some statements replace which, as far as a question asks; ``said`` are the statements."""

    def __init__(self, said: Sequence[Said], question: str) -> None:
        self._said = said
        having = Counter(term for each in said for term in each.terms | each.topic)
        self._weights = {term: math.log(1 + len(said) / count) for term, count in having.items()}
        self._asked = content(question)

    def replacing(self, earlier: int) -> Iterator[int]:
        """Yield the places of the messages that replace the one at ``earlier``, if they were said after it."""
        before = self._said[earlier]
        if before.terms and before.terms <= self._asked:  # the question repeats it
            return iter(())
        return (place for place, later in enumerate(self._said) if self._replaces(later, before))

    def _replaces(self, later: Said, earlier: Said) -> bool:
        common = later.topic & earlier.topic
        if len(common) < 2 and self._weight(self._asked) and not (earlier.topic | later.topic) & self._asked:
            return False
        if any(ended and self._weight(ended & earlier.terms) >= ENDS * self._weight(ended) for ended in later.ended):
            return True
        if later.changes:
            on_topic = self._weight(common & self._asked) >= max(ON_TOPIC * self._weight(self._asked), 1e-9)
            return self._alike(later, earlier) or (on_topic and later.own >= earlier.own)
        others = later.numbers - earlier.numbers, earlier.numbers - later.numbers - self._asked
        return all(others) and not common.isdisjoint(self._asked) and self._alike(later, earlier)

    def _alike(self, later: Said, earlier: Said) -> bool:
        """Whether two messages have much in common, numbers aside that only one of them has."""
        both = later.numbers & earlier.numbers
        common = (later.topic & earlier.topic) | both
        if len(common) < 2 and common.isdisjoint(self._asked):
            return False
        least = min(self._weight(later.topic | both), self._weight(earlier.topic | both))
        return self._weight(common) >= ALIKE * least

    def _weight(self, terms: frozenset[str]) -> float:
        return sum(self._weights.get(term, 0.0) for term in terms)


def was_said_after(later: Message | Fact, earlier: Message) -> bool:
    """Whether a statement was said after a message, as far as times or their places in one session tell."""
    time = later.said_at if isinstance(later, Fact) else later.time
    if time and earlier.time and time != earlier.time:
        return time > earlier.time
    if isinstance(later, Fact):
        return False
    place = (earlier.source, earlier.session)
    return (later.source, later.session) == place and later.position > earlier.position
