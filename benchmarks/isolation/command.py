"""Isolation of tenants in one store: no query of one may return data of another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer

from benchmarks.isolation.probes import PROBES, WRITES, Probing, probe, writes
from benchmarks.isolation.tenants import World, memory, tenants
from benchmarks.memories import empty_store
from benchmarks.options import OutOption
from benchmarks.pipeline.serving import serving
from benchmarks.report import Measurement, Row, commit, note, show, write
from mem0g.store.protocol import Store

SCOPES = 50
"""Tenants in a full run."""

WRITERS = 5
"""Tenants that write, one after the other, with each write method."""


def isolation(
    out: OutOption,
    probes: Annotated[int, typer.Option(min=1, help="Number of read calls, all methods together.")] = 10_000,
    store: Annotated[str, typer.Option(help="sqlite (a temporary file), or the address of an empty store.")] = "sqlite",
    scopes: Annotated[int, typer.Option(min=2, max=SCOPES, help="Number of tenants in the store.")] = SCOPES,
    seed: Annotated[int, typer.Option(help="Seed of the queries.")] = 0,
    drop: Annotated[bool, typer.Option("--drop", help="First delete mem0g's data in the store.")] = False,
) -> None:
    """Count the results that leak data of another tenant, by method.

    Every text, name and fact of a tenant carries its marker, and the embedder gives all tenants the same vectors. A
    result leaks if it contains a marker or an id of a tenant outside the requested scope; a write leaks if it changes
    the export of another tenant.
    """
    code = commit()
    with empty_store(store, drop=drop) as opened, TemporaryDirectory() as folder:
        rows, milliseconds = run(opened, Path(folder), probes, scopes, seed)
        address = opened.address
    write(out, Measurement(benchmark="isolation", commit=code, rows=rows, milliseconds=milliseconds))
    show(f"isolation, {scopes} scopes, store: {address}", rows)


def run(store: Store, folder: Path, probes: int, scopes: int, seed: int) -> tuple[list[Row], list[float]]:
    """Return one row per method, and the time of every probe in ms."""
    world = World(tenants(scopes))
    with serving(world.reply, 0.0) as chat:
        world.fill(store, chat.address)
        asking = memory(store, "llm", chat.address)
        random = Random(seed)  # noqa: S311 - not used for secrets
        at = Probing(world, memory(store, "rules"), asking, random, folder)
        at.learn()
        milliseconds: list[float] = []
        rows = [*_reads(at, probes, milliseconds), *_writes(at)]
        asking.flush()
    return rows, milliseconds


def _reads(at: Probing, probes: int, milliseconds: list[float]) -> Iterator[Row]:
    whole = sum(share for _, share in PROBES.values())
    for name, (way, share) in PROBES.items():
        count, leaks = max(1, round(probes * share / whole)), 0
        leaked: defaultdict[int, int] = defaultdict(int)
        for _ in range(count):
            started = perf_counter()
            found = probe(at, way)
            milliseconds.append(1000 * (perf_counter() - started))
            leaks += bool(found)
            for number in found:
                leaked[number] += 1
        if leaks:
            note(f"{name}: {leaks} of {count} results leak from others, such as {at.world.tenants[min(leaked)].scope}")
        yield {"way": name, "probes": count, "leaks": leaks}


def _writes(at: Probing) -> Iterator[Row]:
    for name in WRITES:
        compared = changed = 0
        for tenant in at.world.tenants[:WRITERS]:
            more, others = writes(at, name, tenant)
            compared, changed = compared + more, changed + others
        yield {"way": f"{name}, others' exports", "probes": compared, "leaks": changed}
