"""Claims about plans that have another day now or take place no longer: "the meeting was moved to 9 June"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.extract.rules.clause_claims import claim
from mem0g.extract.rules.grammar.date_expressions import OPEN, marks, resolve
from mem0g.extract.rules.grammar.date_meanings import ResolvedDate
from mem0g.extract.rules.grammar.days import WEEKDAY
from mem0g.extract.rules.grammar.people import NAME, Turn, possessive, third_person
from mem0g.extract.rules.occasions import (
    MARK,
    MOVING,
    OF_ONES_OWN,
    OWNED,
    PASSIVE,
    WHAT,
    claim_ahead,
    day_words,
    destination,
    has_day,
    is_occasion,
    is_ones_own,
    may_have_day,
    planned,
    sentence_of,
)
from mem0g.model import Triple
from mem0g.times import Moment

_OTHERS = rf"[Tt]hey|[Hh]e|[Ss]he|(?:[Mm]y|[Oo]ur|[Tt]he) [a-z]+(?: [a-z]+)?|{NAME}"
"""Who moves or cancels something, as alternatives of an expression."""
_TO = rf"(?: off| back| forward| up| out)?(?: again)?(?P<to> (?:to|for|until|till))? (?={MARK})"
_MOVED = (
    re.compile(rf"^{OWNED} {WHAT} (?:{PASSIVE} (?:{MOVING})|(?:has |just )?(?:moved|slipped|changed|shifted)){_TO}"),
    re.compile(rf"^{OWNED} {WHAT} (?:is|are|will be)(?P<to> (?:now )?)(?={MARK} (?:instead|now)\b|(?<=now ){MARK})"),
    re.compile(
        rf"^(?:I|[Ww]e|{_OTHERS})(?: have| has)?"
        rf"(?: just| now| already| had to| will)? (?:{MOVING}|move|push|postpone|reschedule|delay|extend|change)"
        rf"(?: back| forward| up)? {OWNED.replace('[Mm]y|[Oo]ur|[Tt]he', 'my|our|the')} {WHAT}{_TO}"
    ),
)
"""Something has another date now."""
_TAKES_PLACE_LATER = re.compile(r"\b(?:moved|pushed|pulled|postponed|rescheduled|bumped|brought)\b")
"""Verbs of which only an occasion is the object before a date: a price is changed, too."""
_OFF = (
    r"(?:cancelled|canceled|called off|scrapped|dropped)\b|(?:is|are|was|were) off(?: now)?$"
    r"|(?:is|are) not (?:happening|taking place|going ahead)\b|will not (?:happen|take place|go ahead)\b|fell through"
)
_CALLED_OFF = (
    re.compile(rf"^{OWNED} {WHAT} (?:{MARK} )?(?:{PASSIVE} )?(?:{_OFF})"),
    re.compile(
        rf"^(?:{_OTHERS})(?: have| has)?(?: just| had to)?"
        r" (?:cancel(?:led|ed)?|call(?:ed)? off) (?P<owner>my|our|the) "
        rf"{WHAT}(?=$|,| {MARK}| (?:because|as|since|again|at the last minute|today)\b)"
    ),
)
"""Something that was planned does not take place."""
_CANCELLED = re.compile(r"\b(?:cancel(?:led|ed)?|called off)\b")
_OWN_WEDDING = re.compile(rf"(?!They|He|She|My|Our|The){NAME} .* the (?:wedding|engagement)$")
"""Somebody by name and a wedding, which is theirs: "Jo called off the wedding"."""
_POSTPONED = (
    re.compile(
        rf"^{OWNED} {WHAT} {PASSIVE} (?:postponed|delayed|put off|put on hold|pushed back)(?: indefinitely)?(?=$|,)"
    ),
    re.compile(
        rf"^(?:I|[Ww]e|{_OTHERS})(?: have| has)?"
        rf"(?: just| had to)? (?:postponed?|delay(?:ed)?) (?P<owner>my|our|the) {WHAT}(?=$|,| indefinitely\b)"
    ),
)
"""Something does not take place when it was planned, and no other date is told."""
_NO_ARTICLE = re.compile(
    r"(?!the |my |our |an? |his |her |their |your |no |this |that )"
    rf"(?:(?:[a-z]+ )?(?:{'|'.join(sorted(OF_ONES_OWN))})"
    rf" (?:{PASSIVE} )?(?:{MOVING}|cancelled|called off)\b"
    rf"|(?:(?-i:[A-Z])\w+ (?:trip|flight|holiday)|(?:trip|flight|holiday) to [A-Za-z' ]{{3,30}}?)"
    rf" (?:(?:{PASSIVE} )?(?:cancelled|called off)|is off)\b)",
    re.IGNORECASE,
)
"""What is the speaker's own, without an article: "interview got moved to Friday"."""
_TELEGRAPHIC = re.compile(rf"\b({'|'.join(sorted(OF_ONES_OWN))}|trip|flight|holiday)(?= (?:cancelled|called off)\b)")


