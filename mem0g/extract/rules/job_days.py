"""The days on which jobs start and end, told after them: "I got the job at Ikea! I start on 3 March"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from mem0g.extract.rules.grammar.date_expressions import CLOSE, OPEN, resolve, take_dates
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.spellings import plain
from mem0g.model import Message, Triple

_GOTTEN = re.compile(r"\b(?:got|gotten|landed|found|offered|accepted)\b.*\b(?:job|role|position|offer)\b")
_STARTS = re.compile(
    rf"\bstart(?:s|ing)?(?: (?:there|work|date is|day is))*,? {OPEN}(?P<mark>\d+){CLOSE}", re.IGNORECASE
)


_LAST_DAY = re.compile(
    rf"\blast day(?: (?:there|of work|at work))?(?: is| will be)?,? {OPEN}(?P<mark>\d+){CLOSE}", re.IGNORECASE
)
_JOB = ("works_at", "works_as")


def with_days_of_jobs(claims: Iterable[Triple], message: Message) -> list[Triple]:
    """Return a message's claims, with a job that somebody got as a plan for the day ahead on which it starts.

    The end of a job that somebody quits is on the last day there, if the message tells it.
    """
    found = list(claims)
    if any(map(_is_new, found)) and (start := _day(_STARTS, message)):
        return [_planned(each, start) if _is_new(each) else each for each in found]
    if any(map(_is_over, found)) and (last := _day(_LAST_DAY, message)):
        return [replace(each, valid_to=last.moment) if _is_over(each) else each for each in found]
    return found


def _is_new(claim: Triple) -> bool:
    dated = claim.valid_from or claim.planned_for or claim.retracts
    return claim.relation == "works_at" and not dated and _GOTTEN.search(claim.text) is not None


def _is_over(claim: Triple) -> bool:
    return claim.relation in _JOB and claim.retracts and claim.valid_to is None


def _day(form: re.Pattern[str], message: Message) -> ResolvedDate | None:
    """Return the day ahead that a form finds in the message."""
    dated = take_dates(plain(message.text))
    match = form.search(dated.text)
    if match is None:
        return None
    date = resolve(dated.expressions[int(match["mark"])], message.local_time, future=True)
    return date if date.future and date.moment else None


def _planned(claim: Triple, start: ResolvedDate) -> Triple:
    told = claim.text if start.words in claim.text else f"{claim.text.rstrip('.')}, starting {start.words}."
    return replace(claim, relation="plans_to_work_at", text=told, planned_for=start.moment)
