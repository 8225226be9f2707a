"""Memories that benchmarks write to, in stores of their own or beside other data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from mem0g import Memory, Scope
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.settings import Settings
from mem0g.store.address import open_store
from mem0g.store.protocol import Store

AGENT = "mem0g-benchmark"
"""Part of every scope that a benchmark writes, to distinguish it from other data and to delete it."""


@contextmanager
def memory_in(store: str, embedder: Embedder, extractor: str) -> Iterator[Memory]:
    """Open a memory in ``store``; "sqlite" is a temporary file.

    What was written to another store is deleted before and after; a cache of replies keeps what was paid for.
    """
    with TemporaryDirectory() as folder:
        address = Path(folder) / "benchmark.db" if store == "sqlite" else store
        with Memory.open(address, embedder=embedder, extractor=extractor) as memory:
            memory.store.forget(Scope(agent_id=AGENT))
            try:
                yield memory
            finally:
                memory.store.forget(Scope(agent_id=AGENT))


@contextmanager
def empty_store(address: str, *, drop: bool) -> Iterator[Store]:
    """Open the store, empty of mem0g's data; delete what was written afterwards.

    Raises InputError when it holds something and ``drop`` is not set.
    """
    with TemporaryDirectory() as folder:
        address = str(Path(folder) / "benchmark.db") if address == "sqlite" else address
        opened = open_store(address, Settings.from_environment().credentials)
        if drop:
            opened.drop()
            opened.close()
            opened = open_store(address, Settings.from_environment().credentials)
        elif held := opened.stats().scopes:
            opened.close()
            raise InputError(
                f"{opened.address} holds {len(held)} scopes, such as {held[0]}",
                hint="name an empty store, or give --drop to lose what mem0g has there",
            )
        opened.prepare()
        try:
            yield opened
        finally:
            opened.drop()
            opened.close()
