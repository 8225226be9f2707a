"""Run questions through systems: search one at a time, then answer several at a time, then judge question by question.

The judge sees the answers of all systems to one question in one sheet, in random order and equal ones once, so that
equal answers get equal labels and no system is known by its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from time import perf_counter
from typing import TypeVar

from benchmarks.answers.questions import SampleQuestion
from benchmarks.answers.requests import Label, answer_request, judge_request
from benchmarks.answers.systems import BUDGETED, System
from benchmarks.models import Calls, ask_twice
from mem0g.errors import ModelAccessError, ModelError, UnknownModelError
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.pipeline import open_exchange
from mem0g.settings import LLMSettings

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question, the context a system found for it (within ``budget`` tokens, if any), and the search time in ms."""

    asked: SampleQuestion
    system: str
    budget: int | None
    context: str
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a task: the answer and its labels, or the ``problem`` that prevented one of them.

    ``key`` is that of the answer in the reply cache. ``seconds`` is how long the model took for the answer; None when
    that is unknown because the reply comes from the cache.
    """

    task: Task
    key: str
    answer: str = ""
    seconds: float | None = None
    judged: Label | None = None
    problem: str = ""

    @property
    def failure(self) -> str:
        """The question and the problem, "" if there is none."""
        asked, where = self.task.asked, self.task.system + (f" at {self.task.budget}" if self.task.budget else "")
        return self.problem and f"{asked.sample}, {asked.question.text!r}, {where}: {self.problem}"

    @property
    def correct(self) -> bool:
        """Whether the answer was judged correct."""
        return self.judged is not None and self.judged.label == "CORRECT"

    @property
    def strict(self) -> bool:
        """Whether the answer was judged to have everything essential of the gold answer, and nothing against it."""
        return self.judged is not None and self.judged.strict


def search_contexts(
    systems: Sequence[System], budgets: Sequence[int], asked: Iterable[SampleQuestion]
) -> Iterator[Task]:
    """Yield the context of each system for each question, searching one at a time.

    The first search of each system runs twice; only the second one counts.
    """
    warmed: set[str] = set()
    for each in asked:
        for system in systems:
            for budget in budgets if system.name in BUDGETED else (None,):
                if system.name not in warmed:
                    system.context(each.question.text, budget)
                    warmed.add(system.name)
                start = perf_counter()
                context = system.context(each.question.text, budget)
                milliseconds = 1000 * (perf_counter() - start)
                yield Task(asked=each, system=system.name, budget=budget, context=context, milliseconds=milliseconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """The models that answer and judge, ``concurrency`` requests at a time.

    ``seed`` draws the order of the answers in the judge's sheets. ``seconds`` holds the times of earlier answers by
    key, as far as they are known.
    """

    answering: Exchange
    judging: Exchange
    prompts: Prompts = field(default_factory=Prompts)
    concurrency: int = 4
    seed: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    def outcomes(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return the outcomes of the tasks, in order; what fails is retried once, after all others.

        Raises ModelAccessError and UnknownModelError at once, as they would fail every question.
        """
        answered = self._ask(self._answered, tasks, "answered", lambda outcome: bool(outcome.problem))
        sheets: dict[SampleQuestion, list[int]] = {}
        for place, outcome in enumerate(answered):
            if not outcome.problem:
                sheets.setdefault(outcome.task.asked, []).append(place)
        given = [[answered[place] for place in places] for places in sheets.values()]
        judged = self._ask(self._judged, given, "judged", lambda sheet: bool(sheet[0].problem))
        for places, sheet in zip(sheets.values(), judged, strict=True):
            for place, outcome in zip(places, sheet, strict=True):
                answered[place] = outcome
        return answered

    def _ask(self, ask: Callable[[T], R], given: Sequence[T], done: str, has_failed: Callable[[R], bool]) -> list[R]:
        return ask_twice(ask, given, self.concurrency, done, has_failed)

    def _answered(self, task: Task) -> Outcome:
        request = answer_request(self.prompts, task.asked.question.text, task.context)
        key, calls = request.key(self.answering.name), Calls()
        try:
            answer = self.answering.ask(request, calls).answer.strip()
        except (ModelAccessError, UnknownModelError):
            raise
        except ModelError as error:
            return Outcome(task=task, key=key, problem=f"answer: {error}")
        return Outcome(task=task, key=key, answer=answer, seconds=self._seconds(key, calls))

    def _judged(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Return the outcomes of one question with their labels, or with the problem that prevented them."""
        asked = outcomes[0].task.asked
        answers = shuffled([each.answer for each in outcomes], f"{self.seed} {asked.sample} {asked.question.text}")
        try:
            request = judge_request(self.prompts, asked.question.text, asked.question.answer, answers)
            labels = {each.number: each for each in self.judging.ask(request, Calls()).labels}
        except (ModelAccessError, UnknownModelError):
            raise
        except ModelError as error:
            return [replace(each, problem=f"judge: {error}") for each in outcomes]
        numbers = {_same(answer): number for number, answer in enumerate(answers, start=1)}
        return [replace(each, judged=labels[numbers[_same(each.answer)]]) for each in outcomes]

    def _seconds(self, key: str, calls: Calls) -> float | None:
        if calls.seconds is not None:
            self.seconds[key] = calls.seconds
        return self.seconds.get(key)


def shuffled(answers: Sequence[str], seed: str) -> list[str]:
    """Return the distinct answers, those that differ in case and white space alone being one, in an order by ``seed``.

    The order does not depend on the order in which the answers are given.
    """
    distinct = {_same(answer): answer for answer in reversed(answers)}
    order = sorted(distinct)
    Random(seed).shuffle(order)  # noqa: S311 - no secret
    return [distinct[each] for each in order]


def _same(answer: str) -> str:
    return " ".join(answer.casefold().split())


def earlier_seconds(document: Mapping[str, object]) -> dict[str, float]:
    """Return the answer times in seconds by cache key, from the OUT.json of an earlier run."""
    questions = document.get("questions")
    rows = questions if isinstance(questions, list) else []
    return {row["key"]: row["seconds"] for row in rows if row.get("seconds") is not None}


def examination(answering: LLMSettings, judging: LLMSettings, seed: int, seconds: dict[str, float]) -> Examination:
    """Return an examination by these models; ``seconds`` are those of earlier answers by their keys."""
    return Examination(
        answering=open_exchange(answering),
        judging=open_exchange(judging),
        prompts=Prompts(answering.prompts),
        concurrency=answering.concurrency,
        seed=seed,
        seconds=seconds,
    )
