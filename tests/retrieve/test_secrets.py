"""Passwords, codes, account numbers and salaries in contexts."""

from __future__ import annotations

import pytest

from mem0g.model import Hit
from mem0g.retrieve.context.packing import pack
from mem0g.retrieve.context.secrets import keeps_secret
from tests.making import entity, fact, message

SECRETS = [
    ("My password is hunter2.", "What is my password?"),
    ("kim's password is hunter2.", "How do I log in?"),
    ("Kim has password hunter2", "Which password does Kim use?"),
    ("The code for the garage is 8812.", "What's the garage code?"),
    ("The wifi password is sunflower", "What is the wifi?"),
    ("The wifi code: 8812", "wifi?"),
    ("My PIN is 1234.", "What is my pin?"),
    ("My account number is 12-345-6", "Which account do I pay to?"),
    ("IBAN: DE89 3704", "What is her IBAN?"),
    ("My salary is 4200 euros a month.", "How much do I earn?"),
]


@pytest.mark.parametrize(("text", "question"), SECRETS)
def test_a_secret_is_for_a_question_that_asks_for_it(text: str, question: str) -> None:
    """Other questions do not get it."""
    assert not keeps_secret(text, question)
    assert keeps_secret(text, "What am I allergic to?")


def test_another_kind_of_secret_is_not_asked_for() -> None:
    """Who asks for a code gets no password."""
    assert keeps_secret("My password is hunter2.", "What is the code for the garage?")
    assert not keeps_secret("The code for the garage is 8812.", "What is the code for the garage?")


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password again.",
        "We hash each password with bcrypt.",
        "The code is on GitHub.",
        "My code has 3 bugs.",
        "I asked for a higher salary.",
        "My password is hunter2, and " + "there is much else to say " * 6,
        "",
    ],
)
def test_talk_about_secrets_is_none(text: str) -> None:
    """A text that gives no value, or that says much else, is shown."""
    assert not keeps_secret(text, "What am I allergic to?")


def test_a_context_leaves_secrets_out() -> None:
    """Facts and messages, unless they are asked for."""
    ann = entity("Ann")
    told = fact(ann, "HAS_PASSWORD", entity("hunter2"), "Ann's password is hunter2.", said_at=None)
    hits = [
        Hit(score=2.0, reasons=(), fact=told),
        Hit(score=1.5, reasons=(), message=message("My password is hunter2.")),
        Hit(score=1.0, reasons=(), fact=fact(ann, "LIKES", entity("tea"), said_at=None)),
    ]
    assert pack(hits, (), 100, question="What does Ann like?").text == "Ann:\n  likes tea"
    assert "hunter2" in pack(hits, (), 100, question="What is Ann's password?").text
