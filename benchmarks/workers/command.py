"""Ingest with several processes: messages a second by the number of workers, on a file and on a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer

from benchmarks.memories import AGENT
from benchmarks.options import OutOption
from benchmarks.pipeline.running import MODEL, TIMEOUT_MARGIN
from benchmarks.pipeline.serving import Chat, serving
from benchmarks.pipeline.simulated_model import SimulatedModel
from benchmarks.report import Measurement, Row, commit, note, show, show_provenance, write
from benchmarks.synthetic import World, world
from mem0g import Memory
from mem0g.distributed import IngestTask, MemoryOptions, ingest_in_processes
from mem0g.distributed.tasks import Numbered
from mem0g.errors import UnusableReplyError
from mem0g.model import Scope, Utterance
from mem0g.settings import LLMSettings, Settings

WORKERS, SECONDS = (1, 2, 4), (0.0, 1.0)
"""Defaults of --workers and --seconds."""


@dataclass(frozen=True, slots=True)
class Users:
    """The messages of several users, and a model that knows what they state."""

    said: tuple[tuple[Utterance, ...], ...]
    model: SimulatedModel

    @classmethod
    def of(cls, users: int, facts: int, seed: int) -> Users:
        """Generate ``facts`` facts for each of ``users`` users."""
        worlds = [_named(world(facts, 1, seed + number), number) for number in range(users)]
        turns = [turn for each in worlds for turn in each.utterances]
        triples = [triple for each in worlds for triple in each.triples]
        return cls(tuple(each.utterances for each in worlds), SimulatedModel.of(turns, triples))

    @property
    def messages(self) -> int:
        """The number of messages of all users."""
        return sum(map(len, self.said))

    def tasks(self, run: str) -> list[IngestTask]:
        """Return the tasks of a run, whose users are no other run's."""
        return [
            IngestTask(scope=Scope(f"{run}-{number}", AGENT), utterances=said) for number, said in enumerate(self.said)
        ]


def workers(
    out: OutOption,
    store: Annotated[
        list[str] | None, typer.Option(help="sqlite (temporary files), or a store's address. [default: sqlite]")
    ] = None,
    count: Annotated[list[int] | None, typer.Option("--workers", min=1, help="Processes. [default: 1, 2, 4]")] = None,
    seconds: Annotated[list[float] | None, typer.Option(min=0, help="Seconds a reply takes. [default: 0, 1]")] = None,
    users: Annotated[int, typer.Option(min=1, help="Users, each a scope.")] = 8,
    facts: Annotated[int, typer.Option(min=2, help="Facts of each user, two to a message.")] = 80,
    repeat: Annotated[int, typer.Option(min=1, help="Runs of each kind, in turn; the fastest counts.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the generated facts.")] = 0,
) -> None:
    """Ingest the messages of several users with a local server as the model, in one and in several processes.

    One worker is this process. The time counts from the start of the processes to their end.
    """
    code, made = commit(), Users.of(users, facts, seed)
    rows: list[Row] = []
    for address in store or ("sqlite",):
        for wait in seconds or SECONDS:
            runs = [(_run(made, address, number, wait), number) for _ in range(repeat) for number in count or WORKERS]
            rows += _rows(address, wait, runs, made)
            show(f"{address.partition('@')[2] or address}, {wait:g} s a reply", rows[-len(count or WORKERS) :])
    times = [1000 * row["seconds"] for row in rows]
    measured = Measurement(benchmark="workers", commit=code, rows=rows, milliseconds=times, versions={"model": MODEL})
    show_provenance(write(out, measured, {"users": users, "messages": made.messages}))


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of a run, and those until its first window was committed."""

    seconds: float
    first: float


def _named(made: World, number: int) -> World:
    """Return the world with sources and ids of its own, so that no two users say the same."""
    turns = tuple(
        replace(
            each,
            source=f"user {number}",
            text=f"{each.text} (said by user {number})",
            source_id=f"D{number + 1}:{place + 1}",
        )
        for place, each in enumerate(made.utterances)
    )
    ids = {old.source_id: new.source_id or "" for old, new in zip(made.utterances, turns, strict=True)}
    triples = (replace(each, evidence=tuple(ids[one] for one in each.evidence)) for each in made.triples)
    return World(turns, tuple(triples), made.questions)


def _run(users: Users, address: str, count: int, wait: float) -> Timed:
    """Ingest into a new file, or beside other data, and delete what was written. Raises an error if any is missing."""
    with TemporaryDirectory() as folder, serving(users.model.reply, wait) as chat:
        place = str(Path(folder) / "workers.db") if address == "sqlite" else address
        options = _options(place, chat, wait)
        tasks = users.tasks(f"benchmark-{count}-{wait:g}")
        with replace(options, extractor="none").open() as memory:
            memory.forget(agent_id=AGENT)
        started = perf_counter()
        laps = []
        for _ in _ingested(tasks, options, count):
            laps.append(perf_counter() - started)  # noqa: PERF401 - each is of its time
        seconds = perf_counter() - started
        if chat.refused:
            raise chat.refused[0]
        with replace(options, extractor="none").open() as memory:
            _check(memory, users)
            memory.forget(agent_id=AGENT)
    note(f"{address.partition('@')[2] or address}, {count} workers, {wait:g} s a reply: {seconds:.1f} s")
    return Timed(seconds, laps[0])


def _options(store: str, chat: Chat, wait: float) -> MemoryOptions:
    llm = LLMSettings(model=MODEL, base_url=chat.address, api_key="none", timeout=wait + TIMEOUT_MARGIN)
    return MemoryOptions(store=store, settings=replace(Settings.from_environment(), llm=llm), extractor="llm")


def _ingested(tasks: Sequence[IngestTask], options: MemoryOptions, count: int) -> Iterator[Numbered]:
    if count > 1:
        yield from ingest_in_processes(tasks, options, count)
        return
    with options.open() as memory:
        for number, task in enumerate(tasks):
            for report in task.reports(memory):
                yield number, report


def _check(memory: Memory, users: Users) -> None:
    """Raise UnusableReplyError unless all messages are stored with their facts."""
    stats = memory.stats(agent_id=AGENT)
    if stats.messages != users.messages or not stats.facts or memory.pending(agent_id=AGENT):
        hint = "the prompts do not fit the engine: no figure would be right"
        raise UnusableReplyError(f"{stats.messages} of {users.messages} messages, {stats.facts} facts", hint=hint)


def _rows(address: str, wait: float, runs: Sequence[tuple[Timed, int]], users: Users) -> list[Row]:
    """Return a row for each number of workers, beside one worker if that was measured."""
    best: dict[int, Timed] = {}
    for timed, count in runs:
        best[count] = min(timed, best.get(count, timed), key=lambda each: each.seconds)
    alone = best.get(1)
    kind = "sqlite" if address == "sqlite" else "neo4j"
    return [
        {
            "store": kind,
            "seconds a reply": wait,
            "workers": count,
            "seconds": round(timed.seconds, 2),
            "until the first window": round(timed.first, 2),
            "messages/s": round(users.messages / timed.seconds, 1),
            "times one worker": round(alone.seconds / timed.seconds, 2) if alone else None,
        }
        for count, timed in best.items()
    ]
