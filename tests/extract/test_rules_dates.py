from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mem0g.extract.rules.grammar.date_expressions import resolve, take_dates
from tests.extract.talk import WEDNESDAY, said


@pytest.mark.parametrize(
    ("expression", "moment", "words"),
    [
        ("yesterday", "2024-05-07", "on 7 May 2024"),
        ("today", "2024-05-08", "on 8 May 2024"),
        ("last night", "2024-05-07", "on 7 May 2024"),
        ("the day before yesterday", "2024-05-06", "on 6 May 2024"),
        ("last Friday", "2024-05-03", "on 3 May 2024"),
        ("last Wednesday", "2024-05-01", "on 1 May 2024"),
        ("last Fri", "2024-05-03", "on 3 May 2024"),
        ("on Monday", "2024-05-06", "on 6 May 2024"),
        ("two days ago", "2024-05-06", "on 6 May 2024"),
        ("last month", "2024-04", "in April 2024"),
        ("in March", "2024-03", "in March 2024"),
        ("in June", "2023-06", "in June 2023"),
        ("last June", "2023-06", "in June 2023"),
        ("in 2019", "2019", "in 2019"),
        ("on 3 May", "2024-05-03", "on 3 May 2024"),
        ("May 3rd, 2021", "2021-05-03", "on 3 May 2021"),
        ("last year", "2023", "in 2023"),
        ("three years ago", "2021", "around 2021"),
        ("last summer", "2023", "in the summer of 2023"),
        ("since 2016", "2016", "since 2016"),
        ("for 5 years", "2019", "for 5 years"),
        ("2024-02-29", "2024-02-29", "on 29 February 2024"),
        ("the last week of February", "2024-02", "in the last week of February 2024"),
        ("in the first week in June", "2023-06", "in the first week of June 2023"),
        ("on the second weekend of March 2022", "2022-03", "on the second weekend of March 2022"),
    ],
)
def test_looking_back(expression: str, moment: str, words: str) -> None:
    """An expression about the past is read against the time of its message."""
    when = resolve(expression, WEDNESDAY, future=False)
    assert (str(when.moment), when.words) == (moment, words)


@pytest.mark.parametrize(
    ("expression", "moment"),
    [
        ("tomorrow", "2024-05-09"),
        ("on Friday", "2024-05-10"),
        ("next week", "2024-05"),
        ("next month", "2024-06"),
        ("next year", "2025"),
        ("in March", "2025-03"),
        ("on 1 May", "2025-05-01"),
        ("in two days", "2024-05-10"),
        ("in three months", "2024-08"),
        ("on Wednesday", "2024-05-15"),
        ("at Christmas", "2024-12-25"),
        ("on the 3rd", "2024-06-03"),
        ("on the first of June", "2024-06-01"),
        ("on 5/6/2024", "2024-06-05"),
        ("on 12/31/2024", "2024-12-31"),
    ],
)
def test_looking_ahead(expression: str, moment: str) -> None:
    """An expression of a plan is read forwards."""
    when = resolve(expression, WEDNESDAY, future=True)
    assert str(when.moment) == moment
    assert when.future


@pytest.mark.parametrize(
    ("expression", "start", "until", "words"),
    [
        ("20 to 27 July", "2024-07-20", "2024-07-27", "from 20 to 27 July 2024"),
        ("from 8-18 May", "2024-05-08", "2024-05-18", "from 8 to 18 May 2024"),
        ("July 3 to 6", "2024-07-03", "2024-07-06", "from 3 to 6 July 2024"),
        ("between 3 and 6 July", "2024-07-03", "2024-07-06", "from 3 to 6 July 2024"),
        ("from 24 December to 2 January", "2024-12-24", "2025-01-02", "from 24 December 2024 to 2 January 2025"),
        ("from 30 June until 2 July 2025", "2025-06-30", "2025-07-02", "from 30 June to 2 July 2025"),
        ("from June to August", "2024-06", "2024-08", "from June to August 2024"),
        ("from Friday to Sunday", "2024-05-10", "2024-05-12", "from 10 to 12 May 2024"),
        ("from 2015 to 2019", "2015", "2019", "from 2015 to 2019"),
    ],
)
def test_ranges(expression: str, start: str, until: str, words: str) -> None:
    """A range has its first and its last day; what one of them lacks is that of the other."""
    when = resolve(expression, WEDNESDAY, future=True)
    assert (str(when.moment), str(when.until), when.words) == (start, until, words)


@pytest.mark.parametrize("expression", ["30 to 31 June", "on 45/67/2024", "on the 32nd", "9 to 8 May 20245"])
def test_what_is_no_date_has_no_moment(expression: str) -> None:
    """A day that there is not is left as it was said."""
    assert resolve(expression, WEDNESDAY, future=True).moment is None


