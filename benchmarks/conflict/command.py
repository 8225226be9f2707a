"""Conflicts: are current facts found and outdated ones left out; are the right facts retired?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.conflict import retirements
from benchmarks.conflict.factconsolidation import FactFile, ceiling, read_fact_file
from benchmarks.conflict.methods import add_as_text, add_as_triples, declare_cardinality, rankings
from benchmarks.conflict.outcomes import Method, row
from benchmarks.embedders import TimedEmbedder
from benchmarks.memories import memory_in
from benchmarks.options import OutOption
from benchmarks.report import Measurement, Row, commit, note, show, write
from benchmarks.timing import QueryTimes
from mem0g.errors import InputError


def conflict(
    out: OutOption,
    factconsolidation: Annotated[
        list[Path] | None,
        typer.Option(exists=True, dir_okay=False, help="FactConsolidation files: sh_6k.json, …"),
    ] = None,
    locomo: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="LOCOMO's JSON.")] = None,
    triples: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Folder of SAMPLE.jsonl with invalidates."),
    ] = None,
) -> None:
    """Measure current and stale answers on FactConsolidation, candidates and retirements on LOCOMO triples."""
    if not factconsolidation and not locomo:
        raise InputError("nothing to measure", hint="give --factconsolidation F, or --locomo F --triples DIR, or both")
    if (locomo is None) != (triples is None):
        raise InputError("--locomo and --triples go together", hint="give both, or neither")
    code = commit()
    files = [read_fact_file(path) for path in factconsolidation or ()]
    embedder = TimedEmbedder.usual()
    times = QueryTimes(embedder)
    stated = measure(files, embedder, times)
    retired = retirements.measured(locomo, triples, embedder) if locomo and triples else []
    references = sorted(triples.glob("*.jsonl")) if triples else []
    data = [*(factconsolidation or ()), *([locomo] if locomo else []), *references]
    milliseconds = times.milliseconds or [0.0]
    write(
        out,
        Measurement(benchmark="conflict", commit=code, rows=[*stated, *retired], milliseconds=milliseconds, data=data),
    )
    for file in files:
        show(f"percent of questions, {file.name}", [each for each in stated if each["data"] == file.name])
    for part, some in retirements.tables(retired).items():
        show(part, some)
    if times.milliseconds:
        note(f"mem0g: {times}")


def measure(files: Sequence[FactFile], embedder: TimedEmbedder, times: QueryTimes) -> list[Row]:
    """Ask every question of every file of mem0g and of the baselines."""
    found = []
    for file in files:
        highest = ceiling(file)
        for method in _methods(file, embedder, times):
            found.append(row(method, file, highest))
            note(f"{file.name}: {method.name}: {found[-1]['correct']}")
    return found


def _methods(file: FactFile, embedder: TimedEmbedder, times: QueryTimes) -> Iterator[Method]:
    """Yield mem0g with the file's rule as its cardinality, with its built-in cardinalities only, then the baselines.

    The file's rule is that a subject has one object at a time of each of its relations.
    """
    with memory_in("sqlite", embedder, "rules") as memory:
        for name, add in (("mem0g", add_as_triples), ("mem0g, text by rules", add_as_text)):
            declare_cardinality(memory, file, f"{name} {file.name}")
            yield add(memory, file, times, name)
    with memory_in("sqlite", embedder, "none") as memory:
        yield add_as_triples(memory, file, times, "mem0g, cardinality not declared")
    yield from rankings(file, embedder)
