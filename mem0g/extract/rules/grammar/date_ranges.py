"""The meaning of ranges of dates: "20 to 27 July", "from Friday to Sunday", "2015 to 2019"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from mem0g.extract.rules.grammar.calendar_days import day_words, moment_of, nearest_day, weekday_number
from mem0g.extract.rules.grammar.date_meanings import JUST_OVER, ResolvedDate
from mem0g.extract.rules.grammar.days import WEEKDAY, in_figures
from mem0g.text.english import MONTH, month_number
from mem0g.times import Precision


def _range(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    """Resolve "20 to 27 July": what the first day lacks is that of the last."""
    text = re.sub(r"^(?:from|between|on) |\b(?:the|of) ", "", match["range"].lower())
    one, two = _RANGE_LINK.split(text, maxsplit=1)
    first, last = _range_end(one, two), _range_end(two, one)
    if not (first and last):
        raise ValueError(text)
    end = _dated_end(last, base, future)
    if first[0] and last[0] and first[0] > last[0] and not re.search(MONTH, one):  # "from the 28th to 4 January"
        month = end.replace(day=1) - timedelta(days=1)
        first = (first[0], month.month, first[2] or month.year)
    begin = _dated_end((first[0], first[1], first[2] or end.year), base, future)
    if begin > end:
        begin = begin.replace(year=begin.year - 1) if not (future and not last[2]) else begin
        end = end.replace(year=end.year + 1) if begin > end else end
    if future and not last[2] and end < base - JUST_OVER:
        begin, end = begin.replace(year=begin.year + 1), end.replace(year=end.year + 1)
    return _as_range(begin, end, base, day=last[0] is not None)


_RANGE_LINK = re.compile(r" ?(?:\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b|[-–—]) ?")


def _range_end(text: str, other: str) -> tuple[int | None, int, int | None] | None:
    """Return day, month and year of one end of a range, with the month and the day's absence taken from the other."""
    text = in_figures(text)
    year = re.search(r"(?:19|20)\d\d", text)
    name = re.search(rf"\b(?:{MONTH})", text) or re.search(rf"\b(?:{MONTH})", other)
    number = re.search(r"(?<!\d)\d{1,2}(?!\d)", text)
    if name is None:
        return None
    return (int(number[0]) if number else None, month_number(name[0]), int(year[0]) if year else None)


def _dated_end(given: tuple[int | None, int, int | None], base: date, future: bool) -> date:
    number, month, year = given
    day = date(year or base.year, month, number or 1)
    if year is None and not future and day > base:
        day = day.replace(year=base.year - 1)
    return day


def _as_range(begin: date, end: date, base: date, *, day: bool) -> ResolvedDate:
    precision: Precision = "day" if day else "month"
    start = f"{begin.day} {begin:%B %Y}" if day else f"{begin:%B %Y}"
    if begin.year == end.year:
        start = start.removesuffix(f" {begin.year}")
    if day and (begin.year, begin.month) == (end.year, end.month):
        start = str(begin.day)
    words = f"from {start} to {day_words(end) if day else f'{end:%B %Y}'}"
    return ResolvedDate(moment_of(begin, precision), words, future=begin > base, until=moment_of(end, precision))


def _weekday_range(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    first, last = (weekday_number(name.lower()) for name in re.findall(WEEKDAY, match["weekdays"], re.IGNORECASE))
    if future:
        begin = base + timedelta(days=(first - base.weekday()) % 7)
        return _as_range(begin, begin + timedelta(days=(last - first) % 7), base, day=True)
    end = base - timedelta(days=(base.weekday() - last) % 7)
    return _as_range(end - timedelta(days=(last - first) % 7), end, base, day=True)


def _days_of_month(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    """Resolve "from the 1st to the 5th": the last day is the nearest ahead or back, and the first one before it."""
    end = nearest_day(int(match["lastday"]), base, future)
    return _as_range(nearest_day(int(match["firstday"]), end, future=False), end, base, day=True)


def _years(match: re.Match[str], base: date, _future: bool) -> ResolvedDate:
    first, last = (int(year) for year in re.findall(r"\d{4}", match["years"]))
    begin, end = moment_of(date(first, 1, 1), "year"), moment_of(date(last, 1, 1), "year")
    return ResolvedDate(begin, f"from {first} to {last}", future=first > base.year, until=end)


RANGES: dict[str, Callable[[re.Match[str], date, bool], ResolvedDate]] = {
    "range": _range,
    "weekdays": _weekday_range,
    "years": _years,
    "daysofmonth": _days_of_month,
}
