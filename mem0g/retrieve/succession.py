"""Newest first among messages that contradict each other: a later one takes the place above the one that it changes.

No fact may tell that "Fine, let's say Friday instead" replaces a date: rules find few facts. So of two messages about
the same thing the later one replaces the earlier one if it says that something changed ("now", "instead", "no, I
meant"), ends it ("cancelled", "not any more"), or gives other numbers and otherwise the same words.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import numpy as np

from mem0g.model import Fact, Message
from mem0g.retrieve.statements import stated
from mem0g.text.languages import CHANGING, ENDING, SPEAKING, word_set
from mem0g.text.names import fold
from mem0g.text.stemming import content

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    def marked(self) -> tuple[tuple[str, ...], bytes, bytes]:
        """The words of its topic and its numbers, each once, which of them are of the topic, and which are numbers."""
        words = tuple(self.topic | self.numbers)
        return words, bytes(each in self.topic for each in words), bytes(each in self.numbers for each in words)

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
    """Which of some statements replace which, as far as a question asks; ``said`` are the statements.

    They are kept as pairs of a statement and a word, so that one statement is compared with all others on arrays.
    """

    def __init__(self, said: Sequence[Said], question: str) -> None:
        self._said, self._size = said, len(said)
        having = Counter(chain.from_iterable(each.terms | each.topic for each in said))
        self._weights = {term: math.log(1 + len(said) / count) for term, count in having.items()}
        self._asked = content(question)
        self._weight_asked = self._weight(self._asked)
        marked = [each.marked for each in said]
        self._of = np.repeat(np.arange(len(said)), [len(words) for words, *_ in marked])
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        every = chain.from_iterable(words for words, *_ in marked)
        self._words = np.fromiter(map(numbers.__getitem__, every), np.int64, len(self._of))
        self._is_topic = np.frombuffer(b"".join(topic for _, topic, _ in marked), bool)
        self._is_number = np.frombuffer(b"".join(number for *_, number in marked), bool)
        self._weight_of = np.array([self._weights.get(word, 0.0) for word in numbers])[self._words]
        self._is_asked = np.array([word in self._asked for word in numbers], dtype=bool)[self._words]
        self._changes = np.fromiter((each.changes for each in said), bool, len(said))
        self._own = np.fromiter((each.own for each in said), bool, len(said))
        self._ending = [place for place, each in enumerate(said) if each.ended]

    def replacing(self, earlier: int) -> list[int]:
        """Return the places of the messages that replace the one at ``earlier``, if they were said after it."""
        before = self._said[earlier]
        if before.terms and before.terms <= self._asked:  # the question repeats it
            return []
        held, both = self._shared(earlier)
        topic = self._is_topic & held
        about = self._is_asked & topic
        related = self._sums(topic) >= 2
        if not self._weight_asked or not before.topic.isdisjoint(self._asked):
            related[:] = True
        related |= self._sums(self._is_topic & self._is_asked) > 0
        alike = self._alike(earlier, held, both)
        on_topic = self._sums(self._weight_of * about) >= max(ON_TOPIC * self._weight_asked, 1e-9)
        others = self._sums(self._is_number) > self._sums(both)
        others &= self._sums(both & ~self._is_asked) < len(before.numbers - self._asked)
        renumbered = others & (self._sums(about) > 0) & alike
        replaces = np.where(self._changes, alike | (on_topic & (self._own >= before.own)), renumbered)
        for place in self._ending:
            replaces[place] |= any(self._ends(each, before) for each in self._said[place].ended)
        found: list[int] = np.flatnonzero(related & replaces).tolist()
        return found

    def _shared(self, earlier: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which pairs have a word of the topic of the statement at ``earlier``, and which have its numbers."""
        own = self._of == earlier
        topic, both = (np.zeros(len(self._words) + 1, dtype=bool) for _ in range(2))
        topic[self._words[own & self._is_topic]] = True
        both[self._words[own & self._is_number]] = True
        return topic[self._words], self._is_number & both[self._words]

    def _alike(self, earlier: int, held: NDArray[np.bool_], both: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which statements have much in common with one, numbers aside that only one of two has."""
        common, weights = (self._is_topic & held) | both, self._weight_of
        least = np.minimum(
            self._sums(weights * (self._is_topic | both)),
            self._weight(self._said[earlier].topic) + self._sums(weights * (both & ~held)),
        )
        fits = (self._sums(common) >= 2) | (self._sums(common & self._is_asked) > 0)
        alike: NDArray[np.bool_] = fits & (self._sums(weights * common) >= ALIKE * least)
        return alike

    def _ends(self, ended: frozenset[str], earlier: Said) -> bool:
        """Whether a clause that says that something ended is about what an earlier statement says."""
        return bool(ended) and self._weight(ended & earlier.terms) >= ENDS * self._weight(ended)

    def _sums(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the sum of the values of each statement's pairs, shape (statements,)."""
        return np.bincount(self._of, values, self._size).astype(np.float64)

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
