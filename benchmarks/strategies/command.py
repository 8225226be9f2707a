"""Strategies of memory on LOCOMO: recall of evidence, words of the answers, tokens, calls and times of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.answers.examination import Outcome, Task, earlier_seconds, examination
from benchmarks.answers.questions import SampleQuestion, drawn, with_audited_answers
from benchmarks.answers.requests import PROMPT_FILES
from benchmarks.embedders import TimedEmbedder
from benchmarks.locomo import Conversation, read_conversations
from benchmarks.options import (
    CONCURRENCY,
    TIMEOUT,
    AuditOption,
    BaseUrlOption,
    ConcurrencyOption,
    DataOption,
    JudgeBaseUrlOption,
    JudgeModelOption,
    ModelOption,
    OptionalCacheOption,
    OptionalTriplesOption,
    OutOption,
    PromptsOption,
    SampleOption,
    SeedOption,
    StoreOption,
    TimeoutOption,
    cached,
    judge_settings,
    llm_settings,
    of_samples,
)
from benchmarks.report import (
    Measurement,
    commit,
    prompt_files,
    report_failures,
    show,
    show_provenance,
    write,
    written_before,
)
from benchmarks.strategies.figures import rows, tables
from benchmarks.strategies.picture import draw
from benchmarks.strategies.running import DENSE, FactSource, Run, Setup, run
from mem0g.errors import InputError
from mem0g.settings import LLMSettings
from mem0g.strategies import STRATEGIES

BUDGETS = (500, 2000)

StrategyOption = Annotated[
    list[str] | None, typer.Option(help=f"Of {', '.join(STRATEGIES)}. [default: all that need no model of their own]")
]
FactsOption = Annotated[FactSource, typer.Option(help="Facts by the rules, from --triples, or by --model.")]


def strategies(
    data: DataOption,
    out: OutOption,
    audit: AuditOption = None,
    sample: SampleOption = None,
    strategy: StrategyOption = None,
    budget: Annotated[list[int] | None, typer.Option(min=1, help="Context tokens. [default: 500 2000]")] = None,
    facts: FactsOption = FactSource.rules,
    triples: OptionalTriplesOption = None,
    store: StoreOption = "sqlite",
    picture: Annotated[Path | None, typer.Option(dir_okay=False, help="Draw recall against tokens (.svg).")] = None,
    answers: Annotated[bool, typer.Option("--answers", help="Answer with --model, and judge.")] = False,
    questions: Annotated[int | None, typer.Option(min=1, help="Number of questions to answer. [default: all]")] = None,
    seed: SeedOption = 0,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    judge_model: JudgeModelOption = None,
    judge_base_url: JudgeBaseUrlOption = None,
    llm_cache: OptionalCacheOption = None,
    llm_timeout: TimeoutOption = TIMEOUT,
    llm_concurrency: ConcurrencyOption = CONCURRENCY,
    prompts: PromptsOption = None,
) -> None:
    """Compare strategies of memory on LOCOMO, each with the same messages, questions and budgets.

    Messages are added in pairs, a message and its answer. With --answers, or facts by a model, the summary is written
    by the model too, else by rule. With --answers a model answers from each context, and the answers are judged as in
    `answers`; exits with code 3 when questions are left without an answer or a label.
    """
    code, names = commit(), _names(strategy or (), facts)
    llm = llm_settings(model, base_url, llm_cache, llm_timeout, llm_concurrency, prompts)
    setup = _setup(store, facts, llm, triples, answers=answers)
    conversations = with_audited_answers(of_samples(read_conversations(data, audit), sample or ()), data, audit)
    embedder = TimedEmbedder.usual()
    done = run(names, conversations, budget or BUDGETS, setup, embedder)
    tasks = _tasks(done, drawn(conversations, questions, seed)) if answers else []
    outcomes = _outcomes(tasks, llm, judge_settings(llm, judge_model, judge_base_url), seed, out)
    files = _files(data, audit, setup, conversations, prompts if answers else None, answers=answers)
    measured = _measurement(code, done, outcomes, files, setup, embedder.name)
    _report(out, measured, facts, [each.id for each in conversations], outcomes, picture)


def _setup(store: str, facts: FactSource, llm: LLMSettings, triples: Path | None, *, answers: bool) -> Setup:
    """Return what the strategies run with. Raises InputError where what it needs is not named."""
    uses_model = answers or facts is FactSource.llm
    if uses_model:
        cached(llm.cache)
    if facts is FactSource.triples and triples is None:
        raise InputError("no --triples given", hint="name the folder that has them, or choose --facts rules")
    return Setup(store=store, facts=facts, llm=llm, triples=triples, uses_model=uses_model)


def _outcomes(tasks: Sequence[Task], llm: LLMSettings, judging: LLMSettings, seed: int, out: Path) -> list[Outcome]:
    """Return the answers to the tasks, judged; without tasks no model is asked."""
    if not tasks:
        return []
    return examination(llm, judging, seed, earlier_seconds(written_before(out, "strategies"))).outcomes(tasks)


def _measurement(
    code: str, done: Run, outcomes: Sequence[Outcome], files: Sequence[Path], setup: Setup, embedder: str
) -> Measurement:
    return Measurement(
        benchmark="strategies",
        commit=code,
        rows=rows(done, outcomes),
        milliseconds=[each.milliseconds for each in done.asked],
        data=files,
        versions={"embedder": embedder, **({"model": setup.llm.model} if setup.uses_model else {})},
    )


def _report(
    out: Path,
    measured: Measurement,
    facts: FactSource,
    samples: Sequence[str],
    outcomes: Sequence[Outcome],
    picture: Path | None,
) -> None:
    """Write, print and draw the figures, then print the failed questions; exit with code 3 if there are any."""
    seconds = [{"key": each.key, "seconds": each.seconds} for each in outcomes]
    written = write(out, measured, {"facts": facts.value, "samples": list(samples), "questions": seconds})
    title = f"LOCOMO {', '.join(samples)}; facts: {facts}"
    for name, table in tables(measured.rows).items():
        show(f"{name}; {title}", table)
    show_provenance(written)
    if picture:
        draw(measured.rows, title, picture)
    report_failures(filter(None, (each.failure for each in outcomes)))


def _names(given: Sequence[str], facts: FactSource) -> list[str]:
    for name in given:
        if name not in STRATEGIES:
            raise InputError(f"unknown strategy {name!r}", hint=f"there are {', '.join(STRATEGIES)}")
    if DENSE in given and facts is not FactSource.llm:
        raise InputError(f"{DENSE} needs a model", hint="give --facts llm, with --model and --llm-cache")
    usual = [name for name in STRATEGIES if name != DENSE or facts is FactSource.llm]
    return [name for name in STRATEGIES if name in (given or usual)]


def _tasks(done: Run, chosen: Sequence[SampleQuestion]) -> list[Task]:
    """Return what is to be answered: each chosen question from every context that was shown for it."""
    known = {(each.sample, each.question): each for each in chosen}
    return [
        Task(
            asked=known[each.conversation, each.question],
            system=each.strategy,
            budget=each.budget,
            context=each.context,
            milliseconds=each.milliseconds,
        )
        for each in done.asked
        if (each.conversation, each.question) in known
    ]


def _files(
    data: Path,
    audit: Path | None,
    setup: Setup,
    conversations: Sequence[Conversation],
    prompts: Path | None,
    *,
    answers: bool,
) -> list[Path]:
    triples = [file for each in conversations if (file := setup.file(each))]
    asked = prompt_files("benchmarks.answers", PROMPT_FILES, prompts) if answers else []
    return [data, *([audit] if audit else []), *triples, *asked]
