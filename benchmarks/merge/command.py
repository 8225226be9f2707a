"""Node matching against gold: which names refer to the same entity."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Protocol

import typer

from benchmarks.embedders import CachedEmbedder, TimedEmbedder
from benchmarks.merge import characters
from benchmarks.merge.characters import read_people, shares
from benchmarks.merge.datasets import read_conversations, read_dialogues, read_documents
from benchmarks.merge.leave_one_out import LeaveOneOut
from benchmarks.merge.measures import figures
from benchmarks.merge.methods import Mem0gMatcher, engines, methods
from benchmarks.merge.scenes import Data, Scene
from benchmarks.options import OutOption
from benchmarks.report import Measurement, Row, commit, show, write
from benchmarks.timing import QueryTimes
from mem0g.errors import InputError

CURVE = (0.7, 0.8, 0.9, 1.01)
"""Values of ``t`` at which the engine is measured besides its default; the last one disables similarity."""


class Method(Protocol):
    """Protocol of a method to compare."""

    @property
    def name(self) -> str:
        """Its name in the rows."""
        ...

    def nodes(self, scene: Scene) -> list[str]:
        """Return the node of each end of the scene, in order."""
        ...


def merge(
    out: OutOption,
    locomo: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Folder of triples, a SAMPLE.jsonl each."),
    ] = None,
    entities: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Folder of gold, a SAMPLE.jsonl each.")
    ] = None,
    redocred: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="Re-DocRED file.")] = None,
    dialogre: Annotated[list[Path] | None, typer.Option(exists=True, dir_okay=False, help="DialogRE files.")] = None,
    character: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Character identification file.")
    ] = None,
    leave_one_out: Annotated[
        bool,
        typer.Option(
            "--leave-one-out",
            help="Instead, switch each matching rule off in turn, and judge each conversation (or half of the "
            "documents) with the rules that help in the others.",
        ),
    ] = False,
) -> None:
    """Compare mem0g's node matching, and its curve over t, with simpler rules."""
    code = commit()
    given = _read(locomo, entities, redocred, dialogre or (), character)
    embedder = TimedEmbedder.usual()
    times = QueryTimes(embedder)
    rows: list[Row] = []
    with engines(cached := CachedEmbedder(embedder), () if leave_one_out else CURVE) as ours:
        compared: list[Method] = [*methods(cached), *ours]
        for data in given:
            if leave_one_out:
                found = switched(data, ours[0], times)
            else:
                found = [measure(data, method, times) for method in compared]
                show_without_data(data, found)
            rows += found
    files = [file for data in given for file in data.files]
    write(out, Measurement(benchmark="merge", commit=code, rows=rows, milliseconds=times.milliseconds, data=files))


def switched(data: Data, matcher: Mem0gMatcher, times: QueryTimes) -> list[Row]:
    """Show and return what each matching rule adds, and the cross-validated figures."""
    runs = times.time(lambda: LeaveOneOut(data, matcher))
    tables = [runs.rows(), times.time(runs.cross_validated)]
    for rows in tables:
        show_without_data(data, rows)
    return [row for rows in tables for row in rows]


def show_without_data(data: Data, rows: Sequence[Row]) -> None:
    """Print the rows of one data set as a table."""
    shown = [{key: value for key, value in row.items() if key != "data"} for row in rows]
    show(f"{data.name}: {len(data.scenes)} scopes", shown)


def measure(data: Data, method: Method, times: QueryTimes) -> Row:
    """Return the row of a method; each scene counts as one query in the times."""
    nodes = [times.time(method.nodes, scene) for scene in data.scenes]
    row = {"method": method.name, "data": data.name, **figures(data.scenes, nodes)}
    return row | shares(data, nodes) if data.name == characters.NAME else row


def _read(
    locomo: Path | None, entities: Path | None, redocred: Path | None, dialogre: Sequence[Path], character: Path | None
) -> list[Data]:
    if (locomo is None) != (entities is None):
        raise InputError("--locomo and --entities go together", hint="name the triples and the gold for their ends")
    given = [
        *([read_conversations(locomo, entities)] if locomo and entities else []),
        *([read_documents(redocred)] if redocred else []),
        *map(read_dialogues, dialogre),
        *([read_people(character)] if character else []),
    ]
    if not given:
        raise InputError("nothing to measure on", hint="name --locomo and --entities, or other data: see --help")
    return given
