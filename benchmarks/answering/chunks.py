"""A conversation as plain text: whole, or in chunks of a fixed number of tokens retrieved by vector."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mem0g.embed.protocol import Embedder
from mem0g.model import Utterance
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector

PIECE = 150
"""Tokens embedded at once: the default embedder reads 256 word pieces of a text and ignores the rest."""

BETWEEN = "\n<->\n"
"""Separates chunks, as in the Mem0 paper's evaluation (evaluation/src/rag.py of mem0ai/mem0)."""

_WORD = re.compile(r"\S+\s*")


def history(turns: Sequence[Utterance]) -> str:
    """Return the whole conversation, one turn a line: "2023-05-08 13:56 | Nora: Hi Sam!"."""
    return "".join(f"{_when(turn)}{turn.speaker}: {turn.text}\n" for turn in turns)


def chunks(text: str, tokens: int) -> list[str]:
    """Split ``text`` anywhere into parts of at most ``tokens`` tokens (words × 1.3), but of at least one word."""
    most = tokens / TOKENS_PER_WORD
    parts: list[str] = []
    have = 0
    for word in _WORD.findall(text):
        cost = count_words(word)
        if not parts or have + cost > most:
            parts.append("")
            have = 0
        parts[-1] += word
        have += cost
    return [part.strip() for part in parts]


@dataclass(frozen=True, slots=True)
class Chunks:
    """Retrieval-augmented generation over raw chunks: the ``k`` chunks of the highest cosine with the question."""

    name: str
    embedder: Embedder
    texts: Sequence[str]
    vectors: Matrix
    k: int

    @classmethod
    def of(cls, name: str, turns: Sequence[Utterance], embedder: Embedder, tokens: int, k: int) -> Chunks:
        """Split the conversation into chunks of ``tokens`` tokens and embed them."""
        texts = chunks(history(turns), tokens)
        return cls(name, embedder, texts, np.stack([embedded(text, embedder) for text in texts]), k)

    def context(self, question: str, budget: int | None) -> str:  # noqa: ARG002 - a chunk has its own size
        """Return the nearest chunks, best first, ties by position."""
        cosines = self.vectors @ self.embedder.embed([question])[0]
        best = np.argsort(-cosines, kind="stable")[: self.k]
        return BETWEEN.join(self.texts[place] for place in best)


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole conversation as the context of every question."""

    name: str
    text: str

    def context(self, question: str, budget: int | None) -> str:  # noqa: ARG002 - always the same
        """Return the whole conversation."""
        return self.text


def embedded(text: str, embedder: Embedder) -> Vector:
    """Embed a text of any length: the mean of its pieces' vectors, weighted by words and normalized to length 1."""
    pieces = chunks(text, PIECE)
    mean: Vector = np.average(embedder.embed(pieces), axis=0, weights=[count_words(piece) for piece in pieces])
    length = float(np.linalg.norm(mean))
    return mean / length if length else mean


def _when(turn: Utterance) -> str:
    return f"{turn.time:%Y-%m-%d %H:%M} | " if turn.time else ""
