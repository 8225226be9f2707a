"""Matching of reference triples with what was extracted from the same turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks.extraction.details import lost_details
from benchmarks.extraction.running import Claim
from mem0g.embed.protocol import Embedder
from mem0g.text.names import fold
from mem0g.times import Moment

ALIKE = 0.6
"""Cosine of two sentences of the same turn from which they count as the same fact."""

_DIGITS = {"year": 4, "month": 7, "day": 10, "second": 10}
"""Characters of an ISO date that count at a precision; a day is the finest, as people do not remember seconds."""


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
