from __future__ import annotations

import pytest

from tests.extract.talk import ends, over, said

ME = "Olivia"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I quit my job at Acme", (ME, "works_at", "Acme")),
        ("I left Acme last Friday", (ME, "works_at", "Acme")),
        ("I don't work at Acme any more", (ME, "works_at", "Acme")),
        ("I no longer work at Acme", (ME, "works_at", "Acme")),
        ("Lost my job as a banker yesterday", (ME, "works_as", "banker")),
        ("I've stopped playing tennis", (ME, "plays", "tennis")),
        ("I no longer play tennis.", (ME, "plays", "tennis")),
        ("I'm not dating Tom any more", (ME, "dating", "Tom")),
        ("I broke up with Tom", (ME, "dating", "Tom")),
        ("Tom and I broke up.", (ME, "dating", "Tom")),
        ("We cancelled the trip to Japan", (ME, "plans_to_visit", "Japan")),
        ("I sold my car", (ME, "owns", "car")),
    ],
)
def test_what_is_over_takes_back_the_state(text: str, expected: tuple[str, str, str]) -> None:
    """The end of a state or a plan takes back that state's or plan's triple, and is a fact of its own."""
    assert over(text) == {expected}
    ((subject, relation, name),) = ends(text)
    assert (subject, name) == (expected[0], expected[2])
    assert relation != expected[1]


@pytest.mark.parametrize(
    ("text", "relation", "obj"),
    [
        ("I no longer work at Acme", "worked_at", "Acme"),
        ("I don't eat meat any more", "ate", "meat"),
        ("I'm no longer vegan", "followed_diet", "vegan"),
        ("I'm not allergic to cats any more", "was_allergic_to", "cats"),
        ("I quit my job at Acme", "quit_job_at", "Acme"),
        ("I sold the car", "sold", "car"),
        ("We called off the party", "cancelled", "party"),
        ("My trip to Peru got cancelled", "cancelled_trip_to", "Peru"),
        ("I stopped drinking coffee", "gave_up", "drinking coffee"),
        ("I've given up coffee", "gave_up", "coffee"),
        ("I left the choir", "left", "choir"),
    ],
)
def test_that_it_is_over_is_a_fact(text: str, relation: str, obj: str) -> None:
    """What is over can be asked for, even where nobody ever said that it was so."""
    assert (ME, relation, obj) in ends(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm not going to Japan after all", (ME, "plans_to_visit", "Japan")),
        ("I'm no longer single", (ME, "marital_status", "single")),
    ],
)
def test_what_is_no_state_of_before(text: str, expected: tuple[str, str, str]) -> None:
    """A plan that is given up and a relation without a verb only take something back."""
    assert (over(text), ends(text)) == ({expected}, set())


def test_an_end_without_its_object_is_left_out() -> None:
    """What has ended must be named."""
    assert said("I quit") == ()
    assert said("we broke") == ()


def test_a_correction_replaces_what_was_said() -> None:
    """The mistaken triple is taken back and the right one made, both on the evidence of the correction."""
    told = said("I live in Porto.", "Sorry, I meant Lisbon, not Porto")
    assert [(t.relation, t.object, t.retracts) for t in told] == [
        ("lives_in", "Porto", False),
        ("lives_in", "Porto", True),
        ("lives_in", "Lisbon", False),
    ]
    assert told[1].evidence == told[2].evidence != told[0].evidence
    assert told[2].text == "Olivia lives in Lisbon."


def test_a_name_put_right() -> None:
    """A name given wrong is corrected without the statement being at hand."""
    text = "I got my neighbour's name wrong, it's Mads, not Mats."
    assert over(text) == {(ME, "has_neighbor", "Mats")}
    assert ends(text) == {(ME, "has_neighbor", "Mads")}


def test_a_contrast_is_no_correction() -> None:
    """ "Hiking, not running" corrects nothing that was not said."""
    assert over("I love hiking, not running") == set()
