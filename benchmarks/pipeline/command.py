"""The extraction pipeline with a simulated language model: calls, tokens, and the engine's own time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.embedders import TimedEmbedder
from benchmarks.locomo import Conversation, read_conversations
from benchmarks.options import DataOption, OutOption, SampleOption, TriplesOption, of_samples
from benchmarks.pipeline.figures import median_run, rows, tables
from benchmarks.pipeline.running import MODEL, Configuration, Run, run, warm_up
from benchmarks.report import Measurement, commit, note, prompt_files, show, show_provenance, write
from mem0g.errors import InputError
from mem0g.model import Triple
from mem0g.transfer.triples import read_triples

SECONDS, CONCURRENCY, WINDOWS = (0.0, 2.0), (1, 4, 16), (20, 2)
"""Defaults of --seconds, --concurrency and --window."""

_PROMPTS = {"mem0g.extract.llm": ("extract", "naming", "claims", "summary"), "mem0g.conflict": ("decide",)}


def pipeline(
    data: DataOption,
    triples: TriplesOption,
    out: OutOption,
    sample: SampleOption = None,
    seconds: Annotated[
        list[float] | None,
        typer.Option(min=0, help="Seconds a reply takes. [default: 0, 2]", show_default=False),
    ] = None,
    concurrency: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Windows in parallel. [default: 1, 4, 16]", show_default=False),
    ] = None,
    window: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Messages in a window; 2: pairs. [default: 20, 2]", show_default=False),
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Runs with replies of 0 s; the median counts.")] = 3,
) -> None:
    """Run whole conversations through extraction, decisions and commits, with a local server as the model.

    The server replies to an extraction with the reference triples of the new messages, to a decision with ADD, after
    the given seconds. At 0 s windows are extracted one at a time, else up to --concurrency in parallel. Pairs are added
    one after the other, as a program adds them, and at 0 s only. The first window that fails ends the run.
    """
    code = commit()
    ways = _ways(window or WINDOWS, seconds or SECONDS, concurrency or CONCURRENCY)
    conversations = of_samples(read_conversations(data), sample or ())
    files = {each.id: triples / f"{each.id}.jsonl" for each in conversations}
    known = {name: _known(name, file) for name, file in files.items()}
    embedder = TimedEmbedder.usual()
    warm_up(conversations[0], known[conversations[0].id], embedder)
    runs = _runs(conversations, known, ways, repeat, embedder)
    prompts = [file for package, names in _PROMPTS.items() for file in prompt_files(package, names, None)]
    measured = _measurement(code, runs, [data, *files.values(), *prompts], embedder)
    written = write(out, measured, {"repeat": repeat})
    for name, table in tables(measured.rows).items():
        show(name, table)
    show_provenance(written)


def _measurement(code: str, runs: Sequence[Run], data: Sequence[Path], embedder: TimedEmbedder) -> Measurement:
    return Measurement(
        benchmark="pipeline",
        commit=code,
        rows=rows(runs),
        milliseconds=runs[0].milliseconds,
        data=data,
        versions={"model": MODEL, "embedder": embedder.name, "openai": metadata.version("openai")},
    )


def _ways(windows: Sequence[int], seconds: Sequence[float], concurrency: Sequence[int]) -> list[Configuration]:
    """Return the configurations to measure. Raises InputError when there is none."""
    found = [
        Configuration(size=size, seconds=wait, concurrency=at_once)
        for size in windows
        for wait in seconds
        for at_once in (concurrency if wait else (1,))
    ]
    ways = [way for way in dict.fromkeys(found) if way.seconds == 0 or not way.pairs]
    if not ways:
        raise InputError(f"nothing is measured of pairs at {seconds[0]:g} s a reply", hint="give --seconds 0 too")
    return ways


def _known(sample: str, file: Path) -> list[Triple]:
    if not file.exists():
        hint = "name the samples that have some with --sample, or another folder with --triples"
        raise InputError(f"no triples for sample {sample!r}: there is no {file}", hint=hint)
    return read_triples(file)


def _runs(
    conversations: Sequence[Conversation],
    known: Mapping[str, Sequence[Triple]],
    ways: Sequence[Configuration],
    repeat: int,
    embedder: TimedEmbedder,
) -> list[Run]:
    """Return the run that counts for each conversation and configuration."""
    found = []
    for conversation in conversations:
        for way in ways:
            times = repeat if way.seconds == 0 else 1
            run_ = median_run([run(conversation, known[conversation.id], way, embedder) for _ in range(times)])
            place = f"{conversation.id}, {way.method}, {way.seconds:g} s a reply, {way.concurrency} at a time"
            note(f"{place}: {run_.seconds:.1f} s")
            found.append(run_)
    return found
