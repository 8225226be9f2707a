"""What limits a claim: jobs beside the main one, stays for a time, denials of a part."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends, over, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "relation", "what"),
    [
        ("I also work at Lidl.", "works_part_time_at", "Lidl"),
        ("I work at Lidl on weekends.", "works_part_time_at", "Lidl"),
        ("I work at Lidl as a side job.", "works_part_time_at", "Lidl"),
        ("I'm also a certified yoga teacher.", "is_a", "certified yoga teacher"),
        ("I'm a bad cook.", "is_a", "bad cook"),
        ("I work at Lidl.", "works_at", "Lidl"),
        ("I'm a nurse now.", "works_as", "nurse"),
    ],
)
def test_what_somebody_is_beside_the_job(text: str, relation: str, what: str) -> None:
    """A further job, and what somebody is in private, have relations that exclude no main job."""
    assert ends(text) == {(ME, relation, what)}


@pytest.mark.parametrize("end", ["for three months", "until August"])
def test_a_stay_is_no_home(end: str) -> None:
    """Who is living somewhere for a time that has an end stays there, and has not moved."""
    (stay,) = said(f"I'm living in Rome {end}.")
    assert (stay.relation, stay.object, stay.valid_from) == ("stays_in", "Rome", None)
    assert ends("I've been living in Rome for three months.") == {(ME, "lives_in", "Rome")}


@pytest.mark.parametrize(
    ("text", "relation", "what"),
    [
        ("I don't drink coffee after 3pm.", "does_not_drink", "coffee after 3pm"),
        ("I don't eat meat on Fridays.", "does_not_eat", "meat on Fridays"),
        ("I don't like dogs that bark.", "dislikes", "dogs that bark"),
        ("I hate pizza with pineapple.", "dislikes", "pizza with pineapple"),
        ("I don't eat meat at all.", "does_not_eat", "meat"),
        ("I don't eat meat for ethical reasons.", "does_not_eat", "meat"),
        ("I quit coffee for a week because of my stomach.", "paused", "coffee"),
        ("I quit coffee in May.", "gave_up", "coffee"),
    ],
)
def test_a_denial_of_a_part(text: str, relation: str, what: str) -> None:
    """What limits a denial is part of its object; what is given up for a time is paused."""
    (denial,) = (each for each in said(text) if not each.retracts)
    assert (denial.relation, denial.object) == (relation, what)
    assert not over(text) & {(ME, "drinks", "coffee"), (ME, "eats", "meat")}


def test_the_sentence_of_a_denial_has_its_limit() -> None:
    """The sentence says as much as the object."""
    (denial,) = said("I don't like dogs that bark.")
    assert denial.text == "Olivia does not like dogs that bark."
