"""What is asked of the model that answers, and of the one that judges."""

from __future__ import annotations

from benchmarks.answering.replies import Answered, Judged
from mem0g.errors import UnusableReplyError
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Request

LONGEST = 60
"""Words of an answer: ten times what is asked for is a lecture, which a generous judge would pass."""

NOTHING = "(there are none)"
"""Stands for an empty context."""

FILES = ("answer", "judge")
"""The prompts of this room."""


def answer_request(prompts: Prompts, question: str, context: str) -> Request[Answered]:
    """Ask for the answer to ``question`` from ``context``, as the Mem0 paper does (appendix A of arXiv 2504.19413): in
    few words, relative times worked out.
    """
    rendered = prompts.render(__package__, "answer", {"question": question, "context": context.strip() or NOTHING})
    return Request(
        purpose="answer",
        system=rendered.system,
        hints=rendered.hints,
        user=rendered.user,
        function="give_answer",
        description="Give the answer to the question.",
        reply=Answered,
        check=_check_answer,
    )


def judge_request(prompts: Prompts, question: str, gold: str, answer: str) -> Request[Judged]:
    """Ask whether ``answer`` is right, by the rule of the Mem0 paper; what it was answered from is not shown."""
    words = {"question": question, "gold": gold, "answer": " ".join(answer.split())}
    rendered = prompts.render(__package__, "judge", words)
    return Request(
        purpose="judge",
        system=rendered.system,
        hints=rendered.hints,
        user=rendered.user,
        function="give_label",
        description="Give the label of the answer.",
        reply=Judged,
        check=_check_label,
    )


def _check_answer(reply: Answered) -> None:
    if not reply.answer.strip():
        raise UnusableReplyError('the answer is empty; where the memories do not tell, it is "I do not know"')
    if len(reply.answer.split()) > LONGEST:
        raise UnusableReplyError(f"the answer has {len(reply.answer.split())} words; about six are asked for")


def _check_label(reply: Judged) -> None:
    if not reply.reason.strip():
        raise UnusableReplyError("the reason is empty")