def with_article(clause: str) -> str:
    """Return the clause with "the" before what is the speaker's own and has no article: "interview got moved"."""
    return _TELEGRAPHIC.sub(r"\1 was", f"the {clause}") if _NO_ARTICLE.match(clause) else clause


def moved_claims(
    clause: str, dates: Mapping[int, ResolvedDate], at: datetime | None, turn: Turn, evidence: str
) -> Iterator[Triple]:
    """Yield what ``clause``, which has marks for ``dates``, says has another day, or is planned no longer."""
    if moved := _first(_MOVED, clause) if dates else None:
        number = marks(clause[moved.end() :])[0]
        if when := new_date(moved, dates[number], at):
            yield from _moved(moved, when, sentence_of(clause, dates, turn), turn, evidence)
    elif match := _first(_CALLED_OFF, clause):
        past = (date.moment for date in dates.values() if date.moment and at and date.moment.start <= at)
        yield from _called_off(match, next(past, None), sentence_of(clause, dates, turn), turn, evidence)
    elif match := _first(_POSTPONED, clause):
        off = _called_off(match, None, sentence_of(clause, dates, turn), turn, evidence)
        yield from (each for each in off if each.retracts)


def _first(forms: Sequence[re.Pattern[str]], clause: str) -> re.Match[str] | None:
    return next(filter(None, (form.match(clause) for form in forms)), None)


def new_date(match: re.Match[str], when: ResolvedDate, at: datetime | None) -> ResolvedDate | None:
    """Return the date that something is moved to, if it lies ahead; of "from 5 to 9 June" it is the second day.

    "Moved on Monday" says when it was moved.
    """
    if when.until and not match["to"]:
        when = replace(when, moment=when.until, until=None, words=when.words.partition(" to ")[2])
    elif not match["to"] and when.sense != "until":
        return None
    future = when.future or (when.moment is not None and at is not None and when.moment.start > at)
    return when if when.moment and future else None


_WEEKDAYS = re.compile(rf"from (?P<old>{WEEKDAY}) to (?P<new>{WEEKDAY})", re.IGNORECASE)
_IS_MOVED = re.compile(rf"\b(?:{MOVING}|moves)(?: back| forward)? {OPEN}")


def between_weekdays(clause: str, expression: str, when: ResolvedDate, at: datetime | None) -> ResolvedDate:
    """Return the two days of "moved from Thursday to Wednesday", each the next of its name; else the date as it is.

    Without a verb of moving, they are the ends of a time, one after the other.
    """
    match = _WEEKDAYS.fullmatch(expression)
    if match is None or not _IS_MOVED.search(clause):
        return when
    old, new = (resolve(match[each], at, future=True) for each in ("old", "new"))
    return replace(when, moment=old.moment, until=new.moment, words=f"from {day_words(old)} to {day_words(new)}")


def _moved(match: re.Match[str], when: ResolvedDate, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield what has another date as a plan for it."""
    what = third_person(match["what"], turn.speaker, turn.addressee)
    owner = "our" if match[0].lower().startswith(("i ", "we ")) else match["owner"].lower()
    if match.re is _MOVED[-1]:
        whose = "The" if owner == "the" else possessive(turn.speaker)
        sentence = f"{whose} {what} was moved to {day_words(when)}."
    if trip := destination(what, turn):
        yield planned(claim(turn, "plans_to_visit", trip[1], "place", sentence, evidence), when)
    elif is_occasion(what) or (
        _TAKES_PLACE_LATER.search(match[0]) and has_day(what, when, match.string[match.end() :])
    ):
        yield planned(claim_ahead(what, owner, turn, sentence, evidence), when)


def _called_off(match: re.Match[str], on: Moment | None, sentence: str, turn: Turn, evidence: str) -> Iterator[Triple]:
    """Yield that something is planned no longer, and of the speaker's own that they faced its cancellation.

    The plan may be told later.
    """
    what = third_person(match["what"], turn.speaker, turn.addressee)
    if _OWN_WEDDING.match(match[0]):
        return
    plan = claim_ahead(what, match["owner"], turn, sentence, evidence)
    if match.re not in (_CALLED_OFF[0], _POSTPONED[0]):
        done = "postponed" if match.re in _POSTPONED else "cancelled"
        sentence = f"{plan.object if plan.object.startswith(possessive(turn.speaker)) else f'The {what}'} was {done}."
        plan = replace(plan, text=sentence)
    if trip := destination(what, turn):
        kind, name = trip
        plan = claim(turn, "plans_to_visit", name, "place", sentence, evidence)
        yield replace(plan, retracts=True, valid_to=on)
        yield replace(plan, relation=f"cancelled_{kind}_to", valid_from=on, valid_to=on)
    elif is_occasion(what):
        yield replace(plan, retracts=True, valid_to=on)
        if "'s " not in what and (match["owner"].lower() != "the" or is_ones_own(what)):
            yield replace(plan, relation="faced_cancellation_of", valid_from=on, valid_to=on)
    elif may_have_day(what) and _CANCELLED.search(match[0]):
        yield replace(plan, retracts=True, valid_to=on)
