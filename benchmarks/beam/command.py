"""Evidence recall on BEAM: do contexts cover the messages that answer, in each of ten abilities?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
    ModelOption,
    OutOption,
    PromptsOption,
    StoreOption,
    TimeoutOption,
    llm_settings,
)
from benchmarks.report import Measurement, Row, commit, note, prompt_files, show, write
from benchmarks.timing import QueryTimes
from mem0g import Memory
from mem0g.answer.checking import PROMPT
from mem0g.errors import InputError
from mem0g.llm.prompts import Prompts
from mem0g.pipeline import open_exchange
from mem0g.settings import LLMSettings

BUDGETS = (500, 1000, 2000)

EXIT_INCOMPLETE = 3
"""Exit code when questions are left without an answer or a score."""


class Facts(StrEnum):
    """Where facts come from: mem0g's rules, nowhere, or a model."""

    rules = "rules"
    none = "none"
    llm = "llm"


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
    llm_cache: Annotated[Path | None, typer.Option(dir_okay=False, help="Cache of replies (JSON Lines).")] = None,
    llm_timeout: TimeoutOption = TIMEOUT,
    llm_concurrency: ConcurrencyOption = CONCURRENCY,
    check: Annotated[
        bool, typer.Option("--check", help="Let --model say whether contexts tell what is asked.")
    ] = False,
    answers: Annotated[bool, typer.Option("--answers", help="Answer with --model, and judge by the rubrics.")] = False,
    judge_model: Annotated[str | None, typer.Option(help="Model that judges. [default: --model]")] = None,
    judge_base_url: Annotated[str | None, typer.Option(help="Base URL of the judge. [default: --base-url]")] = None,
    prompts: PromptsOption = None,
) -> None:
    """Measure recall of evidence on BEAM within token budgets, by ability, and how often nothing is said to be known.

    Baselines of the same run: BM25 over windows of three messages; the cosine of whole messages, and of passages. With
    --check a model says of each context of mem0g whether it tells what is asked. With --answers a model answers from
    each context and from the whole conversation, and each item of a question's rubric is scored 0, 0.5 or 1. Exits with
    code 3 when questions are left without a check, an answer or a score.
    """
    code = commit()
    if (facts is Facts.llm or answers or check) and llm_cache is None:
        raise InputError("no --llm-cache given", hint="name the file in which the replies of --model are kept")
    llm = llm_settings(model, base_url, llm_cache, llm_timeout, llm_concurrency, prompts)
    every = read_chats(data)
    chats = read_chats(data, chat) if chat else every
    if stretch >= len(every):
        raise InputError(f"--stretch {stretch} needs {stretch + 1} chats", hint=f"{data} has {len(every)}")
    setup = MemorySetup(store=store, source=FactSource(facts.value), llm=llm)
    embedder = TimedEmbedder(CachedEmbedder(TimedEmbedder.usual()))
    times = QueryTimes(embedder)
    with setup.memory(embedder) as memory:
        given = measure(memory, chats, every, budget or BUDGETS, stretch, times, compare=compare)
    checks = Checks(model=_metered(llm), ends=ends_of(chats), prompts=Prompts(prompts), concurrency=llm_concurrency)
    checked = checks.of(given) if check else []
    judging = replace(llm, model=judge_model or llm.model, base_url=judge_base_url or llm.base_url)
    examination = RubricExamination(
        answering=_metered(llm), judging=_metered(judging), prompts=Prompts(prompts), concurrency=llm_concurrency
    )
    outcomes = examination.outcomes([*given, *whole_conversations(chats)]) if answers else []
    files = [file for each in chats for file in each.files]
    files += prompt_files("benchmarks.beam", PROMPT_FILES, prompts) if answers else []
    files += prompt_files("mem0g.answer", (PROMPT,), prompts) if check else []
    models = {"model": llm.model} if answers or check else {}
    models |= {"judge_model": judging.model} if answers else {}
    measured = Measurement(
        benchmark="beam",
        commit=code,
        rows=rows(given),
        milliseconds=times.milliseconds,
        data=files,
        versions={"embedder": embedder.name, **models},
    )
    judged = {"answers": answer_rows(outcomes), "answered": answer_details(outcomes)} if answers else {}
    judged |= {"checks": check_rows(checked), "checked": check_details(checked)} if check else {}
    write(out, measured, {"facts": facts.value, "stretch": stretch, "questions": details(given), **judged})
    _show(measured.rows, judged, f"facts: {facts}, {stretch} chats around")
    note(f"mem0g: {times}")
    _report_failures([*checked, *outcomes])


def _show(found: Sequence[Row], more: Mapping[str, list[Row]], run: str) -> None:
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


def _report_failures(outcomes: Sequence[Answered | Checked]) -> None:
    """Print the failed questions; exit with code 3 if there are any."""
    failed = [each for each in outcomes if each.problem]
    for each in failed:
        where = each.asked.method + (f" at {each.asked.budget}" if each.asked.budget else "")
        note(f"failed: chat {each.asked.chat}, {each.asked.question.text!r}, {where}: {each.problem}")
    if failed:
        raise typer.Exit(EXIT_INCOMPLETE)


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
