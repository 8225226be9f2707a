"""What a model extracts, compared with a strong model's reference triples of the same conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.embedders import TimedEmbedder
from benchmarks.extraction import listing
from benchmarks.extraction.figures import Compared, cost_table, costs, rows, table
from benchmarks.extraction.matching import paired, within
from benchmarks.extraction.running import Claim, Run, drawn, run, windows_in
from benchmarks.locomo import Conversation, read_conversations, turn_ids
from benchmarks.models import Calls, Metered
from benchmarks.options import (
    CONCURRENCY,
    TIMEOUT,
    BaseUrlOption,
    CacheOption,
    ConcurrencyOption,
    DataOption,
    ModelOption,
    OutOption,
    PromptsOption,
    SampleOption,
    SeedOption,
    TimeoutOption,
    TriplesOption,
    llm_settings,
    of_samples,
)
from benchmarks.report import Measurement, Row, commit, note, prompt_files, show, show_provenance, write
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.extract.llm import LLMExtractor
from mem0g.extract.protocol import Window
from mem0g.llm.prompts import Prompts
from mem0g.pipeline import open_exchange
from mem0g.settings import LLMSettings, Settings
from mem0g.transfer.triples import read_triples

FAILED = 3
"""Exit code when windows gave no usable reply."""

ALL = "all"


class Stages(StrEnum):
    """The available extractors."""

    llm = "llm"
    two_stages = "llm-two-stage"


class Shown(StrEnum):
    """What can be listed with --show."""

    missed = "missed"
    dates = "dates"
    undated = "undated"
    persons = "persons"
    lost = "lost"


_LISTS: dict[Shown, Callable[[Sequence[Compared]], Iterable[str]]] = {
    Shown.missed: listing.missed,
    Shown.dates: listing.wrong_dates,
    Shown.undated: listing.undated,
    Shown.persons: listing.wrong_persons,
    Shown.lost: listing.lost,
}

_PROMPTS = {
    Stages.llm: ("extract", "naming", "claims"),
    Stages.two_stages: ("entities", "relations", "naming", "claims"),
}


def extraction(
    data: DataOption,
    triples: TriplesOption,
    out: OutOption,
    llm_cache: CacheOption,
    sample: SampleOption = None,
    extractor: Annotated[Stages, typer.Option(help="Extract in one call, or in the paper's two stages.")] = Stages.llm,
    windows: Annotated[str, typer.Option(metavar="N|all", help="Number of windows to draw.")] = ALL,
    seed: SeedOption = 0,
    message_pairs: Annotated[bool, typer.Option(help="Use windows of two messages, as in the paper.")] = False,
    show_: Annotated[list[Shown] | None, typer.Option("--show", help="Also list these; repeatable.")] = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    llm_timeout: TimeoutOption = TIMEOUT,
    llm_concurrency: ConcurrencyOption = CONCURRENCY,
    prompts: PromptsOption = None,
) -> None:
    """Extract triples from LOCOMO's windows with a model, and compare them with reference triples of the same turns.

    Replies are kept in --llm-cache; a run that finds them all there needs no model. Exits with code 3 when windows gave
    no usable reply.
    """
    code, most = commit(), _number(windows)
    llm = llm_settings(model, base_url, llm_cache, llm_timeout, llm_concurrency, prompts)
    conversations = of_samples(read_conversations(data), sample or ())
    files = {each.id: triples / f"{each.id}.jsonl" for each in conversations}
    references = {name: _references(file) for name, file in files.items()}
    calls, embedder, settings = Calls(), TimedEmbedder.usual(), Settings.from_environment()
    chosen = _windows(conversations, settings, most, seed, pairs=message_pairs)
    runs = run(conversations, chosen, _extractor(llm, calls, extractor), llm_concurrency)
    compared = [_compared(each, references[each.conversation.id], embedder) for each in runs]
    read = [data, *files.values(), *prompt_files("mem0g.extract.llm", _PROMPTS[extractor], prompts)]
    measured = _measurement(code, rows(extractor, compared), calls, read, llm, embedder)
    spent = costs(calls.calls, sum(len(window.messages) for window in chosen))
    written = write(out, measured, {"seed": seed, "windows": windows, "costs": spent})
    size = settings.add_window_size if message_pairs else settings.window
    _report(f"{extractor}, windows of {size}", measured, spent, compared, show_ or ())
    show_provenance(written)
    _end(compared)


def _number(windows: str) -> int | None:
    if windows == ALL:
        return None
    if not windows.isdecimal() or int(windows) < 1:
        raise InputError(f"--windows is {windows!r}", hint=f"give a number from 1, or {ALL}")
    return int(windows)


def _windows(
    conversations: Sequence[Conversation], settings: Settings, most: int | None, seed: int, *, pairs: bool
) -> list[Window]:
    """Draw windows from those of all conversations."""
    return drawn([window for each in conversations for window in windows_in(each, settings, pairs=pairs)], most, seed)


def _references(file: Path) -> list[Claim]:
    """Read the reference triples; which earlier ones each invalidates is ignored."""
    return [Claim(triple, frozenset(turn_ids(triple.evidence))) for triple in read_triples(file)]


def _extractor(llm: LLMSettings, calls: Calls, stages: Stages) -> LLMExtractor:
    opened = open_exchange(llm)
    metered = Metered(opened.model, retries=opened.retries, cache=opened.cache)
    return LLMExtractor(metered, calls, Prompts(llm.prompts), two_stages=stages is Stages.two_stages)


def _compared(run_of: Run, references: Sequence[Claim], embedder: Embedder) -> Compared:
    return Compared(run_of, paired(within(references, run_of.turns), run_of.claims, embedder))


def _measurement(
    code: str, found: Sequence[Row], calls: Calls, data: Sequence[Path], llm: LLMSettings, embedder: Embedder
) -> Measurement:
    return Measurement(
        benchmark="extraction",
        commit=code,
        rows=found,
        milliseconds=[1000 * call.seconds for call in calls.calls] or [0.0],
        data=data,
        versions={"model": llm.model, "embedder": embedder.name},
    )


def _report(
    title: str, measured: Measurement, spent: Sequence[Row], compared: Sequence[Compared], lists: Iterable[Shown]
) -> None:
    show(title, table(measured.rows))
    show("calls, and tokens of a message", cost_table(spent))
    for what in lists:
        _list(what, compared)


def _list(what: Shown, compared: Sequence[Compared]) -> None:
    lines = list(_LISTS[what](compared))
    print(f"\n{what}: {len(lines)}")
    for line in lines:
        print(f"- {line}")


def _end(compared: Sequence[Compared]) -> None:
    """Report the failed windows; exit with code 3 if there are any."""
    lines = list(listing.failed(compared))
    for line in lines:
        note(f"failed: {line}")
    if lines:
        raise typer.Exit(FAILED)
