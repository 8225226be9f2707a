"""Matching of reference triples with what was extracted from the same turns, and the details that are lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.extraction.running import Claim
from mem0g import Triple
from mem0g.embed.protocol import Embedder
from mem0g.text.names import fold, words
from mem0g.times import Moment

ALIKE = 0.6
"""Cosine of two sentences of the same turn from which they count as the same fact."""

_DIGITS = {"year": 4, "month": 7, "day": 10, "second": 10}
"""Characters of an ISO date that count at a precision; a day is the finest, as people do not remember seconds."""

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”')

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

_CAPITAL = re.compile(r"(?<![\w'’-])[^\W\d_][\w'’-]*")

_SENTENCE_END = re.compile(r"[.!?:]\s*$")

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()

_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()

_WRITTEN = {name: str(number) for number, name in enumerate((*_UNITS, "seventeen", "eighteen", "nineteen"))} | {
    name: str(10 * number) for number, name in enumerate(_TENS, start=2)
}
"""Number words with their digits: "twelve" and "12" are the same detail."""

_OFTEN_NO_NUMBER = {"one", "zero"}

_NO_NAMES = frozenset(
    "i january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)
"""Capitalized words that are not names; dates are compared separately."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A reference triple, the most similar extracted triple that shares a turn with it, and their cosine.

    ``beside`` are all extracted triples that share a turn with it, including the most similar one.
    """

    reference: Claim
    found: Claim | None = None
    cosine: float = 0.0
    beside: tuple[Claim, ...] = field(default=())

    @property
    def recovered(self) -> bool:
        """Whether the reference was extracted."""
        return self.found is not None and self.cosine >= ALIKE

    @property
    def dates(self) -> list[bool]:
        """For each date that both have (valid_from, valid_to), whether they agree."""
        if not self.found or not self.recovered:
            return []
        expected, given = self.reference.triple, self.found.triple
        both = ((expected.valid_from, given.valid_from), (expected.valid_to, given.valid_to))
        return [agree(first, second) for first, second in both if first and second]

    @property
    def undated(self) -> bool:
        """Whether it was recovered without the start date that the reference has."""
        expected = self.reference.triple.valid_from
        return bool(self.found and self.recovered and expected and not self.found.triple.valid_from)

    def wrong_person(self, speakers: frozenset[str]) -> bool:
        """Whether the reference is about one speaker and the match about another."""
        if not self.found or not self.recovered:
            return False
        names = {fold(each) for each in speakers}
        expected, given = fold(self.reference.triple.subject), fold(self.found.triple.subject)
        return expected != given and {expected, given} <= names

    @property
    def lost(self) -> tuple[str, ...]:
        """The details of a recovered reference that are in no extracted triple beside it."""
        return lost_details(self.reference.triple, [each.triple for each in self.beside]) if self.recovered else ()


def agree(one: Moment, other: Moment) -> bool:
    """Whether two dates are the same day, month or year, at the coarser of their precisions."""
    digits = min(_DIGITS[one.precision], _DIGITS[other.precision])
    return one.start.date().isoformat()[:digits] == other.start.date().isoformat()[:digits]


def within(references: Sequence[Claim], turns: frozenset[str]) -> list[Claim]:
    """Return the references whose turns are all among ``turns``."""
    return [each for each in references if each.turns and each.turns <= turns]


def paired(references: Sequence[Claim], extracted: Sequence[Claim], embedder: Embedder) -> list[Pair]:
    """Match each reference with what was extracted from its turns; ties in cosine by order of extraction."""
    expected = embedder.embed([each.triple.text for each in references])
    given = embedder.embed([each.triple.text for each in extracted])
    return [_pair(each, extracted, cosines) for each, cosines in zip(references, expected @ given.T, strict=True)]


def _pair(reference: Claim, extracted: Sequence[Claim], cosines: np.ndarray[tuple[int], np.dtype[np.float32]]) -> Pair:
    near = [place for place, each in enumerate(extracted) if each.turns & reference.turns]
    if not near:
        return Pair(reference)
    best = max(near, key=lambda place: cosines[place])
    return Pair(reference, extracted[best], float(cosines[best]), tuple(extracted[place] for place in near))


def lost_details(reference: Triple, others: Sequence[Triple]) -> tuple[str, ...]:
    """Return the details of the reference's sentence missing from the sentences and dates of all ``others``, in order.

    A number is found in digits or as a word, a title as the same consecutive words, a name when each of its words is
    there.
    """
    text = " ".join(f"{each.text} {each.valid_from or ''} {each.valid_to or ''}" for each in others)
    there = {_number(word) for word in _folded(text)}
    row = f" {' '.join(_folded(text))} "
    return tuple(
        detail
        for kind, detail in details(reference.text)
        if not (f" {' '.join(_folded(detail))} " in row if kind == "title" else _numbers(detail) <= there)
    )


def details(sentence: str) -> list[tuple[str, str]]:
    """Return the details of a sentence, each once, with their kind: "title", "number" or "name".

    A title is text in double quotes. A name is a capitalized word that does not start a sentence: the first word is
    mostly the subject, which is compared separately. "One" is not taken for a number, as it is mostly a pronoun.
    """
    titles = [next(filter(None, found)) for found in _QUOTED.findall(sentence)]
    rest = _QUOTED.sub(" ", sentence)
    found = [*(("title", title) for title in titles), *_numbers_in(rest), *_names_in(rest)]
    return list(dict.fromkeys(found))


def _numbers_in(text: str) -> Iterator[tuple[str, str]]:
    yield from (("number", number) for number in _NUMBER.findall(text))
    written = (word for word in words(text) if fold(word) in _WRITTEN and fold(word) not in _OFTEN_NO_NUMBER)
    yield from (("number", word) for word in written)


def _names_in(text: str) -> Iterator[tuple[str, str]]:
    for match in _CAPITAL.finditer(text):
        word = re.sub(r"['’]s$", "", match[0])
        before = text[: match.start()].strip()
        begins = not before or bool(_SENTENCE_END.search(before))
        if word[0].isupper() and not begins and fold(word) not in _NO_NAMES and fold(word) not in _WRITTEN:
            yield "name", word


def _folded(text: str) -> list[str]:
    return [fold(word) for word in words(text.replace(",", ""))]


def _numbers(detail: str) -> set[str]:
    return {_number(word) for word in _folded(detail)}


def _number(word: str) -> str:
    """Normalize a number: digits without leading zeros; other words are returned unchanged."""
    word = _WRITTEN.get(word, word)
    return word.lstrip("0") or "0" if word.isdecimal() else word
