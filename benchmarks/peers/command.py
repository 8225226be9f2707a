"""mem0g, mem0 and graphiti on the same facts, model, embeddings and Neo4j."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import platformdirs
import typer

from benchmarks.embedders import TimedEmbedder
from benchmarks.options import OutOption, SeedOption
from benchmarks.peers.child import Setup
from benchmarks.peers.database import Database
from benchmarks.peers.endpoint import Endpoint, serving
from benchmarks.peers.environments import KINDS, Environment, NotInstalledError, environment
from benchmarks.peers.facts import draw
from benchmarks.peers.replies import ScriptedModel
from benchmarks.peers.running import TIMEOUT, WARM_UP_PAIRS, Plan, SystemFailedError, measured
from benchmarks.report import Measurement, Row, commit, note, show, show_provenance, write
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.times import now

SLOW_QUESTIONS = 10
"""Questions that are asked with slow replies: a search that calls no model takes as long as without."""

WARM_UP_FACTS, WARM_UP_QUESTIONS = 100, 20
"""Facts and questions of a first round that is not counted, where a database is used: a server that has just been
started is slow for whoever comes first."""

FLOOR_ROUNDS = 20
"""Times that the floor is measured before each system."""


def peers(
    out: OutOption,
    systems: Annotated[str, typer.Option(help="Which systems, with commas.")] = ",".join(KINDS),
    sizes: Annotated[str, typer.Option(help="Numbers of facts in the store before, with commas.")] = "1000,10000",
    neo4j: Annotated[
        str | None, typer.Option(help="Address of an empty Neo4j database, which the systems use in turn.")
    ] = None,
    drop: Annotated[bool, typer.Option("--drop", help="First delete everything in that database.")] = False,
    environments: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder of environments. [default: in the user's cache]")
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of messages, of five facts each, at 0 s a reply.")] = 50,
    slow_pairs: Annotated[int, typer.Option(min=0, help="Pairs with slow replies.")] = 50,
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds of a slow reply.")] = 1.0,
    questions: Annotated[int, typer.Option(min=1, help="Questions about facts in the store.")] = 100,
    seed: SeedOption = 0,
) -> None:
    """Measure mem0g beside mem0 1.0.11 and graphiti: calls, tokens, times, what is stored and found, installation.

    Each system runs in an environment and a process of its own, with its usual settings. A local server is the model
    of all, and embeds for all with MiniLM. A system that cannot be installed, or fails, is reported as such.
    """
    code, names, counts = commit(), _names(systems), _counts(sizes)
    plans = [_plan(count, pairs, slow_pairs, seconds, questions, seed) for count in counts]
    with ExitStack() as stack:
        database = _database(neo4j, names, stack, drop=drop)
        installed, missing = in_environments(names, environments)
        found = {name: _described(each) for name, each in installed.items()}
        more = {"date": now().date().isoformat(), "machine": _machine(), "installed": found, "missing": missing}
        server = {"neo4j": database.version} if database else {}
        versions = {name: each.version for name, each in installed.items()} | server
        embedder, done = TimedEmbedder.usual(), Done()
        _warm_up(installed, embedder, database, _plan(WARM_UP_FACTS, 10, 0, 0.0, WARM_UP_QUESTIONS, seed))
        for _ in run(plans, installed, embedder, database, done):  # what is measured is kept at once
            measurement = Measurement(
                benchmark="peers", commit=code, rows=done.rows, milliseconds=done.milliseconds, versions=versions
            )
            written = write(out, measurement, more | {"failed": done.failed})
    _show(done, counts, found, missing)
    if installed:
        show_provenance(written)


def _show(done: Done, sizes: Sequence[int], installed: Mapping[str, Row], missing: Mapping[str, str]) -> None:
    show("installed", [{"system": name} | each for name, each in installed.items()])
    for size in sizes:
        show(f"{size} facts before", _table([row for row in done.rows if row["facts"] == size]))
    for name, problem in (*missing.items(), *done.failed.items()):
        note(f"{name}: {problem}")


def _warm_up(installed: Mapping[str, Environment], embedder: Embedder, database: Database | None, plan: Plan) -> None:
    """Put the systems that use the database through a plan that is not counted."""
    using = {name: where for name, where in installed.items() if KINDS[name].uses_neo4j}
    if using:
        note("warm-up, not counted:")
    for _ in run([plan], using, embedder, database, Done()):
        pass


@dataclass(slots=True)
class Done:
    """The rows so far, and the problem of what failed by system and size."""

    rows: list[Row] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def milliseconds(self) -> list[float]:
        """The median search of each row."""
        return [row["search_p50_ms"] for row in self.rows] or [0.0]


def run(
    plans: Sequence[Plan],
    installed: Mapping[str, Environment],
    embedder: Embedder,
    database: Database | None,
    done: Done,
) -> Iterator[None]:
    """Put each system through each plan; add to ``done``, and yield after each system.

    Each row has the floor of its time on this machine: a round trip and the embedding of a sentence, just before.
    """
    for plan in plans:
        facts = plan.facts
        endpoint = Endpoint(ScriptedModel([*facts.loaded, *facts.added]), embedder)
        with serving(endpoint) as url:
            for name, where in installed.items():
                place = f"{name}, {len(facts.loaded)} facts"
                neo4j = database if database and KINDS[name].uses_neo4j else None
                cpu = neo4j.cpu_seconds if neo4j else None
                floor = _floor(embedder, neo4j)
                setup = _setup(url, endpoint, neo4j, plan)
                try:
                    found = measured(where.python, KINDS[name].adapter, setup, plan, endpoint, cpu)
                except SystemFailedError as error:
                    done.failed[place] = str(error)
                    note(f"{place}: {error}")
                else:
                    done.rows += [{"method": name, "facts": len(facts.loaded)} | row | floor for row in found]
                    note(f"{place}: {found[0] | floor}")
                if neo4j:
                    neo4j.wipe()
                yield


def _setup(url: str, endpoint: Endpoint, neo4j: Database | None, plan: Plan) -> Setup:
    return Setup(
        model_url=url,
        embeddings_url=url,
        dimensions=endpoint.dimensions,
        neo4j=neo4j.uri if neo4j else "",
        neo4j_user=neo4j.user if neo4j else "",
        neo4j_password=neo4j.password if neo4j else "",
        folder="",
        timeout=plan.slow + TIMEOUT,
    )


def _floor(embedder: Embedder, neo4j: Database | None) -> Row:
    """Return the medians of what no system can do without, in ms."""
    embedding, trips = [], []
    for _ in range(FLOOR_ROUNDS):
        start = perf_counter()
        embedder.embed(["Ada Abbott visited Lisbon on 3 March 2021."])
        embedding.append(1000 * (perf_counter() - start))
        if neo4j:
            trips.append(neo4j.round_trip())
    floor = {"embedding_ms": round(statistics.median(embedding), 1)}
    return floor | ({"round_trip_ms": round(statistics.median(trips), 1)} if trips else {})


def _names(systems: str) -> list[str]:
    names = [name.strip() for name in systems.split(",")]
    for name in names:
        if name not in KINDS:
            raise InputError(f"no system {name!r}", hint=f"there are {', '.join(KINDS)}")
    return list(dict.fromkeys(names))


def _counts(sizes: str) -> list[int]:
    try:
        counts = [int(size) for size in sizes.split(",")]
    except ValueError:
        counts = [-1]
    if min(counts) < 0:
        raise InputError(f"--sizes {sizes!r} are no numbers of facts", hint="such as 0,1000,10000")
    return list(dict.fromkeys(counts))


def _plan(facts: int, pairs: int, slow_pairs: int, seconds: float, questions: int, seed: int) -> Plan:
    drawn = draw(facts, WARM_UP_PAIRS + pairs + slow_pairs, seed)
    early = drawn.of_first(WARM_UP_PAIRS + pairs)
    return Plan(
        facts=drawn,
        pairs=pairs,
        slow_pairs=slow_pairs,
        slow=seconds,
        asked=early.asked(questions, seed),
        slow_asked=early.asked(SLOW_QUESTIONS, seed + 1),
    )


def _database(address: str | None, names: Sequence[str], stack: ExitStack, *, drop: bool) -> Database | None:
    """Open the database if a system needs one. Raises InputError when none is given, or it is not empty."""
    wanted = [name for name in names if KINDS[name].uses_neo4j]
    if not wanted:
        return None
    if address is None:
        raise InputError(f"{', '.join(wanted)} need a Neo4j", hint="start one with `make neo4j` and give --neo4j URI")
    database = stack.enter_context(Database(address))
    if not drop:
        database.require_empty()
    database.wipe()
    return database


def in_environments(names: Sequence[str], folder: Path | None) -> tuple[dict[str, Environment], dict[str, str]]:
    """Return the environments of the systems, and why others have none."""
    folder = folder or platformdirs.user_cache_path("mem0g", appauthor=False) / "peers"
    installed: dict[str, Environment] = {}
    missing: dict[str, str] = {}
    for name in names:
        same = next((other for other in installed if KINDS[other].distribution == KINDS[name].distribution), None)
        try:
            installed[name] = installed[same] if same else environment(KINDS[name], folder)
        except NotInstalledError as error:
            missing[name] = str(error)
    return installed, missing


def _described(found: Environment) -> dict[str, Any]:
    return {name: value for name, value in asdict(found).items() if name != "python"}


def _table(rows: Sequence[Row]) -> list[Row]:
    """Return the rows as printed: a line per figure, a column per system and duration of a reply."""
    names = [name for name in dict.fromkeys(key for row in rows for key in row) if name not in _PLACE]
    shown = {f"{row['method']}\n{row['seconds_a_reply']:g} s": row for row in rows}
    return [
        {"figure": name.replace("_", " ")} | {way: str(row.get(name, "")) for way, row in shown.items()}
        for name in names
    ]


_PLACE = ("method", "facts", "seconds_a_reply")


def _machine() -> str:
    """Return the number of processors, and what they are."""
    return f"{os.cpu_count()} × {platform.processor() or platform.machine()}, {platform.system()}"
