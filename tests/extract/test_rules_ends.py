"""What ends a plan, a habit, a job or a state, and short corrections of the sentence before."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, over, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("I cancelled the party on 20 May", "party"),
        ("I called off the party on 20 May", "party"),
        ("I had to cancel the dentist appointment on 20 May", "dentist appointment"),
        ("had to cancel the dentist appointment on 20 May", "dentist appointment"),
        ("We had to cancel the concert on Friday", "concert"),
        ("I called off the wedding in July", "wedding"),
    ],
)
def test_the_date_of_a_cancelled_plan_lies_ahead(text: str, what: str) -> None:
    """The date is that of what was planned, not of the last year; the plan is taken back."""
    told = said(text)
    assert {(t.relation, t.object, t.retracts) for t in told} == {
        ("plans_to_attend", what, True),
        ("cancelled", what, False),
    }
    assert all(t.valid_from is None and "2024" in t.text for t in told)


def test_when_it_was_cancelled() -> None:
    """A day of the past is when it was cancelled."""
    deed = next(t for t in said("I cancelled the party yesterday") if not t.retracts)
    assert str(deed.valid_from) == "2024-05-07"


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        ("I'm away on Friday", "2024-05-10"),
        ("I'm on leave from July", "2024-07"),
        ("I'm away from Monday", "2024-05-13"),
        ("I'm off on Monday", "2024-05-13"),
        ("I'm out of office on 3 June", "2024-06-03"),
        ("I'll be on leave in July", "2024-07"),
        ("I have Friday off", "2024-05-10"),
        ("i'm on leave from april", "2025-04"),
    ],
)
def test_days_off_lie_ahead(text: str, planned: str) -> None:
    """A day on which somebody is away, off or on leave is the next of its kind, and no beginning of a state."""
    (away,) = said(text)
    assert (away.relation, str(away.planned_for), away.valid_from) == ("is_away", planned, None)


@pytest.mark.parametrize(
    ("text", "relation", "begin"),
    [
        ("I've been away since Monday", "is_away", "2024-05-06"),
        ("I was off on Monday", "was_away", "2024-05-06"),
    ],
)
def test_days_off_that_have_begun(text: str, relation: str, begin: str) -> None:
    """What has begun, or is over, does not lie ahead."""
    (away,) = said(text)
    assert (away.relation, str(away.valid_from), away.planned_for) == (relation, begin, None)


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("I stopped going to the gym", ("goes_to", "gym")),
        ("I've stopped drinking coffee", ("drinks", "coffee")),
        ("I no longer take metformin", ("takes", "metformin")),
        ("I no longer use Slack", ("uses", "Slack")),
        ("I don't have the Fiat any more", ("owns", "Fiat")),
        ("I got rid of my car", ("owns", "car")),
        ("I gave my bike to my brother", ("owns", "bike")),
        ("I've given my bike to Tom", ("owns", "bike")),
        ("I got married to Jo last week", ("marital_status", "single")),
    ],
)
def test_what_ends_a_habit_or_a_state(text: str, ended: tuple[str, str]) -> None:
    """What was so is taken back, and what was done is a fact."""
    assert over(text) == {(ME, *ended)}
    assert ends(text)


@pytest.mark.parametrize("text", ["I no longer smoke", "I no longer drive"])
def test_what_one_no_longer_does_at_all(text: str) -> None:
    """It is said as what one does not do."""
    assert ends(text) == {(ME, "does_not", text.split()[-1])}


@pytest.mark.parametrize("text", ["I quit my job", "I lost my job yesterday", "I got fired", "I took early retirement"])
def test_a_job_that_is_not_named_is_over(text: str) -> None:
    """Whatever it was: an employer and a profession are taken back."""
    assert over(text) == {(ME, "works_at", "job")}


@pytest.mark.parametrize(
    "text", ["I gave my car a wash", "I left the house early", "I no longer have to work weekends"]
)
def test_what_ends_nothing(text: str) -> None:
    """Words for an end that mean something else."""
    assert over(text) == set()


@pytest.mark.parametrize(
    ("texts", "relation", "wrong", "right"),
    [
        (("I live in Rome", "Sorry, I meant Milan"), "lives_in", "Rome", "Milan"),
        (("I live in Rome. No, it's Milan.",), "lives_in", "Rome", "Milan"),
        (("My favourite colour is green", "I said green, but I meant blue"), "favorite_colour", "green", "blue"),
        (("My birthday is on 3 May", "oops, 4 May"), "has_birthday", "3 May", "4 May"),
    ],
)
def test_short_corrections(texts: tuple[str, ...], relation: str, wrong: str, right: str) -> None:
    """What was meant takes the place of the object said in the sentence before."""
    assert over(*texts) == {(ME, relation, wrong)}
    assert (ME, relation, right) in ends(*texts)


def test_a_short_correction_of_a_date() -> None:
    """The plan of the sentence before has the other date."""
    told = said("My appointment is on Monday", "sorry, Tuesday")
    assert [(str(t.planned_for), t.retracts) for t in told] == [
        ("2024-05-13", False),
        ("2024-05-13", True),
        ("2024-05-14", False),
    ]
    assert told[2].text == "Olivia's appointment is on 14 May 2024."


@pytest.mark.parametrize(
    "texts",
    [
        ("I love hiking", "no, sorry"),
        ("I live in Rome", "No, Ben"),
        ("I live in Rome", "no, thanks"),
        ("I work at Aldi and live in Rome", "sorry, I meant Lidl"),
        ("My sister lives in Rome", "No, my brother lives in Rome"),
        ("I live in Rome", "sorry, Tuesday"),
    ],
)
def test_what_corrects_nothing(texts: tuple[str, ...]) -> None:
    """A refusal, a name that is called, a correction that may be of two things."""
    assert over(*texts) == set()


@pytest.mark.parametrize(
    ("text", "relation", "what"),
    [
        ("I don't live in Rome.", "lives_in", "Rome"),
        ("Actually I don't live in Rome.", "lives_in", "Rome"),
        ("I don't have a car", "owns", "car"),
        ("I don't play the piano", "plays", "piano"),
        ("I don't speak French", "speaks", "French"),
        ("I'm not allergic to eggs.", "allergic_to", "eggs"),
        ("I aint allergic to eggs", "allergic_to", "eggs"),
        ("Turns out I'm not allergic to eggs.", "allergic_to", "eggs"),
    ],
)
def test_a_denied_state(text: str, relation: str, what: str) -> None:
    """A denial takes a state back, and does not tell that it once held."""
    assert over(text) == {(ME, relation, what)}
    assert ends(text) == set()


@pytest.mark.parametrize("opener", ["Turns out", "It turns out that", "Oops,", "Correction:", "Turns out that"])
def test_words_before_a_correction(opener: str) -> None:
    """They do not keep the sentence from being read."""
    assert ends(f"{opener} I live in Rome.") == {(ME, "lives_in", "Rome")}
