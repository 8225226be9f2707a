"""A working memory for asyncio: each method of WorkingMemory runs in a thread and keeps its signature."""

from __future__ import annotations

from mem0g.async_memory import threaded
from mem0g.working.working_memory import WorkingMemory


class AsyncWorkingMemory:
    """WorkingMemory for asyncio: the same methods, awaited.

    ``AsyncWorkingMemory(WorkingMemory(memory.memory, user_id="ann"))`` over an AsyncMemory ``memory``.
    """

    def __init__(self, memory: WorkingMemory) -> None:
        self.memory = memory

    append = threaded(WorkingMemory.append)
    flush = threaded(WorkingMemory.flush)
    messages = threaded(WorkingMemory.messages)
    tokens = threaded(WorkingMemory.tokens)
    get = threaded(WorkingMemory.get)
