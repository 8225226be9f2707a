"""Baselines: the usual ways to rank statements, which ignore that one overrides another or guess it by similarity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.conflict.outcomes import BUDGET, FIRST, Shown
from benchmarks.conflict.statements import FactFile, Statement
from benchmarks.recall.methods import bm25_orders
from benchmarks.recall.passages import fact_passage
from benchmarks.recall.scoring import TOKENS_PER_WORD
from mem0g.embed.protocol import Embedder

if TYPE_CHECKING:
    from mem0g.model import Matrix

LIKE = 0.85
"""Cosine from which "last write wins" takes a statement for a new version of the nearest one."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Statements ranked by a method, per question; at most ``most`` of them in a context."""

    name: str
    orders: dict[str, Sequence[Statement]]
    most: int | None = None

    def first(self, question: str) -> Shown:
        """See Method."""
        return _shown(self.orders[question][:FIRST])

    def within(self, question: str) -> Shown:
        """See Method; at most ``most`` statements if it is set, else as many as fit."""
        return _shown(list(_fitting(self.orders[question][: self.most])))


def rankings(file: FactFile, embedder: Embedder) -> list[Ranking]:
    """Return the baselines: ten by cosine, and as many as fit by cosine, by BM25 and by cosine with last write wins."""
    questions = [question.text for question in file.questions]
    vectors = embedder.embed([statement.text for statement in file.statements])
    cosines = embedder.embed(questions) @ vectors.T
    dense = np.argsort(-cosines, axis=1, kind="stable").tolist()
    passages = [fact_passage(each.triple, ()) for each in file.statements]
    kept = last_written(vectors)
    orders: dict[str, list[list[int]]] = {
        "dense top 10": dense,
        "dense": dense,
        "bm25": bm25_orders(passages, questions).tolist(),
        "last write wins": [[place for place in order if place in kept] for order in dense],
    }
    return [
        Ranking(
            name,
            {
                question: [file.statements[place] for place in order]
                for question, order in zip(questions, ordered, strict=True)
            },
            most=FIRST if name == "dense top 10" else None,
        )
        for name, ordered in orders.items()
    ]


def last_written(vectors: Matrix, like: float = LIKE) -> set[int]:
    """Return the positions left when each text replaces the nearest earlier one of a cosine of at least ``like``."""
    cosines = vectors @ vectors.T
    gone = np.zeros(len(vectors), dtype=bool)
    for place in range(1, len(vectors)):
        before = np.where(gone[:place], -1, cosines[place, :place])
        nearest = int(before.argmax())
        gone[nearest] |= bool(before[nearest] >= like)
    return set(np.flatnonzero(~gone).tolist())


def _fitting(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the first statements that together fit the budget."""
    left = BUDGET / TOKENS_PER_WORD
    for statement in statements:
        left -= len(statement.text.split())
        if left < 0:
            return
        yield statement


def _shown(statements: Sequence[Statement]) -> Shown:
    return Shown("\n".join(each.text for each in statements), [[each] for each in statements])
