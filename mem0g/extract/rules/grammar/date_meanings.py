"""The meaning of each form of date expression, relative to the day of the message."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal

from mem0g.extract.rules.grammar.calendar_days import (
    covering,
    day_words,
    first_of,
    first_of_month,
    moment_of,
    nearest_day,
    weekday_number,
)
from mem0g.extract.rules.grammar.days import DAY_NAME, WEEKDAY, in_figures
from mem0g.text.english import MONTH, NUMBERS, WEEKDAYS, month_number
from mem0g.times import Moment, Precision

JUST_OVER = timedelta(days=4)
"""How long ago the day of a plan may be and still be meant, not that of the next year: on 8 April, people speak of a
plan for the 6th, too."""

_BACK = frozenset({"last", "this past", "back in"})
"""What marks a date as past, also in statements about plans."""

Sense = Literal["at", "since", "until", "for", "vague"]


@dataclass(frozen=True, slots=True)
class ResolvedDate:
    """A resolved date expression: its moment, None if unknown, and its absolute wording ("on 7 May 2023").

    ``sense`` is "at" for a point in time, "since" or "until" for an end of a span, "for" for a duration. ``until`` is
    the last day, month or year of a range ("8 to 18 May"), whose first is ``moment``.
    """

    moment: Moment | None
    words: str
    sense: Sense = "at"
    future: bool = False
    until: Moment | None = None


COUNTS = {word: number for number, word in enumerate(NUMBERS)} | {
    "a": 1,
    "an": 1,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}


def _iso(match: re.Match[str], _base: date, _future: bool) -> ResolvedDate:
    day = date.fromisoformat(match["iso"].split()[-1])
    return ResolvedDate(moment_of(day, "day"), f"on {day_words(day)}")


def _numeric(match: re.Match[str], base: date, _future: bool) -> ResolvedDate:
    """Resolve 5/6/2024: the day comes first, unless that is no date."""
    first, second, year = (int(number) for number in re.findall(r"\d+", match["numeric"]))
    day, month = (first, second) if second <= 12 else (second, first)
    when = date(year + 2000 if year < 100 else year, month, day)
    return ResolvedDate(moment_of(when, "day"), f"on {day_words(when)}", future=when > base)


def _day_of_month(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    """Resolve "on the 22nd": the nearest one ahead or back."""
    number = int(match["monthday"])
    day = _on_weekday(match[0], nearest_day(number, base, future), nearest_day(number, base, not future))
    future = day > base if day != base else future
    sense = _sense(match["monthdaysense"])
    return ResolvedDate(moment_of(day, "day"), f"{_preposition(sense, 'on')} {day_words(day)}", sense, future)


_HOLIDAYS = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "boxing day": (12, 26),
    "new year's eve": (12, 31), "new year's day": (1, 1), "halloween": (10, 31), "valentine's day": (2, 14),
}  # fmt: skip
HOLIDAY = "|".join(_HOLIDAYS)


def _holiday(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    month, number = _HOLIDAYS[match["holidayname"].lower()]
    day = date(base.year, month, number)
    if which := match["holidaywhich"]:
        future = which.lower() != "last"
    if future and day < base:
        day = day.replace(year=base.year + 1)
    if not future and day >= base:
        day = day.replace(year=base.year - 1)
    words = f"{match['holidayat'].lower()} {match['holidayname']} {day.year}"
    return ResolvedDate(moment_of(day, "day"), words, future=day > base)


def _absolute_day(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    words = re.sub(
        rf"^(?:since|until|till|by|from|on)\s|^the\s|\b{DAY_NAME},?\s", "", match["day"], flags=re.IGNORECASE
    )
    words = in_figures(words)
    day = _parse(re.sub(r"\bthe\b|\bof\b", " ", words).strip(), base, future)
    if future and not re.search(r"\d{4}", words):
        recent = (base - timedelta(days=ago) for ago in range(JUST_OVER.days + 1))
        day = next((each for each in recent if (each.month, each.day) == (day.month, day.day)), day)
    if not re.search(r"\d{4}", words) and (day.month, day.day) != (2, 29):
        day = _on_weekday(match[0], day, day.replace(year=day.year + (-1 if day > base else 1)))
    sense = _sense(match["daysense"])
    return ResolvedDate(moment_of(day, "day"), f"{_preposition(sense, 'on')} {day_words(day)}", sense, day > base)


def _on_weekday(words: str, day: date, other: date) -> date:
    """Return the other day if that is on the weekday that ``words`` name, and ``day`` is not: "Friday 23rd"."""
    named = _DAY_NAME.search(words)
    if named is None or day.weekday() == weekday_number(named[0].lower()):
        return day
    return other if other.weekday() == weekday_number(named[0].lower()) else day


_DAY_NAME = re.compile(rf"\b{DAY_NAME}", re.IGNORECASE)


def _absolute_month(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    which = (match["monthsense"] or "").lower()
    first = _named_month(match["month"], base, future, which)
    sense = _sense(which.partition(" ")[0])
    if part := _PART_OF_MONTH.search(which):
        words = f"{'by' if which.startswith('by') else _preposition(sense, 'at')} the {part[1]} of {first:%B %Y}"
        return ResolvedDate(moment_of(first, "month"), words, sense, first > base)
    return ResolvedDate(moment_of(first, "month"), f"{_preposition(sense, 'in')} {first:%B %Y}", sense, first > base)


_PART_OF_MONTH = re.compile(r"(end|beginning|start|middle) of$")


def _in_year(match: re.Match[str], base: date, _future: bool) -> ResolvedDate:
    """Resolve "in June next year", "on 3 May this year"."""
    name = re.search(MONTH, match["inyear"], re.IGNORECASE)
    year = base.year + {"next": 1, "this": 0, "last": -1}[match["inyearwhich"].lower()]
    first = date(year, month_number(name[0]) if name else 1, int(match["inday"] or 1))
    if match["inday"]:
        return ResolvedDate(moment_of(first, "day"), f"on {day_words(first)}", future=first > base)
    return ResolvedDate(moment_of(first, "month"), f"in {first:%B %Y}", future=first > base)


def _part_of_month(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    """Resolve "the last week of February" to the month, in these words."""
    which, unit = match["partwhich"].lower(), match["partunit"].lower()
    first = _named_month(match["partofmonth"], base, future)
    words = f"{'on' if unit == 'weekend' else 'in'} the {which} {unit} of {first:%B %Y}"
    return ResolvedDate(moment_of(first, "month"), words, future=first > base)


def _named_month(words: str, base: date, future: bool, which: str = "") -> date:
    """Return the first day of the month in ``words``: of the year that they name, else of the nearest one."""
    name, year = (re.search(each, words, re.IGNORECASE) for each in (MONTH, r"(?:19|20)\d\d"))
    number = month_number(name[0]) if name else 0
    return date(int(year[0]), number, 1) if year else _nearest_month(number, base, future, which)


def _nearest_month(number: int, base: date, future: bool, which: str) -> date:
    ahead = (future and which not in _BACK) or which in {"next", "this coming"}
    year = base.year
    if ahead and (number < base.month or (which == "next" and number == base.month)):
        year += 1
    if not ahead and (number > base.month or (which == "last" and number == base.month)):
        year -= which != "this"
    return date(year, number, 1)


def _absolute_year(match: re.Match[str], base: date, _future: bool) -> ResolvedDate:
    year = int(match["year"][-4:])
    sense = _sense(match["yearsense"])
    return ResolvedDate(
        moment_of(date(year, 1, 1), "year"), f"{_preposition(sense, 'in')} {year}", sense, year > base.year
    )


def _ago(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    count, unit = COUNTS.get(match["agocount"].lower()), match["agounit"].lower()
    if match["agocount"].isdigit():
        count = int(match["agocount"])
    if count is None or unit == "weekend":
        return ResolvedDate(None, f"{match['agocount']} {unit}s before {day_words(base)}", "vague")
    day = _parse(f"{count} {unit}s ago", base, future)
    if (unit == "day" and not match["about"]) or match["agotoday"]:
        return ResolvedDate(moment_of(day, "day"), f"on {day_words(day)}")
    if unit in {"day", "week"}:
        slack = timedelta(days=3)
        return ResolvedDate(covering(day - slack, day + slack, day), f"around {day_words(day)}")
    if unit == "month":
        return ResolvedDate(moment_of(day.replace(day=1), "month"), f"around {day:%B %Y}")
    return ResolvedDate(
        moment_of(date(day.year, 1, 1), "year"), f"around {day.year}" if count > 1 else f"around {day:%B %Y}"
    )


def _span(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    count, unit = COUNTS.get(match["spancount"].lower()), match["spanunit"].lower()
    if match["spancount"].isdigit():
        count = int(match["spancount"])
    words = re.sub(r" (?:now|already)$", "", match["span"].lower())
    if count is None or unit in {"day", "week"}:
        return ResolvedDate(None, words, "for")
    day = _parse(f"{count} {unit}s ago", base, future)
    precision: Precision = "year" if unit == "year" else "month"
    return ResolvedDate(moment_of(first_of(day, precision), precision), words, "for")


def _ahead(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    count, unit = COUNTS.get(match["aheadcount"].lower()), match["aheadunit"].lower()
    if match["aheadcount"].isdigit():
        count = int(match["aheadcount"])
    if not future:
        return ResolvedDate(None, "", "vague")
    if count is None:
        return ResolvedDate(None, f"{match['aheadcount']} {unit}s after {day_words(base)}", "vague", True)
    day = _parse(f"in {count} {unit}s", base, True)
    slack = timedelta(days={"day": 0, "week": 3}.get(unit, 0))
    if unit in {"day", "week"}:
        words = f"on {day_words(day)}" if unit == "day" else f"around {day_words(day)}"
        return ResolvedDate(covering(day - slack, day + slack, day + slack), words, future=True)
    precision: Precision = "year" if unit == "year" else "month"
    return ResolvedDate(
        moment_of(first_of(day, precision), precision),
        f"in {day:%B %Y}" if unit == "month" else f"in {day.year}",
        future=True,
    )


def _weekday(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    which = (match["daywhich"] or "").lower()
    name = re.search(WEEKDAY, match["weekday"].lower())
    ahead = (weekday_number(name[0]) - base.weekday()) % 7 if name else 0
    if match["weekbefore"] or match["weekafter"]:
        day = base + timedelta(days=(ahead or 7) + 7)
        return ResolvedDate(moment_of(day, "day"), f"on {day_words(day)}", future=True)
    if which == "next":
        coming = base + timedelta(days=ahead or 7)
        if ahead and coming.isocalendar().week != base.isocalendar().week:  # in the next week: the only one meant
            return ResolvedDate(moment_of(coming, "day"), f"on {day_words(coming)}", future=True)
        last = coming + timedelta(days=7 if ahead else 0)
        return ResolvedDate(
            covering(coming, last, last),
            f"on the {_capital(name)} after {day_words(base)}",
            future=True,
        )
    forward = (future and which not in _BACK) or which == "this coming"
    day = (
        base + timedelta(days=ahead or 7)
        if forward
        else base - timedelta(days=(7 - ahead) % 7 or (7 if which in {"on", "last", "this past"} else 0))
    )
    sense = _sense(which)
    return ResolvedDate(moment_of(day, "day"), f"{_preposition(sense, 'on')} {day_words(day)}", sense, day > base)


def _capital(match: re.Match[str] | None) -> str:
    return WEEKDAYS[weekday_number(match[0])].capitalize() if match else ""


def _word(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    words = match["word"].lower()
    if words == "last night":
        words = "yesterday"
    named = re.search(r"the day before yesterday|the day after tomorrow|yesterday|tomorrow", words)
    day = _parse(named[0], base, future) if named else base
    sense = _sense(words.split()[0])
    return ResolvedDate(
        moment_of(day, "day"),
        f"{_preposition(sense, 'on')} {day_words(day)}",
        sense,
        day > base or (future and day == base and sense != "since"),
    )


def _unit(match: re.Match[str], base: date, future: bool) -> ResolvedDate:
    which, unit = match["calwhich"].lower(), match["calunit"].lower()
    step = {"last": -1, "this past": -1, "past": -1, "next": 1, "this coming": 1, "coming": 1}.get(which, 0)
    sense = _sense(match["unit"].split()[0].lower())
    ahead = step > 0 or (step == 0 and future)
    if unit in {"week", "weekend"}:
        return _week(base, step, unit, sense, ahead)
    if unit == "month":
        first = first_of_month(base, step)
        return ResolvedDate(moment_of(first, "month"), f"{_preposition(sense, 'in')} {first:%B %Y}", sense, ahead)
    if unit == "year":
        year = base.year + step
        return ResolvedDate(moment_of(date(year, 1, 1), "year"), f"{_preposition(sense, 'in')} {year}", sense, ahead)
    return _season(base, step, unit, sense, future)


def _week(base: date, step: int, unit: str, sense: Sense, ahead: bool) -> ResolvedDate:
    monday = base - timedelta(days=base.weekday()) + timedelta(weeks=step)
    if unit == "week":
        words = f"{_preposition(sense, 'in')} the week of {day_words(monday)}"
        sunday = monday + timedelta(days=6)
        return ResolvedDate(covering(monday, sunday, sunday if ahead else monday), words, sense, ahead)
    saturday = monday + timedelta(days=5)
    words = f"{_preposition(sense, 'on')} the weekend of {day_words(saturday)}"
    sunday = saturday + timedelta(days=1)
    return ResolvedDate(covering(saturday, sunday, sunday if ahead else saturday), words, sense, ahead)


_SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11)}
"""First and last month, on the northern hemisphere."""


def _season(base: date, step: int, unit: str, sense: Sense, future: bool) -> ResolvedDate:
    if unit not in _SEASONS:
        return ResolvedDate(None, "", "vague")
    first, last = _SEASONS[unit]
    year = base.year
    if step < 0 and base.month <= last:
        year -= 1
    if step > 0 and base.month >= first:
        year += 1
    ahead = step > 0 or (future and base.month < first)
    return ResolvedDate(
        moment_of(date(year, 1, 1), "year"), f"{_preposition(sense, 'in')} the {unit} of {year}", sense, ahead
    )


def _vague(match: re.Match[str], _base: date, _future: bool) -> ResolvedDate:
    """Resolve to no moment; how often and how long something goes on stays in words, what is near to now does not."""
    words = match["vague"]
    kept = re.match(r"every|all the|for|once|twice|\w+ times", words, re.IGNORECASE)
    return ResolvedDate(None, words if kept else "", "vague")


RESOLVERS: dict[str, Callable[[re.Match[str], date, bool], ResolvedDate]] = {
    "iso": _iso,
    "numeric": _numeric,
    "holiday": _holiday,
    "inyear": _in_year,
    "partofmonth": _part_of_month,
    "dayofmonth": _day_of_month,
    "day": _absolute_day,
    "month": _absolute_month,
    "year": _absolute_year,
    "ago": _ago,
    "span": _span,
    "ahead": _ahead,
    "weekday": _weekday,
    "word": _word,
    "unit": _unit,
    "vague": _vague,
}


@lru_cache(maxsize=4096)
def _parse(words: str, base: date, future: bool) -> date:
    """Return the day that dateparser reads in ``words``. Raise ValueError if it reads none ("31 June")."""
    import dateparser

    found = dateparser.parse(
        words,
        languages=["en"],
        settings={
            "RELATIVE_BASE": datetime(base.year, base.month, base.day),
            "PREFER_DATES_FROM": "future" if future else "past",
            "RETURN_AS_TIMEZONE_AWARE": False,
        },
    )
    if found is None:
        raise ValueError(words)
    return date(found.year, found.month, found.day)


def _sense(word: str | None) -> Sense:
    word = (word or "").lower().strip()
    return "since" if word in {"since", "from"} else "until" if word in {"until", "till"} else "at"


def _preposition(sense: Sense, usual: str) -> str:
    return usual if sense == "at" else sense
