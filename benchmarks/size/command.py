"""Bytes on disk for each fact, with its share of messages, entities and decisions, by what they are for."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from benchmarks.embedders import WordEmbedder
from benchmarks.memories import empty_store
from benchmarks.options import OutOption
from benchmarks.report import Measurement, Row, commit, show, show_provenance, write
from benchmarks.scale.crowd import changes, crowd
from mem0g.errors import InputError
from mem0g.settings import Settings
from mem0g.store.address import open_store
from mem0g.store.protocol import Store

PARTS = ("vectors", "words", "records and their indexes")

QUESTIONS = 1
"""Of the generated crowd; none is asked."""


def size(
    out: OutOption,
    store: Annotated[str, typer.Option(help="sqlite (a temporary file), or the address of an empty Neo4j.")] = "sqlite",
    data: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Neo4j's folder of the database: .../data/databases/neo4j."),
    ] = None,
    facts: Annotated[int, typer.Option(min=200, help="Generated facts, two to a message.")] = 10_000,
    drop: Annotated[bool, typer.Option("--drop", help="First delete mem0g's data in the store.")] = False,
) -> None:
    """Measure bytes on disk a fact: of vectors of 384 dimensions, of words, and of records with their indexes.

    What an empty store takes is subtracted.
    """
    code = commit()
    if store == "sqlite":
        found = _of_file(facts)
    elif data is None:
        raise InputError("the folder of the database is not named", hint="give --data .../data/databases/neo4j")
    else:
        found = _of_server(store, data, facts, drop=drop)
    rows: list[Row] = [{"part": part, "bytes a fact": round(found[part] / facts)} for part in PARTS]
    rows.append({"part": "all", "bytes a fact": round(sum(found.values()) / facts)})
    rows.append({"part": "a million facts, GB", "bytes a fact": round(sum(found.values()) / facts / 1000, 2)})
    show(f"{'sqlite' if store == 'sqlite' else 'neo4j'}, {facts} facts", rows)
    measured = Measurement(benchmark="size", commit=code, rows=rows, milliseconds=[0.0])
    show_provenance(write(out, measured, {"facts": facts, "store": "sqlite" if store == "sqlite" else "neo4j"}))


def _of_file(facts: int) -> dict[str, int]:
    """Return the bytes of each part of a file of so many facts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "size.db"
        opened = open_store(path)
        before = _pages(path)
        _fill(opened, facts)
        opened.close()
        return _difference(_pages(path), before)


def _of_server(address: str, data: Path, facts: int, *, drop: bool) -> dict[str, int]:
    """Return the bytes that each part of a database's folder grows by."""
    with empty_store(address, drop=drop) as opened:
        opened.claim_embedder(WordEmbedder().name, WordEmbedder().dimensions)
        _checkpoint(address)
        before = _files(data)
        _fill(opened, facts)
        _checkpoint(address)
        return _difference(_files(data), before)


def _fill(store: Store, facts: int) -> None:
    embedder, made = WordEmbedder(), crowd(facts, 20, 50, QUESTIONS, seed=0)
    store.claim_embedder(embedder.name, embedder.dimensions)
    for member in (*made.asked, *made.others):
        store.load(changes(member, embedder))


def _difference(after: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    return {part: after.get(part, 0) - before.get(part, 0) for part in PARTS}


def _sums(sizes: Iterator[tuple[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part, count in sizes:
        found[part] = found.get(part, 0) + count
    return found


def _pages(path: Path) -> dict[str, int]:
    """Return the bytes of the pages of each part of a SQLite file, as its table dbstat counts them."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
    vectors, words = "_vector", "_terms"
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


def _checkpoint(address: str) -> None:
    """Let the server write everything to its files."""
    import neo4j

    given = Settings.from_environment().credentials
    user = (given.username, given.password or "") if given.username else None
    with neo4j.GraphDatabase.driver(address, auth=user) as driver:
        driver.execute_query("CALL db.checkpoint()", database_=given.database)
