"""Dates of facts within a line and behind it: "moved there 2023-05-07", "lived in Ghent (2020 to 2024-05)"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.text.english import MONTHS, month_number
from mem0g.text.verbs import IRREGULAR, IRREGULAR_THIRD, past, third
from mem0g.times import Moment

_LASTING = re.compile(r"(?:has|have) been\b(?! to\b)")
"""The beginning of what still lasts, whose date is a beginning: "has been married for 5 years (since 2018)"."""

_MONTH = rf"(?P<month>{'|'.join(month.capitalize() for month in MONTHS)})"
_APART = r"(?<![\d–-])" + "".join(
    rf"(?<!\b{digits} {word} )" for digits in (r"\d", r"\d\d") for word in ("and", "or", "to", "–", "-")
)
"""Before the last day of "9–10 May 2023" or "8 to 18 March 2024", which stays as it is."""
_DAY = re.compile(
    rf"(?:\b[Oo]n )?{_APART}\b(?:(?P<day>\d{{1,2}}) {_MONTH}|{_MONTH.replace('month', 'month_first')}"
    r" (?P<day_last>\d{1,2})),? (?P<year>\d{4})\b"
)
_ONE_MONTH = re.compile(
    rf"(?<!\d )(?<!\d\w\w )(?<!\d\w\w of )(?<!and )(?<!or )(?<!to )(?<!–)\b{_MONTH},? (?P<year>\d{{4}})\b"
)
ISO = r"\d{4}(?:-\d\d){0,2}"
_FULL_DATE = re.compile(r"\b(?:19|20)\d\d-\d\d\b")
_NO_VERBS = frozenset("always sometimes perhaps besides as was its this thus".split())
"""Words that end as verbs do after he or she, and are none, or are in the past."""


class Dated(NamedTuple):
    """The words of a line and its mark: what stands in brackets after them, dates that they lack."""

    words: str
    mark: str

    def __str__(self) -> str:
        return f"{self.words} ({self.mark})" if self.mark else self.words


def iso(text: str) -> str:
    """Return ``text`` with "7 May 2023", "May 7, 2023" and "May 2023" as 2023-05-07 and 2023-05."""
    text = _DAY.sub(
        lambda found: (
            f"{found['year']}-{month_number(found['month'] or found['month_first']):02}"
            f"-{int(found['day'] or found['day_last']):02}"
        ),
        text,
    )
    return _ONE_MONTH.sub(lambda found: f"{found['year']}-{month_number(found['month']):02}", text)


def dated(fact: Fact, words: str, *, when: bool, now: datetime | None, observed: bool = False) -> Dated:
    """Return the words with the dates that they lack; those of what has ended in the past, or with "no longer"."""
    if fact.current:
        verb, _, rest = words.partition(" ")
        if rest and _has_ended(fact, now) and (before := _past(verb)):
            words = f"{before} {rest}"
        return Dated(words, marks(fact, words, when=when, now=now, observed=observed))
    verb, _, rest = words.partition(" ")
    if not rest or not (before := _past(verb)):
        mark = marks(fact, words, when=when, now=now)
        return Dated(words, mark if fact.valid_to else f"{mark}, no longer".removeprefix(", "))
    if not fact.valid_to:
        words = f"{verb} no longer {rest}" if verb in ("is", "are") else f"no longer {words}"
    else:
        words = f"{before} {rest}"
    return Dated(words, marks(fact, words, when=when, now=now))


def _has_ended(fact: Fact, now: datetime | None) -> bool:
    """Whether a current fact that is no plan has an end that has passed."""
    end = None if fact.planned_for else fact.valid_to
    return end is not None and now is not None and end.is_over(now)


@lru_cache(maxsize=1024)
def _past(verb: str) -> str:
    """Return the past of a verb in the present: "lives", "lived"; "" for another word."""
    if verb in ("is", "are"):
        return "was" if verb == "is" else "were"
    bases = [base for base, form in IRREGULAR_THIRD.items() if form == verb]
    if not bases and verb.isalpha() and verb.islower() and verb.endswith("s") and verb not in _NO_VERBS:
        bases = [verb[:-1], verb[:-2], f"{verb[:-3]}y"]
        bases = [base for base in bases if len(base) > 1 and third(base) == verb]
    bases.sort(key=lambda base: base not in IRREGULAR)
    return past(bases[0]) if bases else ""


def marks(fact: Fact, words: str, *, when: bool, now: datetime | None, observed: bool = False) -> str:
    """Return the dates that ``words`` lack: of the event or the state, of the plan, else of what was said.

    The day on which a lasting state was observed, if no more is known of it, is given with ``when`` or ``observed``;
    that of a plan or a wish always: it may have come true since.
    """
    found = [*_period(fact, words)]
    over = now is not None and fact.is_past_plan(now)
    plan = fact.planned_for if fact.planned_for and not _has_date(words, fact.planned_for) else None
    days = _days(plan, fact.valid_to) if plan else ""
    if over:
        found.append(f"past plan for {days}, unanswered" if plan else "past plan, unanswered")
    elif plan:
        found.append(f"planned for {days}")
    if fact.current and not found and not fact.valid_from:
        seen = fact.observed if when or observed or parse_relation(fact.relation).ahead else None
        if seen and _day(seen) not in words:
            found.append(f"as of {_day(seen)}")
        elif when and fact.said_at and not _FULL_DATE.search(words):
            found.append(f"said {fact.said_at.date().isoformat()}")
    return ", ".join(found)


def _period(fact: Fact, words: str) -> Iterable[str]:
    start, end = fact.valid_from, fact.valid_to
    if not fact.current:
        if end:
            yield f"{_day(start)} to {_day(end)}" if start else f"until {_day(end)}"
        elif start:
            yield f"since {_day(start)}"
    elif start and end and _day(start) != _day(end):
        if not (_has_date(words, start) and _has_date(words, end)):
            yield f"{_day(start)} to {_day(end)}"
    elif start and not _has_date(words, start):
        yield f"since {_day(start)}" if _LASTING.match(words) else _day(start)
    elif end and not (start or fact.planned_for or _has_date(words, end)):
        yield f"until {_day(end)}"


def _days(first: Moment, last: Moment | None) -> str:
    """Return the day or the period of a plan."""
    return f"{_day(first)} to {_day(last)}" if last and _day(last) != _day(first) else _day(first)


def _has_date(words: str, moment: Moment) -> bool:
    """Whether the words name the year, so that they tell the date in their own way ("the week before 2023-06-09")."""
    return str(moment.start.year) in words


def _day(moment: Moment) -> str:
    """Return the moment without its time of day."""
    return str(moment)[:10]
