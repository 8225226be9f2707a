"""Requests to the answering model and to the judge."""

from __future__ import annotations

from benchmarks.answering.replies import Answered, Judged
from mem0g.errors import UnusableReplyError
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Request

LONGEST = 60
"""Maximum words of an answer: ten times what is asked for, as a generous judge would accept a long list of guesses."""

NOTHING = "(there are none)"
"""Replaces an empty context."""

FILES = ("answer", "judge")
"""Names of the prompt files used here."""


def answer_request(prompts: Prompts, question: str, context: str) -> Request[Answered]:
    """Ask for the answer to ``question`` from ``context``, as in the Mem0 paper (appendix A of arXiv 2504.19413).

    The answer is to be a few words, with relative times resolved.
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
