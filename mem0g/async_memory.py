"""Memory for asyncio: each method of Memory runs in a thread and keeps its signature."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator, Sequence
from functools import wraps
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar

from mem0g.conflict.protocol import ConflictPolicy
from mem0g.embed.protocol import Embedder
from mem0g.extract.protocol import Extractor
from mem0g.memory import Memory
from mem0g.resolve.resolver import Resolver
from mem0g.retrieve.ranking.signals import DEFAULT_SIGNALS, Signal
from mem0g.settings import Credentials, Settings
from mem0g.store.protocol import Store

if TYPE_CHECKING:
    from mem0g.llm.protocol import LanguageModel

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
M = TypeVar("M", bound="AsyncMemory")


class Threaded(Protocol[S]):
    """A class whose methods run those of ``memory`` in threads."""

    memory: S


def threaded(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[Threaded[S], P], Awaitable[T]]:
    """Return a method of Memory, or of what is built on one, as a coroutine method that awaits a thread."""

    @wraps(method)
    async def run(self: Threaded[S], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self.memory, *args, **kwargs)

    return run


def _iterated(
    method: Callable[Concatenate[Memory, P], Iterator[T]],
) -> Callable[Concatenate[AsyncMemory, P], AsyncGenerator[T, None]]:
    """Return a method of Memory that returns an iterator as an asynchronous one, each step of which runs in a thread.

    Closing it, or cancelling the task that iterates, stops after the current step.
    """

    @wraps(method)
    async def run(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[T, None]:
        steps = _Steps(await asyncio.to_thread(method, self.memory, *args, **kwargs))
        try:
            while (each := await asyncio.to_thread(steps.next)) is not None:
                yield each
        finally:
            steps.close()

    return run


class _Steps(Generic[T]):
    """An iterator whose steps run in threads, and which may be closed during one: then it ends with that step."""

    def __init__(self, given: Iterator[T]) -> None:
        self._given = given
        self._running = Lock()
        self._closed = False

    def next(self) -> T | None:
        """Return the next item, None at the end: StopIteration cannot be raised into a coroutine."""
        try:
            with self._running:
                return None if self._closed else next(self._given, None)
        finally:
            if self._closed:
                self.close()

    def close(self) -> None:
        """Close the iterator, now or when the step that is running has ended."""
        self._closed = True
        if self._running.acquire(blocking=False):
            try:
                if isinstance(self._given, Generator):
                    self._given.close()
            finally:
                self._running.release()


class MemoryOpening(Generic[M]):
    """A memory that is being opened: await it, or use it in an ``async with`` block, which closes it at the end."""

    def __init__(self, opening: Callable[[], M]) -> None:
        self._opening = opening
        self._opened: M | None = None

    def __await__(self) -> Generator[Any, None, M]:
        return asyncio.to_thread(self._opening).__await__()

    async def __aenter__(self) -> M:
        self._opened = await self
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            await self._opened.close()


class AsyncMemory:
    """Memory for asyncio: the same methods, awaited; those that return an iterator are iterated asynchronously.

    ``async with AsyncMemory.open(...) as memory`` closes it at the end; or ``memory = await AsyncMemory.open(...)``
    and, at the end, ``await memory.close()``.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @classmethod
    def open(
        cls,
        store: str | Path | Store | None = None,
        *,
        embedder: str | Embedder | None = None,
        extractor: str | Extractor | None = None,
        resolver: Resolver | None = None,
        conflict_policy: ConflictPolicy | None = None,
        signals: Sequence[Signal] = DEFAULT_SIGNALS,
        model: LanguageModel | None = None,
        settings: Settings | None = None,
        credentials: Credentials | None = None,
        existing: bool = False,
    ) -> MemoryOpening[Self]:
        """As Memory.open; await the result, or use it in an ``async with`` block."""
        stages = {
            "embedder": embedder,
            "extractor": extractor,
            "resolver": resolver,
            "conflict_policy": conflict_policy,
            "signals": signals,
        }
        given = {**stages, "model": model, "settings": settings, "credentials": credentials}
        return MemoryOpening(lambda: cls(Memory.open(store, **given, existing=existing)))  # type: ignore[arg-type]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    close = threaded(Memory.close)
    add = threaded(Memory.add)
    ingest = _iterated(Memory.ingest)
    flush = threaded(Memory.flush)
    retry = _iterated(Memory.retry)
    pending = threaded(Memory.pending)
    review = threaded(Memory.review)
    accept = threaded(Memory.accept)
    drop = threaded(Memory.drop)
    costs = threaded(Memory.costs)
    add_run = threaded(Memory.add_run)
    run = threaded(Memory.run)
    runs = threaded(Memory.runs)
    add_triples = threaded(Memory.add_triples)
    ingest_triples = _iterated(Memory.ingest_triples)
    add_fact = threaded(Memory.add_fact)
    correct = threaded(Memory.correct)
    retire = threaded(Memory.retire)
    merge = threaded(Memory.merge)
    unmerge = threaded(Memory.unmerge)
    undo = threaded(Memory.undo)
    erase = threaded(Memory.erase)
    search = threaded(Memory.search)
    context = threaded(Memory.context)
    ask = threaded(Memory.ask)
    complete = threaded(Memory.complete)
    subgraph = threaded(Memory.subgraph)
    facts = threaded(Memory.facts)
    fact = threaded(Memory.fact)
    instructions = threaded(Memory.instructions)
    contradictions = threaded(Memory.contradictions)
    possibly_outdated = threaded(Memory.possibly_outdated)
    entities = threaded(Memory.entities)
    entity = threaded(Memory.entity)
    messages = threaded(Memory.messages)
    conversation = threaded(Memory.conversation)
    users = threaded(Memory.users)
    history = threaded(Memory.history)
    decisions = threaded(Memory.decisions)
    decision = threaded(Memory.decision)
    diff = threaded(Memory.diff)
    why = threaded(Memory.why)
    relations = threaded(Memory.relations)
    relation = threaded(Memory.relation)
    define_relation = threaded(Memory.define_relation)
    stats = threaded(Memory.stats)
    info = threaded(Memory.info)
    forget = threaded(Memory.forget)
    backup = threaded(Memory.backup)
    export = _iterated(Memory.export)
    import_lines = threaded(Memory.import_lines)
    reindex = threaded(Memory.reindex)
    verify = threaded(Memory.verify)
    repair = threaded(Memory.repair)
