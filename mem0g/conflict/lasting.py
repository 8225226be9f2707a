"""Which facts can end, and which claims tell that something ended: told by English words alone."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mem0g.conflict.claim import Claim
from mem0g.model import Fact
from mem0g.relations.reading import read

_NOW = re.compile(r"\b(?:is|are|am|has|have|do|does|can|cannot|will|still|now)\b|n['’]t\b", re.IGNORECASE)
"""What a sentence has that speaks of a state."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

_ENDING: Final = (
    "abandon break cancel close complete conclude die divorce drop end finish fire laid leave lose move postpone quit "
    "recover replace resign retire sell separate split stop switch"
).split()
"""Verbs of daily life that say that something is over."""

_OVER = re.compile(r"\b(?:no longer|any ?more|instead)\b", re.IGNORECASE)


def happened(fact: Fact) -> bool:
    """Whether it tells what happened, which stays true for ever, and speaks of no state."""
    told = read(fact.relation_given)
    return told.tense == "past" and not told.denied and not _NOW.search(fact.text)


def is_dated(told: Claim | Fact) -> bool:
    """Whether it tells a time: a state with a time is of that time, one without is a lasting trait."""
    if isinstance(told, Claim):
        text, times = told.triple.text, (told.triple.valid_from, told.triple.valid_to)
    else:
        text, times = told.text, (told.valid_from, told.valid_to)
    return any(times) or _YEAR.search(text) is not None


def tells_an_end(claim: Claim) -> bool:
    """Whether it says that something is over: that may touch more than what it names."""
    verb = read(claim.triple.relation).words[:1]
    return claim.triple.retracts or not _endings().isdisjoint(verb) or _OVER.search(claim.triple.text) is not None


@cache
def _endings() -> frozenset[str]:
    return frozenset(word for verb in _ENDING for word in read(verb).words)
