"""How far a relation registry reduces the relation names of triples, and how correctly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.embedders import TimedEmbedder
from benchmarks.options import OutOption
from benchmarks.relations.joining import JUDGED, Method, methods, read_pairs, scored
from benchmarks.report import Measurement, Row, commit, note, show, write
from benchmarks.timing import QueryTimes
from mem0g.errors import InputError
from mem0g.transfer.triples import read_triples


def relations(
    triples: Annotated[Path, typer.Option(exists=True, file_okay=False, help="Folder with files of triples, *.jsonl.")],
    out: OutOption,
    pairs: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="Pairs of names judged by hand.")] = JUDGED,
) -> None:
    """Count relation names of triples before and after folding synonyms, and check the folding on judged pairs."""
    code, judged = commit(), read_pairs(pairs)
    files = sorted(triples.glob("*.jsonl"))
    if not files:
        raise InputError(f"{triples} has no *.jsonl", hint="name the folder that has files of triples")
    names = {file.stem: [triple.relation for triple in read_triples(file)] for file in files}
    embedder = TimedEmbedder.usual()
    times = QueryTimes(embedder)
    compared = methods(embedder, times)
    right = [scored(name, join, judged, pairs.stem) for name, join in compared.items()]
    found = [row for name, join in compared.items() for row in name_counts(name, join, names)]
    write(
        out,
        Measurement(
            benchmark="relations",
            commit=code,
            rows=[*right, *found],
            milliseconds=times.milliseconds,
            data=[*files, pairs],
        ),
    )
    show("pairs judged by hand", right)
    show("relation names of triples", found)
    note(f"mem0g: {times}, a query being a name that is met")


def name_counts(method: str, join: Method, names: dict[str, list[str]]) -> list[Row]:
    """Count distinct relation names before and after, per file of triples and for ``all`` in one database."""
    everything = [name for some in names.values() for name in some]
    return [_name_count(method, join, some, data) for data, some in {**names, "all": everything}.items()]


def _name_count(method: str, join: Method, names: Sequence[str], data: str) -> Row:
    distinct = list(dict.fromkeys(names))
    left = len(set(join(distinct).values()))
    return {"method": method, "data": data, "triples": len(names), "names": len(distinct), "kept": left}
