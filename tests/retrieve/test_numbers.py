"""Numbers of one attribute together."""

import pytest

from mem0g.model import Hit, Message
from mem0g.retrieve.context.numbers import HEADING, numbers
from mem0g.retrieve.question.kinds import asks_for_numbers
from mem0g.text.stemming import tokens
from mem0g.text.token_count import estimate_tokens
from tests.making import day, message

QUESTION = tuple(tokens("How many pottery classes have I taken?"))


def told(*texts: str, role: str = "user") -> list[Hit]:
    """Messages of successive days, the last one first."""
    said: list[Message] = [
        message(text, place, speaker="Ann", role=role, time=day(f"2024-03-0{place + 1}"))
        for place, text in enumerate(texts)
    ]
    return [Hit(score=0.0, reasons=(), message=each) for each in reversed(said)]


def test_numbers_stand_together() -> None:
    """Those about what is asked, in order of time, with the words around them."""
    hits = told(
        "Since spring I have taken 4 pottery classes, and I like them a lot more than I thought I would.",
        "My bike has 21 gears. It cost $300 at the flea market.",
        "I like pottery classes.",
        "By now I have taken ten pottery classes!",
    )
    found = numbers(hits, QUESTION, 100)
    assert found.text.splitlines() == [
        HEADING,
        "  Ann, 2024-03-01: spring I have taken 4 pottery classes, and I like",
        "  Ann, 2024-03-04: now I have taken ten pottery classes!",
    ]
    assert [hit.text[:5] for hit in found.hits] == ["Since", "By no"]
    assert found.tokens == estimate_tokens(found.text)


def test_a_date_is_not_cut() -> None:
    """Words that would end before a number end after it."""
    found = numbers(
        told("I took 4 pottery classes since about May 5, all in all.", "Now 9 pottery classes."), QUESTION, 99
    )
    assert "Ann, 2024-03-01: I took 4 pottery classes since about May 5\n" in found.text


def test_one_number_is_no_group() -> None:
    """Nor are numbers of other things, those in code, those of an assistant, and none at all."""
    one = "I have taken 4 pottery classes."
    assert numbers(told(one), QUESTION, 100).text == ""
    assert numbers(told(one, "I have 3 dogs.", "```\npottery_classes = 5\n```"), QUESTION, 100).hits == ()
    assert numbers(told(one, "I took 5 pottery classes.", role="assistant"), QUESTION, 100).text == ""
    assert numbers(told(one, "I took 5 pottery classes."), (), 100).text == ""
    assert numbers([], QUESTION, 100).tokens == 0


def test_numbers_fit_a_budget() -> None:
    """Those that share most come first; equal words said twice stand once and have both messages."""
    texts = [f"I have taken {place} pottery classes." for place in range(2, 9)]
    for budget in (1, 20, 40, 60):
        found = numbers(told(*texts), QUESTION, budget)
        assert found.tokens <= budget
        assert found.text == "" or len(found.hits) > 1
    again = numbers(
        [*told("I took 4 pottery classes.", "5 pottery classes"), *told("I took 4 pottery classes.")], QUESTION, 99
    )
    assert len(again.text.splitlines()) == 3


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How many commits are there?", True),
        ("What did all of it cost in total?", True),
        ("Wie viele Bücher habe ich gelesen?", True),
        ("¿Cuántos libros leí?", True),
        ("What do I like about totalitarian novels?", False),
        ("Which books did I read?", False),
    ],
)
def test_questions_for_numbers(question: str, asks: bool) -> None:
    """They count, sum or measure."""
    assert asks_for_numbers(question) is asks
