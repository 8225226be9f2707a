"""Run questions through systems: search one at a time, then answer and judge several at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter

from benchmarks.answers.questions import SampleQuestion
from benchmarks.answers.requests import JudgeReply, answer_request, judge_request
from benchmarks.answers.systems import FACT_SYSTEMS, System
from benchmarks.models import Calls
from benchmarks.report import note
from mem0g.errors import ModelAccessError, ModelError, UnknownModelError
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts

PROGRESS_STEP = 20
"""Number of questions between two lines of progress."""


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
    """The result of a task: the answer and its label, or the ``problem`` that prevented one of them.

    ``key`` is that of the answer in the reply cache. ``seconds`` is how long the model took for the answer; None when
    that is unknown because the reply comes from the cache.
    """

    task: Task
    key: str
    answer: str = ""
    seconds: float | None = None
    judged: JudgeReply | None = None
    problem: str = ""

    @property
    def correct(self) -> bool:
        """Whether the answer was judged correct."""
        return self.judged is not None and self.judged.label == "CORRECT"


def search_contexts(
    systems: Sequence[System], budgets: Sequence[int], asked: Iterable[SampleQuestion]
) -> Iterator[Task]:
    """Yield the context of each system for each question, searching one at a time.

    The first search of each system runs twice; only the second one counts.
    """
    warmed: set[str] = set()
    for each in asked:
        for system in systems:
            for budget in budgets if system.name in FACT_SYSTEMS else (None,):
                if system.name not in warmed:
                    system.context(each.question.text, budget)
                    warmed.add(system.name)
                start = perf_counter()
                context = system.context(each.question.text, budget)
                milliseconds = 1000 * (perf_counter() - start)
                yield Task(asked=each, system=system.name, budget=budget, context=context, milliseconds=milliseconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """The models that answer and judge, ``concurrency`` questions at a time.

    ``seconds`` holds the times of earlier answers by key, as far as they are known.
    """

    answering: Exchange
    judging: Exchange
    prompts: Prompts = field(default_factory=Prompts)
    concurrency: int = 4
    seconds: dict[str, float] = field(default_factory=dict)

    def outcomes(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return the outcomes of the tasks, in order; failed tasks are retried once, after all others.

        Raises ModelAccessError and UnknownModelError at once, as they would fail every question.
        """
        outcomes = self._round(tasks)
        failed = [place for place, outcome in enumerate(outcomes) if outcome.problem]
        if failed:
            note(f"{len(failed)} failed and are retried")
        for place, again in zip(failed, self._round([tasks[place] for place in failed]), strict=True):
            outcomes[place] = again
        return outcomes

    def _round(self, tasks: Sequence[Task]) -> list[Outcome]:
        done: list[Outcome] = []
        with ThreadPoolExecutor(self.concurrency, "benchmark-ask") as pool:
            try:
                for outcome in pool.map(self._outcome, tasks):
                    done.append(outcome)
                    if len(done) % PROGRESS_STEP == 0 or len(done) == len(tasks):
                        note(f"{len(done)} of {len(tasks)} answered and judged")
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return done

    def _outcome(self, task: Task) -> Outcome:
        question = task.asked.question
        request = answer_request(self.prompts, question.text, task.context)
        key, calls = request.key(self.answering.name), Calls()
        answer, seconds = "", None
        try:
            answer = self.answering.ask(request, calls).answer.strip()
            seconds = self._seconds(key, calls)
            asked = judge_request(self.prompts, question.text, question.answer, answer)
            judged = self.judging.ask(asked, Calls())
        except (ModelAccessError, UnknownModelError):
            raise
        except ModelError as error:
            problem = f"{'judge' if answer else 'answer'}: {error}"
            return Outcome(task=task, key=key, answer=answer, seconds=seconds, problem=problem)
        return Outcome(task=task, key=key, answer=answer, seconds=seconds, judged=judged)

    def _seconds(self, key: str, calls: Calls) -> float | None:
        if calls.seconds is not None:
            self.seconds[key] = calls.seconds
        return self.seconds.get(key)


def earlier_seconds(document: Mapping[str, object]) -> dict[str, float]:
    """Return the answer times in seconds by cache key, from the OUT.json of an earlier run."""
    questions = document.get("questions")
    rows = questions if isinstance(questions, list) else []
    return {row["key"]: row["seconds"] for row in rows if row.get("seconds") is not None}
