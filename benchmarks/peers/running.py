"""A system in a process of its own, through the same pairs of messages and questions as the others."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Self

from benchmarks.peers.child import Setup
from benchmarks.peers.endpoint import Calls, Endpoint, sequential
from benchmarks.peers.environments import REPOSITORY
from benchmarks.peers.facts import Facts, Pair, described, normal, triple
from benchmarks.report import Row
from benchmarks.synthetic import Event
from benchmarks.timing import percentile
from mem0g.errors import Mem0gError

TOP = 10
"""Results of a search."""

WARM_UP_PAIRS, WARM_UP_SEARCHES = 3, 5
"""Pairs and searches before those that count."""

TIMEOUT = 60.0
"""Seconds that a system waits for a reply, beyond the time of the reply."""


ServerCpu = Callable[[], float]
"""Returns the CPU seconds of the database server so far."""


class SystemFailedError(Mem0gError):
    """A system raised an error, or its process ended."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The time of an order in seconds, its Cypher queries, and what it returned."""

    seconds: float
    queries: int
    value: Any


class Child:
    """The process of a system's ``adapter``, a module; a context manager that ends it. Errors go to ``log``."""

    def __init__(self, python: Path, adapter: str, log: Path) -> None:
        variables = dict(os.environ) | {"PYTHONPATH": str(REPOSITORY), "PYTHONUNBUFFERED": "1"}
        self._log = log
        with log.open("w", encoding="utf-8") as errors:
            self._process = subprocess.Popen(  # noqa: S603 - our own adapters
                [str(python), "-m", adapter],
                cwd=log.parent,
                env=variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    def order(self, do: str, **given: object) -> Reply:
        """Give an order and wait for the reply. Raises SystemFailedError."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps({"do": do, **given}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            words = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise SystemFailedError(f"the process ended at {do!r}: {''.join(words)}", hint="run its adapter by hand")
        reply = json.loads(line)
        if "error" in reply:
            raise SystemFailedError(f"{do}: {reply['error']}", hint="an error of the system, not of the benchmark")
        return Reply(**reply)


@dataclass(frozen=True, slots=True)
class Cpu:
    """CPU seconds, in all threads, of a system's process and of the database server, if it uses one."""

    client: float
    server: float | None

    def __sub__(self, before: Cpu) -> Cpu:
        server = None if self.server is None or before.server is None else self.server - before.server
        return Cpu(self.client - before.client, server)

    def figures(self, what: str, count: int) -> Row:
        """Return the milliseconds of each of ``count`` adds or searches."""
        parts = {"client_": self.client} | ({} if self.server is None else {"server_": self.server})
        return {
            f"{part}cpu_ms_per_{what}": round(1000 * seconds / count, 1)
            for part, seconds in [("", sum(parts.values())), *parts.items()]
        }


@dataclass(frozen=True, slots=True)
class Run:
    """A system that is being measured: its process, the model and embeddings, and the CPU time of its server."""

    child: Child
    endpoint: Endpoint
    server_cpu: ServerCpu | None

    def cpu(self) -> Cpu:
        """Return the CPU time so far."""
        return Cpu(self.child.order("cpu").value, self.server_cpu() if self.server_cpu else None)


@dataclass(slots=True)
class Adds:
    """Pairs that were added with replies of one duration: seconds, sequential calls and queries of each.

    Calls and CPU time include what goes on in the background until it is over.
    """

    reply_seconds: float
    seconds: list[float] = field(default_factory=list)
    sequential: list[int] = field(default_factory=list)
    queries: list[int] = field(default_factory=list)
    calls: Calls = field(default_factory=Calls)
    cpu: Cpu = Cpu(0.0, None)


@dataclass(slots=True)
class Searches:
    """Searches with replies of one duration: seconds of each, and how many found what was asked."""

    seconds: list[float] = field(default_factory=list)
    found: int = 0
    found_as_triple: int = 0
    queries: int = 0
    calls: Calls = field(default_factory=Calls)
    cpu: Cpu = Cpu(0.0, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What each system goes through: pairs at 0 s a reply and at ``slow`` s, and the questions of both."""

    facts: Facts
    pairs: int
    slow_pairs: int
    slow: float
    asked: Sequence[Event]
    slow_asked: Sequence[Event]

    def parts(self) -> tuple[Sequence[Pair], Sequence[Pair], Sequence[Pair]]:
        """Return the pairs of the warm-up, those at 0 s and those at ``slow`` s."""
        first, second = WARM_UP_PAIRS, WARM_UP_PAIRS + self.pairs
        all_ = self.facts.pairs
        return all_[:first], all_[first:second], all_[second : second + self.slow_pairs]


def rows(run: Run, setup: Setup, plan: Plan, begun: float) -> Iterator[Row]:
    """Put an empty system through the plan; yield its rows, one for each duration of a reply.

    ``begun`` is when its process was started, by ``perf_counter``.
    """
    child = run.child
    child.order("open", settings=asdict(setup))
    ready = perf_counter() - begun
    with _keeping(run.endpoint):
        load = child.order("load", facts=[described(event) for event in plan.facts.loaded]).seconds
    first, fast, slow = plan.parts()
    _add(run, first, 0.0)
    for event in plan.facts.added[:WARM_UP_SEARCHES]:
        child.order("search", question=event.question, limit=TOP)
    run.endpoint.counted()
    added = _add(run, fast, 0.0)
    searched = _search(run, plan.asked)
    begin = {"ready_seconds": round(ready, 2), "load_seconds": round(load, 1)}
    slowly = [(_add(run, slow, plan.slow), _search(run, plan.slow_asked))] if slow else []
    triples = kept(child.order("stored").value, plan.facts)
    child.order("close")
    for adds, searches in [(added, searched), *slowly]:
        yield {"seconds_a_reply": adds.reply_seconds} | _figures(adds, searches) | begin | triples


@contextmanager
def _keeping(endpoint: Endpoint) -> Iterator[None]:
    endpoint.keeping = True
    try:
        yield
    finally:
        endpoint.keeping = False


def _add(run: Run, pairs: Sequence[Pair], seconds: float) -> Adds:
    """Add pairs one after the other; calls in the background count for the pairs together."""
    adds, endpoint, before = Adds(seconds), run.endpoint, run.cpu()
    endpoint.seconds = seconds
    for pair in pairs:
        start = perf_counter()
        reply = run.child.order("add", messages=pair.messages, time=pair.time.isoformat())
        end = perf_counter()
        adds.seconds.append(reply.seconds)
        adds.queries.append(reply.queries)
        made = [call for call in list(endpoint.calls.model) if start <= call.start and call.end <= end]
        adds.sequential.append(sequential(made))
    adds.calls = endpoint.counted()
    adds.cpu = run.cpu() - before
    return adds


def _search(run: Run, asked: Sequence[Event]) -> Searches:
    searches, before = Searches(), run.cpu()
    for event in asked:
        reply = run.child.order("search", question=event.question, limit=TOP)
        texts = [each for each in reply.value if isinstance(each, str)]
        triples = [normal(each) for each in reply.value if not isinstance(each, str)]
        as_triple = normal(triple(event)) in triples
        searches.seconds.append(reply.seconds)
        searches.found += event.sentence in texts[:TOP] or as_triple
        searches.found_as_triple += as_triple
        searches.queries += reply.queries
    searches.cpu = run.cpu() - before
    searches.calls = run.endpoint.counted()
    run.endpoint.seconds = 0.0
    return searches


def _figures(adds: Adds, searches: Searches) -> Row:
    pairs, asked = len(adds.seconds), len(searches.seconds)
    milliseconds = [1000 * each for each in searches.seconds]
    model = adds.calls.model
    return {
        "pairs": pairs,
        "model_calls_per_add": round(len(model) / pairs, 2),
        "sequential_calls_per_add": statistics.median(adds.sequential),
        "prompt_tokens_per_add": round(sum(call.prompt_tokens for call in model) / pairs),
        "embedding_calls_per_add": round(adds.calls.embeddings / pairs, 1),
        "texts_embedded_per_add": round(adds.calls.texts / pairs, 1),
        "cypher_queries_per_add": round(statistics.mean(adds.queries), 1),
        "add_p50_seconds": _percentile(adds.seconds, 50),
        "add_p95_seconds": _percentile(adds.seconds, 95),
        **adds.cpu.figures("add", pairs),
        "searches": asked,
        "model_calls_per_search": round(len(searches.calls.model) / asked, 2),
        "cypher_queries_per_search": round(searches.queries / asked, 1),
        "search_p50_ms": percentile(milliseconds, 50),
        "search_p95_ms": percentile(milliseconds, 95),
        **searches.cpu.figures("search", asked),
        "found_in_ten": round(100 * searches.found / asked, 1),
        "found_as_triple": round(100 * searches.found_as_triple / asked, 1),
    }


def _percentile(seconds: Sequence[float], percent: float) -> float:
    """Return the percentile of seconds, to a ten-thousandth."""
    return round(percentile([1000 * each for each in seconds], percent) / 1000, 4)


def kept(stored: Sequence[Sequence[str]], facts: Facts) -> Row:
    """Compare the triples of the graph with those that were given."""
    found = {normal(each) for each in stored}
    added = {normal(triple(event)) for event in facts.added}
    loaded = {normal(triple(event)) for event in facts.loaded}
    return {
        "triples_added": len(added),
        "stored_right": len(found & added),
        "stored_wrong": len(found - added - loaded),
    }


def measured(
    python: Path, adapter: str, setup: Setup, plan: Plan, endpoint: Endpoint, server_cpu: ServerCpu | None
) -> list[Row]:
    """Run a system in a new process through the plan. Raises SystemFailedError, InputError for an unknown prompt."""
    with TemporaryDirectory() as folder:
        setup = Setup(**asdict(setup) | {"folder": folder})
        begun = perf_counter()
        with Child(python, adapter, Path(folder) / "errors.log") as child:
            try:
                found = list(rows(Run(child, endpoint, server_cpu), setup, plan, begun))
            except SystemFailedError:
                _raise_refused(endpoint)
                raise
        _raise_refused(endpoint)
    return found


def _raise_refused(endpoint: Endpoint) -> None:
    """Raise the first error of the scripted model, which explains what a system made of it."""
    if endpoint.refused:
        error = endpoint.refused[0]
        endpoint.refused.clear()
        raise error
