"""Proximity: the best score of another candidate that is near in the conversation, or shares an entity."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.queries import Turns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.keywords import Indices, Numbers

    Places = NDArray[np.int64]
    Scores = NDArray[np.float64]

NEAR_TURNS = 4
"""Turns of one session within which two facts speak of one thing."""

HUB = 0.1
"""Share of the candidates from which an entity is in too many of them to link any two."""

APART = 1000
"""Turns by which two sessions are kept apart where places are numbers: far more than what counts as near."""


class Citations:
    """Turns by their places, a place being a turn's number in the order of the turns."""

    def __init__(self, turns: Turns, counts: Numbers, lengths: Numbers) -> None:
        """``counts``, shape (turns, terms): how often each has each term asked for; ``lengths``: its stems in all."""
        self._places = dict(zip(turns.ids, range(len(turns.ids)), strict=True))
        self._counts, self._lengths = counts, lengths
        self._sittings = np.array(turns.sessions, dtype=np.int64)
        self._positions = np.array(turns.positions, dtype=np.int64)
        self._follows = np.zeros(len(turns.ids) + 1, dtype=bool)
        same_sitting = self._sittings[1:] == self._sittings[:-1]
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
        """Places as numbers of which those of one sitting differ by their positions, and no two sessions are near."""
        if not len(places):
            return places
        span = int(np.ptp(self._positions)) + APART
        return self._sittings[places] * span + self._positions[places]


def best_near(base: Scores, citing: Indices, where: Indices) -> Scores:
    """For each candidate the best positive score of another whose evidence is at most four turns from its own.

    The candidate ``citing[i]`` stands on the turn at ``where[i]``, a number by which turns that are near are near.
    """
    order = np.argsort(where, kind="stable")
    citing, where = citing[order], where[order]
    values = np.maximum(base, 0)[citing]
    best = np.zeros(len(base))
    for apart in range(1, len(where)):
        near = where[apart:] - where[:-apart] <= NEAR_TURNS
        if not near.any():
            break
        near &= citing[apart:] != citing[:-apart]
        np.maximum.at(best, citing[apart:][near], values[:-apart][near])
        np.maximum.at(best, citing[:-apart][near], values[apart:][near])
    return best


def best_kin(base: Scores, subjects: Sequence[str], objects: Sequence[str]) -> Scores:
    """For each fact the best positive score of another that shares an entity with it, hubs not counted.

    ``subjects``, ``objects``: the ids of the ends of each.
    """
    best = np.zeros(len(base))
    if not subjects:
        return best
    entities, facts = _memberships(subjects, objects)
    sizes = np.bincount(entities)[entities]
    linking = (sizes > 1) & (sizes <= max(2, HUB * len(base)))
    entities, facts = entities[linking], facts[linking]
    values = np.maximum(base, 0)[facts]
    order = np.lexsort((-values, entities))
    entities, facts, values = entities[order], facts[order], values[order]
    starts = np.flatnonzero(first_of_each(entities))
    others = np.repeat(values[starts], np.diff(np.concatenate([starts, [len(entities)]])))
    others[starts] = values[starts + 1]  # the best of all has the second as its best other
    np.maximum.at(best, facts, others)
    return best


def first_of_each(ordered: Indices) -> NDArray[np.bool_]:
    """Which of numbers in order are not the one before, shape (n,)."""
    return np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]


def _memberships(subjects: Sequence[str], objects: Sequence[str]) -> tuple[Indices, Indices]:
    """Which entity is in which fact, both as numbers; a fact of one entity and itself once."""
    ids = [*subjects, *objects]
    numbers = dict(zip(ids, range(len(ids)), strict=True))
    entities = np.fromiter(map(numbers.__getitem__, ids), np.int64, len(ids))
    facts = np.arange(len(subjects))
    two = entities[: len(facts)] != entities[len(facts) :]
    return np.concatenate([entities[: len(facts)], entities[len(facts) :][two]]), np.concatenate([facts, facts[two]])