@pytest.mark.parametrize(
    ("text", "relation", "start", "until"),
    [
        ("I signed up for a course yesterday.", "signed_up_for", "2024-05-07", "2024-05-07"),
        ("I booked a flight on Monday.", "booked", "2024-05-06", "2024-05-06"),
        ("I was born in 1990.", "born_on", "1990", "1990"),
        ("I work at Acme until June.", "works_at", "None", "2024-06"),
    ],
)
def test_what_has_happened_or_holds(text: str, relation: str, start: str, until: str) -> None:
    """What is told as past, or as ending, has dates of its own and is no plan."""
    (triple,) = [each for each in said(text) if each.relation == relation]
    assert (str(triple.valid_from), str(triple.valid_to), triple.planned_for) == (start, until, None)


@pytest.mark.parametrize(
    ("text", "relation", "day", "until"),
    [
        ("I've booked a cottage in Wales, 20 to 27 July.", "plans_to_visit", "2024-07-20", "2024-07-27"),
        ("I bought tickets for a concert on 12 March.", "plans_to_attend", "2025-03-12", "None"),
        ("I signed up for a course in April.", "signed_up_for", "2025-04", "None"),
        ("My sister is visiting me in August.", "plans_to_visit", "2024-08", "None"),
        ("Our flight leaves on 5 April at 6:20.", "has_upcoming", "2025-04-05", "None"),
        ("I'm learning Greek for our trip to Athens in April.", "plans_to_visit", "2025-04", "None"),
        ("My dad retires in June.", "plans_to_retire", "2024-06", "None"),
        ("I'm on holiday from 24 December to 2 January.", "is_away", "2024-12-24", "2025-01-02"),
        ("I'm going to a concert on Friday", "plans_to_attend", "2024-05-10", "None"),
        ("I want to visit Peru next year.", "wants_to_visit", "2025", "None"),
        ("My exam is on Tuesday week.", "plans_to_attend", "2024-05-21", "None"),
        ("I'm flying to Rome a week on Monday.", "plans_to_visit", "2024-05-20", "None"),
        ("Our party is on Friday 24th.", "plans_to_attend", "2024-05-24", "None"),
        ("From Monday I take 100 mg of sertraline.", "takes", "2024-05-13", "None"),
        ("I work at Lindt from Monday.", "works_at", "2024-05-13", "None"),
        ("I live in Rome from March.", "lives_in", "2025-03", "None"),
    ],
)
def test_what_lies_ahead(text: str, relation: str, day: str, until: str) -> None:
    """Bookings, appointments and plans are for the next such day, unless they say that it has passed.

    Such a day is what it is planned for, not when it began; of a range there is the last day as well.
    """
    (triple,) = [each for each in said(text) if each.relation == relation]
    assert (str(triple.planned_for), triple.valid_from, str(triple.valid_to)) == (day, None, until)


@pytest.mark.parametrize(
    ("text", "relation", "start"),
    [
        ("I've been working at Lindt from Monday.", "works_at", "2024-05-06"),
        ("I have lived in Rome from March.", "lives_in", "2024-03"),
        ("I own a Fiat from June.", "owns", "2023-06"),
    ],
)
def test_what_began_before(text: str, relation: str, start: str) -> None:
    """After a verb in the past, "from" is since; and a thing may be from a time."""
    (triple,) = [each for each in said(text) if each.relation == relation]
    assert (str(triple.valid_from), triple.planned_for) == (start, None)


def test_the_day_of_a_plan_is_not_the_day_on_which_it_is_given_up() -> None:
    """What is cancelled ends when that is said; the day that it was for is only that."""
    for text in ("We cancelled our trip to Japan in June", "I'm not going to Japan from 8 to 18 June after all"):
        (over,) = [each for each in said(text) if each.retracts]
        assert (over.relation, over.object, over.valid_from, over.valid_to) == ("plans_to_visit", "Japan", None, None)
        assert over.planned_for is not None
        assert all(each.planned_for is None for each in said(text) if not each.retracts)


@pytest.mark.parametrize(
    ("expression", "moment"),
    [
        ("last week", "2024-04"),  # 29 April to 5 May
        ("last weekend", "2024-05"),
        ("two weeks ago", "2024-04"),  # about 24 April
        ("next Friday", "2024-05"),  # the 10th or the 17th
        ("a few days ago", "None"),
        ("recently", "None"),
        ("on 31 June", "None"),
    ],
)
def test_no_more_precise_than_known(expression: str, moment: str) -> None:
    """What is vague gets the narrowest moment that surely holds it, or none."""
    assert str(resolve(expression, WEDNESDAY, future=False).moment) == moment


