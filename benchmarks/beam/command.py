"""Evidence recall on BEAM: do contexts cover the messages that answer, in each of ten abilities?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.answers.memory_setup import TEMPORARY_STORE, FactSource, MemorySetup
from benchmarks.beam.checking import Checked, Checks, check_details, check_rows, ends_of
from benchmarks.beam.examination import (
    Answered,
    RubricExamination,
    answer_details,
    answer_rows,
    whole_conversations,
)
from benchmarks.beam.figures import ALL, Asked, ask, details, rows, table
from benchmarks.beam.methods import Engine, baselines
from benchmarks.beam.reading import BeamChat, read_chats
from benchmarks.beam.requests import PROMPT_FILES
from benchmarks.embedders import CachedEmbedder, TimedEmbedder
from benchmarks.models import Metered
from benchmarks.options import (
    CONCURRENCY,
    TIMEOUT,
    BaseUrlOption,
    ConcurrencyOption,
    JudgeBaseUrlOption,
    JudgeModelOption,
    ModelOption,
    OptionalCacheOption,
    OutOption,
    PromptsOption,
    StoreOption,
    TimeoutOption,
    cached,
    judge_settings,
    llm_settings,
)
from benchmarks.report import Measurement, Row, commit, note, prompt_files, report_failures, show, write
from benchmarks.timing import QueryTimes
from mem0g import Memory
from mem0g.answer.checking import PROMPT
from mem0g.errors import InputError
from mem0g.llm.prompts import Prompts
from mem0g.pipeline import open_exchange
from mem0g.settings import LLMSettings

BUDGETS = (500, 1000, 2000)


class Facts(StrEnum):
    """Where facts come from: mem0g's rules, nowhere, or a model."""

    rules = "rules"
    none = "none"
    llm = "llm"


CheckOption = Annotated[bool, typer.Option("--check", help="Let --model say whether contexts tell what is asked.")]


def beam(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="Folder of chats, such as 100K.")],
    out: OutOption,
    chat: Annotated[list[str] | None, typer.Option(help="Only these chats. [default: all]")] = None,
    budget: Annotated[list[int] | None, typer.Option(min=1, help="Context tokens. [default: 500 1000 2000]")] = None,
    facts: Annotated[Facts, typer.Option(help="Facts by the rules, none, or by --model.")] = Facts.rules,
    store: StoreOption = TEMPORARY_STORE,
    stretch: Annotated[int, typer.Option(min=0, help="Number of other chats around each, in the same scope.")] = 0,
    compare: Annotated[bool, typer.Option("--baselines/--no-baselines", help="Run the baselines, too.")] = True,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    llm_cache: OptionalCacheOption = None,
    llm_timeout: TimeoutOption = TIMEOUT,
    llm_concurrency: ConcurrencyOption = CONCURRENCY,
    check: CheckOption = False,
    answers: Annotated[bool, typer.Option("--answers", help="Answer with --model, and judge by the rubrics.")] = False,
    judge_model: JudgeModelOption = None,
    judge_base_url: JudgeBaseUrlOption = None,
    prompts: PromptsOption = None,
) -> None:
    """Measure recall of evidence on BEAM within token budgets, by ability, and how often nothing is said to be known.

    Baselines: BM25 over windows of three messages; the cosine of whole messages, and of passages. With --check a model
    says of each context of mem0g whether it tells what is asked. With --answers a model answers from each context and
    from the whole conversation, and each item of a question's rubric is scored. Exits with code 3 when some failed.
    """
    code, embedder = commit(), TimedEmbedder(CachedEmbedder(TimedEmbedder.usual()))
    llm = llm_settings(model, base_url, llm_cache, llm_timeout, llm_concurrency, prompts)
    asked = Judged(llm, judge_settings(llm, judge_model, judge_base_url), check=check, answers=answers)
    if facts is Facts.llm or answers or check:
        cached(llm_cache)
    chats, every = _chats(data, chat, stretch)
    times = QueryTimes(embedder)
    with MemorySetup(store=store, source=FactSource(facts.value), llm=llm).memory(embedder) as memory:
        given = measure(memory, chats, every, budget or BUDGETS, stretch, times, compare=compare)
    judged, failures = asked.judged(given, chats)
    measured = _measurement(code, given, times, chats, asked, embedder.name)
    write(out, measured, {"facts": facts.value, "stretch": stretch, "questions": details(given), **judged})
    _show(measured.rows, judged, f"facts: {facts}, {stretch} chats around", times)
    report_failures(failures)


