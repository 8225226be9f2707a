"""The LOCOMO evaluation of the Mem0 paper: question answering from each system's context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.answers.examination import Examination, Outcome, Task, earlier_seconds, examination, search_contexts
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
    JudgeBaseUrlOption,
    JudgeModelOption,
    ModelOption,
    OptionalTriplesOption,
    OutOption,
    PromptsOption,
    SampleOption,
    SeedOption,
    StoreOption,
    TimeoutOption,
    judge_settings,
    llm_settings,
    of_samples,
)
from benchmarks.report import (
    Measurement,
    commit,
    note,
    prompt_files,
    report_failures,
    show,
    show_provenance,
    write,
    written_before,
)
from mem0g.embed.protocol import Embedder
from mem0g.settings import LLMSettings

SYSTEMS = "mem0g,sentences,facts,rag-256,rag-512,full-context"

BUDGETS = (250, 500, 1000)

SystemsOption = Annotated[
    str,
    typer.Option(
        help="From mem0, mem0g, sentences, facts, entities, triples, all-memories, all-facts, rag-TOKENS[-kK], "
        "full-context; paper is those of the Mem0 paper's tables."
    ),
]
WindowOption = Annotated[
    int | None, typer.Option(min=1, help="Messages that are extracted at once; 2 in the paper. [default: 20]")
]


def answers(
    data: DataOption,
    out: OutOption,
    llm_cache: CacheOption,
    audit: AuditOption = None,
    systems: SystemsOption = SYSTEMS,
    questions: Annotated[int | None, typer.Option(min=1, help="Number of questions to draw. [default: all]")] = None,
    seed: SeedOption = 0,
    sample: SampleOption = None,
    budget: Annotated[list[int] | None, typer.Option(min=1, help="Context tokens. [default: 250 500 1000]")] = None,
    facts: Annotated[FactSource | None, typer.Option(help="Where facts come from. [default: --triples]")] = None,
    triples: OptionalTriplesOption = None,
    store: StoreOption = TEMPORARY_STORE,
    user: Annotated[str | None, typer.Option(help="User whose memory in --store already holds the sample.")] = None,
    window: WindowOption = None,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
    base_url: BaseUrlOption = None,
    judge_base_url: JudgeBaseUrlOption = None,
    llm_timeout: TimeoutOption = TIMEOUT,
    llm_concurrency: ConcurrencyOption = CONCURRENCY,
    prompts: PromptsOption = None,
) -> None:
    """Answer LOCOMO questions from each system's context with a model, and judge them as in the Mem0 paper.

    The judge labels all answers to a question in one call: correct or wrong by the paper's generous rule, and strict
    where everything essential is there. mem0 and all-memories are the base Mem0: a model makes their memories. Replies
    are kept in --llm-cache. Exits with code 3 when questions are left without an answer or a label, and not counted.
    """
    code, names, embedder = commit(), names_of(systems), TimedEmbedder.usual()
    llm = llm_settings(model, base_url, llm_cache, llm_timeout, llm_concurrency, prompts)
    judging = judge_settings(llm, judge_model, judge_base_url)
    conversations = of_samples(read_conversations(data, audit), sample or ())
    setup = MemorySetup.of(store, llm, source=facts, triples=triples, user=user, systems=names, window=window)
    asked = drawn(with_audited_answers(conversations, data, audit), questions, seed)
    tasks = search_all(names, setup, conversations, asked, budget or BUDGETS, embedder)
    outcomes = _examination(llm, judging, out, seed).outcomes(tasks)
    read = [data, *([audit] if audit else []), *setup.files(conversations), *_prompt_files(prompts)]
    versions = {"model": llm.model, "judge_model": judging.model, "embedder": embedder.name}
    _report(out, _measurement(code, outcomes, read, versions), {"facts": setup.kind, "seed": seed}, outcomes)


def _prompt_files(prompts: Path | None) -> list[Path]:
    return prompt_files("benchmarks.answers", PROMPT_FILES, prompts)


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
    return examination(answering, judging, seed, earlier_seconds(written_before(out, "answers")))


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
    report_failures(filter(None, (each.failure for each in outcomes)))
