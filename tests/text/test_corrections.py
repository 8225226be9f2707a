"""What corrects, denies, and tells how it used to be."""

from __future__ import annotations

import pytest

from mem0g.text.corrections import BEGINNING, corrects, denies, tells_of_past


@pytest.mark.parametrize(
    "text",
    [
        "No, the 3rd",
        "nope, quarter past",
        "sorry, twelve",
        "*oops, 12",
        "ah wait I meant the blue one",
        "scratch that, we meet at the pool",
        "I misread the timetable, gate 9",
        "Never mind what I wrote",
        "nee, erst am Freitag",
        "Hab mich vertippt, 17 Uhr",
        "Non, le 4",
    ],
)
def test_corrections(text: str) -> None:
    """They begin with a no, or say that something was wrong."""
    assert corrects(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sorry to hear that",
        "sorry about the noise",
        "Nobody came",
        "The pool is open",
        "x" * BEGINNING + " I meant 3",
    ],
)
def test_no_corrections(text: str) -> None:
    """Compassion is none, nor what begins with a longer word."""
    assert not corrects(text)


@pytest.mark.parametrize(
    "text", ["I told them no", "she didn’t come", "he doesnt sing", "Das geht nicht", "kein Platz"]
)
def test_denials(text: str) -> None:
    """Negations, with and without their apostrophe."""
    assert denies(text)


@pytest.mark.parametrize("text", ["", "I know it", "She notices", "Das Nest"])
def test_no_denials(text: str) -> None:
    """Words that only begin like one."""
    assert not denies(text)


def test_how_it_used_to_be() -> None:
    """Of the past by a phrase, not by a tense."""
    assert tells_of_past("I used to sail")
    assert tells_of_past("Früher sind wir gesegelt")
    assert not tells_of_past("I sailed")
    assert not tells_of_past("")
