"""Keyword scores: BM25 of terms in texts that are given as stems, and z-scores, by which scores are compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mem0g.retrieve.ranking.proximity import Indices, Scores

K1, B = 1.2, 0.75
"""The usual constants of Okapi BM25 (Robertson and Zaragoza 2009, section 3)."""

_SPACE, _END = b" \n"
"""Between stems and after a text; in UTF-8 every other byte of a stem is greater."""


class Stems:
    """Texts, each as stems with a space between two, in which words are counted, as bytes and for all texts at once.

    ``lengths``: how many stems each has, shape (texts,).
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._bytes = np.frombuffer("\n".join((*texts, "")).encode(errors="surrogatepass"), np.uint8)
        ends = np.flatnonzero(self._bytes <= _SPACE)
        self._starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
        self._sizes = ends - self._starts
        self._firsts = self._bytes[self._starts]
        self._lasts = np.flatnonzero(self._bytes[ends] == _END)
        self.lengths: Scores = np.diff(np.concatenate([[-1], self._lasts])).astype(np.float64)
        self.lengths[self._sizes[self._lasts] == 0] = 0

    def counts(self, terms: Sequence[str]) -> Scores:
        """Return how often each text has each of ``terms``, shape (texts, terms); a repeated term counts once.

        A term of several stems, with a space between two, is counted where they follow each other.
        """
        counts = np.zeros((len(self._lasts), len(terms)))
        for term, column in {term: column for column, term in enumerate(terms)}.items():
            texts = np.searchsorted(self._lasts, self._phrase(term.split(" ")))
            counts[:, column] = np.bincount(texts, minlength=len(self._lasts))
        return counts

    def _phrase(self, stems: Sequence[str]) -> Indices:
        """Return the numbers of the stems at which ``stems`` begin, one after the other within one text."""
        found, *others = (self._numbers(each.encode(errors="surrogatepass")) for each in stems)
        for place, numbers in enumerate(others, start=1):
            found = found[np.isin(found + place, numbers)]
        ends = np.searchsorted(self._lasts, found + len(others))
        within: Indices = found[np.searchsorted(self._lasts, found) == ends]
        return within

    def _numbers(self, term: bytes) -> Indices:
        """Return the numbers of the stems that equal ``term``."""
        left: Indices = np.flatnonzero(self._firsts == term[0])
        left = left[self._sizes[left] == len(term)]
        for place in range(1, len(term)):
            if not len(left):
                break
            left = left[self._bytes[self._starts[left] + place] == term[place]]
        return left


def bm25(counts: Scores, lengths: Scores) -> Scores:
    """Return the BM25 scores, shape (texts,), of texts with these ``counts`` (texts, terms) and ``lengths`` in stems.

    The weight of a term is that of Robertson and Spärck Jones (1976, F4) but never under 0: of two or three texts,
    words that most of them have would count against a text.
    """
    if not counts.any():
        return np.zeros(len(counts))
    having = (counts > 0).sum(axis=0)
    weights = np.maximum(np.log((len(counts) - having + 0.5) / (having + 0.5)), 0)
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    scores: Scores = (counts * (K1 + 1) / (counts + norms[:, None])) @ weights
    return scores


def z(scores: Scores) -> Scores:
    """Return z-scores; all 0 where the scores do not differ."""
    apart = scores - scores.sum() / max(len(scores), 1)
    spread = math.sqrt(apart @ apart / max(len(scores), 1))
    return np.zeros_like(scores) if spread < 1e-12 else apart / spread