def _measurement(
    code: str, given: Sequence[Asked], times: QueryTimes, chats: Sequence[BeamChat], asked: Judged, embedder: str
) -> Measurement:
    return Measurement(
        benchmark="beam",
        commit=code,
        rows=rows(given),
        milliseconds=times.milliseconds,
        data=[*(file for each in chats for file in each.files), *asked.files],
        versions={"embedder": embedder, **asked.versions},
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """What models are asked about the contexts: with ``check`` whether they answer, with ``answers`` to answer."""

    llm: LLMSettings
    judging: LLMSettings
    check: bool
    answers: bool

    @property
    def versions(self) -> dict[str, str]:
        """The names of the models, by their tasks."""
        models = {"model": self.llm.model} if self.answers or self.check else {}
        return models | ({"judge_model": self.judging.model} if self.answers else {})

    @property
    def files(self) -> list[Path]:
        """The prompts, on which the figures depend."""
        files = prompt_files("benchmarks.beam", PROMPT_FILES, self.llm.prompts) if self.answers else []
        return files + (prompt_files("mem0g.answer", (PROMPT,), self.llm.prompts) if self.check else [])

    def judged(self, given: Sequence[Asked], chats: Sequence[BeamChat]) -> tuple[dict[str, list[Row]], list[str]]:
        """Return the rows to add to the figures, by name, and the questions that failed."""
        prompts, concurrency = Prompts(self.llm.prompts), self.llm.concurrency
        answering = _metered(self.llm)
        checks = Checks(model=answering, ends=ends_of(chats), prompts=prompts, concurrency=concurrency)
        checked = checks.of(given) if self.check else []
        examination = RubricExamination(
            answering=answering, judging=_metered(self.judging), prompts=prompts, concurrency=concurrency
        )
        outcomes = examination.outcomes([*given, *whole_conversations(chats)]) if self.answers else []
        found = {"answers": answer_rows(outcomes), "answered": answer_details(outcomes)} if self.answers else {}
        found |= {"checks": check_rows(checked), "checked": check_details(checked)} if self.check else {}
        done: list[Answered | Checked] = [*checked, *outcomes]
        return found, [_failure(each) for each in done if each.problem]


def _chats(data: Path, wanted: Sequence[str] | None, stretch: int) -> tuple[list[BeamChat], list[BeamChat]]:
    """Return the chats to measure, and all chats. Raises InputError where these are too few to stretch with."""
    every = read_chats(data)
    if stretch >= len(every):
        raise InputError(f"--stretch {stretch} needs {stretch + 1} chats", hint=f"{data} has {len(every)}")
    return read_chats(data, wanted) if wanted else every, every


def _show(found: Sequence[Row], more: Mapping[str, list[Row]], run: str, times: QueryTimes) -> None:
    judged = more.get("answers", [])
    for method in dict.fromkeys(row["method"] for row in found):
        show(f"{method}: evidence recall, %; {run}", table(found, method, "evidence"))
    show("mem0g: contexts that say that nothing is known, %", table(found, "mem0g", "unknown"))
    if "checks" in more:
        show("mem0g: contexts that say that nothing is known, % without a model and checked by it", more["checks"])
    for method in dict.fromkeys(row["method"] for row in judged):
        show(f"{method}: rubric, %; {run}", table(judged, method, "rubric"))
    if judged:
        show("cost of answers; order of events, %", [row for row in judged if row["slice"] == ALL])
    note(f"mem0g: {times}")


def _failure(outcome: Answered | Checked) -> str:
    """Return the question and the problem of an outcome."""
    asked = outcome.asked
    where = asked.method + (f" at {asked.budget}" if asked.budget else "")
    return f"chat {asked.chat}, {asked.question.text!r}, {where}: {outcome.problem}"


def _metered(settings: LLMSettings) -> Metered:
    opened = open_exchange(settings)
    return Metered(opened.model, retries=opened.retries, cache=opened.cache)


def measure(
    memory: Memory,
    chats: Sequence[BeamChat],
    every: Sequence[BeamChat],
    budgets: Sequence[int],
    stretch: int,
    times: QueryTimes,
    *,
    compare: bool = True,
) -> list[Asked]:
    """Ask the questions of each chat, which is stored among the next ``stretch`` chats of ``every``, of all methods."""
    given: list[Asked] = []
    for chat in chats:
        if chat.unasked:
            note(f"chat {chat.name}: {chat.unasked} questions without evidence are left out")
        noise = _noise(chat, every, stretch)
        engine = Engine.of(memory, chat, noise, times)
        given += ask(engine, chat, budgets)
        for method in baselines(chat, noise, memory.embedder) if compare else ():
            given += ask(method, chat, budgets)
    return given


def _noise(chat: BeamChat, every: Sequence[BeamChat], count: int) -> list[BeamChat]:
    """Return the ``count`` chats that come after the chat, beginning again after the last."""
    place = [each.name for each in every].index(chat.name)
    around = [*every[place + 1 :], *every[:place]]
    return around[:count]
