"""Requests to the answering model and to the judge, and the types of their replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from mem0g.errors import UnusableReplyError
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Request

MAX_ANSWER_WORDS = 60
"""Maximum words of an answer: ten times what is asked for, as a generous judge would accept a long list of guesses."""

NO_MEMORIES = "(there are none)"
"""Replaces an empty context."""

PROMPT_FILES = ("answer", "judge")
"""Names of the prompt files used here."""


def answer_request(prompts: Prompts, question: str, context: str) -> Request[AnswerReply]:
    """Ask for the answer to ``question`` from ``context``, as in the Mem0 paper (appendix A of arXiv 2504.19413).

    The answer is to be a few words, with relative times resolved.
    """
    rendered = prompts.render(__package__, "answer", {"question": question, "context": context.strip() or NO_MEMORIES})
    return rendered.request(
        purpose="answer",
        function="give_answer",
        description="Give the answer to the question.",
        reply=AnswerReply,
        check=_check_answer,
    )


def judge_request(prompts: Prompts, question: str, gold: str, answers: Sequence[str]) -> Request[JudgeReply]:
    """Ask for the labels of ``answers``, numbered from 1: correct by the rule of the Mem0 paper, and strictly so.

    The judge does not see the contexts.
    """
    lines = (f"[{number}] {' '.join(answer.split())}" for number, answer in enumerate(answers, start=1))
    words = {"question": question, "gold": gold, "answers": "\n".join(lines)}
    rendered = prompts.render(__package__, "judge", words)
    return rendered.request(
        purpose="judge",
        function="give_labels",
        description="Give the labels of the answers.",
        reply=JudgeReply,
        check=lambda reply: _check_labels(reply, len(answers)),
    )


def _check_answer(reply: AnswerReply) -> None:
    if not reply.answer.strip():
        raise UnusableReplyError('the answer is empty; where the memories do not tell, it is "I do not know"')
    if len(reply.answer.split()) > MAX_ANSWER_WORDS:
        raise UnusableReplyError(f"the answer has {len(reply.answer.split())} words; about six are asked for")


def _check_labels(reply: JudgeReply, count: int) -> None:
    given = Counter(each.number for each in reply.labels)
    problems = [f"there is no answer {number}" for number in given if not 1 <= number <= count]
    problems += [f"answer {number} has {given[number]} labels" for number in range(1, count + 1) if given[number] != 1]
    problems += [f"the reason of label {each.number} is empty" for each in reply.labels if not each.reason.strip()]
    problems += [
        f"answer {each.number} is WRONG and strict" for each in reply.labels if each.strict and each.label == "WRONG"
    ]
    if problems:
        raise UnusableReplyError("; ".join(problems))


class _Reply(BaseModel):
    """A part of a reply: every field is required, and no other is allowed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AnswerReply(_Reply):
    """An answer, preceded by its reasoning."""

    reasoning: str
    answer: str


class Label(_Reply):
    """The labels of one answer, preceded by the reasoning.

    ``strict``: everything essential of the gold answer is there, and nothing contradicts it.
    """

    number: int
    reason: str
    label: Literal["CORRECT", "WRONG"]
    strict: bool


class JudgeReply(_Reply):
    """The labels of all answers to one question."""

    labels: list[Label]
