"""Rank messages that replace earlier ones above those that they replace.

There may be no fact which says that "Fine, let's say Friday instead" replaces a date, since rules find few facts. So,
of two messages about the same thing the later one replaces the earlier one if it says that something changed ("now",
"instead", "no, I meant"), ends it ("cancelled", "not any more"), or gives other numbers and otherwise the same words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING, Protocol, SupportsIndex

import numpy as np

from mem0g.model import Fact, Message
from mem0g.retrieve.ranking.statements import stated
from mem0g.text.languages import CHANGING, ENDING, SPEAKING, guess_language, revisions, word_set
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


class Said:
    """What a message says: its words, numbers, and what it says of a change.

    ``question`` is the text of the question it follows, "" if none: "It's on the hook" is about the key asked for.
    ``of_speaker``: whether it is about a speaker though nobody says "I" in it, as a fact does.

    ``text``: what it states, folded. ``terms``: its content words, without the speaker's name; ``topic``: those
    without numbers, and those of the question it follows; ``vocabulary``: the words of which it has a weight, both.
    ``numbers``: the numbers in it. ``changes``: whether it says that something changed; ``ended``: the content words of
    each clause that says that something ended, without the words that say so; ``revises``: whether it says either.

    Everything is computed at once, as a search reads hundreds of messages.
    """

    __slots__ = (
        "_marked",
        "changes",
        "ended",
        "numbers",
        "of_speaker",
        "revises",
        "terms",
        "text",
        "topic",
        "vocabulary",
    )

    def __init__(self, message: str, speaker: str, question: str = "", of_speaker: bool = False) -> None:
        message = message[:LONGEST]
        whole = message.isascii() and "?" not in message
        self.text = text = fold(message if whole else stated(message))
        self.terms = _without(content(message if whole else text), content(speaker))
        self.numbers = frozenset(_NUMBER.findall(text))
        self.changes, ends = revisions(text)
        language = guess_language(message) if self.changes or ends else None  # a part of it may not show it
        named = content(CHANGING.sub(" ", text), language) - content(speaker) if self.changes else self.terms
        if not whole:
            named = frozenset(term for term in named if not _NUMBER.search(term))
        elif self.numbers:  # of letters and digits in ASCII, what is not of letters alone has a digit
            named = frozenset(filter(str.isalpha, named))
        self.topic = named | content(question) if question else named
        self.vocabulary = self.terms if self.topic <= self.terms else self.terms | self.topic
        clauses = _CLAUSE.split(text) if ends else ()
        parts = (content(ENDING.sub(" ", each), language) for each in clauses if ENDING.search(each))
        self.ended = tuple(each - content(speaker) for each in parts)
        self.revises = self.changes or bool(self.ended)
        self.of_speaker = of_speaker
        self._marked: tuple[tuple[str, ...], bytes, bytes] | None = None

    @property
    def marked(self) -> tuple[tuple[str, ...], bytes, bytes]:
        """The words of its topic and its numbers, each once, which of them are of the topic, and which are numbers."""
        if self._marked is None:
            topic, others = tuple(self.topic), tuple(self.numbers - self.topic)
            numbers = (
                bytes(len(topic)) if self.numbers.isdisjoint(topic) else bytes(each in self.numbers for each in topic)
            )
            self._marked = (*topic, *others), b"\1" * len(topic) + bytes(len(others)), numbers + b"\1" * len(others)
        return self._marked

    @property
    def own(self) -> bool:
        """Whether it is in the first person."""
        return self.of_speaker or not SPEAKING.isdisjoint(word_set(self.text))


def _without(terms: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Return ``terms`` without ``others``; itself where it has none, which takes no further memory."""
    return terms if terms.isdisjoint(others) else terms - others


read = lru_cache(maxsize=16384)(Said)
"""Read a message: a ``Said`` of its text, speaker and question, kept for later searches."""


