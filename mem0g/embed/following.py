"""An embedder that changes when another process embeds the store anew with another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mem0g.embed.protocol import Embedder
from mem0g.embed.thresholds import Thresholds, thresholds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from mem0g.model import Matrix


class FollowingEmbedder:
    """See Embedder; delegates to the one in use, which ``follow`` replaces. May be used by several threads."""

    def __init__(self, embedder: Embedder, open_by_name: Callable[[str], Embedder]) -> None:
        """``open_by_name`` opens an embedder by the name that a store remembers."""
        self._embedder = embedder
        self._open = open_by_name

    @property
    def name(self) -> str:
        """The name of the embedder in use."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """The dimensions of its vectors."""
        return self._embedder.dimensions

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds of the embedder in use."""
        return thresholds_of(self._embedder)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Vectors of ``texts``, as the embedder in use makes them."""
        return self._embedder.embed(texts)

    def follow(self, name: str, dimensions: int) -> None:
        """Use the embedder of that name from now on. Raises EmbedderError where there is none of that name and size."""
        if (self.name, self.dimensions) == (name, dimensions):
            return
        found = self._open(name)
        if (found.name, found.dimensions) != (name, dimensions):
            from mem0g.errors import EmbedderError

            raise EmbedderError(f"{name!r} has {found.dimensions} dimensions, not {dimensions}", hint="open it anew")
        self._embedder = found
