"""The turns that a search brought, as arrays: who cites which of them, and what stands around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.keywords import counted
from mem0g.store.queries import Turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.keywords import Numbers

    Places = NDArray[np.int64]

APART = 1000
"""Turns by which two sittings are kept apart where places are numbers: far more than what counts as near."""


class Turns:
    """Turns in order of place, each once; a place is a turn's number in that order."""

    def __init__(self, turns: Sequence[Turn], terms: Sequence[str]) -> None:
        """``terms``: the stems to be counted in them."""
        self._places = {turn.message.id: place for place, turn in enumerate(turns)}
        self._counts = counted(terms, [turn.terms for turn in turns])
        self._lengths = np.array([len(turn.terms) for turn in turns], dtype=float)
        sittings: dict[tuple[str, str], int] = {}
        self._sittings = np.array(
            [sittings.setdefault((turn.message.source, turn.message.session), len(sittings)) for turn in turns],
            dtype=np.int64,
        )
        self._positions = np.array([turn.message.position for turn in turns], dtype=np.int64)
        self._follows = np.zeros(len(turns) + 1, dtype=bool)
        same_sitting = self._sittings[1:] == self._sittings[:-1]
        self._follows[1:-1] = same_sitting & (self._positions[1:] - self._positions[:-1] == 1)

    def cited(self, evidence: Sequence[Sequence[str]]) -> tuple[Places, Places]:
        """Who cites which turn: pairs of the number of a candidate and a place; ids of no turn are left out.

        ``evidence``: the ids of messages on which each candidate stands.
        """
        pairs = [
            (citing, self._places[each]) for citing, ids in enumerate(evidence) for each in ids if each in self._places
        ]
        table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return table[:, 0], table[:, 1]

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
        who, where = np.divmod(np.unique(who * size + where), size)
        counts = np.zeros((candidates, self._counts.shape[1]))
        for term in range(counts.shape[1]):
            counts[:, term] = np.bincount(who, weights=self._counts[where, term], minlength=candidates)
        lengths = np.bincount(who, weights=self._lengths[where], minlength=candidates)
        return counts, lengths.astype(np.float64)

    def where(self, places: Places) -> Places:
        """Places as numbers of which those of one sitting differ by their positions, and no two sittings are near."""
        if not len(places):
            return places
        span = int(np.ptp(self._positions)) + APART
        return self._sittings[places] * span + self._positions[places]
