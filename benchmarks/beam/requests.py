"""Requests to the answering model and to the judge, and the types of their replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from benchmarks.answers.requests import NO_MEMORIES, AnswerReply
from mem0g.errors import UnusableReplyError
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Request

SCORES = (0, 0.5, 1)
"""The scores of an item: not complied with, in part, in full."""

PROMPT_FILES = ("answer", "rubric")
"""Names of the prompt files used here."""


def answer_request(prompts: Prompts, question: str, context: str) -> Request[AnswerReply]:
    """Ask for the reply to ``question`` from ``context``, whatever ability it tests."""
    rendered = prompts.render(__package__, "answer", {"question": question, "context": context.strip() or NO_MEMORIES})
    return rendered.request(
        purpose="answer",
        function="give_answer",
        description="Give the reply to the user.",
        reply=AnswerReply,
        check=_check_answer,
    )


def rubric_request(prompts: Prompts, question: str, answer: str, rubric: Sequence[str]) -> Request[RubricReply]:
    """Ask for the score of each item of a rubric, numbered from 1, by the rules of BEAM's judge (its listing 20).

    BEAM asks for one item in a call; here all items of a question are in one, each scored by itself.
    """
    items = "\n".join(f"[{number}] {' '.join(item.split())}" for number, item in enumerate(rubric, start=1))
    rendered = prompts.render(__package__, "rubric", {"question": question, "answer": answer, "rubric": items})
    return rendered.request(
        purpose="judge",
        function="give_scores",
        description="Give the scores of the criteria.",
        reply=RubricReply,
        check=lambda reply: _check_scores(reply, len(rubric)),
    )


def _check_answer(reply: AnswerReply) -> None:
    if not reply.answer.strip():
        raise UnusableReplyError("the answer is empty; where the memories do not tell, it says so")


def _check_scores(reply: RubricReply, count: int) -> None:
    given = Counter(each.number for each in reply.scores)
    problems = [f"there is no criterion {number}" for number in given if not 1 <= number <= count]
    problems += [
        f"criterion {number} has {given[number]} scores" for number in range(1, count + 1) if given[number] != 1
    ]
    problems += [f"{each.score} is no score: 0, 0.5 or 1" for each in reply.scores if each.score not in SCORES]
    if problems:
        raise UnusableReplyError("; ".join(problems))


class ItemScore(BaseModel):
    """The score of one item of a rubric, and its place among those that the answer names (0: not named)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    reason: str
    score: float
    place: int


class RubricReply(BaseModel):
    """The scores of all items of a rubric."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scores: list[ItemScore]
