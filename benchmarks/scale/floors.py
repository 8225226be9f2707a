"""What a file costs at least, measured in the same run: a product over a scope's vectors, bare inserts of its rows.

Also the memory of a process that searches, bytes on disk, and searches of many threads beside a writer.
"""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.embedders import WordEmbedder
from benchmarks.report import Row
from benchmarks.scale.crowd import Keys, Member, WorldExtractor
from benchmarks.timing import Seconds, Task, percentile
from mem0g import AsyncMemory, Memory
from mem0g.embed.protocol import Embedder
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from mem0g.model import Matrix

THREADS, TASKS = (1, 4, 16), 64
"""How many threads search beside a writer, and how many tasks of asyncio at once."""

_TABLES = """
CREATE TABLE message (id TEXT PRIMARY KEY, speaker TEXT, text TEXT, time TEXT, vector BLOB);
CREATE TABLE entity (id TEXT PRIMARY KEY, name TEXT, type TEXT, vector BLOB);
CREATE TABLE fact (id TEXT PRIMARY KEY, subject TEXT, relation TEXT, object TEXT, text TEXT, said_at TEXT, vector BLOB);
"""


def product(matrix: Matrix) -> Task:
    """Return the floor of a search: the product of a scope's vectors with one, in float32."""
    return lambda number: matrix @ matrix[number % len(matrix)]


class Bulk:
    """Changes on their way into a store, each also inserted into ``bare`` tables if there are any.

    What generating them and the bare inserts take is in ``elsewhere``, so that it can be left out: seconds, and seconds
    of the processor.
    """

    def __init__(self, bare: BareTables | None) -> None:
        self.elsewhere = Seconds(0, 0)
        self._bare = bare

    def of(self, made: Iterable[Change]) -> Iterator[Change]:
        """Yield the changes."""
        start = Seconds.now()
        for change in made:
            if self._bare:
                self._bare.insert(change)
            self.elsewhere += Seconds.now() - start
            yield change
            start = Seconds.now()
        self.elsewhere += Seconds.now() - start


class BareTables:
    """Tables in a temporary file without any index but the keys: what inserting the same rows costs at least."""

    def __init__(self, path: Path) -> None:
        self.taken = Seconds(0, 0)
        self._connection = sqlite3.connect(path)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.executescript(_TABLES)

    def insert(self, change: Change) -> None:
        """Insert the rows of a change in one transaction."""
        vectors = {key: vector.tobytes() for key, vector in change.vectors.items()}
        start = Seconds.now()
        messages = ((m.id, m.speaker, m.text, str(m.time), vectors[m.id]) for m in change.messages)
        self._connection.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?)", messages)
        entities = ((e.id, e.name, e.type, vectors[e.id]) for e in change.entities)
        self._connection.executemany("INSERT INTO entity VALUES (?, ?, ?, ?)", entities)
        facts = (
            (f.id, f.subject_id, f.relation, f.object_id, f.text, str(f.said_at), vectors[f.id]) for f in change.facts
        )
        self._connection.executemany("INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?)", facts)
        self._connection.commit()
        self.taken += Seconds.now() - start

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def sizes(store: SqliteStore, member: Member) -> Iterator[Row]:
    """Yield bytes on disk for a fact of the store, and the memory of a new process that searches the member's scope."""
    path = Path(store.address)
    with closing(sqlite3.connect(path)) as connection:
        pages = connection.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        held = pages.fetchone()[0]
    facts = store.stats().facts
    yield {"method": "bytes on disk / fact", "facts": facts, "size": round(held / facts)}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        before, after = pool.submit(_memory_of_a_search, path, member.keys, member.world.questions[:5]).result()
    yield {"method": "MB of a process, opened", "scope": member.name, "facts": member.facts, "size": before}
    yield {"method": "MB of a process, after searches", "scope": member.name, "facts": member.facts, "size": after}


def _memory_of_a_search(path: Path, keys: Keys, questions: Sequence[str]) -> tuple[int, int]:
    """Return the most memory that this process had before and after searching, in MB."""
    with Memory.open(path, embedder=WordEmbedder(), extractor="none") as memory:
        before = _peak()
        for question in questions:
            memory.search(question, **keys)
        return before, _peak()


def _peak() -> int:
    status = Path("/proc/self/status")
    if status.exists():  # Linux: ru_maxrss of a new process is at least that of the one that started it
        found = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(found.split()[1]) * 1024 // 1_000_000
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit // 1_000_000


def together(store: Store, embedder: Embedder, member: Member, searches: int) -> Iterator[Row]:
    """Yield the times of searches by threads beside a writer to the same scope, and by tasks of asyncio."""
    memory = Memory(store, embedder, WorldExtractor(member), Settings())
    for threads in THREADS:
        stop = Event()
        with ThreadPoolExecutor(threads + 1) as pool:
            writing = pool.submit(_write, memory, member, f"beside {threads}", stop)
            start = perf_counter()
            times = list(pool.map(lambda number: _timed(memory, member, number), range(searches)))
            seconds = perf_counter() - start
            stop.set()
            written = writing.result()
        name = f"search, {threads} threads beside a writer"
        yield {**_row(name, member, times, seconds), "windows": written}
    start = perf_counter()
    times = asyncio.run(_tasks(AsyncMemory(memory), member))
    yield _row(f"search, {TASKS} tasks of AsyncMemory", member, times, perf_counter() - start)


def _row(name: str, member: Member, times: Sequence[float], seconds: float) -> Row:
    p50, p95 = (percentile(times, percent) for percent in (50, 95))
    which = {"method": name, "scope": member.name, "facts": member.facts}
    return {**which, "p50": p50, "p95": p95, "n": len(times), "searches/s": round(len(times) / seconds, 1)}


def _timed(memory: Memory, member: Member, number: int) -> float:
    start = perf_counter()
    memory.search(member.world.questions[number % len(member.world.questions)], **member.keys)
    return 1000 * (perf_counter() - start)


def _write(memory: Memory, member: Member, source: str, stop: Event) -> int:
    """Write windows of one message to the member's scope until told to stop; return how many."""
    for written, utterance in enumerate(member.world.utterances):
        if stop.is_set():
            return written
        for _ in memory.ingest([replace(utterance, source=source)], **member.keys):
            pass
    return len(member.world.utterances)


async def _tasks(memory: AsyncMemory, member: Member) -> list[float]:
    async def timed(number: int) -> float:
        start = perf_counter()
        await memory.search(member.world.questions[number % len(member.world.questions)], **member.keys)
        return 1000 * (perf_counter() - start)

    return list(await asyncio.gather(*map(timed, range(TASKS))))
