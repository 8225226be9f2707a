"""The facade for asyncio: each method of Memory run in a thread, its signature kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from mem0g.embed.protocol import Embedder
from mem0g.extract.protocol import Extractor
from mem0g.memory import Memory
from mem0g.settings import Login, Settings

if TYPE_CHECKING:
    from mem0g.llm.request import LanguageModel

P = ParamSpec("P")
T = TypeVar("T")


def _threaded(
    method: Callable[Concatenate[Memory, P], T],
) -> Callable[Concatenate[AsyncMemory, P], Awaitable[T]]:
    """The method of Memory as one of AsyncMemory that waits for a thread."""

    @wraps(method)
    async def run(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self.memory, *args, **kwargs)

    return run


class AsyncMemory:
    """Memory for asyncio: the same methods, awaited. Use it in an ``async with`` block, or await ``close``."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @classmethod
    async def open(
        cls,
        store: str | Path | None = None,
        *,
        embedder: str | Embedder | None = None,
        extractor: str | Extractor | None = None,
        model: LanguageModel | None = None,
        settings: Settings | None = None,
        login: Login | None = None,
        existing: bool = False,
    ) -> Self:
        """As Memory.open."""
        memory = await asyncio.to_thread(
            Memory.open,
            store,
            embedder=embedder,
            extractor=extractor,
            model=model,
            settings=settings,
            login=login,
            existing=existing,
        )
        return cls(memory)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    close = _threaded(Memory.close)
    add = _threaded(Memory.add)
    flush = _threaded(Memory.flush)
    pending = _threaded(Memory.pending)
    costs = _threaded(Memory.costs)
    add_triples = _threaded(Memory.add_triples)
    search = _threaded(Memory.search)
    context = _threaded(Memory.context)
    subgraph = _threaded(Memory.subgraph)
    facts = _threaded(Memory.facts)
    fact = _threaded(Memory.fact)
    entities = _threaded(Memory.entities)
    entity = _threaded(Memory.entity)
    messages = _threaded(Memory.messages)
    history = _threaded(Memory.history)
    why = _threaded(Memory.why)
    relations = _threaded(Memory.relations)
    relation = _threaded(Memory.relation)
    define_relation = _threaded(Memory.define_relation)
    stats = _threaded(Memory.stats)
    info = _threaded(Memory.info)
    forget = _threaded(Memory.forget)
    reindex = _threaded(Memory.reindex)
