from __future__ import annotations

import pytest

from mem0g.extract.rules.grammar.people import third_person
from tests.extract.talk import said


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("am a nurse", "is a nurse"),
        ("have sold my car", "has sold Olivia's car"),
        ("work with your sister", "works with Ben's sister"),
        ("study law because I love it", "studies law because Olivia loves it"),
        ("no longer play tennis", "no longer plays tennis"),
        ("do not like mushrooms", "does not like mushrooms"),
        ("were in Rome, and I have a picture of us", "was in Rome, and Olivia has a picture of Olivia"),
        ("can not swim", "cannot swim"),
    ],
)
def test_first_person_becomes_third(words: str, expected: str) -> None:
    """Pronouns become names and the verb agrees with them."""
    assert third_person(words, "Olivia", "Ben", predicate=True) == expected


def test_past_forms_that_look_present_stay() -> None:
    """ "Read" of an event is a past."""
    assert third_person("read a book", "Olivia", None, predicate=True, present=False) == "read a book"


def test_a_name_may_hold_a_backslash() -> None:
    """A name is put in as it is, whatever characters it has."""
    assert third_person("sold my car", r"A\1", None) == r"sold A\1's car"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I adopted a golden retriever named Luna yesterday!",
            "Olivia adopted a golden retriever named Luna on 7 May 2024.",
        ),
        ("Last Friday I went to a concert and it was great", "Olivia went to a concert on 3 May 2024."),
        ("I painted this lake sunrise last year", "Olivia painted a lake sunrise in 2023."),
        ("My sister lives in Oslo", "Olivia's sister lives in Oslo."),
        ("My mom and I made a cake", "Olivia and Olivia's mom made a cake."),
        ("I've joined a choir, by the way", "Olivia has joined a choir."),
        ("I booked a flight to Bergen for 20 December", "Olivia booked a flight to Bergen on 20 December 2024."),
        ("I bought a car because it was cheap", "Olivia bought a car."),
        ("Anna lives in Cork, Ben in Galway.", "Anna lives in Cork."),
        ("Karen lives in Rome, Mike is in Fargo and Stevie never left Duluth.", "Karen lives in Rome."),
        ("Anna works at Ford, Ben at Fiat and Cleo at Kia.", "Anna works at Ford."),
        ("My sister lives in Cork, Ireland.", "Olivia's sister lives in Cork, Ireland."),
        ("I love pizza mate", "Olivia loves pizza."),
        ("im from Leeds innit", "Olivia is from Leeds."),
        ("I live in Leeds rn!", "Olivia lives in Leeds."),
        ("I got a dog lads. look", "Olivia got a dog."),
        ("I love my best mate", "Olivia loves Olivia's best mate."),
    ],
)
def test_the_sentence_stands_by_itself(text: str, expected: str) -> None:
    """A fact's sentence has names for pronouns and absolute dates for relative ones."""
    assert [triple.text for triple in said(text)] == [expected]


@pytest.mark.parametrize("text", ["I have : yesterday", "I'm , today", "I is , yesterday", "I have a :"])
def test_punctuation_without_words_is_no_object(text: str) -> None:
    """What is typed in haste says nothing, and raises nothing."""
    assert not said(text)
