"""Writers killed at random, full disks, cut connections: is everything acknowledged still stored, once and whole?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from benchmarks.faults.concurrency import history
from benchmarks.faults.disruptions import (
    CutConnections,
    FullDisk,
    KilledServer,
    Restarted,
    SizeLimit,
    own_server,
    small_disk,
)
from benchmarks.faults.inputs import reply
from benchmarks.faults.places import Place, closing_store
from benchmarks.faults.rounds import METHODS, Ground, Method, Rounds, Tally
from benchmarks.memories import empty_store
from benchmarks.options import OutOption
from benchmarks.pipeline.serving import serving
from benchmarks.report import Measurement, commit, note, show, write
from mem0g.settings import Settings

NEO4J = "neo4j"
"""Value of --store for a server that is started, and killed, for the run."""

INGEST = next(each for each in METHODS if each.name == "ingest, rules")

CUTS, SERVER_KILLS, DISKS = 0.35, 0.05, 0.02
"""Shares of the kills: cut connections and server kills (on a server), full disks (on a file)."""

MAX_PROBLEMS = 5
"""Maximum number of problems printed per method."""


def faults(
    out: OutOption,
    kills: Annotated[int, typer.Option(min=1, help="Kills of writers, servers and connections in all.")] = 100,
    store: Annotated[
        str, typer.Option(help="sqlite (temporary files), neo4j (a temporary server), or a server's address.")
    ] = "sqlite",
    seed: Annotated[int, typer.Option(help="Seed of the moments of the kills.")] = 0,
    method: Annotated[list[str] | None, typer.Option(help="Only methods whose name contains this; repeatable.")] = None,
    drop: Annotated[bool, typer.Option("--drop", help="First delete mem0g's data in the store.")] = False,
) -> None:
    """Kill writers at random moments; what was acknowledged must be stored once and whole.

    lost: acknowledged but not stored. doubled: stored more often than acknowledged. torn: partly written, such as a
    fact without its object. unequal: finished runs that differ from an undisturbed one. errors: writers that failed by
    themselves.
    """
    code = commit()
    with TemporaryDirectory() as name, serving(reply, 0.0) as chat:
        folder = Path(name)
        tallies = []
        for tally in _tallies(store, folder, chat.address, kills, seed, method or [""], drop=drop):
            note(f"{tally.method}: {tally.kills} kills in {tally.seconds:.0f} s")
            for each in list(dict.fromkeys(tally.found))[:MAX_PROBLEMS]:
                note(f"  {each}")
            tallies.append(tally)
    rows = [tally.row() for tally in tallies]
    write(out, Measurement(benchmark="faults", commit=code, rows=rows, milliseconds=[0.0]))
    show(f"faults, {sum(tally.kills for tally in tallies)} kills, store: {store}", rows)


def _tallies(
    store: str, folder: Path, base_url: str, kills: int, seed: int, named: Sequence[str], *, drop: bool
) -> Iterator[Tally]:
    if store == "sqlite":
        ground = Ground(Place(str(folder / "faults.db")), folder, base_url)
        yield from on_files(ground, kills, seed, named)
    elif store == NEO4J:
        with own_server(folder) as server:
            yield from on_server(Ground(Place(server.uri), folder, base_url), kills, seed, named, server)
    else:
        with empty_store(store, drop=drop):
            ground = Ground(Place(store, Settings.from_environment().credentials), folder, base_url)
            yield from on_server(ground, kills, seed, named)


def on_files(ground: Ground, kills: int, seed: int, named: Sequence[str] = ("",)) -> Iterator[Tally]:
    """Run all methods on files, and a full disk where this user may mount one."""
    ground.prepare()
    for method, share in _shares("sqlite", kills, named):
        yield Rounds(method, ground, Random(seed), "sqlite").run(share)  # noqa: S311 - no secret
    few = max(1, round(kills * DISKS))
    if _wanted("full disk", named):
        with small_disk(ground.folder / "disk") as disk:
            if disk:
                full = Ground(Place(str(disk / "faults.db")), ground.folder)
                yield FullDisk(INGEST, full, Random(seed), "sqlite", name="full disk").run(few)  # noqa: S311
            else:
                note("full disk: skipped, as this user may not mount one")
    if _wanted("file size limit", named):
        yield SizeLimit(INGEST, ground, Random(seed), "sqlite", name="file size limit").run(few)  # noqa: S311
    if _wanted("all at once", named):
        yield history(ground.place, ground.folder, "sqlite", processes=3, threads=3, steps=20, seed=seed)


def on_server(
    ground: Ground, kills: int, seed: int, named: Sequence[str] = ("",), server: Restarted | None = None
) -> Iterator[Tally]:
    """Run all methods on a server, which is killed too if it was started for this run."""
    with closing_store(ground.place) as opened:
        opened.prepare()
    ground.prepare()
    left = kills * (1 - CUTS - SERVER_KILLS)
    for method, share in _shares("neo4j", round(left), named):
        yield Rounds(method, ground, Random(seed), "neo4j").run(share)  # noqa: S311 - no secret
    if _wanted("connections cut", named):
        cut = CutConnections(INGEST, ground, Random(seed), "neo4j", name="connections cut")  # noqa: S311
        yield cut.run(max(1, round(kills * CUTS)))
    if server and _wanted("server killed", named):
        killed = KilledServer(INGEST, ground, Random(seed), "neo4j", name="server killed")  # noqa: S311
        killed.server = server
        yield killed.run(max(1, round(kills * SERVER_KILLS)))
    if _wanted("all at once", named):
        yield history(ground.place, ground.folder, "neo4j", processes=2, threads=3, steps=20, seed=seed)


def _shares(store: str, kills: int, named: Sequence[str]) -> list[tuple[Method, int]]:
    """Return the selected methods of a store, each with its number of kills, at least one."""
    chosen = [each for each in METHODS if store in each.stores and _wanted(each.name, named)]
    whole = sum(each.share for each in chosen)
    return [(each, max(1, round(kills * each.share / whole))) for each in chosen]


def _wanted(name: str, named: Sequence[str]) -> bool:
    return any(each in name for each in named)
