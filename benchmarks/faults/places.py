"""Where the writers write: a file or a server, the embedders, and a memory there as a process opens it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mem0g import Credentials, Memory, Scope
from mem0g.embed.protocol import Embedder
from mem0g.settings import LLMSettings, Settings
from mem0g.store.address import open_store
from mem0g.store.protocol import Store
from mem0g.testing import HashingEmbedder

if TYPE_CHECKING:
    from mem0g.model import Matrix

USER, SHARED, BYSTANDER = "faults", "faults-shared", "faults-bystander"
"""The users that are written to: the usual one, one that several writers share, and one that nothing happens to."""

DIMENSIONS = 64
WINDOW = 4
"""Messages of a window, so that a short talk has many."""


class OtherEmbedder:
    """As HashingEmbedder, of the same size, with the components in the reverse order: another model."""

    def __init__(self, dimensions: int = DIMENSIONS) -> None:
        self._hashing = HashingEmbedder(dimensions)
        self.name = f"reversed-{dimensions}"
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder."""
        return self._hashing.embed(texts)[:, ::-1].copy()


EMBEDDERS: dict[str, Embedder] = {each.name: each for each in (HashingEmbedder(DIMENSIONS), OtherEmbedder())}
"""Both embedders by name."""

USUAL, OTHER = EMBEDDERS


@dataclass(frozen=True, slots=True)
class Place:
    """The address of a store, and who opens it."""

    address: str
    credentials: Credentials = field(default_factory=Credentials)

    @property
    def file(self) -> Path | None:
        """The file, where it is one."""
        return None if "://" in self.address else Path(self.address)

    def store(self) -> Store:
        """The store, open."""
        return open_store(self.address, self.credentials)

    def memory(self, *, extractor: str = "rules", embedder: str = USUAL, base_url: str | None = None) -> Memory:
        """A memory there; ``base_url`` is the model's server."""
        llm = LLMSettings(model="scripted", base_url=base_url, api_key="none", retries=0, concurrency=2, timeout=30)
        return Memory.open(
            self.address,
            embedder=EMBEDDERS[embedder],
            extractor=extractor,
            settings=Settings(window=WINDOW, llm=llm),
            credentials=self.credentials,
        )

    def claimed(self) -> str:
        """The name of the embedder that the store says it was filled by; the usual one where it says none."""
        with closing_store(self) as store:
            return store.info().embedder or USUAL

    def clear(self) -> None:
        """Leave nothing in it: no file, no scope."""
        if self.file:
            for end in ("", "-wal", "-shm", "-journal"):
                self.file.with_name(self.file.name + end).unlink(missing_ok=True)
            return
        with self.memory(extractor="none") as memory:
            for scope in memory.store.stats().scopes:
                memory.store.forget(scope)
            if memory.info().embedder not in (None, USUAL):
                memory.reindex()

    def elsewhere(self, address: str) -> Place:
        """The same store by another address: through a proxy."""
        return replace(self, address=address)


@contextmanager
def closing_store(place: Place) -> Iterator[Store]:
    """The store, closed afterwards."""
    store = place.store()
    try:
        yield store
    finally:
        store.close()


def scope_of(user: str) -> Scope:
    """The scope of a user."""
    return Scope(user_id=user)
