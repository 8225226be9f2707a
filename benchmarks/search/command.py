"""Search times: in a large scope when warm, and as a whole process from the shell."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Annotated

import typer

from benchmarks.embedders import TimedEmbedder
from benchmarks.memories import AGENT, memory_in
from benchmarks.options import OutOption, StoreOption
from benchmarks.report import Measurement, Row, commit, note, show, write
from benchmarks.synthetic import World, world
from benchmarks.timing import QueryTimes, percentile
from mem0g import Memory, Scope
from mem0g.retrieve.context.packing import pack
from mem0g.retrieve.path_search import insert_paths
from mem0g.retrieve.question.query import read_question
from mem0g.retrieve.ranking.ranking import rank
from mem0g.retrieve.search import find_candidates
from mem0g.times import now
from mem0g.transcripts import read_files

USER = "synthetic"

TOKENS = 500
"""Token budget of the contexts."""

QUESTION = "Who moved, and where do they live now?"
"""Question for the transcript."""


def search(
    out: OutOption,
    facts: Annotated[int, typer.Option(min=1, help="Generated facts in the scope.")] = 10_000,
    queries: Annotated[int, typer.Option(min=1, help="Searches of the warm memory.")] = 200,
    processes: Annotated[int, typer.Option(min=1, help="Processes started for each cold figure.")] = 10,
    transcript: Annotated[Path | None, typer.Option(exists=True, help="Also search this one cold.")] = None,
    store: StoreOption = "sqlite",
    seed: Annotated[int, typer.Option(help="Seed of the generated facts.")] = 0,
) -> None:
    """Measure search times in ms: warm over many facts, with the embedder's part, and cold as a whole process."""
    code = commit()
    made = world(facts, queries, seed)
    embedder = TimedEmbedder.usual()
    times = QueryTimes(embedder)
    with TemporaryDirectory() as folder:
        address = str(Path(folder) / "synthetic.db") if store == "sqlite" else store
        with memory_in(address, embedder, "none") as memory:
            note(f"{fill(memory, made):.0f} s to remember {facts} facts")
            rows = warm(memory, made.questions, times, QueryTimes(embedder))
            rows += [_process("mem0g search", _command(address, made.questions[0]), processes, facts=_held(memory))]
        if transcript:
            rows += [_over_transcript(transcript, str(Path(folder) / "transcript.db"), embedder, processes)]
    rows += [_process('python -c "import numpy"', [sys.executable, "-c", "import numpy"], processes)]
    data = [transcript] if transcript else []
    write(out, Measurement(benchmark="search", commit=code, rows=rows, milliseconds=times.milliseconds, data=data))
    show(f"ms, {facts} facts, store: {store}", rows)


def fill(memory: Memory, made: World) -> float:
    """Ingest the world and return the seconds it took."""
    start = perf_counter()
    memory.add(made.utterances, user_id=USER, agent_id=AGENT)
    memory.add_triples(made.triples, user_id=USER, agent_id=AGENT)
    return perf_counter() - start


def warm(memory: Memory, questions: Sequence[str], searches: QueryTimes, contexts: QueryTimes) -> list[Row]:
    """Time every question by search and by context on a warm memory, and the embedder's part."""
    memory.search(questions[0], user_id=USER, agent_id=AGENT)
    for question in questions:
        searches.time(memory.search, question, user_id=USER, agent_id=AGENT)
        contexts.time(memory.context, question, tokens=TOKENS, user_id=USER, agent_id=AGENT)
    held = _held(memory)
    return [
        _row("ranking and packing, warm", packing(memory, questions), held),
        *(
            row
            for method, times in (("search", searches), ("context", contexts))
            for row in (
                _row(f"{method}, warm", times.milliseconds, held),
                _row(f"{method}, warm: the embedder", times.embedding, held),
            )
        ),
    ]


def packing(memory: Memory, questions: Sequence[str]) -> list[float]:
    """Return the ms per question from the store's candidates to the packed text."""
    taken = []
    for question in questions:
        scope = Scope(USER, AGENT)
        read = read_question(question, scope, memory.store, memory.embedder)
        candidates = find_candidates(read, scope, memory.store, memory.embedder, now=now())
        start = perf_counter()
        ranking = insert_paths(rank(read, candidates))
        pack(ranking.hits, read.terms, TOKENS)
        taken.append(1000 * (perf_counter() - start))
    return taken


def process_times(command: Sequence[str], runs: int) -> list[float]:
    """Return the ms of each of ``runs`` processes, after one that is not counted.

    Raises CalledProcessError when the command fails.
    """

    def run() -> float:
        start = perf_counter()
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - commands of this module
        return 1000 * (perf_counter() - start)

    run()
    return [run() for _ in range(runs)]


def _over_transcript(transcript: Path, store: str, embedder: TimedEmbedder, processes: int) -> Row:
    """Measure the cold search over a transcript whose facts the rules extracted."""
    with memory_in(store, embedder, "rules") as memory:
        memory.add(read_files([transcript]).utterances, user_id=USER, agent_id=AGENT)
        method = f"mem0g search, {transcript.name}"
        return _process(method, _command(store, QUESTION), processes, facts=_held(memory))


def _process(method: str, command: Sequence[str], runs: int, facts: int | None = None) -> Row:
    return _row(f"{method}, process", process_times(command, runs), facts)


def _command(store: str, question: str) -> list[str]:
    where = ["--store", store, "--user", USER, "--agent", AGENT]
    return [sys.executable, "-m", "mem0g", "search", question, *where]


def _held(memory: Memory) -> int:
    return memory.stats(user_id=USER, agent_id=AGENT).facts


def _row(method: str, milliseconds: Sequence[float], facts: int | None = None) -> Row:
    p50, p95 = (percentile(milliseconds, percent) for percent in (50, 95))
    return {"method": method, "facts": facts, "p50": p50, "p95": p95, "n": len(milliseconds)}
