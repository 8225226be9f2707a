"""Indirect questions, and statements that resemble them."""

from __future__ import annotations

import pytest

from mem0g.text.indirect_questions import MAX_LENGTH, asks_indirectly


@pytest.mark.parametrize(
    "text",
    [
        "I wonder where I parked the car.",
        "Remind me where I parked the car",
        "not sure what the wifi code is",
        "I want to know what the code is",
        "Could you tell me what the code is",
        "tell me the wifi code",
        "tell me what the code is, please",
        "I need to know where the car is parked.",
        "where's the car parked again",
        "do you know where the car is",
        "I can't remember if we booked",
        "Thanks. I wonder who did that",
        "Ich frage mich, wo der Schlüssel ist",
        "Sag mir bitte, wann der Zug fährt",
        "Ich weiß nicht mehr, wo ich geparkt habe",
        "Me pregunto dónde está el coche",
        "Dime cuándo es la boda",
        "Je me demande où est la clé",
        "Rappelle-moi quand on part",
        "Ik vraag me af waar de sleutel ligt",
        "Weet niet meer waar ik geparkeerd heb",
    ],
)
def test_what_asks_without_a_mark(text: str) -> None:
    """The last sentence asks, in each of the five languages."""
    assert asks_indirectly(text)


@pytest.mark.parametrize(
    "text",
    [
        "The car is on level 5.",
        "Remind me to buy milk",
        "I know where the car is",
        "When I was young I lived in Rome",
        "What a day",
        "I'm not sure where the car is, probably on level 5",
        "I wonder where the code is. It was 8812",
        "I told you where I live",
        "Ich weiß, wo er wohnt",
        "Was ich mag, ist Kaffee",
        "I forgot my keys",
        "",
        "I wonder where " + "x" * MAX_LENGTH,
    ],
)
def test_what_tells(text: str) -> None:
    """A statement, or one that follows what is asked, asks nothing."""
    assert not asks_indirectly(text)
