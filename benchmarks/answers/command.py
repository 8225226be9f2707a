"""The LOCOMO evaluation of the Mem0 paper: question answering from each system's context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.answers.examination import Examination, Outcome, Task, earlier_seconds, search_contexts
from benchmarks.answers.figures import details, rows, tables
from benchmarks.answers.memory_setup import TEMPORARY_STORE, FactSource, MemorySetup
from benchmarks.answers.questions import SampleQuestion, drawn, with_audited_answers
from benchmarks.answers.requests import PROMPT_FILES
from benchmarks.answers.systems import names_of, systems_of
from benchmarks.embedders import TimedEmbedder
from benchmarks.locomo import Conversation, read_conversations
from benchmarks.options import (
    CONCURRENCY,
    TIMEOUT,
    AuditOption,
    BaseUrlOption,
    CacheOption,
    ConcurrencyOption,
    DataOption,
    ModelOption,
    OptionalTriplesOption,
    OutOption,
    PromptsOption,
    SampleOption,
    SeedOption,
    StoreOption,
    TimeoutOption,
    llm_settings,
    of_samples,
)
from benchmarks.report import Measurement, commit, note, prompt_files, show, show_provenance, write, written_before
from mem0g.embed.protocol import Embedder
from mem0g.llm.prompts import Prompts
from mem0g.pipeline import open_exchange
from mem0g.settings import LLMSettings

SYSTEMS = "mem0g,sentences,facts,rag-256,rag-512,full-context"

BUDGETS = (250, 500, 1000)

EXIT_INCOMPLETE = 3
"""Exit code when questions are left without an answer or a label."""


def answers(
    data: DataOption,
    out: OutOption,
    llm_cache: CacheOption,
    audit: AuditOption = None,
    systems: Annotated[
        str,
        typer.Option(
            help="From mem0, mem0g, sentences, facts, entities, triples, all-memories, all-facts, rag-TOKENS[-kK], "
            "full-context; paper is those of the Mem0 paper's tables."
        ),
    ] = SYSTEMS,
    questions: Annotated[int | None, typer.Option(min=1, help="Number of questions to draw. [default: all]")] = None,
    seed: SeedOption = 0,
    sample: SampleOption = None,
    budget: Annotated[list[int] | None, typer.Option(min=1, help="Context tokens. [default: 250 500 1000]")] = None,
    facts: Annotated[FactSource | None, typer.Option(help="Where facts come from. [default: --triples]")] = None,
    triples: OptionalTriplesOption = None,
    store: StoreOption = TEMPORARY_STORE,
    user: Annotated[str | None, typer.Option(help="User whose memory in --store already holds the sample.")] = None,
    window: Annotated[
        int | None, typer.Option(min=1, help="Messages that are extracted at once; 2 in the paper. [default: 20]")
    ] = None,
    model: ModelOption = None,
    judge_model: Annotated[str | None, typer.Option(help="Model that judges. [default: --model]")] = None,
    base_url: BaseUrlOption = None,
    judge_base_url: Annotated[str | None, typer.Option(help="Base URL of the judge. [default: --base-url]")] = None,
    llm_timeout: TimeoutOption = TIMEOUT,
    llm_concurrency: ConcurrencyOption = CONCURRENCY,
    prompts: PromptsOption = None,
) -> None:
    """Answer LOCOMO questions from each system's context with a model, and judge them as in the Mem0 paper.

    The judge labels the answers of all systems to a question in one call: each correct or wrong by the paper's generous
    rule, and strict where everything essential is there. Replies are kept in --llm-cache: a repeated run asks only for
    missing ones, and rewrites OUT.json. mem0 and all-memories are the base Mem0: the model makes its dense memories,
    wherever the facts of the graph come from. Exits with code 3 when questions are left without an answer or a label;
    those count neither as right nor as wrong.
    """
    code, names = commit(), names_of(systems)
    llm = llm_settings(model, base_url, llm_cache, llm_timeout, llm_concurrency, prompts)
    judging = replace(llm, model=judge_model or llm.model, base_url=judge_base_url or llm.base_url)
    conversations = of_samples(read_conversations(data, audit), sample or ())
    setup = MemorySetup.of(store, llm, source=facts, triples=triples, user=user, systems=names, window=window)
    asked = drawn(with_audited_answers(conversations, data, audit), questions, seed)
    embedder = TimedEmbedder.usual()
    tasks = search_all(names, setup, conversations, asked, budget or BUDGETS, embedder)
    outcomes = _examination(llm, judging, out, seed).outcomes(tasks)
    read = [data, *([audit] if audit else []), *setup.files(conversations)]
    read += prompt_files("benchmarks.answers", PROMPT_FILES, prompts)
    versions = {"model": llm.model, "judge_model": judging.model, "embedder": embedder.name}
    _report(out, _measurement(code, outcomes, read, versions), {"facts": setup.kind, "seed": seed}, outcomes)


def search_all(
    names: Sequence[str],
    setup: MemorySetup,
    conversations: Sequence[Conversation],
    asked: Sequence[SampleQuestion],
    budgets: Sequence[int],
    embedder: Embedder,
) -> list[Task]:
    """Search for all questions with all systems, before the answering model is used."""
    setup.check(conversations)
    tasks: list[Task] = []
    with setup.memory(embedder) as memory, setup.dense_memory(embedder) as dense:
        for conversation in conversations:
            its = [each for each in asked if each.sample == conversation.id]
            if its:
                tasks += search_contexts(systems_of(names, setup.stored(memory, conversation, dense)), budgets, its)
    return tasks


def _examination(answering: LLMSettings, judging: LLMSettings, out: Path, seed: int) -> Examination:
    if (answering.model, answering.base_url) == (judging.model, judging.base_url):
        note(f"{answering.model} judges its own answers; name another model with --judge-model")
    return Examination(
        answering=open_exchange(answering),
        judging=open_exchange(judging),
        prompts=Prompts(answering.prompts),
        concurrency=answering.concurrency,
        seed=seed,
        seconds=earlier_seconds(written_before(out, "answers")),
    )


def _measurement(
    code: str, outcomes: Sequence[Outcome], data: Sequence[Path], versions: Mapping[str, str]
) -> Measurement:
    return Measurement(
        benchmark="answers",
        commit=code,
        rows=rows(outcomes),
        milliseconds=[outcome.task.milliseconds for outcome in outcomes],
        data=data,
        versions=versions,
    )


def _report(out: Path, measured: Measurement, run: Mapping[str, Any], outcomes: Sequence[Outcome]) -> None:
    """Write and print the figures, then the failed questions; exit with code 3 if there are any."""
    written = write(out, measured, {**run, "questions": details(outcomes)})
    for title, shown in tables(measured.rows).items():
        show(f"{title}; facts: {run['facts']}", shown)
    show_provenance(written)
    failed = [outcome for outcome in outcomes if outcome.problem]
    for each in failed:
        where = each.task.system + (f" at {each.task.budget}" if each.task.budget else "")
        note(f"failed: {each.task.asked.sample}, {each.task.asked.question.text!r}, {where}: {each.problem}")
    if failed:
        raise typer.Exit(EXIT_INCOMPLETE)
