"""The dates that a question names."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.retrieve.question.temporal_intent import (
    OTHER_DAY,
    SAME_DAY,
    SAME_MONTH,
    SAME_YEAR,
    NamedDate,
    date_match,
    named_dates,
)
from mem0g.times import Moment

DATES = st.builds(
    NamedDate,
    st.one_of(st.none(), st.integers(2020, 2022)),
    st.one_of(st.none(), st.integers(1, 12)),
    st.one_of(st.none(), st.integers(1, 28)),
)
MOMENTS = st.dates().map(lambda day: Moment.parse(day.isoformat()))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Ann do on 7 May 2023?", NamedDate(2023, 5, 7)),
        ("What happened on May 7th, 2023?", NamedDate(2023, 5, 7)),
        ("What happened on the 7th of May 2023?", NamedDate(2023, 5, 7)),
        ("Where was she on 2023-05-07?", NamedDate(2023, 5, 7)),
        ("Where was she in 2023-05?", NamedDate(2023, 5)),
        ("Which city in August 2023?", NamedDate(2023, 8)),
        ("Which city in Aug. 2023?", NamedDate(2023, 8)),
        ("what did ann paint in october?", NamedDate(None, 10)),
        ("What happened on 3 June?", NamedDate(None, 6, 3)),
        ("Where did she live in 2019?", NamedDate(2019)),
        ("DECEMBER 24", NamedDate(None, 12, 24)),
    ],
)
def test_a_date_in_words_or_digits(question: str, expected: NamedDate) -> None:
    """Day, month and year are found in the usual orders, any part may be missing."""
    assert named_dates(question) == (expected,)


@pytest.mark.parametrize(
    "question",
    [
        "What may Ann like?",
        "May I ask where she lives?",
        "May they bring 2 dogs?",
        "It may rain, may it not?",
        "mayor",
        "Maya",
    ],
)
def test_may_as_a_verb_is_no_month(question: str) -> None:
    """ "May" that asks for leave or says perhaps names no date."""
    assert named_dates(question) == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where was Ann in May?", NamedDate(None, 5)),
        ("where was ann in may?", NamedDate(None, 5)),
        ("what happened last may?", NamedDate(None, 5)),
        ("where was she on 7 may?", NamedDate(None, 5, 7)),
        ("where was she on the 7th of may?", NamedDate(None, 5, 7)),
        ("what did she buy may 7?", NamedDate(None, 5, 7)),
        ("What may Ann do in May 2023?", NamedDate(2023, 5)),
    ],
)
def test_may_as_a_month(question: str, expected: NamedDate) -> None:
    """The month is told by its capital or by the words beside it."""
    assert named_dates(question) == (expected,)


def test_several_dates() -> None:
    """Every date of a question counts, each once."""
    found = named_dates("Was it 2023-05-07, 3 June 2022 or 2019?")
    assert set(found) == {NamedDate(2023, 5, 7), NamedDate(2022, 6, 3), NamedDate(2019)}
    assert len(found) == 3


@pytest.mark.parametrize(
    "question",
    ["", "Who is Ann?", "room 101", "12345", "call 20231 times", "marching and decided"],
)
def test_no_dates(question: str) -> None:
    """Other numbers and words are no dates."""
    assert named_dates(question) == ()


@pytest.mark.parametrize(
    ("named", "moment", "worth"),
    [
        (NamedDate(2023, 5, 7), "2023-05-07", SAME_DAY),
        (NamedDate(None, 5, 7), "2023-05-07T10:00Z", SAME_DAY),
        (NamedDate(2023, 5, 7), "2023-05-08", OTHER_DAY),
        (NamedDate(2023, 5, 7), "2023-05", SAME_MONTH),
        (NamedDate(2023, 5), "2023-05-08", SAME_MONTH),
        (NamedDate(None, 5), "2021-05", SAME_MONTH),
        (NamedDate(2023), "2023-05-08", SAME_YEAR),
        (NamedDate(2023, 5), "2023", SAME_YEAR),
        (NamedDate(None, 1), "2023", 0),
        (NamedDate(None, 5), "2023-06", 0),
        (NamedDate(2022, 5, 7), "2023-05-07", 0),
    ],
)
def test_match(named: NamedDate, moment: str, worth: float) -> None:
    """The nearer the better, another year or month not at all; a year's facts are in no month."""
    assert date_match((named,), Moment.parse(moment)) == worth


@given(st.lists(DATES, max_size=4), st.one_of(st.none(), MOMENTS))
def test_the_best_date_counts(dates: list[NamedDate], moment: Moment | None) -> None:
    """Several dates are worth what the best of them is, between 0 and 1; no date and no moment nothing."""
    worth = date_match(tuple(dates), moment)
    assert worth == max((date_match((each,), moment) for each in dates), default=0)
    assert 0 <= worth <= 1
    if moment is None:
        assert worth == 0


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y"]))
def test_a_written_date_matches_its_day(when: date, form: str) -> None:
    """Whatever day is written in a question, a fact of that day matches best."""
    assert (
        date_match(named_dates(f"What happened on {when.strftime(form)}?"), Moment.parse(when.isoformat())) == SAME_DAY
    )
