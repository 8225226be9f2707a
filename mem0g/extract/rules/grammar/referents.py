"""What the words after a verb name, and the form of the readers that find it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from mem0g.extract.rules.grammar.noun_phrases import NounPhrase
from mem0g.extract.rules.grammar.nouns import animal, kind_of
from mem0g.extract.rules.grammar.people import Turn
from mem0g.text.english import MONTH, NUMBERS, WEEKDAY_ABBREVIATIONS, WEEKDAYS


@dataclass(frozen=True, slots=True)
class Referent:
    """What a noun phrase names: object and object type of a triple, its words in the message, and how many they are."""

    name: str
    type: str
    words: str
    length: int


Reader = Callable[[str, Turn], tuple[Referent, ...]]


def referents_of(phrases: tuple[NounPhrase, ...], kind: str = "") -> tuple[Referent, ...]:
    """Return what noun phrases name, of the type ``kind`` if it is given."""
    return tuple(Referent(p.name, kind or animal(p.name) or kind_of(p.name), p.words, p.length) for p in phrases)


_TIME = re.compile(rf"(?:{'|'.join(WEEKDAYS)})s?\b.*|{MONTH}", re.IGNORECASE | re.DOTALL)
_DAYS_AFTER = re.compile(rf"(?: (?:{'|'.join(WEEKDAY_ABBREVIATIONS)}))+$")
_COUNTS = frozenset((*NUMBERS, "hundred", "thousand", "million", "dozen"))


def without_days(referent: Referent) -> Referent:
    """Return a name without the days after it: "the hospital tue and wed"."""
    return replace(referent, name=_DAYS_AFTER.sub("", referent.name))


def is_count(name: str) -> bool:
    """Whether a name is but a number in words."""
    return name.lower() in _COUNTS


def is_time(name: str) -> bool:
    """Whether a name begins with a weekday or is that of a month: "mondays and thursdays"."""
    return _TIME.fullmatch(name) is not None
