"""Ranking by BM25 over the stems of a set of scopes, held in memory as an inverted index and extended by new rows.

SQLite's full-text index holds the texts of all tenants: counting in how many of them a word occurs takes longer the
more others there are. Here the weight of a word is its rarity in the scopes searched.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from mem0g.store.in_memory.column import Column, first_of_each, highest, numbers_of, places_of, runs
from mem0g.store.in_memory.tables import Numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.store.in_memory.column import Numbers

K1, B = 1.2, 0.75
"""The usual constants of Okapi BM25 (Robertson and Zaragoza 2009, section 3)."""

LEAST_WEIGHT = 1e-6
"""Weight of a word that half of the texts have, or more (as in SQLite's FTS5): it counts where nothing else does."""

UNSORTED = 1 << 16
"""Stems that are compared one by one before the index is made anew; or an eighth of those in it, if that is more."""

MOST_OCCURRENCES = 1 << 20
"""Rows of terms that are kept with their weights, 24 bytes each: many questions have the same words."""

MOST_CHARACTERS = 1 << 22
"""What is kept of rows' stems as one text each: some are wanted often."""

TEXT = 150
"""Characters that such a text counts beside its own."""


class Occurrences(NamedTuple):
    """The rows that have a term, by place and in order, how often each has it, and what of BM25 does not depend on how
    rare the term is.
    """

    places: Numbers
    counts: Numbers
    weights: NDArray[np.float64]


class Postings:
    """The stems of one table's rows in one set of scopes, in order of row number ``n``.

    Rows before ``_sorted`` are in the index: for each stem the places of the rows that have it, and how often. The
    stems of later rows are compared one by one. ``stems`` numbers them: tables and scopes that share a numbering have
    their words in memory once.
    """

    def __init__(self, stems: Numbering | None = None) -> None:
        self._stems = stems or Numbering()
        self._texts: dict[int, str] = {}
        self._characters = 0
        self._occurrences: dict[str, Occurrences] = {}
        self._kept = 0
        self._n = Column(np.int64)
        self._keys = Column(np.uint8)
        self._lengths = Column(np.int32)
        self._all_keys = 0
        self._ends = Column(np.int64)
        self._flat = Column(np.int32)
        self._sorted = 0
        self._indexed: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._firsts: NDArray[np.int32] = np.zeros(1, dtype=np.int32)
        self._rows: NDArray[np.int32] = np.empty(0, dtype=np.int32)
        self._counts: NDArray[np.integer[Any]] = np.empty(0, dtype=np.int32)

    @property
    def size_in_bytes(self) -> int:
        """Memory allocated, without the numbering of the stems."""
        index = (self._indexed, self._firsts, self._rows, self._counts)
        columns = (self._n, self._keys, self._lengths, self._ends, self._flat, *index)
        return sum(each.nbytes for each in columns) + 24 * self._kept + self._characters

    def append(self, numbers: Sequence[int], keys: Sequence[int], texts: Sequence[str]) -> None:
        """Add rows of higher numbers than those held.

        ``texts``: the stems of each row, separated by spaces. ``keys``: how many keys its scope has, which count as
        stems of it; a row without any is counted but not found.
        """
        split = [text.split() for text in texts]
        lengths = np.fromiter(map(len, split), np.int64, len(split))
        self._ends.append(np.cumsum(lengths) + len(self._flat))
        self._flat.append(self._stems.of(list(chain.from_iterable(split))))
        self._n.append(numbers)
        self._keys.append(keys)
        self._lengths.append(lengths + np.asarray(keys))
        self._all_keys += sum(keys)
        self._occurrences, self._kept = {}, 0

    def __len__(self) -> int:
        return len(self._n)

    def reserve(self, size: int) -> None:
        """Make room for ``size`` rows in all."""
        for column in (self._n, self._keys, self._lengths, self._ends):
            column.reserve(size)

    def best(self, terms: Sequence[str], limit: int, without: Collection[int] = ()) -> list[int]:
        """Return up to ``limit`` row numbers by descending BM25 of ``terms``, ties by row number.

        A term of several stems, with a space between two, is found where they follow each other. The rows ``without``
        are excluded.
        """
        if limit <= 0 or not len(self._n):
            return []
        self._sort()
        scores = self._scores(list(dict.fromkeys(terms)))
        hidden, _ = places_of(self._n.values, numbers_of(without))
        scores[hidden] = 0
        found = np.flatnonzero(scores > 0)  # of numbers other than truth values it takes ten times as long
        found = found[self._keys.values[found] > 0]
        numbers: list[int] = self._n.values[found[highest(scores[found], limit)]].tolist()
        return numbers

    def having(self, term: str) -> list[int]:
        """Return the numbers of the rows that have the term, in order."""
        self._sort()
        rows, _ = self._having(term)
        numbers: list[int] = self._n.values[rows[self._keys.values[rows] > 0]].tolist()
        return numbers

    def texts(self, numbers: Collection[int] | Numbers) -> list[str]:
        """Return the stems of each of these rows, separated by spaces; "" of one that is not held."""
        wanted = numbers.tolist() if isinstance(numbers, np.ndarray) else numbers
        missing = [number for number in wanted if number not in self._texts]
        if missing:
            if self._characters > MOST_CHARACTERS:
                self._texts, self._characters, missing = {}, 0, list(wanted)
            added = self.joined(missing)
            self._texts |= added
            self._characters += sum(map(len, added.values())) + TEXT * len(added)
        return [self._texts.get(number, "") for number in wanted]

    def occurrences(self, terms: Iterable[str]) -> dict[str, Occurrences]:
        """Return the rows that have each of ``terms``.

        A term of several stems, with a space between two, is in the rows in which they follow each other.
        """
        self._sort()
        return {term: self._occurring(term) for term in terms}

    def rows(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return the places of rows, -1 of one that is not held, and how many stems each has."""
        held, there = places_of(self._n.values, numbers)
        places, lengths = np.full(len(numbers), -1), np.zeros(len(numbers), dtype=np.int64)
        places[there], lengths[there] = held, self._lengths.values[held] - self._keys.values[held]
        return places, lengths

    def _stems_of(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return the places of the stems of these rows, row by row, and how many each has; none of one not held."""
        places, there = places_of(self._n.values, numbers)
        last, lengths = self._ends.values[places], np.zeros(len(numbers), dtype=np.int64)
        lengths[there] = held = last - np.where(places > 0, self._ends.values[places - 1], 0)
        return np.arange(held.sum()) + np.repeat(last - np.cumsum(held), held), lengths

    def joined(self, numbers: Sequence[int]) -> dict[int, str]:
        """Return the stems of those of these rows that are held, by row number."""
        wanted = numbers_of(numbers)
        at, lengths = self._stems_of(wanted)
        ends = np.cumsum(lengths)
        words = list(map(self._stems.names.__getitem__, self._flat.values[at].tolist()))
        ranges = zip(numbers, (ends - lengths).tolist(), ends.tolist(), strict=True)
        held = places_of(self._n.values, wanted)[1].tolist()
        return {
            number: " ".join(words[start:end])
            for (number, start, end), there in zip(ranges, held, strict=True)
            if there
        }

    def _scores(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Return the BM25 scores of all rows, 0 for those that have no term; computed as FTS5 does."""
        scores, size = np.zeros(len(self._n)), len(self._n)
        for term in terms:
            places, _, weights = self._occurring(term)
            if len(places):
                rarity = math.log((size - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += (max(rarity, 0) or LEAST_WEIGHT) * weights
        return scores

    def _occurring(self, term: str) -> Occurrences:
        """Return the rows that have a term; they are kept until rows are added, or too many are kept."""
        if term in self._occurrences:
            return self._occurrences[term]
        places, counts = self._having(term)
        average = (len(self._flat) + self._all_keys) / max(len(self._n), 1)
        norms = K1 * (1 - B + B * self._lengths.values[places] / average)
        found = Occurrences(places, counts, counts * (K1 + 1) / (counts + norms))
        if self._kept + len(places) > MOST_OCCURRENCES:
            self._occurrences, self._kept = {}, 0
        self._occurrences[term] = found
        self._kept += len(places)
        return found

    def _having(self, term: str) -> tuple[Numbers, Numbers]:
        """Return the places of the rows that have a term, in order, and how often each has it."""
        numbers = [self._stems.numbers.get(stem, -1) for stem in term.split()]
        if not numbers or min(numbers) < 0:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        if len(numbers) == 1:
            return self._with(numbers[0])
        return self._phrases(numbers, reduce(np.intersect1d, (self._with(each)[0] for each in numbers)))

    def _with(self, stem: int) -> tuple[Numbers, Numbers]:
        """Return the places of the rows that have the stem of this number, in order, and how often each has it."""
        place = int(np.searchsorted(self._indexed, stem))
        there = place < len(self._indexed) and self._indexed[place] == stem
        start, end = (self._firsts[place], self._firsts[place + 1]) if there else (0, 0)
        rows, counts = self._rows[start:end].astype(np.int64), self._counts[start:end].astype(np.int64)
        if self._sorted == len(self._n):
            return rows, counts
        first = int(self._ends.values[self._sorted - 1]) if self._sorted else 0
        at = np.flatnonzero(self._flat.values[first:] == stem) + first
        if not len(at):
            return rows, counts
        more = np.searchsorted(self._ends.values, at, side="right")
        starts, times = runs(more)
        return np.concatenate([rows, more[starts]]), np.concatenate([counts, times])

    def _phrases(self, stems: Sequence[int], rows: Numbers) -> tuple[Numbers, Numbers]:
        """Return which of ``rows`` have these stems one after the other, and how often."""
        ends = self._ends.values[rows]
        lengths = np.diff(self._ends.values, prepend=0)[rows]
        of = np.repeat(np.arange(len(rows)), lengths)
        at = np.arange(len(of)) + np.repeat(ends - np.cumsum(lengths), lengths)
        fits = at + len(stems) <= ends[of]
        at, of = at[fits], of[fits]
        same = np.ones(len(at), dtype=bool)
        for place, stem in enumerate(stems):
            same &= self._flat.values[at + place] == stem
        found = of[same]
        starts, times = runs(found)
        return rows[found[starts]], times

    def _sort(self) -> None:
        """Make the index anew if many rows have been added since."""
        held = int(self._ends.values[self._sorted - 1]) if self._sorted else 0
        if len(self._flat) - held <= max(UNSORTED, held // 8):
            return
        size = max(len(self._n), 1)
        rows = np.repeat(np.arange(len(self._n)), np.diff(self._ends.values, prepend=0))
        pairs, counts = np.unique(self._flat.values * np.int64(size) + rows, return_counts=True)
        stems, places = np.divmod(pairs, size)
        firsts = np.flatnonzero(first_of_each(stems))
        self._indexed, self._firsts = stems[firsts].astype(np.int32), np.append(firsts, len(stems)).astype(np.int32)
        self._rows, self._counts = places.astype(np.int32), counts.astype(np.min_scalar_type(counts.max(initial=0)))
        self._sorted = len(self._n)


class RowTexts(Sequence[str]):
    """The stems of some rows, each separated by spaces, put together when the first one is read."""

    def __init__(self, postings: Postings, numbers: Numbers) -> None:
        self._postings, self._numbers = postings, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._texts[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._texts == tuple(other)

    def __hash__(self) -> int:
        return hash(self._texts)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(self._postings.texts(self._numbers))


class FoundStems:
    """Counts the stems of what one search found (see mem0g.store.candidates.StemCounts).

    ``facts``, ``turns`` and ``passages``: the columns of stems, each with the rows found; of facts with their ids, of
    passages by id. ``terms``: those that may be counted; where they occur is looked up now, while nothing is added.
    """

    def __init__(
        self,
        facts: tuple[Postings, Sequence[str], Numbers],
        turns: tuple[Postings, Numbers],
        passages: tuple[Postings, Mapping[str, int]],
        terms: Collection[str],
    ) -> None:
        self._ids, self._passage_rows = facts[1], passages[1]
        self._facts, self._turns = _Counted(facts[0], facts[2], terms), _Counted(*turns, terms)
        rows = np.fromiter(self._passage_rows.values(), np.int64, len(self._passage_rows))
        self._passages = _Counted(passages[0], rows, terms if len(rows) else ())

    def counts(
        self, terms: Sequence[str], facts: Sequence[str], passages: Sequence[str]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """See StemCounts."""
        parts = [
            self._facts.counts(terms, None if facts is self._ids else _places(self._ids, facts)),
            self._turns.counts(terms),
        ]
        if passages:
            parts.append(self._passages.counts(terms, _places(self._passage_rows, passages)))
        return np.concatenate([each for each, _ in parts]), np.concatenate([each for _, each in parts])


class _Counted:
    """Rows of which the terms of a question are counted."""

    def __init__(self, postings: Postings, numbers: Numbers, terms: Collection[str]) -> None:
        self._size = len(postings)
        self._occurrences = postings.occurrences(terms)
        self._places, self._lengths = postings.rows(numbers)

    def counts(
        self, terms: Sequence[str], chosen: Numbers | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how often each row has each term, and how many stems it has; of the rows at the places ``chosen``."""
        places, lengths = self._places, self._lengths
        if chosen is not None:
            places, lengths = places[chosen], lengths[chosen]
        counts = np.zeros((len(places), len(terms)))
        of_all = np.zeros(self._size + 1, dtype=np.int32)  # the last one is for rows that are not held
        for column, term in enumerate(terms):
            having, times, _ = self._occurrences[term]
            if len(having):
                of_all[having] = times
                counts[:, column] = of_all[places]
                of_all[having] = 0
        return counts, lengths.astype(np.float64)


def _places(ids: Iterable[str], wanted: Sequence[str]) -> Numbers:
    """Return where each id wanted is among ``ids``."""
    at = {each: place for place, each in enumerate(ids)}
    return np.fromiter(map(at.__getitem__, wanted), np.int64, len(wanted))
