"""The commands about runs of agents: `mem0g ingest --procedural`, and `mem0g runs`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mem0g.cli.options import EMBEDDER, SCOPE, STORE, JsonOption, Target, takes

if TYPE_CHECKING:
    from mem0g.procedural.runs import Run


def ingest_runs(target: Target, files: Sequence[str], extractor: str | None, *, as_json: bool) -> None:
    """Add each file as the run of an agent, and say what is known of it."""
    from mem0g.cli.terminal import print_json, say
    from mem0g.procedural.runs import counted
    from mem0g.procedural.traces import read_text

    texts = [(file, _text_of(file)) for file in files]
    read = [read_text(text, file) for file, text in texts]
    with target.open(extractor=extractor) as memory:
        added = [memory.add_run(records, **target.keys) for records in read]
    if as_json:
        print_json([_plain(run) for run in added])
        return
    for run in added:
        say(f"run {run.id}: {counted(run)}: {' '.join(run.objective.split())[:100]}")


def _text_of(file: str) -> str:
    from mem0g.errors import InputError
    from mem0g.transcripts.decoding import decode

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).expanduser().read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}", hint="give the file of a trace, or - ") from error
    return decode(data, "standard input" if file == "-" else file)


@takes(SCOPE, STORE, EMBEDDER)
def runs(
    target: Target,
    task: Annotated[
        str | None, typer.Argument(metavar="[TASK]", help="What is to be done: list the runs most like it.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Number of runs.")] = 3,
    summary: Annotated[bool, typer.Option("--summary", help="Show each step with its result.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show how an agent did a task before, and what failed in it; without a task, list its runs."""
    from mem0g.cli.terminal import print_json, say

    keys = target.keys
    with target.open_existing() as memory:
        found = memory.runs(task, limit=limit, **keys)
    if as_json:
        print_json([_plain(run) for run in found])
        return
    if not found:
        say("no runs are known")
    for run in found:
        say(run.summary if summary else run.lesson)


def _plain(run: Run) -> dict[str, Any]:
    from mem0g.cli.output import plain

    return {**plain(run), "failures": [step.number for step, _ in run.failures]}
