"""What somebody says of herself that never changes, so that another value of it excludes the first, in any order.

Birthday, year of birth and blood type have one value; who has no siblings has no sister. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from mem0g.text.english import MONTH, month_number
from mem0g.text.stemming import token_set

MAY_CLAIM = re.compile(r"\b(?:birth\w*|born|blood type|siblings?|only child|sisters?|brothers?)\b", re.IGNORECASE)
"""What is in every text that has such a claim."""

TOPICS: Final = {
    "birth": token_set("birthday birth date born old age"),
    "blood": token_set("blood"),
    "siblings": token_set("sister brother sibling family child"),
}
"""The stems by which a question names each attribute."""

_BORN = re.compile(
    r"\b(?:my (?:birthday|birth ?date|date of birth) (?:is|falls)(?: on)?|I was born (?:on|in))"
    r"\s+(?P<value>[^.?!;]{3,40})",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?![:%,.]\d)")
_YEAR = re.compile(r"\b(?P<year>(?:18|19|20)\d\d)\b")
_IN_MONTH = re.compile(rf"\b(?P<month>{MONTH})\b", re.IGNORECASE)
_BLOOD = re.compile(
    r"\bmy blood type is (?P<group>AB|A|B|O|0)[ -]?(?P<rhesus>\+|-|−|positive|negative)?(?!\w)", re.IGNORECASE
)
_NO_SIBLINGS = re.compile(
    r"\bI(?: have|'ve got|'ve) no (?:siblings|brothers (?:or|and) sisters|sisters (?:or|and) brothers)\b"
    r"|\bI (?:don't|do not) have (?:any )?(?:siblings|brothers or sisters|sisters or brothers)\b"
    r"|\bI(?:'m| am) an only child\b",
    re.IGNORECASE,
)
_SIBLING = re.compile(
    r"(?<!like )\b(?:my|I have (?:an?|two|three|\d)) (?:(?:older|elder|eldest|oldest|younger|youngest|little|big|baby"
    r"|twin|only|half)[ -])*(?:sister|brother|sibling)s?\b"
    r"(?!-| in[ -]law|hood| from another| (?:company|city|school|site|team|band))",
    re.IGNORECASE,
)
_UNREAL = re.compile(r"\b(?:if|wish|imagine|suppose|pretend|as though)\b|\"|“", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LastingClaim:
    """A sentence that gives an ``attribute`` parts of its value, each by name, such as {"month": 5, "day": 3}."""

    sentence: str
    attribute: str
    value: tuple[tuple[str, str], ...]

    def excludes(self, other: LastingClaim) -> bool:
        """Whether both are about the same attribute and differ in a part that both have."""
        mine, theirs = dict(self.value), dict(other.value)
        return self.attribute == other.attribute and any(mine[part] != theirs[part] for part in mine.keys() & theirs)


def lasting_claims(sentences: Iterable[str]) -> tuple[LastingClaim, ...]:
    """Return what the sentences say of their speaker that never changes."""
    return tuple(
        LastingClaim(each, attribute, value)
        for each in sentences
        if MAY_CLAIM.search(each) and not _UNREAL.search(each) and not each.endswith("?")
        for attribute, value in _claimed(each)
        if value
    )


def _claimed(sentence: str) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    for found in _BORN.finditer(sentence):
        yield "birth", _date(found["value"])
    for found in _BLOOD.finditer(sentence):
        sign = {"+": "+", "positive": "+", "-": "-", "−": "-", "negative": "-"}.get((found["rhesus"] or "").lower())
        group = found["group"].upper().replace("0", "O")
        yield "blood", (("group", group), *([("rhesus", sign)] if sign else []))
    if _NO_SIBLINGS.search(sentence):
        yield "siblings", (("any", "no"),)
    elif _SIBLING.search(sentence):
        yield "siblings", (("any", "yes"),)


def _date(text: str) -> tuple[tuple[str, str], ...]:
    """Return month, day and year as far as the text names them; a day only beside its month."""
    month, year = _IN_MONTH.search(text), _YEAR.search(text)
    parts = [("year", year["year"])] if year else []
    if month:
        parts.append(("month", str(month_number(month["month"]))))
        beside = _DAY.search(text[max(month.start() - 8, 0) : month.end() + 6])
        parts += [("day", str(int(beside["day"])))] if beside else []
    return tuple(parts)
