"""Rank messages that replace earlier ones above those that they replace.

There may be no fact which says that "Fine, let's say Friday instead" replaces a date, since rules find few facts. So,
of two messages about the same thing the later one replaces the earlier one if it says that something changed ("now",
"instead", "no, I meant"), ends it ("cancelled", "not any more"), or gives other numbers and otherwise the same words.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import Fact, Message
from mem0g.retrieve.ranking.said import CHANGES, NUMBER, TERM, TOPIC, Said
from mem0g.text.stemming import content

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices

ALIKE = 0.4
"""Share of the weight of two messages' words, of that with less, that they have to have in common to be about one
thing. The weight of a word is its inverse document frequency."""

ENDS = 0.5
"""Share of the weight of the words beside "cancelled" or "not any more" that the message which it ends has to have."""

ON_TOPIC = 0.4
"""Share of the weight of the question's words that both messages have to have."""

SAME_ASKED = 0.67
"""Share of the weight of the question's words in a message that another one has to have to replace its numbers, or what
else it says where they have little else in common: "Ann hired a kayak on 3 May" does not replace "Bo hired a kayak on 2
May" where Bo is asked about, nor does "I meant my favourite colour" what was said of the favourite food."""


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


class Successions:
    """Which of some statements replace which, as far as a question asks; ``said`` are the statements.

    ``of_speakers``: the places of those that are about a speaker though nobody says "I" in them, as facts are.

    They are compared as pairs of a statement and a word: the few that are asked about with all those that may replace
    others, mostly few.
    """

    def __init__(self, said: Said, question: str, of_speakers: Container[int] = ()) -> None:
        self._said, self._of_speakers = said, of_speakers
        self._of, words, self._kinds = said.pairs
        known = np.zeros(int(words.max(initial=0)) + 1, dtype=bool)
        known[words] = True
        self._numbers = np.where(known, np.cumsum(known) - 1, -1)
        self._words, self._size = self._numbers[words], int(np.count_nonzero(known))
        self._asked = self._are(said.words[word] for word in content(question) if word in said.words)

    def replacing(self, earlier: Sequence[int], among: Indices | None = None) -> list[Indices]:
        """Return for each of these places those of what replaces the statement there, if said after it.

        Those are looked for at the places ``among``, by default at all.
        """
        if not len(earlier):
            return []
        topic, numbers, terms = self._having(earlier)
        every = np.arange(len(self._said)) if among is None else among
        places = self._may_replace(topic, numbers, every)
        if not len(places):
            return [places[:0]] * len(earlier)
        self._index(places)
        shared = self._shared(topic, numbers)
        about = shared.topic & self._is_asked[shared.pairs]
        related = (shared.sums(shared.topic) >= 2) | (self._asked_in > 0)
        if not self._weight_asked:
            related[:] = True
        related[(topic & self._asked).any(axis=1)] = True
        alike = self._alike(topic, shared)
        asked = shared.sums(about, self._weight_of)
        on_topic = asked >= max(ON_TOPIC * self._weight_asked, 1e-9)
        held = np.where(topic & self._asked, self._weights, 0.0).sum(axis=1)
        as_much = asked >= SAME_ASKED * held[:, None] - 1e-9
        others = self._numbers_in > shared.sums(shared.numbers)
        unasked = (numbers & ~self._asked).sum(axis=1)
        others &= shared.sums(shared.numbers & ~self._is_asked[shared.pairs]) < unasked[:, None]
        renumbered = others & (shared.sums(about) > 0) & alike & as_much
        changed = alike | (on_topic & as_much & self._as_own(earlier))
        replaces: NDArray[np.bool_] = np.where(self._changes, changed, renumbered)
        for number, place in enumerate(places.tolist()):
            for ended in self._said.ended(place):
                replaces[:, number] |= self._ends(ended, terms)
        repeated = terms.any(axis=1) & ~(terms & ~self._asked).any(axis=1)  # the question repeats it
        found: NDArray[np.bool_] = related & replaces
        found[repeated] = False
        return [places[np.flatnonzero(each)] for each in found]

    def _are(self, words: Iterable[int]) -> NDArray[np.bool_]:
        """Return which of the words of the statements these are."""
        are = np.zeros(self._size, dtype=bool)
        numbers = [self._numbers[each] for each in words if each < len(self._numbers)]
        are[[number for number in numbers if number >= 0]] = True
        return are

    def _is_own(self, place: int) -> bool:
        return place in self._of_speakers or self._said.is_own(place)

    def _having(self, places: Sequence[int]) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which words are of the topics, the numbers and the terms at these places, each (places, words)."""
        row = np.full(len(self._said), -1)
        row[places] = np.arange(len(places))
        at = np.flatnonzero(row[self._of] >= 0)
        rows, words, kinds = row[self._of[at]], self._words[at], self._kinds[at]
        found = []
        for kind in (TOPIC, NUMBER, TERM):
            having = np.zeros((len(places), self._size), dtype=bool)
            of_kind = kinds & kind > 0
            having[rows[of_kind], words[of_kind]] = True
            found.append(having)
        topic, numbers, terms = found
        return topic, numbers, terms

    def _may_replace(self, topic: NDArray[np.bool_], numbers: NDArray[np.bool_], among: Indices) -> Indices:
        """Return those of ``among`` that say that something changed or ended, or have numbers and what is asked."""
        numbered = (numbers & ~self._asked).any(axis=1)
        asked = self._asked & topic[numbered].any(axis=0)
        may = self._said.revising > 0
        if asked.any():
            about = self._of[asked[self._words] & (self._kinds & TOPIC > 0)]
            having = np.zeros(len(may), dtype=np.uint8)
            having[about] = 1
            having[self._of[self._kinds & NUMBER > 0]] |= 2
            may = may | (having == 3)
        return among[may[among]]

    def _index(self, places: Indices) -> None:
        """Weigh the words of all statements, and make arrays of those at these places, which may replace others."""
        of, words, kinds = self._of, self._words, self._kinds
        having = np.bincount(words[kinds & (TERM | TOPIC) > 0], minlength=self._size)
        self._weights = np.where(having > 0, np.log(1 + len(self._said) / np.maximum(having, 1)), 0.0)
        self._weight_asked = self._weight(self._asked)
        row = np.full(len(self._said), -1)
        row[places] = np.arange(len(places))
        at = np.flatnonzero((row[of] >= 0) & (kinds & (TOPIC | NUMBER) > 0))
        self._later, self._words_of = row[of[at]], words[at]
        self._is_topic, self._is_number = kinds[at] & TOPIC > 0, kinds[at] & NUMBER > 0
        self._weight_of = self._weights[self._words_of]
        self._is_asked = self._asked[self._words_of]
        size = len(places)
        self._numbers_in = np.bincount(self._later[self._is_number], minlength=size)
        self._asked_in = np.bincount(self._later[self._is_topic & self._is_asked], minlength=size)
        at = np.flatnonzero(self._is_topic)
        self._topic_weight = np.bincount(self._later[at], self._weight_of[at], size)
        self._changes = self._said.revising[places] & CHANGES > 0
        self._changing = places.tolist()

    def _as_own(self, earlier: Sequence[int]) -> NDArray[np.bool_]:
        """Return which later statements say that something changed of whom each earlier one is about."""
        changing = zip(self._changing, self._changes.tolist(), strict=True)
        later = np.array([changes and self._is_own(place) for place, changes in changing])
        own: NDArray[np.bool_] = later >= np.array([[self._is_own(place)] for place in earlier])
        return own

    def _shared(self, topic: NDArray[np.bool_], numbers: NDArray[np.bool_]) -> _Shared:
        """Return the pairs of later statements that have a word or a number of each of some earlier ones."""
        rows, pairs = np.nonzero((topic | numbers)[:, self._words_of])
        words = self._words_of[pairs]
        held = topic[rows, words]
        return _Shared(
            pairs,
            rows * len(self._changing) + self._later[pairs],
            (len(topic), len(self._changing)),
            held,
            held & self._is_topic[pairs],
            numbers[rows, words] & self._is_number[pairs],
        )

    def _alike(self, topic: NDArray[np.bool_], shared: _Shared) -> NDArray[np.bool_]:
        """Return which have much in common with each earlier one, numbers aside that only one of two has."""
        weights = self._weight_of
        rows, words = np.nonzero(topic)
        own = np.bincount(rows, self._weights[words], len(topic))[:, None]
        least = np.minimum(
            self._topic_weight + shared.sums(shared.numbers & ~self._is_topic[shared.pairs], weights),
            own + shared.sums(shared.numbers & ~shared.held, weights),
        )
        common = shared.topic | shared.numbers
        fits = (shared.sums(common) >= 2) | (shared.sums(common & self._is_asked[shared.pairs]) > 0)
        alike: NDArray[np.bool_] = fits & (shared.sums(common, weights) >= ALIKE * least)
        return alike

    def _ends(self, ended: Sequence[int], terms: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return whether a clause that says that something ended is about each of some statements, by their terms."""
        clause = self._are(ended)
        weight = self._weight(clause)
        return np.array([weight > 0 and self._weight(each & clause) >= ENDS * weight for each in terms])

    def _weight(self, words: NDArray[np.bool_]) -> float:
        return float(sum(self._weights[words].tolist()))


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
