"""The words of texts, and which of them are written as names, as columns: a set of words takes forty times as much."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.in_memory.tables import Lists
from mem0g.text.languages import word_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices

LONGEST = 2000
"""Characters of a text that are read."""

_CAPITALISED = re.compile(r"(?<=[\w,;)] )[A-ZÄÖÜÀ-Þ][\w'’&-]*[\w]")


class NameWords:
    """The words of texts, each with a number, and those that are written with a capital within a sentence.

    Texts have numbers, too; threads may add and read at once.
    """

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._capitalised, self._words = Lists(np.int32), Lists(np.int32)
        self._lock = Lock()

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated, with about 150 bytes for each different word."""
        return self._capitalised.size_in_bytes + self._words.size_in_bytes + 150 * len(self._numbers)

    def add(self, texts: Sequence[str]) -> range:
        """Add texts; return their numbers."""
        with self._lock:
            first = len(self._words)
            for lists, find in ((self._capitalised, capitalised), (self._words, words_of)):
                lists.append([[self._numbers[each] for each in find(text)] for text in texts])
            return range(first, len(self._words))

    def having_names(self, texts: Indices, no_names: Iterable[str], names: Iterable[str]) -> NDArray[np.bool_]:
        """Return which of the texts of these numbers have a name, shape (texts,).

        Names are the words that one of them has with a capital, without ``no_names``, and ``names``.
        """
        with self._lock:
            written, (counts, words) = self._capitalised.at(texts).numbers, self._words.at(texts)
            are = np.zeros(len(self._numbers), dtype=bool)
            are[written] = True
            for given, known in ((no_names, False), (names, True)):
                are[[self._numbers[each] for each in given if each in self._numbers]] = known
        of = np.repeat(np.arange(len(texts)), counts)
        return np.bincount(of[are[words]], minlength=len(texts)) > 0


def capitalised(text: str) -> frozenset[str]:
    """Return the words of a text that have a capital within a sentence, in lower case and without "'s"."""
    found = _CAPITALISED.findall(text[:LONGEST])
    return frozenset(each.lower().removesuffix("'s") for each in found if not each.isupper() or len(each) < 4)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, folded and without "'s"."""
    return frozenset(each.removesuffix("'s") for each in word_set(text[:LONGEST]))
