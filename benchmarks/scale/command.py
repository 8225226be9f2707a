"""A store with many scopes: how fast it fills, how fast it is searched, and the share of nearest facts found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, cast

import typer

from benchmarks.embedders import TimedEmbedder, WordEmbedder
from benchmarks.memories import empty_store
from benchmarks.options import OutOption
from benchmarks.report import Measurement, Row, commit, note, show, write
from benchmarks.scale.bare import FEW, FULL_TEXT, MANY, TWO_HOPS, VECTOR, Bare
from benchmarks.scale.crowd import FACTS_AT_ONCE, Crowd, Member, WorldExtractor, changes, crowd
from benchmarks.scale.floors import BareTables, Bulk, product, sizes, together
from benchmarks.synthetic import FACTS_PER_MESSAGE
from benchmarks.timing import Seconds, Task, TimedStore, in_turn, percentile
from mem0g import Memory
from mem0g.retrieve.question.query import possible_names
from mem0g.settings import Settings
from mem0g.store.address import SERVERS
from mem0g.store.protocol import Store
from mem0g.store.queries import SearchQuery
from mem0g.store.sqlite import SqliteStore
from mem0g.text.stemming import tokens

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector

NEAREST, TENANTS_NEAREST = 100, 10
"""Facts requested to measure the share of the nearest found: in the large scope, and of a tenant's 50."""

MEMBERS_AT_ONCE = 50
"""Scopes generated and loaded at once: of 100 facts each they take 25 MB."""

BULKS = 5
"""Number of bare bulk commits."""

BY_WINDOWS = 500
"""Facts of the large scope that are added last, by windows, to a store that is already full."""


def scale(
    store: Annotated[str, typer.Option(help="sqlite (a temporary file), or the address of an empty store.")],
    out: OutOption,
    facts: Annotated[int, typer.Option(min=200, help="Generated facts in the store.")] = 100_000,
    scopes: Annotated[int, typer.Option(min=4, help="Scopes they are spread over; one has a tenth of them.")] = 1000,
    tenant: Annotated[int, typer.Option(min=1, help="Facts of the smallest scope that is searched.")] = 50,
    largest: Annotated[int, typer.Option(min=0, help="Facts of one more scope, in bulk; 0 for none.")] = 0,
    searches: Annotated[int, typer.Option(min=1, help="Searches in each scope that is searched.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the generated facts.")] = 0,
    drop: Annotated[bool, typer.Option("--drop", help="First delete mem0g's data in the store.")] = False,
) -> None:
    """Measure facts/s in bulk and by windows, ms per search, and the share of the nearest facts found."""
    code = commit()
    made = crowd(facts, scopes, tenant, searches, seed, largest)
    with empty_store(store, drop=drop) as opened:
        run = Run(opened, made)
        filled, shares = list(run.fill()), list(run.nearest())
        with bare(store, opened) as plain:
            taken = in_turn(run.tasks(plain), searches) | in_turn(run.bulks(plain), BULKS)
            times = {name: [1000 * each.clock for each in some] for name, some in taken.items()}
        timed, compared = list(run.rows(taken)), list(ratios(filled, times))
        beside = list(run.beside(searches))
        details = opened.info().details
    versions = {name: details[name] for name in ("neo4j", "vector filters") if name in details}
    rows = [*filled, *shares, *timed, *compared, *beside]
    searched = times[_search(made.large)]
    write(out, Measurement(benchmark="scale", commit=code, rows=rows, milliseconds=searched, versions=versions))
    note(
        f"{facts + largest} facts, {scopes + bool(largest)} scopes, store: {opened.address} {details.get('neo4j', '')}"
    )
    for title, some in (
        ("in bulk", [row for row in filled if row["method"] != "windows"]),
        ("by windows", [row for row in filled if row["method"] == "windows"]),
        ("nearest", shares),
        ("ms", timed),
        ("beside the bare queries", compared),
        ("disk and memory", [row for row in beside if "size" in row]),
        ("together", [row for row in beside if "searches/s" in row]),
    ):
        if some:
            show(title, some)


