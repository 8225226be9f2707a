"""BM25 over the candidates at hand, so that every store ranks alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
"""The usual constants of Okapi BM25 (Robertson and Zaragoza 2009, section 3)."""


def bm25(terms: Sequence[str], texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Scores of ``texts``, given as stems, for the stems of a question: shape (len(texts),)."""
    if not terms or not any(texts):
        return np.zeros(len(texts))
    from rank_bm25 import BM25Okapi

    index = BM25Okapi(texts, k1=K1, b=B)
    # Of two or three texts, words that most of them have weigh less than nothing there: having one would count against.
    index.idf = {term: max(weight, 0.0) for term, weight in index.idf.items()}
    scores: NDArray[np.float64] = index.get_scores(list(dict.fromkeys(terms)))
    return scores
