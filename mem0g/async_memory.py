"""Memory for asyncio: each method of Memory runs in a thread and keeps its signature."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator, Sequence
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from mem0g.conflict.protocol import ConflictPolicy
from mem0g.embed.protocol import Embedder
from mem0g.extract.protocol import Extractor
from mem0g.memory import Memory
from mem0g.resolve.resolver import Resolver
from mem0g.retrieve.signals import DEFAULT_SIGNALS, Signal
from mem0g.settings import Credentials, Settings
from mem0g.store.protocol import Store

if TYPE_CHECKING:
    from mem0g.llm.protocol import LanguageModel

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound="AsyncMemory")


def _threaded(
    method: Callable[Concatenate[Memory, P], T],
) -> Callable[Concatenate[AsyncMemory, P], Awaitable[T]]:
    """Return a method of Memory as a coroutine method that awaits a thread."""

    @wraps(method)
    async def run(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self.memory, *args, **kwargs)

    return run


def _iterated(
    method: Callable[Concatenate[Memory, P], Iterator[T]],
) -> Callable[Concatenate[AsyncMemory, P], AsyncGenerator[T, None]]:
    """Return a method of Memory that returns an iterator as an asynchronous one, each step of which runs in a thread.

    Closing it stops after the current step.
    """

    @wraps(method)
    async def run(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[T, None]:
        given = await asyncio.to_thread(method, self.memory, *args, **kwargs)
        try:
            while (each := await asyncio.to_thread(_next, given)) is not None:
                yield each
        finally:
            if isinstance(given, Generator):
                given.close()

    return run


def _next(given: Iterator[T]) -> T | None:
    """Return the next item, None at the end: StopIteration cannot be raised into a coroutine."""
    return next(given, None)


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

    close = _threaded(Memory.close)
    add = _threaded(Memory.add)
    ingest = _iterated(Memory.ingest)
    flush = _threaded(Memory.flush)
    retry = _iterated(Memory.retry)
    pending = _threaded(Memory.pending)
    review = _threaded(Memory.review)
    accept = _threaded(Memory.accept)
    drop = _threaded(Memory.drop)
    costs = _threaded(Memory.costs)
    add_triples = _threaded(Memory.add_triples)
    ingest_triples = _iterated(Memory.ingest_triples)
    add_fact = _threaded(Memory.add_fact)
    correct = _threaded(Memory.correct)
    retire = _threaded(Memory.retire)
    merge = _threaded(Memory.merge)
    unmerge = _threaded(Memory.unmerge)
    undo = _threaded(Memory.undo)
    erase = _threaded(Memory.erase)
    search = _threaded(Memory.search)
    context = _threaded(Memory.context)
    ask = _threaded(Memory.ask)
    complete = _threaded(Memory.complete)
    subgraph = _threaded(Memory.subgraph)
    facts = _threaded(Memory.facts)
    fact = _threaded(Memory.fact)
    instructions = _threaded(Memory.instructions)
    contradictions = _threaded(Memory.contradictions)
    entities = _threaded(Memory.entities)
    entity = _threaded(Memory.entity)
    messages = _threaded(Memory.messages)
    conversation = _threaded(Memory.conversation)
    users = _threaded(Memory.users)
    history = _threaded(Memory.history)
    decisions = _threaded(Memory.decisions)
    decision = _threaded(Memory.decision)
    diff = _threaded(Memory.diff)
    why = _threaded(Memory.why)
    relations = _threaded(Memory.relations)
    relation = _threaded(Memory.relation)
    define_relation = _threaded(Memory.define_relation)
    stats = _threaded(Memory.stats)
    info = _threaded(Memory.info)
    forget = _threaded(Memory.forget)
    backup = _threaded(Memory.backup)
    reindex = _threaded(Memory.reindex)
    verify = _threaded(Memory.verify)
    repair = _threaded(Memory.repair)
