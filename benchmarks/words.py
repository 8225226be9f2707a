"""A very cheap embedder whose vectors form clusters, as those of real sentences do."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector

_WORD = re.compile(r"\w+")


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
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in _WORD.findall(text.casefold()) or [text]:
                vector += _direction(word, self.dimensions)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


@cache
def _direction(word: str, dimensions: int) -> Vector:
    import numpy as np

    number = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    length = 0.5 + number / 2**64
    drawn = np.random.default_rng(number).standard_normal(dimensions, dtype=np.float32)
    direction: Vector = drawn * np.float32(length / np.sqrt(dimensions))
    return direction
