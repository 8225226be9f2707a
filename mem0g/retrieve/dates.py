"""The dates that a question names, and how well a fact's date matches them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mem0g.text.english import MONTH, month_number
from mem0g.times import Moment

_WRITTEN = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{MONTH})\b\.?"
    r"(?:\s+(?P<late_day>\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?(?:,?\s+(?P<year>(?:19|20)\d{2}))?",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(?P<year>(?:19|20)\d{2})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?\b")
_YEAR = re.compile(
    r"(?<![$€£¥#])(?<![$€£¥#] )(?<!\b(?:room|code|flat|line|page|unit) )(?<!\b(?:route|model) )"
    r"(?<!\bnumber )(?<!\bno\. )"
    r"\b(?:19|20)\d{2}\b(?![.,]\d|%| ?(?:[$€£¥]|(?:[km]?m|k?g|[kmg]b|euros?|eur|dollars?|usd|pounds?|people|"
    r"persons|guests|words|characters|steps|calories|k?cal|miles|feet|metres|meters|kilometres|kilometers|hours|minutes|days|years|"
    r"times|copies|pieces|pages|tokens|points|followers|watts|square|mah)\b))",
    re.IGNORECASE,
)
"""Four digits that can be a year: no price, measure, count or number of a room."""
_MODAL_MAY = re.compile(r"\bmay\b|^\W*May(?=\s+(?:I|we|you|he|she|they|it)\b)")
_MONTH_MAY = re.compile(
    r"(?:\d(?:st|nd|rd|th)?|\b(?:of|in|since|until|by|before|after|during|last|next|early|mid|late))[\s-]+may\b"
    r"|\bmay\s+\d"
)
"""The month in small letters, told from the verb by the words beside it."""

SAME_DAY, SAME_MONTH, OTHER_DAY, SAME_YEAR = 1.0, 0.7, 0.4, 0.3
"""Worth of a match; measured on the LOCOMO development conversations by leaving one out."""


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A date as a question names it: any part may be missing."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


def named_dates(question: str) -> tuple[NamedDate, ...]:
    """The dates named in ``question``, in English words or ISO 8601."""
    text = question if _MONTH_MAY.search(question) else _MODAL_MAY.sub(" ", question)
    found: list[NamedDate] = []
    for pattern in (_ISO, _WRITTEN):
        found += [_named(match) for match in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    found += [NamedDate(year=int(match[0])) for match in _YEAR.finditer(text)]
    return tuple(found)


def match(dates: tuple[NamedDate, ...], moment: Moment | None) -> float:
    """How well ``moment`` matches the best of ``dates``: 0 to 1."""
    if moment is None:
        return 0.0
    return max((_worth(date, moment) for date in dates), default=0.0)


def _named(match: re.Match[str]) -> NamedDate:
    parts = match.groupdict()
    month = parts["month"]
    number = int(month) if month.isdigit() else month_number(month)
    day = parts.get("day") or parts.get("late_day")
    return NamedDate(int(parts["year"]) if parts["year"] else None, number, int(day) if day else None)


def _worth(date: NamedDate, moment: Moment) -> float:
    if date.year is not None and date.year != moment.start.year:
        return 0.0
    if date.month is None:
        return SAME_YEAR
    if moment.precision == "year":
        return SAME_YEAR if date.year is not None else 0.0
    if date.month != moment.start.month:
        return 0.0
    if date.day is None or moment.precision == "month":
        return SAME_MONTH
    return SAME_DAY if date.day == moment.start.day else OTHER_DAY
