"""Bytes on disk for each fact, with its share of messages, entities and decisions, by what they are for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from benchmarks.embedders import WordEmbedder
from benchmarks.options import OutOption
from benchmarks.report import Measurement, Row, commit, note, show, show_provenance, write
from benchmarks.scale.crowd import changes, crowd
from mem0g.settings import Settings
from mem0g.store.address import open_store
from mem0g.store.protocol import Store

PARTS = ("vectors", "words", "records and their indexes")

QUESTIONS = 1
"""Of the generated crowd; none is asked."""


def size(
    out: OutOption,
    store: Annotated[
        str | None, typer.Option(help="Only fill this empty Neo4j; stop it, and measure its folder with --data.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Of a Neo4j that was filled and stopped: .../databases/neo4j."),
    ] = None,
    facts: Annotated[int, typer.Option(min=200, help="Generated facts, two to a message.")] = 10_000,
) -> None:
    """Measure bytes on disk a fact: of vectors of 384 dimensions, of words, and of records with their indexes.

    By default of a temporary SQLite file. A server writes its files when it stops, so for Neo4j it takes two commands.
    """
    code, kind = commit(), "neo4j" if data else "sqlite"
    if store:
        with closing(open_store(store, Settings.from_environment().credentials)) as opened:
            _fill(opened, facts)
        note("stop the server, then measure with --data and the same --facts")
        return
    found = _files(data) if data else _of_file(facts)
    rows: list[Row] = [{"part": part, "bytes a fact": round(found[part] / facts)} for part in PARTS]
    rows.append({"part": "all", "bytes a fact": round(sum(found.values()) / facts)})
    show(f"{kind}, {facts} facts", rows)
    measured = Measurement(benchmark="size", commit=code, rows=rows, milliseconds=[0.0])
    show_provenance(write(out, measured, {"facts": facts, "store": kind}))


def _of_file(facts: int) -> dict[str, int]:
    """Return the bytes of each part of a file of so many facts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "size.db"
        opened = open_store(path)
        _fill(opened, facts)
        opened.close()
        return _pages(path)


def _fill(store: Store, facts: int) -> None:
    embedder, made = WordEmbedder(), crowd(facts, 20, 50, QUESTIONS, seed=0)
    store.claim_embedder(embedder.name, embedder.dimensions)
    for member in (*made.asked, *made.others):
        store.load(changes(member, embedder))


def _sums(sizes: Iterator[tuple[str, int]]) -> dict[str, int]:
    found = dict.fromkeys(PARTS, 0)
    for part, count in sizes:
        found[part] += count
    return found


def _pages(path: Path) -> dict[str, int]:
    """Return the bytes of the pages of each part of a SQLite file, as its table dbstat counts them."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
    vectors, words = "_vector", "_stems"
    return _sums(
        (PARTS[0] if vectors in name else PARTS[1] if words in name else PARTS[2], size) for name, size in rows
    )


def _files(data: Path) -> dict[str, int]:
    """Return the bytes of the files of each part of a Neo4j database."""
    sizes = ((path.relative_to(data).as_posix(), path.stat().st_size) for path in data.rglob("*") if path.is_file())
    return _sums(
        (PARTS[0] if "/vector-" in name else PARTS[1] if "/fulltext-" in name else PARTS[2], size)
        for name, size in sizes
    )
