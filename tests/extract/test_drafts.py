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
    ],
)
def test_a_draft_says_nothing_of_its_author(text: str) -> None:
    """Nobody says of themselves what a text says that is to be written, translated or corrected."""
    assert ends(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo. Write an email to my landlord: the heating is broken.",
        "Can you draft a letter for me? I live in Oslo.",
        "I have to write an email today: I live in Oslo.",
        "Write this down: I live in Oslo.",
        "Please correct my profile: I live in Oslo.",
    ],
)
def test_what_is_said_beside_a_draft(text: str) -> None:
    """What stands before the request counts, and so does what follows another one."""
    assert ("Olivia", "lives_in", "Oslo") in ends(text)
