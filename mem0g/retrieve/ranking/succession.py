"""Rank messages that replace earlier ones above those that they replace.

There may be no fact which says that "Fine, let's say Friday instead" replaces a date, since rules find few facts. So,
of two messages about the same thing the later one replaces the earlier one if it says that something changed ("now",
"instead", "no, I meant"), ends it ("cancelled", "not any more"), or gives other numbers and otherwise the same words.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mem0g.model import Fact, Message
from mem0g.retrieve.ranking.said import NUMBER, TERM, TOPIC, Said
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


class _Pairs(NamedTuple):
    """Statements and their words: the one at the place ``of`` has the word of this number, of these ``kinds`` (Said).

    Arrays of shape (pairs,).
    """

    of: NDArray[np.int64]
    words: NDArray[np.int64]
    kinds: NDArray[np.uint8]


class Successions:
    """Which of some statements replace which, as far as a question asks; ``said`` are the statements.

    They are kept as pairs of a statement and a word, and so are those that may replace others, mostly few: one
    statement is compared with all of these on arrays.
    """

    def __init__(self, said: Sequence[Said], question: str) -> None:
        self._said, self._asked = said, content(question)
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)

    @cached_property
    def _pairs(self) -> _Pairs:
        every = chain.from_iterable([each.words for each in self._said])
        words = np.fromiter(map(self._numbers.__getitem__, every), np.int64)
        of = np.repeat(np.arange(len(self._said)), [len(each.words) for each in self._said])
        return _Pairs(of, words, np.frombuffer(b"".join([each.kinds for each in self._said]), np.uint8))

    def _may_replace(self, before: Sequence[Said], among: Iterable[int]) -> list[int]:
        """Return those of ``among`` that say that something changed or ended, or have numbers and what is asked."""
        numbered = [each.topic for each in before if each.numbers - self._asked]
        asked = self._asked.intersection(chain.from_iterable(numbered))
        numbers = self._with_numbers_and(asked) if asked else ()
        return [place for place in among if self._said[place].revises or place in numbers] if before else []

    def _with_numbers_and(self, topic: Iterable[str]) -> set[int]:
        """Return the places of the statements that have numbers and a word of ``topic`` in theirs."""
        of, words, kinds = self._pairs
        about = of[self._are(topic)[words] & (kinds & TOPIC > 0)]
        return {*about.tolist()}.intersection(of[kinds & NUMBER > 0].tolist())

    def _are(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Return which of the numbered words these are."""
        are = np.zeros(len(self._numbers), dtype=bool)
        are[[self._numbers[word] for word in words if word in self._numbers]] = True
        return are

    def _index(self, places: Sequence[int]) -> None:
        """Weigh the words of all statements, and make arrays of those at these places, which may replace others."""
        of, words, kinds = self._pairs
        having = np.bincount(words[kinds & (TERM | TOPIC) > 0], minlength=len(self._numbers)).tolist()
        rarity = {size: math.log(1 + len(self._said) / size) if size else 0.0 for size in set(having)}
        weights = [rarity[size] for size in having]
        self._weights = dict(zip(self._numbers, weights, strict=True))
        self._weight_asked = self._weight(self._asked)
        self._places, later = places, [self._said[place] for place in places]
        row = np.full(len(self._said), -1)
        row[places] = np.arange(len(places))
        at = np.flatnonzero((row[of] >= 0) & (kinds & (TOPIC | NUMBER) > 0))
        self._of, self._words = row[of[at]], words[at]
        self._is_topic, self._is_number = kinds[at] & TOPIC > 0, kinds[at] & NUMBER > 0
        self._weight_of = np.array(weights)[self._words]
        self._is_asked = self._are(self._asked)[self._words]
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
