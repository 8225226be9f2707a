"""Points of facts for the time that a question asks about: a date that it names, what was before, or the present."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.question.kinds import asks_for_a_time
from mem0g.retrieve.question.present import may_have_changed
from mem0g.retrieve.question.temporal_intent import NamedDate, asks_for_former, date_match
from mem0g.store.candidates import several
from mem0g.times import Moment, now

if TYPE_CHECKING:
    from datetime import datetime

    from mem0g.model import Fact
    from mem0g.retrieve.question.query import Question
    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.proximity import Scores

NAMED_DATE = 1.5
"""Points of a fact for a date that the question names."""

SAID_THEN = 1.1
"""Points of a fact without a date that was said on a day that the question names: "What did Ann show on 3 October?"."""

HELD_THEN = 1.1
"""Points of a fact that began before a date that the question names and has ended after it: "Where did Ann live in
2021?" of one who moved in 2020 and in 2023."""

FORMER = 1.1
"""Points of a fact that is no longer true, where the question asks for what was before."""

BEST, CLOSE, ABOVE = 20, 3.0, 0.01
"""Of how many of the best facts one may be raised, by how much it may fit less, and its advantage then."""


def asks_for_time(question: Question) -> bool:
    """Whether a question names a date, or asks for what was before."""
    return bool(question.dates) or asks_for_former(question.text)


def points_for_times(candidates: CandidateSet) -> Scores | float:
    """Return the points of each fact for the time that the question asks about, 0 if it asks about none."""
    question = candidates.question
    if not asks_for_time(question):
        return 0.0
    former = FORMER if asks_for_former(question.text) else 0.0
    return np.array([points_of_date(question.dates, fact) + former * (not fact.current) for fact in candidates.facts])


def raise_what_held(candidates: CandidateSet, total: Scores) -> None:
    """Raise in ``total`` what was true then right above what replaced it: a fact of the same subject and relation.

    Only where a question asks for what was before, or names a date, and both fit nearly as well. The sentence of the
    later one is often more like the question: "Ann's manager is Eva now" than "Tom is Ann's manager".
    """
    question = candidates.question
    if asks_for_time(question):
        former = asks_for_former(question.text)
        _raise(candidates, total, lambda fact: _is_asked(fact, question.dates, former), lambda _: True)


def raise_what_holds(candidates: CandidateSet, total: Scores) -> None:
    """Raise in ``total`` what holds right above what is planned for a later day, of the same subject and relation.

    Or the other way round where a question asks for what lies ahead: "Where will Ann live?"; neither for "When does Ann
    move?".
    """
    question = candidates.question
    if asks_for_time(question) or not may_have_changed(question.text) or asks_for_a_time(question.text):
        return
    at = question.as_of or now()

    def is_planned(fact: Fact) -> bool:
        return fact.planned_for is not None and fact.planned_for.begins_after(at)

    def holds(fact: Fact) -> bool:
        return fact.current and not is_planned(fact)

    ahead = _AHEAD.search(question.text) is not None
    _raise(candidates, total, is_planned if ahead else holds, holds if ahead else is_planned)


_AHEAD = re.compile(
    r"\b(?:will|going to|plan(?:s|ned|ning)?|next|soon|future|upcoming|tomorrow|later|werde|wirst|wird|werden|bald"
    r"|voy a|va a|van a|vas|zal|zullen|gaat)\b",
    re.IGNORECASE,
)
"""What asks for what lies ahead."""


def _raise(
    candidates: CandidateSet, total: Scores, wanted: Callable[[Fact], bool], over: Callable[[Fact], bool]
) -> None:
    """Raise those of the best facts that are ``wanted`` right above those that are ``over``, if nearly as good.

    They are compared with facts of the same subject and relation.
    """
    best = np.argsort(-total[: candidates.first], kind="stable")[:BEST].tolist()
    facts = {place: each.fact for place, each in zip(best, several(candidates.found.facts, best), strict=True)}
    groups: dict[tuple[str, str], list[int]] = {}
    for place, fact in facts.items():
        groups.setdefault((fact.subject_id, fact.relation), []).append(place)
    for places in groups.values():
        chosen = [place for place in places if wanted(facts[place])]
        above = max((total[place] for place in places if place not in chosen and over(facts[place])), default=-np.inf)
        for place in reversed(chosen):
            if total[place] <= above <= total[place] + CLOSE:
                above = total[place] = above + ABOVE


def _is_asked(fact: Fact, dates: tuple[NamedDate, ...], former: bool) -> bool:
    return (former and not fact.current) or any(_held(fact, date) for date in dates)


def points_of_date(dates: tuple[NamedDate, ...], fact: Fact) -> float:
    """Return the points of a fact for its dates, or without one for the day on which it was said."""
    held = HELD_THEN if any(_held(fact, date) for date in dates) else 0.0
    if fact.date or not fact.said_at:
        return max(held, NAMED_DATE * date_match(dates, fact.date))
    return max(held, SAID_THEN * date_match(dates, Moment.parse(fact.said_at.date().isoformat())))


def _held(fact: Fact, date: NamedDate) -> bool:
    """Whether a fact began, or was said, before a date of a known year is over, and ended after that date has begun."""
    began = fact.valid_from.start if fact.valid_from else fact.said_at
    if date.year is None or not began or not fact.valid_to or fact.valid_from == fact.valid_to:
        return False
    begin, end = _day(began), _day(fact.valid_to.end)
    return begin <= (date.year, date.month or 12, date.day or 31) and end > (date.year, date.month or 1, date.day or 1)


def _day(time: datetime) -> tuple[int, int, int]:
    return time.year, time.month, time.day
