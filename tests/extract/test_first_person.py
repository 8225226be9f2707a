"""Sentences about somebody by name, read as their own words."""

from __future__ import annotations

import pytest

from mem0g.extract.protocol import KnownEntity, Window
from mem0g.extract.rules import RulesExtractor
from mem0g.extract.rules.grammar.first_person import first_person
from tests.extract.talk import message, said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann lives in Oslo. ANN has a cat.", "I live in Oslo. I have a cat."),
        ("Ann's sister is Mia.", "My sister is Mia."),
        ("Mia is ann’s sister.", "Mia is my sister."),
        ("ann no longer works with ann's brother.", "I no longer work with my brother."),
        ("Mia knows ann.", None),
        ("I met ann.", None),
        ("annette lives in Oslo.", None),
        ("ann", None),
    ],
)
def test_a_name_becomes_the_first_person(text: str, expected: str | None) -> None:
    """In any case, with the verb that fits; not a part of a word, nor where somebody speaks of themselves."""
    assert first_person(text, "ann") == expected


@pytest.mark.parametrize(
    "text", ["I live in Oslo.", "My favorite food is ramen.", "I have a dog named Rex.", "My sister is called Mia."]
)
def test_the_sentences_of_facts_are_read_again(text: str) -> None:
    """What the rules write about a known person they read as the same claim, whatever the case of the name."""
    (claim,) = said(text)
    line = message(claim.text.replace("Olivia", "olivia"), "kim")
    window = Window(messages=(line,), speakers=("kim",), known=(KnownEntity(name="Olivia"),))
    (again,) = RulesExtractor().extract(window)
    assert (again.subject, again.relation, again.object) == (claim.subject, claim.relation, claim.object)
