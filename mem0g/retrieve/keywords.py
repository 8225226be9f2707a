"""BM25 over the candidates at hand, so that every store ranks alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Indices = NDArray[np.int64]

K1, B = 1.2, 0.75
"""The usual constants of Okapi BM25 (Robertson and Zaragoza 2009, section 3)."""

_SPACE, _END = b" \n"
"""Between stems and after a text; in UTF-8 every other byte of a stem is greater."""


class Stems:
    """Texts, each as stems with a space between two, to count words in: as bytes, for all texts at once.

    ``lengths``: how many stems each has, shape (texts,).
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._bytes = np.frombuffer("\n".join((*texts, "")).encode(errors="surrogatepass"), np.uint8)
        ends = np.flatnonzero(self._bytes <= _SPACE)
        self._starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
        self._sizes = ends - self._starts
        self._firsts = self._bytes[self._starts]
        self._lasts = np.flatnonzero(self._bytes[ends] == _END)
        self.lengths: Numbers = np.diff(np.concatenate([[-1], self._lasts])).astype(np.float64)
        self.lengths[self._sizes[self._lasts] == 0] = 0

    def counts(self, terms: Sequence[str]) -> Numbers:
        """How often each of ``terms`` is in each text: shape (texts, terms); one that is given twice counts once."""
        counts = np.zeros((len(self._lasts), len(terms)))
        for term, column in {term: column for column, term in enumerate(terms)}.items():
            texts = np.searchsorted(self._lasts, self._stems(term.encode(errors="surrogatepass")))
            counts[:, column] = np.bincount(texts, minlength=len(self._lasts))
        return counts

    def _stems(self, term: bytes) -> Indices:
        """The numbers of the stems that are ``term``."""
        left: Indices = np.flatnonzero(self._firsts == term[0])
        left = left[self._sizes[left] == len(term)]
        for place in range(1, len(term)):
            if not len(left):
                break
            left = left[self._bytes[self._starts[left] + place] == term[place]]
        return left


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