@contextmanager
def bare(address: str, store: Store) -> Iterator[Bare | None]:
    """Open a bare driver session beside a Neo4j store; None for a file."""
    if address.partition(":")[0] not in SERVERS:
        yield None
        return
    with Bare(address, store.info()) as opened:
        yield opened


def _search(member: Member) -> str:
    return f"search, {member.name}"


def _around(task: Task, questions: int) -> Task:
    """Wrap a task so that numbers beyond the last question start again at the first."""
    return lambda number: task(number % questions)


def _batched(members: Sequence[Member]) -> Iterator[Sequence[Member]]:
    for start in range(0, len(members), MEMBERS_AT_ONCE):
        yield members[start : start + MEMBERS_AT_ONCE]


@dataclass
class Run:
    """One measurement of a store; ``embedding`` and ``storing`` hold their part of each search, by task."""

    store: Store
    crowd: Crowd
    embedder: TimedEmbedder = field(default_factory=lambda: TimedEmbedder(WordEmbedder()))
    embedding: dict[str, list[Seconds]] = field(default_factory=dict)
    storing: dict[str, list[Seconds]] = field(default_factory=dict)
    matrices: dict[str, Matrix] = field(default_factory=dict)

    def fill(self) -> Iterator[Row]:
        """Load the tenant, the middle scope and the end of the larger ones by windows, all others in bulk."""
        self.store.claim_embedder(self.embedder.name, self.embedder.dimensions)
        made, ends = self.crowd, {}
        yield from self._bulk("others", made.others, sum(other.facts for other in made.others))
        for member in made.asked[2:]:
            last = max(1, min(BY_WINDOWS, member.facts // 4) // FACTS_PER_MESSAGE)
            ends[member.name] = first = len(member.world.utterances) - last
            yield from self._bulk(member.name, [member], first * FACTS_PER_MESSAGE, first)
        for member in made.asked:
            yield self._windows(member, ends.get(member.name, 0))

    def _bulk(self, name: str, members: Sequence[Member], facts: int, messages: int | None = None) -> Iterator[Row]:
        """Load members; what is loaded into a file is inserted into bare tables as well, change by change."""
        taken, on_file = Seconds(0, 0), isinstance(self.store, SqliteStore)
        with TemporaryDirectory() as folder, closing(BareTables(Path(folder) / "bare.db")) as bare:
            bulk = Bulk(bare if on_file else None)
            for some in _batched(members):
                start = Seconds.now()
                made = (change for member in some for change in changes(member, self.embedder, messages))
                self.store.load(bulk.of(made))
                taken += Seconds.now() - start
        taken -= bulk.elsewhere
        note(f"{name}: {facts} facts in bulk in {taken.clock:.0f} s")
        place: Row = {"scope": name, "facts": facts}
        yield {"method": f"bulk, {FACTS_AT_ONCE} at once", **place, **_rate(facts, taken)}
        if on_file:
            yield {"method": "bare inserts", **place, **_rate(facts, bare.taken)}
            ratio = round(bare.taken.processor / max(taken.processor, 1e-9), 2)
            yield {"method": "bulk / bare inserts, by CPU", **place, "ratio": ratio}

    def _windows(self, member: Member, start: int) -> Row:
        """Ingest messages from ``start`` on, window by window, without the embedder's time."""
        memory = Memory(self.store, self.embedder, WorldExtractor(member), Settings())
        before, times = memory.stats(**member.keys).facts, []
        reports = memory.ingest(member.world.utterances[start:], **member.keys)
        clock, embedded = Seconds.now(), self._embedded()
        for _ in reports:
            times.append(Seconds.now() - clock - (self._embedded() - embedded))
            clock, embedded = Seconds.now(), self._embedded()
        facts = memory.stats(**member.keys).facts - before
        seconds = sum(each.clock for each in times)
        note(f"{member.name}: {facts} facts by windows in {seconds:.0f} s")
        return {**_row("windows", member, times), "facts": facts, "facts/s": facts / seconds}

    def _embedded(self) -> Seconds:
        return Seconds(self.embedder.milliseconds / 1000, self.embedder.processor / 1000)

    def nearest(self) -> Iterator[Row]:
        """Measure the share of the nearest facts found, against a full comparison outside the store."""
        for member in (self.crowd.tenant, *self.crowd.asked[2:]):
            wanted = TENANTS_NEAREST if member is self.crowd.tenant else NEAREST
            ids, matrix = _facts(self.store, member)
            self.matrices[member.name] = matrix
            asked = self.embedder.embed(member.world.questions)
            shares = [_share(self.store, member, ids, matrix, each, wanted) for each in asked]
            row = {"method": "share of the nearest found, %", "scope": member.name, "facts": len(ids)}
            yield {**row, "k": wanted, "share": round(100 * sum(shares) / len(shares), 2), "n": len(shares)}

    def tasks(self, plain: Bare | None) -> Mapping[str, Task]:
        """Return what is timed in turn: a search in each of the three scopes, and the bare queries."""
        tasks = {_search(member): self._searching(member) for member in self.crowd.asked}
        if plain is None:
            return tasks | {f"floor: product, {name}": product(each) for name, each in self.matrices.items()}
        bared: dict[str, Task] = {}
        for member in self.crowd.asked:
            asked = member.world.questions
            named = [self.store.match_names(member.scope, sorted(possible_names(question))) for question in asked]
            vectors, terms = list(self.embedder.embed(asked)), [tokens(question)[-1] for question in asked]
            some = plain.reading(member.name, member.scope, [found[0].id for found in named], terms, vectors)
            bared |= {f"bare: {name}": _around(task, len(asked)) for name, task in some.items()}
        vectors = list(self.embedder.embed(self.crowd.middle.world.questions))
        some = plain.others(self.crowd.middle.scope, vectors) | plain.writing(FEW, vectors)
        return tasks | bared | {f"bare: {name}": _around(task, len(vectors)) for name, task in some.items()}

    def bulks(self, plain: Bare | None) -> Mapping[str, Task]:
        """Return the bare query to compare a load with; it runs few times, as it fills the store."""
        vectors = list(self.embedder.embed(self.crowd.large.world.questions))
        bared = plain.writing(MANY, vectors) if plain else {}
        return {f"bare: {name}": task for name, task in bared.items()}

    def _searching(self, member: Member) -> Task:
        timed = TimedStore(self.store)
        memory = Memory(cast("Store", timed), self.embedder, WorldExtractor(member), Settings())
        name, asked = _search(member), member.world.questions
        self.embedding[name], self.storing[name] = [], []

        def search(number: int) -> None:
            stored, embedded = timed.taken, self._embedded()
            memory.search(asked[number], **member.keys)
            self.storing[name].append(timed.taken - stored)
            self.embedding[name].append(self._embedded() - embedded)

        return _around(search, len(asked))

    def rows(self, times: Mapping[str, Sequence[Seconds]]) -> Iterator[Row]:
        """Yield a row per task; searches without the embedder, the store's part of them, and what is left to ranking.

        On a file also how often a search takes the time of the processor that the product of its vectors takes.
        """
        for member in self.crowd.asked:
            name = _search(member)
            embedded, stored = self.embedding[name][1:], self.storing[name][1:]
            searched = [each - part for each, part in zip(times[name], embedded, strict=True)]
            yield _row("search", member, searched)
            yield _row("search: the store", member, stored)
            ranked = [each - part for each, part in zip(searched, stored, strict=True)]
            yield _row("search: the question and ranking", member, ranked)
            if product := times.get(f"floor: product, {member.name}"):
                ratio = _processor(searched) / max(_processor(product), 0.1)
                place = {"scope": member.name, "facts": member.facts}
                yield {"method": "search / product, by CPU", **place, "ratio": round(ratio, 1)}
        for name, taken in times.items():
            if name.startswith(("bare: ", "floor: ")):
                yield _row(name, None, taken)

    def beside(self, searches: int) -> Iterator[Row]:
        """Measure what only a file is measured for; see benchmarks.scale.floors."""
        if isinstance(self.store, SqliteStore):
            self.matrices.clear()
            member = self.crowd.asked[-1]
            yield from sizes(self.store, member)
            yield from together(self.store, self.embedder, member, searches)


def ratios(filled: Sequence[Row], times: Mapping[str, Sequence[float]]) -> Iterator[Row]:
    """Compare mem0g with the bare queries of the same run.

    A search is compared with a vector query, a full-text query and a two-hop walk in the same scope; a fact in bulk
    with one of a bare commit.
    """
    if f"bare: commit of {MANY} facts" not in times:
        return
    p50 = {name: percentile(taken, 50) for name, taken in times.items()}
    for name, cost in p50.items():
        if name.startswith("search, "):
            scope = name.removeprefix("search, ")
            parts = sum(p50[f"bare: {part}, {scope}"] for part in (VECTOR, FULL_TEXT, TWO_HOPS))
            yield {"method": f"{name} / bare vector, words, two hops", "ratio": round(cost / parts, 2)}
    bulk = [row["facts/s"] for row in filled if row["method"].startswith("bulk,")][-1]  # of the largest scope
    many = 1000 * MANY / p50[f"bare: commit of {MANY} facts"]
    yield {"method": "bulk / bare commit of many, facts/s", "ratio": round(bulk / many, 2)}
    yield {"method": f"bare commit of {FEW} / round trip", "ratio": _ratio(p50, f"commit of {FEW} facts", "round trip")}


def _ratio(p50: Mapping[str, float], one: str, other: str) -> float:
    return round(p50[f"bare: {one}"] / max(p50[f"bare: {other}"], 0.1), 2)


def _facts(store: Store, member: Member) -> tuple[list[str], Matrix]:
    """Return the ids of a member's facts, as the store has them, and their vectors."""
    import numpy as np

    vectors: dict[str, Vector] = {}
    with store.snapshot(member.scope) as snapshot:
        for change in snapshot.changes:
            vectors |= {fact.id: change.vectors[fact.id] for fact in change.facts}
    return list(vectors), np.stack(list(vectors.values()))


def _share(store: Store, member: Member, ids: Sequence[str], matrix: Matrix, asked: Vector, wanted: int) -> float:
    """Return the share of the ``wanted`` nearest facts, ties at the end included, that are found by vector alone."""
    import numpy as np

    cosines = matrix @ asked
    least = np.sort(cosines)[-wanted:][0] - 1e-6
    near = {ids[int(place)] for place in np.flatnonzero(cosines >= least)}
    probe = SearchQuery(vectors=(asked,), terms=(), nearest_anchors=0, hops=0, facts=wanted, messages=0, radius=0)
    found = {each.fact.id for each in store.find(member.scope, probe).facts}
    return len(found & near) / min(wanted, len(ids))


def _rate(facts: int, taken: Seconds) -> Row:
    return {"facts/s": facts / taken.clock, "facts/CPU s": facts / max(taken.processor, 1e-9)}


def _row(method: str, member: Member | None, taken: Sequence[Seconds]) -> Row:
    """Return the percentiles of a task in ms, and the median of this process's time of the processor."""
    p50, p95 = (percentile([1000 * each.clock for each in taken], percent) for percent in (50, 95))
    place = {"scope": member.name, "facts": member.facts} if member else {}
    return {"method": method, **place, "p50": p50, "p95": p95, "CPU p50": _processor(taken), "n": len(taken)}


def _processor(taken: Sequence[Seconds]) -> float:
    return percentile([1000 * each.processor for each in taken], 50)
