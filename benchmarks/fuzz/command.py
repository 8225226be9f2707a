"""Fuzzing: readers and imports on broken and hostile files."""

from __future__ import annotations

import time
from random import Random
from typing import Annotated

import typer

from benchmarks.fuzz.cases import Outcomes, Read, readers
from benchmarks.fuzz.cases import fuzz as fuzz_once
from benchmarks.options import OutOption
from benchmarks.report import Measurement, commit, note, show, write
from mem0g.errors import InputError


def fuzz(
    out: OutOption,
    minutes: Annotated[float, typer.Option(min=0, help="Minutes for each reader.")] = 5.0,
    only: Annotated[list[str] | None, typer.Option(help="Only a format, triples or export. [default: all]")] = None,
    seed: Annotated[int, typer.Option(help="The same seed generates the same inputs in the same order.")] = 0,
) -> None:
    """Feed broken and hostile files to the readers of transcripts, triples and exports.

    Every input should end in a result or an error of mem0g; any other exception counts as a traceback.
    """
    code, rows, milliseconds = commit(), [], []
    with readers(only or ()) as found:
        if unknown := set(only or ()) - set(found):
            raise InputError(f"unknown reader {', '.join(sorted(unknown))}", hint="a format's name, triples or export")
        for name, (example, read) in found.items():
            random = Random(f"{seed} {name}")  # noqa: S311 - not used for secrets
            outcomes, times = _run(read, example, random, 60 * minutes)
            milliseconds += times
            rows.append(outcomes.row(name))
            for problem, count in outcomes.tracebacks.most_common():
                note(f"{name}: {count} × {problem}; for example {outcomes.examples[problem][:300]!r}")
    show("fuzz", rows)
    write(out, Measurement(benchmark="fuzz", commit=code, rows=rows, milliseconds=milliseconds))


def _run(read: Read, example: bytes, random: Random, seconds: float) -> tuple[Outcomes, list[float]]:
    outcomes, times, end = Outcomes(), [], time.monotonic() + seconds
    while not outcomes.inputs or time.monotonic() < end:
        begun = time.perf_counter()
        fuzz_once(read, example, random, outcomes)
        times.append(1000 * (time.perf_counter() - begun))
    return outcomes, times
