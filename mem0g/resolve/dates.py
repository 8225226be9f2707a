"""Names that are dates: 5 May 1990, May 5th, 1990 and 1990-05-05 are one, May 1990 is another."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mem0g.resolve.names import Name
from mem0g.text.english import MONTH, month_number

_MONTH: Final = rf"(?P<month>{MONTH})\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>\d{4})"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?: ?,? {_YEAR})?",
        rf"{_MONTH} (?:the )?{_DAY}(?: ?,? {_YEAR})?",
        rf"{_MONTH} ?,? ?(?:of )?{_YEAR}",
        rf"{_YEAR}-(?P<month>\d\d)(?:-(?P<day>\d\d))?",
        _YEAR,
    )
)


def is_same_date(one: Name, two: Name) -> bool:
    """Whether both are dates, and the same year, month and day as far as each says."""
    first = _date(one.text)
    return first is not None and first == _date(two.text)


@lru_cache(maxsize=8192)
def _date(text: str) -> tuple[int, int, int] | None:
    """Year, month and day of a date, 0 for what it does not say; None of what is no date."""
    for form in _FORMS:
        if found := form.fullmatch(text.casefold()):
            parts = found.groupdict()
            return int(parts.get("year") or 0), _month(parts.get("month") or "0"), int(parts.get("day") or 0)
    return None


def _month(name: str) -> int:
    if name.isdigit():
        return int(name)
    return month_number(name)
