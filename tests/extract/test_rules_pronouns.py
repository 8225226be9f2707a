"""Whom "he" and "she" mean after a sentence that introduces somebody."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends


@pytest.mark.parametrize(
    ("text", "who", "relation", "what"),
    [
        ("My colleague Tom has a sister called Mia. She lives in Rome.", "Mia", "lives_in", "Rome"),
        ("Stevie got himself a girlfriend named Crystal. She works at Acme.", "Crystal", "works_at", "Acme"),
        ("Theo called his boss Anna. She lives in Toulouse.", "Anna", "lives_in", "Toulouse"),
        ("Tom visited his aunt Clara in Wales. She is 90.", "Clara", "has_age", "90"),
        ("My friend Kim met a man named Bob. He lives in Rome.", "Bob", "lives_in", "Rome"),
        ("My brother Tom lives in Oslo. I met a guy named Bob. He lives in Rome.", "Bob", "lives_in", "Rome"),
        ("My sister Mia has a son called Leo. She lives in Rome.", "Mia", "lives_in", "Rome"),
        ("My brother Tom has a dog called Rex. He lives in Rome.", "Tom", "lives_in", "Rome"),
    ],
)
def test_who_fits_the_pronoun_is_meant(text: str, who: str, relation: str, what: str) -> None:
    """Of the subject and the person it is said to have, the one of the gender of the pronoun is meant."""
    assert {(subject, thing) for subject, verb, thing in ends(text) if verb == relation and thing == what} == {
        (who, what)
    }


@pytest.mark.parametrize(
    "text",
    [
        "My mum has a friend called Rita. She lives in Rome and works as a nurse.",
        "My brother Tom met a man named Bob. He lives in Rome.",
        "Tom has a spaniel from the rescue, Biscuit, he's a nurse.",
    ],
)
def test_where_two_may_be_meant_nothing_is_read(text: str) -> None:
    """A pronoun that fits two people gives nobody a fact."""
    assert not [each for each in ends(text) if each[1] in {"lives_in", "works_as"}]


def test_the_message_before_introduces_somebody() -> None:
    """A message that goes on with a pronoun means whom the one before introduced."""
    assert ("Mia", "lives_in", "Rome") in ends("My colleague Tom has a sister called Mia.", "She lives in Rome.")
