"""How much of a budget a question needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from mem0g.model import Entity, Hit
from mem0g.retrieve.context.packing import EASY, LEAST, adaptive_budget
from mem0g.retrieve.question.query import Question
from tests.making import entity, fact, message

STANDS_OUT = [EASY + 1, *[0.0] * 30]
ANN, BOB, OSLO = (entity(name, type=kind) for name, kind in (("Ann", "person"), ("Bob", "Person"), ("Oslo", "city")))


def asked(text: str = "Where does Ann live?", anchors: Sequence[Entity] = ()) -> Question:
    """A question that names the anchors."""
    nothing = np.zeros(2, dtype=np.float32)
    return Question(text, tuple(anchors), (), (), (nothing, nothing))


def hits(scores: Sequence[float], turns: int = 0) -> list[Hit]:
    """Hits with these scores: facts, but the last ``turns`` of the first ten."""
    told = fact(ANN, "LIVES_IN", OSLO)
    made = [Hit(score=score, reasons=(), fact=told) for score in scores]
    for place in range(10 - turns, 10):
        made[place] = Hit(score=scores[place], reasons=(), message=message("x", place))
    return made


def test_an_easy_question_gets_less() -> None:
    """Where one hit stands out from the others three quarters of the budget are enough."""
    assert adaptive_budget(asked(), hits(STANDS_OUT), 1000) == 750
    assert adaptive_budget(asked(anchors=[ANN, OSLO]), hits(STANDS_OUT), 1000) == 750


def test_one_good_hit_is_no_list() -> None:
    """A question for several things is never easy: the best hit is one of them."""
    assert adaptive_budget(asked("Which towns has Ann lived in?"), hits(STANDS_OUT), 1000) == 1000


@pytest.mark.parametrize("tokens", [1, LEAST - 1, LEAST])
def test_a_small_budget_is_used(tokens: int) -> None:
    """Nothing is saved in a budget of 500 tokens or less; of one above, that much is left."""
    assert adaptive_budget(asked(), hits(STANDS_OUT), tokens) == tokens
    assert adaptive_budget(asked(), hits(STANDS_OUT), LEAST + 10) == LEAST


@pytest.mark.parametrize("scores", [[0.0] * 31, [EASY - 0.1, *[0.0] * 30], [EASY + 1] * 31, []])
def test_others_get_all(scores: list[float]) -> None:
    """Where many hits fit alike, or there is none, the budget stays whole."""
    assert adaptive_budget(asked(), hits(scores), 1000) == 1000


def test_of_few_hits_the_last_is_compared() -> None:
    """With fewer than ten hits the best is measured against the worst."""
    assert adaptive_budget(asked(), hits([EASY + 1, 0.0]), 1000) == 750
    assert adaptive_budget(asked(), hits([EASY + 1]), 1000) == 1000


def test_turns_answer_at_greater_length() -> None:
    """Where more than three of the first ten hits are raw turns, the extractor missed much: the budget stays whole."""
    assert adaptive_budget(asked(), hits(STANDS_OUT, turns=3), 1000) == 750
    assert adaptive_budget(asked(), hits(STANDS_OUT, turns=4), 1000) == 1000


def test_two_people_are_two_answers() -> None:
    """A question that names two people gets the whole budget: one good hit is half an answer."""
    assert adaptive_budget(asked("What do Ann and Bob share?", [ANN, BOB]), hits(STANDS_OUT), 1000) == 1000


@pytest.mark.parametrize("text", ["Would Ann like Oslo?", "What job might she take?", "Is it likely that Ann sails?"])
def test_what_has_to_be_inferred(text: str) -> None:
    """A question for what is only likely gets the whole budget: it is answered from many facts."""
    assert adaptive_budget(asked(text), hits(STANDS_OUT), 1000) == 1000
