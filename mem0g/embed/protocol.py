"""The seam between texts and their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mem0g.model import Matrix


class Embedder(Protocol):
    """Turns texts into unit vectors; the same text always into the same vector."""

    @property
    def name(self) -> str:
        """Identifies model and weights: a store filled by one name refuses another."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Vectors of ``texts`` in order: float32, shape (len(texts), dimensions), rows of length 1.

        No texts give shape (0, dimensions). A text longer than the model reads is cut.
        """
        ...
