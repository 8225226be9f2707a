"""Real implementations of mem0g's protocols that are light enough for tests: no weights, no network, no clock."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector


class HashingEmbedder:
    """Embeds texts as hashed bags of words, so that texts are similar when they share words; for tests.

    Each word (a stem of `mem0g.text.stemming.tokens`) adds 1 or -1 to one component, both chosen by a
    hash of the word (feature hashing: Weinberger et al., arXiv 0902.2206). The same on every machine and in every
    process. Two words meet in one component with probability 1/``dimensions``.
    """

    def __init__(self, dimensions: int = 64) -> None:
        self.name = f"hashing-{dimensions}"
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of ``texts`` in order: float32, shape (len(texts), dimensions), unit length."""
        import numpy as np

        from mem0g.text.stemming import tokens  # imported here because it loads the stemmer

        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            self._add(tokens(text), vector)
            if not vector.any():  # no words, or words that cancel out: hash the whole text instead
                self._add([text], vector)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def _add(self, words: Sequence[str], vector: Vector) -> None:
        for word in words:
            number = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
            vector[(number >> 1) % self.dimensions] += 1 if number & 1 else -1
