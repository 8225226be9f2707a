"""An embedder that embeds each text once, so that compared methods share the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mem0g.embed.protocol import Embedder

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector


class Kept:
    """A cache in memory of another embedder's vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {}

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the embedder's vectors, computing only new ones."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors |= zip(new, self._embedder.embed(new), strict=True)
        rows = [self._vectors[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), dtype=np.float32)