@dataclass(frozen=True)
class _Shared:
    """Words that later statements share with earlier ones: pairs of a later one and its word, once for each earlier.

    ``cells``: the place of each in an array of ``shape`` (earlier, later). ``held``: whether the word is of the topic
    of the earlier one; ``topic``: whether of both topics; ``numbers``: whether it is a number of both.
    """

    pairs: NDArray[np.int64]
    cells: NDArray[np.int64]
    shape: tuple[int, int]
    held: NDArray[np.bool_]
    topic: NDArray[np.bool_]
    numbers: NDArray[np.bool_]

    def sums(self, chosen: NDArray[np.bool_], weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return how many of the chosen ones each two statements share, or their weight, shape (earlier, later)."""
        at = np.flatnonzero(chosen)
        of = None if weights is None else weights[self.pairs[at]]
        found = np.bincount(self.cells[at], of, self.shape[0] * self.shape[1])
        return found.reshape(self.shape).astype(np.float64, copy=False)


class InOrder(Protocol):
    """What some statements say, in order, such as a list of it."""

    def __len__(self) -> int:
        """Return how many there are."""
        ...

    def __getitem__(self, place: SupportsIndex, /) -> Said:
        """Return what the statement at a place says."""
        ...


class Successions:
    """Which of some statements replace which, as far as a question asks; ``said`` are the statements.

    Those that may replace others, mostly few, are kept as pairs of a statement and a word, so that one statement is
    compared with all of them on arrays.
    """

    def __init__(self, said: InOrder, question: str) -> None:
        self._said, self._asked = said, content(question)

    def _may_replace(self, before: Sequence[Said], among: Iterable[int]) -> list[int]:
        """Return those of ``among`` that say that something changed or ended, or have numbers and what is asked."""
        numbered = [each.topic for each in before if each.numbers - self._asked]
        asked = self._asked.intersection(chain.from_iterable(numbered))
        said = ((place, self._said[place]) for place in (among if before else ()))
        return [
            place
            for place, each in said
            if each.revises or (asked and each.numbers and not asked.isdisjoint(each.topic))
        ]

    def _index(self, places: Sequence[int]) -> None:
        """Make arrays of the statements at these places, which may replace others."""
        said = [self._said[place] for place in range(len(self._said))]
        having = Counter(chain.from_iterable(each.vocabulary for each in said))
        rarity = {count: math.log(1 + len(said) / count) for count in set(having.values())}
        self._weights = {term: rarity[count] for term, count in having.items()}
        self._weight_asked = self._weight(self._asked)
        self._places, later = places, [said[place] for place in places]
        marked = [each.marked for each in later]
        self._of = np.repeat(np.arange(len(later)), [len(words) for words, *_ in marked])
        every = list(chain.from_iterable(words for words, *_ in marked))
        numbers = self._numbers = dict(zip(dict.fromkeys(every), count(), strict=False))
        self._words = np.fromiter(map(numbers.__getitem__, every), np.int64, len(every))
        self._is_topic = np.frombuffer(b"".join(topic for _, topic, _ in marked), bool)
        self._is_number = np.frombuffer(b"".join(number for *_, number in marked), bool)
        self._weight_of = np.array([self._weights.get(word, 0.0) for word in numbers])[self._words]
        self._is_asked = np.array([word in self._asked for word in numbers], dtype=bool)[self._words]
        self._numbers_in = np.bincount(self._of[self._is_number], minlength=len(later))
        self._asked_in = np.bincount(self._of[self._is_topic & self._is_asked], minlength=len(later))
        at = np.flatnonzero(self._is_topic)
        self._topic_weight = np.bincount(self._of[at], self._weight_of[at], len(later))
        self._changes = np.fromiter((each.changes for each in later), bool, len(later))
        self._own = np.fromiter((each.changes and each.own for each in later), bool, len(later))
        self._ending = [(number, each.ended) for number, each in enumerate(later) if each.ended]

    def replacing(self, earlier: Sequence[int], among: Iterable[int] | None = None) -> list[list[int]]:
        """Return for each of these places those of what replaces the statement there, if said after it.

        Those are looked for at the places ``among``, by default at all.
        """
        before = [self._said[place] for place in earlier]
        places = self._may_replace(before, range(len(self._said)) if among is None else among)
        if not places:
            return [[] for _ in earlier]
        self._index(places)
        shared = self._shared(before)
        about = shared.topic & self._is_asked[shared.pairs]
        related = (shared.sums(shared.topic) >= 2) | (self._asked_in > 0)
        if not self._weight_asked:
            related[:] = True
        related[[not each.topic.isdisjoint(self._asked) for each in before]] = True
        alike = self._alike(before, shared)
        on_topic = shared.sums(about, self._weight_of) >= max(ON_TOPIC * self._weight_asked, 1e-9)
        others = self._numbers_in > shared.sums(shared.numbers)
        unasked = np.array([len(each.numbers - self._asked) for each in before])
        others &= shared.sums(shared.numbers & ~self._is_asked[shared.pairs]) < unasked[:, None]
        renumbered = others & (shared.sums(about) > 0) & alike
        own = self._own >= np.array([each.own for each in before])[:, None]
        replaces = np.where(self._changes, alike | (on_topic & own), renumbered)
        for number, ended in self._ending:
            replaces[:, number] |= [any(self._ends(each, one) for each in ended) for one in before]
        found = [np.flatnonzero(each).tolist() for each in related & replaces]
        repeated = [bool(each.terms) and each.terms <= self._asked for each in before]  # the question repeats it
        return [[] if skip else [self._places[n] for n in each] for skip, each in zip(repeated, found, strict=True)]

    def _shared(self, before: Sequence[Said]) -> _Shared:
        """Return the pairs of later statements that have a word or a number of each of some earlier ones."""
        topic, numbers = (np.zeros((len(before), len(self._numbers)), dtype=bool) for _ in range(2))
        for row, each in enumerate(before):
            topic[row, [self._numbers[word] for word in each.topic if word in self._numbers]] = True
            numbers[row, [self._numbers[word] for word in each.numbers if word in self._numbers]] = True
        rows, pairs = np.nonzero((topic | numbers)[:, self._words])
        held, words = topic[rows, self._words[pairs]], self._words[pairs]
        return _Shared(
            pairs,
            rows * len(self._places) + self._of[pairs],
            (len(before), len(self._places)),
            held,
            held & self._is_topic[pairs],
            numbers[rows, words] & self._is_number[pairs],
        )

    def _alike(self, before: Sequence[Said], shared: _Shared) -> NDArray[np.bool_]:
        """Return which have much in common with each earlier one, numbers aside that only one of two has."""
        weights = self._weight_of
        own = np.array([[self._weight(each.topic)] for each in before])
        least = np.minimum(
            self._topic_weight + shared.sums(shared.numbers & ~self._is_topic[shared.pairs], weights),
            own + shared.sums(shared.numbers & ~shared.held, weights),
        )
        common = shared.topic | shared.numbers
        fits = (shared.sums(common) >= 2) | (shared.sums(common & self._is_asked[shared.pairs]) > 0)
        alike: NDArray[np.bool_] = fits & (shared.sums(common, weights) >= ALIKE * least)
        return alike

    def _ends(self, ended: frozenset[str], earlier: Said) -> bool:
        """Whether a clause that says that something ended is about what an earlier statement says."""
        weight = self._weight(ended)
        return weight > 0 and self._weight(ended & earlier.terms) >= ENDS * weight

    def _weight(self, terms: frozenset[str]) -> float:
        return sum(self._weights.get(term, 0.0) for term in terms)


def said_at(statement: Message | Fact) -> datetime | None:
    """Return when a statement was said, None if that is not known."""
    return statement.said_at if isinstance(statement, Fact) else statement.time


def was_said_after(later: Message | Fact, earlier: Message) -> bool:
    """Whether a statement was said after a message, by their times or their positions in one session; False if
    unknown."""
    time = said_at(later)
    if time and earlier.time and time != earlier.time:
        return time > earlier.time
    if isinstance(later, Fact):
        return False
    place = (earlier.source, earlier.session)
    return (later.source, later.session) == place and later.position > earlier.position
