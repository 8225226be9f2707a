"""Embedders of the benchmarks: one that measures its time, one that keeps vectors, and a very cheap one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import numpy as np

from mem0g.embed import open_embedder
from mem0g.embed.protocol import Embedder
from mem0g.settings import Settings

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector

_WORD = re.compile(r"\w+")


class TimedEmbedder:
    """An embedder that adds up the time of its calls in ``milliseconds``, the processor's in ``processor``."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.milliseconds = self.processor = 0.0
        self._embedder = embedder

    @classmethod
    def usual(cls) -> TimedEmbedder:
        """Return the embedder that the environment's settings name, by default MiniLM."""
        settings = Settings.from_environment()
        return cls(open_embedder(settings.embedder, weights=settings.weights))

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the embedder's vectors."""
        start, processor = perf_counter(), process_time()
        vectors = self._embedder.embed(texts)
        self.milliseconds += 1000 * (perf_counter() - start)
        self.processor += 1000 * (process_time() - processor)
        return vectors


class CachedEmbedder:
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


class WordEmbedder:
    """Embeds a text as the sum of its words' directions, so that texts are similar as far as they share words.

    The direction of a word is normally distributed (random indexing: Kanerva et al. 2000), its length between 0.5 and
    1.5, both derived from a hash of the word: the same on every machine.
    """

    def __init__(self, dimensions: int = 384) -> None:
        self.name = f"words-{dimensions}"
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        """See mem0g.embed.protocol.Embedder."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in _WORD.findall(text.casefold()) or [text]:
                vector += _direction(word, self.dimensions)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


@cache
def _direction(word: str, dimensions: int) -> Vector:
    number = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    length = 0.5 + number / 2**64
    drawn = np.random.default_rng(number).standard_normal(dimensions, dtype=np.float32)
    direction: Vector = drawn * np.float32(length / np.sqrt(dimensions))
    return direction
