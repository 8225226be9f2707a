"""The turns that a search brought, as arrays: who cites which of them, and what stands around."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.lifts import first_of_each
from mem0g.store.queries import Turns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.keywords import Numbers

    Places = NDArray[np.int64]

APART = 1000
"""Turns by which two sessions are kept apart where places are numbers: far more than what counts as near."""


class Citations:
    """Turns by their places, a place being a turn's number in the order of the turns."""

    def __init__(self, turns: Turns, counts: Numbers, lengths: Numbers) -> None:
        """``counts``, shape (turns, terms): how often each has each term asked for; ``lengths``: its stems in all."""
        self._places = dict(zip(turns.ids, range(len(turns.ids)), strict=True))
        self._counts, self._lengths = counts, lengths
        self._sessions = np.array(turns.sessions, dtype=np.int64)
        self._positions = np.array(turns.positions, dtype=np.int64)
        self._follows = np.zeros(len(turns.ids) + 1, dtype=bool)
        same_sitting = self._sessions[1:] == self._sessions[:-1]
        self._follows[1:-1] = same_sitting & (self._positions[1:] - self._positions[:-1] == 1)

    def cited(self, evidence: Sequence[Sequence[str]]) -> tuple[Places, Places]:
        """Who cites which turn: pairs of the number of a candidate and a place; ids of no turn are left out.

        ``evidence``: the ids of messages on which each candidate stands.
        """
        citing = np.repeat(np.arange(len(evidence)), np.fromiter(map(len, evidence), np.int64, len(evidence)))
        ids = chain.from_iterable(evidence)
        places = np.fromiter(map(self._places.get, ids, repeat(-1)), np.int64, len(citing))
        return citing[places >= 0], places[places >= 0]

    def own(self, citing: Places, places: Places, candidates: int) -> tuple[Numbers, Numbers]:
        """The counts, shape (candidates, terms), and lengths of the turns cited."""
        counts, lengths = np.zeros((candidates, self._counts.shape[1])), np.zeros(candidates)
        counts[citing], lengths[citing] = self._counts[places], self._lengths[places]
        return counts, lengths

    def around(self, citing: Places, places: Places, candidates: int) -> tuple[Numbers, Numbers]:
        """The counts, shape (candidates, terms), and lengths of the turns cited and of those one before and after."""
        before, after = self._follows[places], self._follows[places + 1]
        who = np.concatenate([citing, citing[before], citing[after]])
        where = np.concatenate([places, places[before] - 1, places[after] + 1])
        size = max(len(self._lengths), 1)
        once = np.sort(who * size + where)
        who, where = np.divmod(once[first_of_each(once)], size)
        counts = np.zeros((candidates, self._counts.shape[1]))
        for term in range(counts.shape[1]):
            counts[:, term] = np.bincount(who, weights=self._counts[where, term], minlength=candidates)
        lengths = np.bincount(who, weights=self._lengths[where], minlength=candidates)
        return counts, lengths.astype(np.float64)

    def where(self, places: Places) -> Places:
        """Places as numbers of which those of one session differ by their positions, and no two sessions are near."""
        if not len(places):
            return places
        span = int(np.ptp(self._positions)) + APART
        return self._sessions[places] * span + self._positions[places]
