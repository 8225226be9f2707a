"""Days, months and years as moments, and the calendar of what lies nearest."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime

from mem0g.text.english import WEEKDAYS
from mem0g.times import Moment, Precision


def moment_of(day: date, precision: Precision) -> Moment:
    """Return the day, or the month or the year that begins on it."""
    return Moment(datetime(day.year, day.month, day.day, tzinfo=UTC), precision)


def covering(first: date, last: date, likeliest: date) -> Moment:
    """Return the day or month that covers both days; of two months that of the ``likeliest`` day.

    A year would cover two months, and begins long before both: what was said to be so in between would be later.
    """
    if first == last:
        return moment_of(first, "day")
    return moment_of((first if first.month == last.month else likeliest).replace(day=1), "month")


def first_of(day: date, precision: Precision) -> date:
    """Return the first day of its month, or of its year."""
    return day.replace(day=1) if precision == "month" else date(day.year, 1, 1)


def first_of_month(day: date, months: int) -> date:
    """Return the first day of the month so many ``months`` after that of ``day``, or before it if negative."""
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def day_words(day: date) -> str:
    """Return "7 May 2023"."""
    return f"{day.day} {day:%B %Y}"


def weekday_number(weekday: str) -> int:
    """Return 0 for Monday, whole or abbreviated, in lower case."""
    return next(number for number, day in enumerate(WEEKDAYS) if day.startswith(weekday[:3]))


def nearest_day(number: int, base: date, future: bool) -> date:
    """Return the nearest day of this number in a month, from ``base`` ahead or back. Raises ValueError for none."""
    step = 1 if future else -1
    for months in range(4):
        first = first_of_month(base, step * months)
        if number > monthrange(first.year, first.month)[1]:
            continue
        day = first.replace(day=number)
        if day == base or (day > base) == future:
            return day
    raise ValueError(number)