@pytest.mark.parametrize(
    ("sent", "expression", "ahead", "moment"),
    [
        ("2025-01-08", "last week", False, "2024-12"),  # 30 December to 5 January
        ("2024-09-03", "last weekend", False, "2024-08"),
        ("2024-05-15", "two weeks ago", False, "2024-05"),  # about 1 May
        ("2024-04-24", "next week", True, "2024-05"),  # 29 April to 5 May: not over before
        ("2024-12-18", "in two weeks", True, "2025-01"),
        ("2024-08-30", "this weekend", True, "2024-09"),
        ("2024-05-28", "next Friday", True, "2024-06"),
    ],
)
def test_weeks_across_months(sent: str, expression: str, ahead: bool, moment: str) -> None:
    """What happened is of the month in which the week begins, what is planned of that in which it ends."""
    assert str(resolve(expression, datetime.fromisoformat(f"{sent}T12:00:00Z"), future=ahead).moment) == moment


@pytest.mark.parametrize(
    ("sent", "expression", "moment"),
    [
        ("2024-04-08", "on April 6", "2024-04-06"),
        ("2024-04-08", "from April 6 to 7", "2024-04-06"),
        ("2024-03-15", "until March 15", "2024-03-15"),
        ("2024-01-02", "on December 30", "2023-12-30"),
        ("2024-04-08", "on April 6, 2025", "2025-04-06"),
        ("2024-04-15", "on March 1", "2025-03-01"),
        ("2024-04-15", "from March 1 to 3", "2025-03-01"),
        ("2023-12-30", "on January 2", "2024-01-02"),
    ],
)
def test_the_day_of_a_plan_that_is_just_over(sent: str, expression: str, moment: str) -> None:
    """It is this year's, as a plan is spoken of on its day or late; one of weeks ago is that of next year."""
    assert str(resolve(expression, datetime.fromisoformat(f"{sent}T12:00:00Z"), future=True).moment) == moment


@pytest.mark.parametrize("day", range(6, 13))
def test_on_any_weekday(day: int) -> None:
    """The same words have the same rule from Monday to Sunday: the day before, or after, that of the message."""
    sent = datetime(2024, 5, day, tzinfo=UTC)
    past, ahead = resolve("last Friday", sent, future=False).moment, resolve("on Saturday", sent, future=True).moment
    assert past
    assert ahead
    assert 1 <= (sent - past.start).days <= 7
    assert 1 <= (ahead.start - sent).days <= 7
    assert str(resolve("this summer", sent, future=True).moment) == "2024"
    assert str(resolve("last summer", sent, future=False).moment) == "2023"


def test_without_the_time_of_the_message() -> None:
    """Only dates with a year can be read when it is not known when the message was said."""
    assert resolve("yesterday", None, future=False).moment is None
    assert str(resolve("in 2019", None, future=False).moment) == "2019"


def test_auxiliary_may_and_verb_march_are_no_months() -> None:
    """ "May" and "march" alone are words, not dates."""
    assert take_dates("we may march home").expressions == ()


@pytest.mark.parametrize(
    ("text", "start", "until"),
    [
        ("I moved to Lisbon last month", "2024-04", "None"),
        ("I went to Rome in 2019", "2019", "2019"),
        ("I've been playing the violin since 2016", "2016", "None"),
        ("I've lived in Bergen for nine years", "2015", "None"),
        ("I lived in Boston in 2015", "2015", "2015"),
        ("I quit my job at Acme yesterday", "None", "2024-05-07"),
        ("I live in Oslo", "None", "None"),
    ],
)
def test_when_a_fact_is_valid(text: str, start: str, until: str) -> None:
    """A state begins when it is said to, an event fills its date, an end has its date."""
    triple = said(text)[0]
    assert (str(triple.valid_from), str(triple.valid_to)) == (start, until)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("I go swimming every Tuesday.", "Olivia goes swimming every Tuesday."),
        ("We're getting married in June next year.", "Olivia is getting married in June 2025."),
        ("We're expecting a baby in October.", "Olivia is expecting a baby in October 2024."),
        ("I want to finish my thesis by March 2026.", "Olivia wants to finish Olivia's thesis by March 2026."),
        ("I grew up in Leeds and moved to York in 2015.", "Olivia grew up in Leeds."),
        ("I was born in Otaru and came to Hobart in 2021.", "Olivia was born in Otaru."),
        ("I sold my car and bought a bike in 2015.", "Olivia sold Olivia's car in 2015."),
    ],
)
def test_dates_in_sentences(text: str, sentence: str) -> None:
    """How often stays as said; "next year" gives the year of its month; what is expected lies ahead.

    "By" stays, and where somebody grew up gets no date of what came after.
    """
    assert said(text)[0].text == sentence


def test_somebody_elses_quoted_words_are_not_the_speakers() -> None:
    """ "I" in quotes is whoever is quoted."""
    assert said('"I live in Paris and I love croissants", he kept repeating.') == ()


def test_a_birth_gives_its_date_to_nothing_else() -> None:
    """Of two predicates the later one is not of the year of birth."""
    moved = next(each for each in said("I was born in Otaru in 1980 and moved to Rome.") if each.relation == "lives_in")
    assert (moved.text, moved.valid_from) == ("Olivia moved to Rome.", None)
