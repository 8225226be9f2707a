"""Messages that are no evidence."""

from __future__ import annotations

import pytest

from mem0g.retrieve.context.filler import is_filler, merely_asks, only_asks, telling
from tests.making import message


@pytest.mark.parametrize(
    "text",
    [
        "YES!!",
        "hiiii",
        "Patch applied.",
        "ok ok",
        "  ",
        "That is so great to hear!",
        "Always! I'm so in.",
    ],
)
def test_filler(text: str) -> None:
    """Words that greet, cheer or agree are no evidence, however many; nor is what a tool prints."""
    assert is_filler(message(text))
    assert is_filler(message("The tests of the second run have all passed.", role="tool"))


@pytest.mark.parametrize(
    "text",
    [
        "I quit", "Sold my car", "On Friday", "It was 42.", "我很好", "It rains quite often.", "gig's cancelled :(",
        "no, at noon", "Dad is diabetic", "I'm pregnant", "Tea is so lovely.", "I know two of them",
    ],
)  # fmt: skip
def test_short_statements_are_no_filler(text: str) -> None:
    """Names, numbers, changes and what people say of themselves count, however short; so does any other statement."""
    assert not is_filler(message(text))


def test_words_that_are_asked_for_are_no_filler() -> None:
    """What shares a stem with the question may answer it."""
    assert not is_filler(message("Pizza please"), terms=("pizza",))
    assert is_filler(message("Pizza please"), terms=("tea",))


@pytest.mark.parametrize(
    "text",
    ["Noted, ramipril 5 mg every morning.", "Got it, thanks for telling me!", "Okay, let me think about that..."],
)
def test_an_assistants_acknowledgement_is_filler(text: str) -> None:
    """It repeats what it was told; a user's own words do not."""
    assert is_filler(message(text, role="assistant"))
    assert not is_filler(message("Noted: the code is 8812."))
    assert not is_filler(message("Understood. " + "Here is the plan for the week. " * 9, role="assistant"))


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Where did I park the car?", True),
        ("Remind me where I parked the car", True),
        ("I wonder where I parked the car.", True),
        ("not sure what the code is", True),
        ("I need to know where the car is parked.", True),
        ("Wow! Did you like it?", True),
        ("Could you tell me what the code is?", True),
        ("I got a dog, want to see it?", False),
        ("The car is on level 4. Where are you?", False),
        ("Remind me at noon", False),
        ("I'm not sure about Rome", False),
        ("", False),
        ("Why? " * 400, False),
    ],
)
def test_a_message_that_only_asks(text: str, asks: bool) -> None:
    """Each of its sentences is a question, with its mark or in other words; a long one tells something."""
    assert only_asks(text) is asks


@pytest.mark.parametrize(
    ("text", "merely"),
    [
        ("Where do I live?", True),
        ("What do I eat?", True),
        ("Can you compare PostgreSQL and SQLite for my shop?", False),
        ("I live in Oslo.", False),
    ],
)
def test_a_question_that_brings_nothing(text: str, merely: bool) -> None:
    """A question with more than a word of its own says what its author is busy with."""
    assert merely_asks(text, ["live", "ann"]) is merely


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Wow Nate! I won last week. What about you?", "I won last week."),
        ("Thanks, Nate! I took it on a hike. So nice to see.", "I took it on a hike. So nice to see."),
        ("Great pizza. I had it in Rome.", "Great pizza. I had it in Rome."),
        ("No. I moved.", "No. I moved."),
        ("Oslo! In May. Awesome!", "Oslo! In May."),
        ("I moved. Can you guess where? To Oslo.", "I moved. Can you guess where? To Oslo."),
        ("Hey Jo! How are you?", "Hey Jo! How are you?"),
        ("", ""),
    ],
)
def test_a_message_is_quoted_without_greetings_and_questions_around(text: str, told: str) -> None:
    """From the first sentence that says something to the last; whole where none does."""
    assert telling(text) == told
