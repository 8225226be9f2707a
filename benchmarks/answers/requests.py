"""Requests to the answering model and to the judge, and the types of their replies."""

from __future__ import annotations

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
    return Request(
        purpose="answer",
        system=rendered.system,
        hints=rendered.hints,
        user=rendered.user,
        function="give_answer",
        description="Give the answer to the question.",
        reply=AnswerReply,
        check=_check_answer,
    )


def judge_request(prompts: Prompts, question: str, gold: str, answer: str) -> Request[JudgeReply]:
    """Ask whether ``answer`` is correct, by the rule of the Mem0 paper; the judge does not see the context."""
    words = {"question": question, "gold": gold, "answer": " ".join(answer.split())}
    rendered = prompts.render(__package__, "judge", words)
    return Request(
        purpose="judge",
        system=rendered.system,
        hints=rendered.hints,
        user=rendered.user,
        function="give_label",
        description="Give the label of the answer.",
        reply=JudgeReply,
        check=_check_label,
    )


def _check_answer(reply: AnswerReply) -> None:
    if not reply.answer.strip():
        raise UnusableReplyError('the answer is empty; where the memories do not tell, it is "I do not know"')
    if len(reply.answer.split()) > MAX_ANSWER_WORDS:
        raise UnusableReplyError(f"the answer has {len(reply.answer.split())} words; about six are asked for")


def _check_label(reply: JudgeReply) -> None:
    if not reply.reason.strip():
        raise UnusableReplyError("the reason is empty")


class AnswerReply(BaseModel):
    """An answer, preceded by its reasoning."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reasoning: str
    answer: str


class JudgeReply(BaseModel):
    """The label of an answer, preceded by its reasoning."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reason: str
    label: Literal["CORRECT", "WRONG"]
