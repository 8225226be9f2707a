"""Keyword scores: BM25 of terms in texts that are given as stems, and z-scores, by which scores are compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices, Scores

K1, B = 1.2, 0.75
"""The usual constants of Okapi BM25 (Robertson and Zaragoza 2009, section 3)."""

EVERY = slice(None)
"""All of the texts, or of the scores."""

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


def bm25(counts: Scores, lengths: Scores, measured: NDArray[np.bool_] | slice = EVERY) -> Scores:
    """Return the BM25 scores, shape (texts,), of texts with these ``counts`` (texts, terms) and ``lengths`` in stems.

    How many texts have a term, and how long they are on average, is counted in those that are ``measured``. The weight
    of a term is that of Robertson and Spärck Jones (1976, F4) but never under 0: of two or three texts, words that most
    of them have would count against a text.
    """
    among = counts[measured]
    having = (among > 0).sum(axis=0)
    if not having.any():
        return np.zeros(len(counts))
    weights = np.maximum(np.log((len(among) - having + 0.5) / (having + 0.5)), 0)
    norms = K1 * (1 - B + B * lengths / lengths[measured].mean())
    scores: Scores = (counts * (K1 + 1) / (counts + norms[:, None])) @ weights
    return scores


def z(scores: Scores, measured: NDArray[np.bool_] | slice = EVERY) -> Scores:
    """Return z-scores by the mean and the spread of those that are ``measured``; 0 where these are equal.

    The others get no higher one, and no lower one, than one of the measured could have: √(n - 1) for n numbers.
    """
    among = scores[measured]
    size = max(len(among), 1)
    mean = among.sum() / size
    apart, among = scores - mean, among - mean
    spread = math.sqrt(among @ among / size)
    if spread < 1e-12:
        return np.zeros_like(scores)
    most = math.sqrt(size - 1)
    bounded: Scores = np.clip(apart / spread, -most, most)
    return bounded
