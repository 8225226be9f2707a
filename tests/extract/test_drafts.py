"""Text that an assistant is asked to write or to work on."""

from __future__ import annotations

import pytest

from tests.extract.talk import ends


@pytest.mark.parametrize(
    "text",
    [
        "Write an email: Hi, I'm Susan. I live in Boston and work at IBM.",
        "Could you translate this into French: I live in Boston. I work at IBM.",
        "Please proofread the following text:\nI live in Boston.\n\nI have a dog named Rex.",
        "Hi! Rewrite this message so that it is polite: I work at IBM and I hate my boss.",
        "Can you proofread this? Dear Sir, I am a lawyer and I live in Madrid. Kind regards, Paul",
        "Pretend you are Sherlock. I live in Baker Street and my friend is Watson.",
        "Fwd from my landlord: I am selling the flat. I have moved to Spain.",
        "My mum always says: I hate cooking.",
        "Hi! My boss wrote to me yesterday: I have moved to Spain.",
    ],
)
def test_a_draft_says_nothing_of_its_author(text: str) -> None:
    """Nobody says of themselves what a text says that is to be written or corrected, played, forwarded or reported."""
    assert ends(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo. Write an email to my landlord: the heating is broken.",
        "Can you draft a letter for me? I live in Oslo.",
        "I have to write an email today: I live in Oslo.",
        "Write this down: I live in Oslo.",
        "Please correct my profile: I live in Oslo.",
        "Pretend you are a chef. I live in Oslo and want dinner.",
        "As I said: I live in Oslo.",
        "I told my boss: I live in Oslo.",
        "Can you check this for me? I live in Oslo.",
        "I'm not kidding. I live in Oslo. No kidding!",
        "I hate it. NOT the old one. I live in Oslo.",
    ],
)
def test_what_is_said_beside_a_draft(text: str) -> None:
    """What stands before the request counts, and so does what follows another one."""
    assert ("Olivia", "lives_in", "Oslo") in ends(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I love waiting in line for hours. NOT.", set()),
        ("I want to be an astronaut haha. jk", set()),
        ("I live in Oslo. I love Mondays /s", {("Olivia", "lives_in", "Oslo")}),
        ("I live in Rome. Just kidding, I live in Oslo.", {("Olivia", "lives_in", "Oslo")}),
    ],
)
def test_what_is_taken_back_at_once_is_not_meant(text: str, meant: set[tuple[str, str, str]]) -> None:
    """A sentence before "NOT" or "just kidding" is no statement; those around it are."""
    assert ends(text) == meant
