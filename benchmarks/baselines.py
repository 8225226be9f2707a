"""Baselines: the usual ways to find turns or facts for a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rank_bm25 import BM25Okapi

from benchmarks.locomo import Conversation, Question
from benchmarks.passages import Passage, first, pack, window_passages
from benchmarks.scoring import Returned
from mem0g.embed.protocol import Embedder
from mem0g.text.stemming import tokens as stems

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Orders = NDArray[np.intp]
    """For each question (row) the indices of all passages, best first; ties by position."""

RRF_K = 60
"""Reciprocal rank fusion's constant (Cormack, Clarke and Büttcher, SIGIR 2009)."""

K1, B = 1.5, 0.75
"""BM25's parameters: the defaults of rank_bm25; 1.2 changes no figure on LOCOMO by more than 0.3."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A method that ranks passages and returns the first that fit a budget, or the first k."""

    name: str
    passages: Sequence[Passage]
    orders: dict[str, Sequence[int]]

    def within(self, question: Question, budget: int) -> Returned:
        """Return the best passages that fit ``budget`` tokens."""
        return pack(self._ranked(question), budget)

    def first(self, question: Question, k: int) -> Returned:
        """Return the first ``k`` passages."""
        return first(self._ranked(question), k)

    def _ranked(self, question: Question) -> Iterator[Passage]:
        return (self.passages[place] for place in self.orders[question.text])


def baselines(conversation: Conversation, facts: Sequence[Passage] | None, embedder: Embedder) -> list[Baseline]:
    """Return the three baselines over a conversation's turns and ``facts``; without facts only the one over turns."""
    questions = [question.text for question in conversation.questions]
    windows = window_passages(conversation.turns)
    made = [_baseline("bm25-windows", windows, questions, bm25_orders(windows, questions))]
    if facts is not None:
        dense = dense_orders(facts, questions, embedder)
        fused = fused_orders([dense, bm25_orders(facts, questions)])
        made += [_baseline("dense-facts", facts, questions, dense), _baseline("rrf-facts", facts, questions, fused)]
    return made


def bm25_orders(passages: Sequence[Passage], questions: Sequence[str]) -> Orders:
    """Rank passages by BM25 of their stems, without stop words."""
    texts = [stems(passage.text) for passage in passages]
    if not any(texts):  # rank_bm25 divides by the mean length
        return _by_falling(np.zeros((len(questions), len(passages))))
    index = BM25Okapi(texts, k1=K1, b=B)
    return _by_falling(np.array([index.get_scores(stems(question)) for question in questions]))


def dense_orders(passages: Sequence[Passage], questions: Sequence[str], embedder: Embedder) -> Orders:
    """Rank passages by the cosine of their text and the question."""
    return _by_falling(embedder.embed(questions) @ embedder.embed([passage.text for passage in passages]).T)


def fused_orders(rankings: Sequence[Orders], k: int = RRF_K) -> Orders:
    """Rank passages by the sum over the rankings of 1 / (k + rank), ranks from 1."""
    ranks = [np.argsort(orders, axis=1) + 1 for orders in rankings]
    return _by_falling(sum((1 / (k + rank) for rank in ranks), start=np.zeros(rankings[0].shape)))


def _by_falling(scores: NDArray[np.floating]) -> Orders:
    return np.argsort(-scores, axis=1, kind="stable")


def _baseline(name: str, passages: Sequence[Passage], questions: Sequence[str], orders: Orders) -> Baseline:
    return Baseline(name, passages, dict(zip(questions, orders.tolist(), strict=True)))
