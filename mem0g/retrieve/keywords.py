"""BM25 over the candidates at hand, so that every store ranks alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

K1, B = 1.2, 0.75
"""The usual constants of Okapi BM25 (Robertson and Zaragoza 2009, section 3)."""


def counted(terms: Sequence[str], texts: Sequence[Sequence[str]]) -> Numbers:
    """How often each of ``terms`` is in each of ``texts``, both given as stems: shape (len(texts), len(terms))."""
    columns = {term: column for column, term in enumerate(terms)}
    wanted = set(terms)
    counts = np.zeros((len(texts), len(terms)))
    for row, text in enumerate(texts):
        for term in wanted.intersection(text):
            counts[row, columns[term]] = text.count(term)
    return counts


def bm25(counts: Numbers, lengths: Numbers) -> Numbers:
    """Scores of texts of which ``counts`` (texts, terms) were counted and which have ``lengths`` stems: shape (texts,).

    The weight of a term is that of Robertson and Spärck Jones (1976, F4) but never under 0: of two or three texts,
    words that most of them have would count against a text.
    """
    if not counts.any():
        return np.zeros(len(counts))
    having = (counts > 0).sum(axis=0)
    weights = np.maximum(np.log((len(counts) - having + 0.5) / (having + 0.5)), 0)
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    scores: Numbers = (counts * (K1 + 1) / (counts + norms[:, None])) @ weights
    return scores
