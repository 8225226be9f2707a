"""Questions with and without their question marks."""

from __future__ import annotations

import pytest

from mem0g.text.asking import beside_unmarked, ends_asking


@pytest.mark.parametrize(
    "text",
    [
        "Where is the key?",
        "whats the gate code",
        "ok. how's the puppy",
        "any luck with the boiler",
        "hey, are you in tonight",
        "when and where was the swim in the end",
        "the ferry leaves at six, can we still make it",
        "great. which platform",
        "aww. whats he called",
        "right who still has my ladder",
        "picnic on the 3rd yes or no",
        "who feeds the hens",
        "should i bring a tent",
        "Marta what's your iban again",
        "Bo, can you bring the tent",
        "wie läufts in der werkstatt",
        "na gut. wann kommst du",
        "kaufst du brot und bier",
        "I wonder where I parked the car.",
        "quick question: where do i put it",
        "bike one - how do i change the tyre",
        "aye. and whats the plan for sunday",
    ],
)
def test_texts_that_end_with_a_question(text: str) -> None:
    """In chats the mark is often left out; the question is the last sentence, or its last clause."""
    assert ends_asking(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what a lovely boat",
        "how nice of you",
        "when i was in Rome it rained",
        "when and where i grew up it rained",
        "who cares",
        "which is fine with me",
        "was 40 at the old place",
        "did my homework",
        "will do",
        "Where the road ends there is a mill.",
        "Are you coming? I am.",
        "was für ein tag",
        "wie gesagt, montag",
        "take 9417",
        "what you need is sleep",
        "guess what you get",
        "what's more, it rained",
        "remember what your mum said",
    ],
)
def test_texts_that_do_not(text: str) -> None:
    """Exclamations, clauses, statements without a subject, and sentences that end with a full stop."""
    assert not ends_asking(text)


def test_what_stands_beside_a_question_without_its_mark() -> None:
    """Sentences and clauses before and after it; None where nothing is asked."""
    assert beside_unmarked("The hall is free. whats the rent") == "The hall is free"
    assert beside_unmarked("what about oslo instead, the ferry is cheap") == "the ferry is cheap"
    assert beside_unmarked("whats the rent") == ""
    assert beside_unmarked("We booked the hall. I wonder who comes.") == "We booked the hall."
    assert beside_unmarked("The hall is free") is None
    assert beside_unmarked("Is it?") is None  # it has its mark


def test_a_long_line_is_no_question() -> None:
    """A pasted line that happens to begin as one states something."""
    assert not ends_asking("what is " + "word " * 100)
