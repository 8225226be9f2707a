"""The days on which jobs start and end, and dates and words that belong to something else."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I got the job at Google! I start on 3 June.", ("plans_to_work_at", "2024-06-03")),
        ("I got a new job at Google, starting in June", ("plans_to_work_at", "2024-06")),
        ("I got the job at Google, I started on Monday", ("works_at", "None")),
        ("I got a job at Google and I'll start a diet on Monday", ("works_at", "None")),
        ("I got a job at Google in 2019, my sister starts on 3 June", ("works_at", "None")),
    ],
)
def test_a_job_that_has_not_started_is_planned(text: str, expected: tuple[str, str]) -> None:
    """Where the day on which it starts is told after it."""
    (job,) = (each for each in said(text) if each.object == "Google")
    assert (job.relation, str(job.planned_for)) == expected


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("I quit my job at Acme, my last day is 7 June.", "2024-06-07"),
        ("I resigned from Acme, last day 7 June", "2024-06-07"),
        ("I left Acme. My last day was 3 May.", "None"),
        ("I quit Acme. It's the last day of term on Friday.", "None"),
    ],
)
def test_a_job_ends_on_its_last_day(text: str, ended: str) -> None:
    """If that lies ahead and is the message's own."""
    (job,) = (each for each in said(text) if each.retracts)
    assert (job.relation, job.object, str(job.valid_to)) == ("works_at", "Acme", ended)


@pytest.mark.parametrize(
    ("text", "relation", "obj", "date"),
    [
        ("I'm off from the 28th until 4 June", "is_away", "28 May to 4 June 2024", "2024-05-28"),
        ("I'm off from 1 to 4 June", "is_away", "1 to 4 June 2024", "2024-06-01"),
        ("I quit vaping 100 days ago today!!", "gave_up", "vaping", "2024-01-29"),
        ("I gave up sugar a month ago today", "gave_up", "sugar", "2024-04-08"),
        ("I sold the boat finally, £900", "sold", "boat", "None"),
        ("I've stopped using Copilot completely btw, feels nice", "was_using", "Copilot", "None"),
        ("I'm on antibiotics until the 29th", "takes", "antibiotics", "None"),
        ("I'm on leave until mid June, we had a baby on the 13th", "is_away", "until June 2024", "None"),
        ("I joined a book club, second Saturday of every month", "joined", "book club", "None"),
        ("I'm in Cardiff from 5 June, Tues/Thurs in the office", "plans_to_visit", "Cardiff", "2024-06-05"),
        ("I'm 34, 81 kilos, give me something realistic", "has_age", "34", "None"),
        ("I'm in Rome until Friday", "stays_in", "Rome", "None"),
        ("I'm in Rome from Friday", "plans_to_visit", "Rome", "2024-05-10"),
        ("I've stopped drinking coffee after noon", "gave_up", "drinking coffee after noon", "None"),
        ("I cancelled the gym (no. 20871) from the end of May; I've moved to Bath", "lives_in", "Bath", "None"),
    ],
)
def test_what_a_date_and_an_object_are(text: str, relation: str, obj: str, date: str) -> None:
    """A day takes the month before that of the last one; an adverb is no part of a thing; a date is its clause's."""
    (found,) = (each for each in said(text) if each.relation == relation)
    assert (found.object, str(found.planned_for or found.valid_from)) == (obj, date)


@pytest.mark.parametrize(
    "text",
    [
        "We eat fish on Friday",
        "We eat mostly vegetarian, fish on Fridays, and Ben grills on Sunday",
        "Got a card going round",
        "I got a plumber coming",
    ],
)
def test_what_is_no_claim(text: str) -> None:
    """What is done each week has no date, and what is under way was not gotten."""
    assert said(text) == ()


def test_a_date_of_another_clause() -> None:
    """What somebody does who is spoken of has a date of its own."""
    found = said("I'm looking for a cello for my niece who starts in January.")
    assert [(each.relation, each.planned_for, each.text) for each in found if each.object == "cello"] == [
        ("is_looking_for", None, "Olivia is looking for a cello for Olivia's niece who starts in January 2025.")
    ]
    (funeral,) = said("funeral is wednesday 15th 11am, St Andrews")
    assert (str(funeral.planned_for), "15th" in funeral.text) == ("2024-05-15", False)


def test_an_end_is_one() -> None:
    """Until a day of the month, or a weekday, that lies ahead."""
    for text, ended in (("I'm on antibiotics until the 29th", "2024-05-29"), ("I take iron till Friday", "2024-05-10")):
        (found,) = said(text)
        assert (found.valid_from, str(found.valid_to), found.planned_for) == (None, ended, None)


def test_a_question_or_thanks_at_the_end_is_no_part_of_a_claim() -> None:
    """Nor is a request."""
    for text in (
        "I take iron every morning, does coffee matter",
        "I take iron every morning, thank you for asking",
        "I take iron every morning, give me something tasty",
    ):
        assert [each.text for each in said(text)] == ["Olivia takes iron every morning."]


def test_whom_he_means_after_a_death() -> None:
    """Of Tom's late father and Tom it is not told; an adjective is nobody's name."""
    assert {each[0] for each in ends("Tom's dad passed away last night. He'll be in Tartu until Friday.")} == {
        "Tom's dad"
    }
    assert ends("My flatmate Beth is leaving and a friend of mine, Carlos, wants her room. He works at Ikea.") == {
        ("Olivia", "has_roommate", "Beth")
    }
    assert ends("Tom is seeing somebody called Frieda, she's from Leipzig.") == set()
    assert ends("Bad news about Hilary, she died on the 5th.") == set()
    assert ("Tom", "died_on", "6 May 2024") in ends("Sad news, Tom died on Monday.")
