"""Points of facts for the time that a question asks about: a date that it names, or what was before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.question.temporal_intent import NamedDate, asks_for_former, date_match
from mem0g.times import Moment

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


def points_of_date(dates: tuple[NamedDate, ...], fact: Fact) -> float:
    """Return the points of a fact for its dates, or without one for the day on which it was said."""
    if fact.date or not fact.said_at:
        held = HELD_THEN if any(_held(fact, date) for date in dates) else 0.0
        return max(held, NAMED_DATE * date_match(dates, fact.date))
    return SAID_THEN * date_match(dates, Moment.parse(fact.said_at.date().isoformat()))


def _held(fact: Fact, date: NamedDate) -> bool:
    """Whether a fact began before a date of a known year is over, and ended after that date has begun."""
    if date.year is None or not fact.valid_from or not fact.valid_to or fact.valid_from == fact.valid_to:
        return False
    begin, end = (_day(each) for each in (fact.valid_from.start, fact.valid_to.end))
    return begin <= (date.year, date.month or 12, date.day or 31) and end > (date.year, date.month or 1, date.day or 1)


def _day(time: datetime) -> tuple[int, int, int]:
    return time.year, time.month, time.day
