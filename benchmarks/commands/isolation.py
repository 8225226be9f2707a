"""Probes of one store by many tenants: whatever one asks, in whatever way, it sees nothing of another's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer

from benchmarks.commands.scale import emptied
from benchmarks.ingesting.serving import serving
from benchmarks.isolation.tenants import World, memory, tenants
from benchmarks.isolation.ways import WAYS, WRITES, Probing, probe, writes
from benchmarks.report import Measurement, Row, commit, note, show, write
from mem0g.store.protocol import Store

SCOPES = 50
"""Tenants of a whole run."""

WRITERS = 5
"""Tenants that write, one after the other, in each way to write."""


def isolation(
    out: Annotated[Path, typer.Option(dir_okay=False, help="Where the figures are written, as JSON.")],
    probes: Annotated[int, typer.Option(min=1, help="Calls of all ways to read together.")] = 10_000,
    store: Annotated[
        str, typer.Option(help="sqlite (a file for this run), or a store's address; an empty one.")
    ] = "sqlite",
    scopes: Annotated[int, typer.Option(min=2, max=SCOPES, help="Tenants in the store.")] = SCOPES,
    seed: Annotated[int, typer.Option(help="Of what is asked.")] = 0,
    drop: Annotated[bool, typer.Option("--drop", help="Drop what the store holds of mem0g, first.")] = False,
) -> None:
    """Count the answers that tell a tenant of another one, by the way in which it asked.

    All that a tenant says, names and learns carries a marker, and the embedder cannot tell tenants apart. An answer
    leaks that holds a marker or an id of a tenant whose scope was not asked for; so does a write that changes the
    export of another tenant.
    """
    code = commit()
    with emptied(store, drop=drop) as opened, TemporaryDirectory() as folder:
        rows, milliseconds = run(opened, Path(folder), probes, scopes, seed)
        address = opened.address
    write(out, Measurement(benchmark="isolation", commit=code, rows=rows, milliseconds=milliseconds))
    show(f"isolation, {scopes} scopes, store: {address}", rows)


def run(store: Store, folder: Path, probes: int, scopes: int, seed: int) -> tuple[list[Row], list[float]]:
    """The rows, one a way, and the time of every probe in ms."""
    world = World(tenants(scopes))
    with serving(world.reply, 0.0) as chat:
        world.fill(store, chat.address)
        asking = memory(store, "llm", chat.address)
        random = Random(seed)  # noqa: S311 - no secret
        at = Probing(world, memory(store, "rules"), asking, random, folder)
        at.learn()
        milliseconds: list[float] = []
        rows = [*_reads(at, probes, milliseconds), *_writes(at)]
        asking.flush()
    return rows, milliseconds


def _reads(at: Probing, probes: int, milliseconds: list[float]) -> Iterator[Row]:
    whole = sum(share for _, share in WAYS.values())
    for name, (way, share) in WAYS.items():
        count, leaks = max(1, round(probes * share / whole)), 0
        told: defaultdict[int, int] = defaultdict(int)
        for _ in range(count):
            started = perf_counter()
            found = probe(at, way)
            milliseconds.append(1000 * (perf_counter() - started))
            leaks += bool(found)
            for number in found:
                told[number] += 1
        if leaks:
            note(f"{name}: {leaks} of {count} answers tell of others, such as {at.world.tenants[min(told)].scope}")
        yield {"way": name, "probes": count, "leaks": leaks}


def _writes(at: Probing) -> Iterator[Row]:
    for name in WRITES:
        compared = changed = 0
        for tenant in at.world.tenants[:WRITERS]:
            more, others = writes(at, name, tenant)
            compared, changed = compared + more, changed + others
        yield {"way": f"{name}, others' exports", "probes": compared, "leaks": changed}
