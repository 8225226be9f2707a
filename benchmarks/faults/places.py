"""The stores that writers use: a file or a server, the embedders, and the memory that a process opens there."""

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
"""The users that are written to: the default one, one shared by several writers, and one that is left untouched."""

DIMENSIONS = 64
WINDOW = 4
"""Messages of a window; few, so that a short conversation has many windows."""


class OtherEmbedder:
    """As HashingEmbedder, of the same size, with the components in reverse order, to act as another model."""

    def __init__(self, dimensions: int = DIMENSIONS) -> None:
        self._hashing = HashingEmbedder(dimensions)
        self.name = f"reversed-{dimensions}"
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See Embedder."""
        return self._hashing.embed(texts)[:, ::-1].copy()


EMBEDDERS: dict[str, Embedder] = {each.name: each for each in (HashingEmbedder(DIMENSIONS), OtherEmbedder())}
"""Both embedders by name."""

DEFAULT, OTHER = EMBEDDERS


@dataclass(frozen=True, slots=True)
class Place:
    """The address of a store, which opens it."""

    address: str
    credentials: Credentials = field(default_factory=Credentials)

    @property
    def file(self) -> Path | None:
        """The path of the file; None for a server."""
        return None if "://" in self.address else Path(self.address)

    def store(self) -> Store:
        """Open the store."""
        return open_store(self.address, self.credentials)

    def memory(self, *, extractor: str = "rules", embedder: str = DEFAULT, base_url: str | None = None) -> Memory:
        """Open a memory; ``base_url`` is the model's server."""
        llm = LLMSettings(model="scripted", base_url=base_url, api_key="none", retries=0, concurrency=2, timeout=30)
        return Memory.open(
            self.address,
            embedder=EMBEDDERS[embedder],
            extractor=extractor,
            settings=Settings(window=WINDOW, llm=llm),
            credentials=self.credentials,
        )

    def claimed(self) -> str:
        """Return the name of the embedder recorded in the store; the default one if there is none."""
        with closing_store(self) as store:
            return store.info().embedder or DEFAULT

    def clear(self) -> None:
        """Delete the file, or all scopes of the server."""
        if self.file:
            for end in ("", "-wal", "-shm", "-journal"):
                self.file.with_name(self.file.name + end).unlink(missing_ok=True)
            return
        with self.memory(extractor="none") as memory:
            for scope in memory.store.stats().scopes:
                memory.store.forget(scope)
            if memory.info().embedder not in (None, DEFAULT):
                memory.reindex()

    def elsewhere(self, address: str) -> Place:
        """Return the same store at another address, such as a proxy."""
        return replace(self, address=address)


@contextmanager
def closing_store(place: Place) -> Iterator[Store]:
    """Open the store; it is closed afterwards."""
    store = place.store()
    try:
        yield store
    finally:
        store.close()


def scope_of(user: str) -> Scope:
    """Return the scope of a user."""
    return Scope(user_id=user)
