"""Answer the questions from each method's context with a model, and score the answers by their rubrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import Any

from benchmarks.answers.systems import history
from benchmarks.beam.figures import ALL, Asked
from benchmarks.beam.methods import Found
from benchmarks.beam.reading import BeamChat
from benchmarks.beam.requests import ItemScore, answer_request, rubric_request
from benchmarks.models import Calls, ask_twice
from benchmarks.report import Row
from mem0g.errors import ModelAccessError, ModelError, UnknownModelError
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.text.token_count import estimate_tokens

WHOLE = "full-conversation"
"""The method that gives the whole conversation to the model."""

ORDERING = "event_ordering"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer with the scores of its rubric's items, or the ``problem`` that prevented one of them.

    ``tokens`` are those of the answering calls, prompts and replies, ``calls`` how many there were of both models.
    """

    asked: Asked
    answer: str = ""
    scores: tuple[ItemScore, ...] = ()
    tokens: int = 0
    calls: int = 0
    problem: str = ""

    @property
    def rubric(self) -> float:
        """The mean score of the items."""
        return fmean(each.score for each in self.scores)

    @property
    def order(self) -> float:
        """How well the order in the answer is that of the rubric: Kendall's tau-b as a number from 0 to 1.

        Items that the answer does not name share the last place, as in BEAM.
        """
        ranked = sorted(self.scores, key=lambda each: each.number)
        return (tau_b([each.place or len(ranked) + 1 for each in ranked]) + 1) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricExamination:
    """The models that answer and judge, ``concurrency`` requests at a time."""

    answering: Exchange
    judging: Exchange
    prompts: Prompts = field(default_factory=Prompts)
    concurrency: int = 4

    def outcomes(self, given: Iterable[Asked]) -> list[Answered]:
        """Return the answers and scores, in order; what fails is retried once, after all others.

        Raises ModelAccessError and UnknownModelError at once, as they would fail every question.
        """
        tasks = [each for each in given if each.question.rubric]
        return ask_twice(self._outcome, tasks, self.concurrency, "answered and judged", lambda each: bool(each.problem))

    def _outcome(self, asked: Asked) -> Answered:
        calls, question = Calls(), asked.question
        try:
            answer = self.answering.ask(answer_request(self.prompts, question.text, asked.found.text), calls).answer
            spent = sum(call.prompt_tokens + call.completion_tokens for call in calls.calls)
            request = rubric_request(self.prompts, question.text, answer.strip(), question.rubric)
            scores = tuple(self.judging.ask(request, calls).scores)
        except (ModelAccessError, UnknownModelError):
            raise
        except ModelError as error:
            return Answered(asked=asked, calls=len(calls.calls), problem=str(error))
        return Answered(asked=asked, answer=answer.strip(), scores=scores, tokens=spent, calls=len(calls.calls))


def whole_conversations(chats: Iterable[BeamChat]) -> list[Asked]:
    """Return the questions of the chats, each with all messages of its chat as its context."""
    return [
        Asked(chat=chat.name, question=question, method=WHOLE, budget=None, found=Found(whole, frozenset()))
        for chat in chats
        for whole in [history([replace(each, speaker=each.speaker or each.role) for each in chat.messages])]
        for question in chat.questions
    ]


def tau_b(places: Sequence[int]) -> float:
    """Return Kendall's tau-b of the places and their ascending order; 0 where all places are equal."""
    pairs = list(combinations(places, 2))
    apart = sum(one != other for one, other in pairs)
    agree = sum(one < other for one, other in pairs) - sum(one > other for one, other in pairs)
    return agree / sqrt(apart * len(pairs)) if apart else 0.0


def answer_rows(outcomes: Iterable[Answered]) -> list[Row]:
    """Return a row for each method, budget and slice: all questions, and each ability; shares in percent.

    ``rubric`` is the mean over the questions of the mean score of their items, ``order`` that of the order of events.
    ``context`` is the mean tokens of a context, ``tokens`` those of the answering calls (0 from the cache), ``calls``
    the mean calls a question; ``failed`` questions count in none of them.
    """
    kept: dict[tuple[str, int | None, str], list[Answered]] = {}
    for each in outcomes:
        for name in (ALL, each.asked.question.ability):
            kept.setdefault((each.asked.method, each.asked.budget, name), []).append(each)
    return [
        {"method": method, "budget": budget, "slice": name, **_figures(some)}
        for (method, budget, name), some in kept.items()
    ]


def _figures(some: Sequence[Answered]) -> Row:
    judged = [each for each in some if not each.problem]
    ordered = [each.order for each in judged if each.asked.question.ability == ORDERING]
    return {
        "rubric": _mean([100 * each.rubric for each in judged]),
        "order": _mean([100 * each for each in ordered]),
        "context": _mean([estimate_tokens(each.asked.found.text) for each in judged]),
        "tokens": _mean([each.tokens for each in judged]),
        "calls": _mean([each.calls for each in judged]),
        "n": len(judged),
        "failed": len(some) - len(judged),
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 2) if values else None


def answer_details(outcomes: Iterable[Answered]) -> list[dict[str, Any]]:
    """Return each answer with its scores, for reading."""
    return [
        {
            **each.asked.described,
            "context": each.asked.found.text if each.asked.method != WHOLE else None,
            "answer": each.answer,
            "rubric": [
                {"item": each.asked.question.rubric[score.number - 1], "score": score.score, "reason": score.reason}
                for score in sorted(each.scores, key=lambda score: score.number)
            ],
            **({"problem": each.problem} if each.problem else {}),
        }
        for each in outcomes
    ]
