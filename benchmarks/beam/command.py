"""Evidence recall on BEAM: do contexts cover the messages that answer, in each of ten abilities?"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.answers.memory_setup import TEMPORARY_STORE, FactSource, MemorySetup
from benchmarks.beam.figures import Asked, ask, details, rows, table
from benchmarks.beam.methods import Engine, baselines
from benchmarks.beam.reading import BeamChat, read_chats
from benchmarks.embedders import CachedEmbedder, TimedEmbedder
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
from benchmarks.report import Measurement, commit, note, show, write
from benchmarks.timing import QueryTimes
from mem0g import Memory
from mem0g.errors import InputError

BUDGETS = (500, 1000, 2000)


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
    prompts: PromptsOption = None,
) -> None:
    """Measure recall of evidence on BEAM within token budgets, by ability, and how often nothing is said to be known.

    Baselines of the same run: BM25 over windows of three messages; the cosine of whole messages, and of passages.
    """
    code = commit()
    if facts is Facts.llm and llm_cache is None:
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
    found = rows(given)
    files = [file for each in chats for file in each.files]
    measured = Measurement(benchmark="beam", commit=code, rows=found, milliseconds=times.milliseconds, data=files)
    write(out, measured, {"facts": facts.value, "stretch": stretch, "questions": details(given)})
    for method in dict.fromkeys(row["method"] for row in found):
        show(f"{method}: evidence recall; facts: {facts}, {stretch} chats around", table(found, method, "evidence"))
    show("mem0g: contexts that say that nothing is known, %", table(found, "mem0g", "unknown"))
    note(f"mem0g: {times}")


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
