"""The LOCOMO evaluation of the Mem0 paper: question answering from each system's context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.answering.examining import Examination, Outcome, Task, earlier_seconds, searched
from benchmarks.answering.figures import details, rows, tables
from benchmarks.answering.holding import TEMPORARY, Holding, Source
from benchmarks.answering.questions import Asked, drawn, with_audited_answers
from benchmarks.answering.requests import FILES
from benchmarks.answering.systems import names_of, systems_of
from benchmarks.locomo import Conversation, read_conversations
from benchmarks.models import (
    CONCURRENCY,
    TIMEOUT,
    BaseUrlOption,
    CacheOption,
    ConcurrencyOption,
    ModelOption,
    PromptsOption,
    TimeoutOption,
    llm_settings,
)
from benchmarks.origin import prompt_files, tell, write_with, written_before
from benchmarks.report import Measurement, commit, note, show
from benchmarks.samples import SampleOption, of_samples
from benchmarks.timing import TimedEmbedder
from mem0g.embed.protocol import Embedder
from mem0g.llm.prompts import Prompts
from mem0g.pipeline import open_exchange
from mem0g.settings import LLMSettings

SYSTEMS = "mem0g,facts,rag-256,rag-512,full-context"
BUDGETS = (250, 500, 1000)
LEFT = 3
"""Exit code when questions are left without an answer or a label."""


def answers(
    data: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="LOCOMO's JSON.")],
    out: Annotated[Path, typer.Option(dir_okay=False, help="Write the figures to this JSON file.")],
    llm_cache: CacheOption,
    audit: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="The audit's list of errors.")] = None,
    systems: Annotated[
        str, typer.Option(help="From mem0g, facts, entities, triples, rag-TOKENS[-kK], full-context.")
    ] = SYSTEMS,
    questions: Annotated[int | None, typer.Option(min=1, help="Number of questions to draw. [default: all]")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    sample: SampleOption = None,
    budget: Annotated[list[int] | None, typer.Option(min=1, help="Context tokens. [default: 250 500 1000]")] = None,
    facts: Annotated[Source | None, typer.Option(help="Where facts come from. [default: --triples]")] = None,
    triples: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Folder with a SAMPLE.jsonl per sample.")
    ] = None,
    store: Annotated[str, typer.Option(help="sqlite (a temporary file), or a store's address.")] = TEMPORARY,
    user: Annotated[str | None, typer.Option(help="User whose memory in --store already holds the sample.")] = None,
    model: ModelOption = None,
    judge_model: Annotated[str | None, typer.Option(help="Model that judges. [default: --model]")] = None,
    base_url: BaseUrlOption = None,
    judge_base_url: Annotated[str | None, typer.Option(help="Base URL of the judge. [default: --base-url]")] = None,
    llm_timeout: TimeoutOption = TIMEOUT,
    llm_concurrency: ConcurrencyOption = CONCURRENCY,
    prompts: PromptsOption = None,
) -> None:
    """Answer LOCOMO questions from each system's context with a model, and judge them as in the Mem0 paper.

    Replies are kept in --llm-cache: a repeated run asks only for missing ones, and rewrites OUT.json. Exits with code 3
    when questions are left without an answer or a label; those count neither as right nor as wrong.
    """
    code, names = commit(), names_of(systems)
    llm = llm_settings(model, base_url, llm_cache, llm_timeout, llm_concurrency, prompts)
    judging = replace(llm, model=judge_model or llm.model, base_url=judge_base_url or llm.base_url)
    conversations = of_samples(read_conversations(data, audit), sample or ())
    holding = Holding.of(store, llm, source=facts, triples=triples, user=user, systems=names)
    holding.check(conversations)
    asked = drawn(with_audited_answers(conversations, data, audit), questions, seed)
    embedder = TimedEmbedder.usual()
    tasks = found_by(names, holding, conversations, asked, budget or BUDGETS, embedder)
    outcomes = _examination(llm, judging, out).outcomes(tasks)
    read = [data, *([audit] if audit else []), *holding.files(conversations)]
    measured = Measurement(
        benchmark="answers",
        commit=code,
        rows=rows(outcomes),
        milliseconds=[task.milliseconds for task in tasks],
        data=[*read, *prompt_files("benchmarks.answering", FILES, prompts)],
        versions={"model": llm.model, "judge_model": judging.model, "embedder": embedder.name},
    )
    written = write_with(out, measured, {"facts": holding.kind, "seed": seed, "questions": details(outcomes)})
    for title, shown in tables(measured.rows).items():
        show(f"{title}; facts: {holding.kind}", shown)
    tell(written)
    _end(outcomes)


def found_by(
    names: Sequence[str],
    holding: Holding,
    conversations: Sequence[Conversation],
    asked: Sequence[Asked],
    budgets: Sequence[int],
    embedder: Embedder,
) -> list[Task]:
    """Search for all questions with all systems, before the answering model is used."""
    tasks: list[Task] = []
    with holding.memory(embedder) as memory:
        for conversation in conversations:
            its = [each for each in asked if each.sample == conversation.id]
            if its:
                tasks += searched(systems_of(names, holding.held(memory, conversation)), budgets, its)
    return tasks


def _examination(answering: LLMSettings, judging: LLMSettings, out: Path) -> Examination:
    return Examination(
        answering=open_exchange(answering),
        judging=open_exchange(judging),
        prompts=Prompts(answering.prompts),
        concurrency=answering.concurrency,
        seconds=earlier_seconds(written_before(out, "answers")),
    )


def _end(outcomes: Sequence[Outcome]) -> None:
    """Report the failed questions; exit with code 3 if there are any."""
    failed = [outcome for outcome in outcomes if outcome.problem]
    for each in failed:
        where = each.task.system + (f" at {each.task.budget}" if each.task.budget else "")
        note(f"failed: {each.task.asked.sample}, {each.task.asked.question.text!r}, {where}: {each.problem}")
    if failed:
        raise typer.Exit(LEFT)
