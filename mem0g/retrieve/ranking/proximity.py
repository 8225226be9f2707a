"""Proximity: the best score of another candidate that is nearby in the conversation, or shares an entity.

Messages are numbered by their places in the order of ``Turns``, so that all of it is arithmetic on arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.store.candidates import Turns
from mem0g.store.found_columns import Cited

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]
    Indices = NDArray[np.int64]

NEAR_TURNS = 4
"""Messages of one session within which two facts are likely about the same thing."""

HUB = 0.1
"""Share of the candidates above which an entity is in too many of them to relate any two."""

SESSION_GAP = 1000
"""Messages by which two sessions are kept apart where positions are numbers: far more than NEAR_TURNS."""


class Citations:
    """The messages that a search returned as evidence, with the stems counted in each, by place."""

    def __init__(self, turns: Turns, numbers: Indices, counts: Scores, lengths: Scores) -> None:
        """``counts``, shape (turns, terms): how often each turn has each term; ``lengths``: the stems it has in all.

        ``numbers``: those of the turns, by which they are cited.
        """
        self._order = np.argsort(numbers)
        self._ordered = numbers[self._order]
        self._counts, self._lengths = counts, lengths
        self._sessions = np.array(turns.sessions, dtype=np.int64)
        self._positions = np.array(turns.positions, dtype=np.int64)
        self._follows = np.zeros(len(numbers) + 1, dtype=bool)
        same_session = self._sessions[1:] == self._sessions[:-1]
        self._follows[1:-1] = same_session & (self._positions[1:] - self._positions[:-1] == 1)

    def cited(self, evidence: Cited) -> tuple[Indices, Indices]:
        """Return pairs of a candidate's number and the place of a turn it cites; numbers of no turn are left out."""
        citing = np.repeat(np.arange(len(evidence.counts)), evidence.counts)
        there, places = self.placed(evidence.numbers)
        return citing[there], places

    def placed(self, numbers: Indices) -> tuple[Indices, Indices]:
        """Return the same for messages, given by their numbers: each cites itself."""
        there, at = places_in(self._ordered, numbers)
        return there, self._order[at]

    def own(self, citing: Indices, places: Indices, candidates: int) -> tuple[Scores, Scores]:
        """Return the counts, shape (candidates, terms), and lengths of the turns cited."""
        counts, lengths = np.zeros((candidates, self._counts.shape[1])), np.zeros(candidates)
        counts[citing], lengths[citing] = self._counts[places], self._lengths[places]
        return counts, lengths

    def around(self, citing: Indices, places: Indices, candidates: int) -> tuple[Scores, Scores]:
        """Return the counts, shape (candidates, terms), and lengths of the turns cited and of one before and after."""
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

    def positions(self, places: Indices) -> Indices:
        """Return the positions of turns on one number line, on which no two sessions are near each other."""
        if not len(places):
            return places
        span = int(np.ptp(self._positions)) + SESSION_GAP
        return self._sessions[places] * span + self._positions[places]


def places_in(ordered: Indices, numbers: Indices) -> tuple[Indices, Indices]:
    """Return pairs of the place of a number among ``numbers`` and its first place in the sorted array ``ordered``."""
    at = np.searchsorted(ordered, numbers)
    there = np.flatnonzero(at < len(ordered))
    there = there[ordered[at[there]] == numbers[there]]
    return there, at[there]


def best_nearby(base: Scores, citing: Indices, positions: Indices) -> Scores:
    """Return for each candidate the best positive score of another whose evidence is at most NEAR_TURNS from its own.

    The candidate ``citing[i]`` cites the turn at ``positions[i]``; see ``Citations.positions``.
    """
    order = np.argsort(positions, kind="stable")
    citing, positions = citing[order], positions[order]
    values = np.maximum(base, 0)[citing]
    best = np.zeros(len(base))
    for apart in range(1, len(positions)):
        near = positions[apart:] - positions[:-apart] <= NEAR_TURNS
        if not near.any():
            break
        near &= citing[apart:] != citing[:-apart]
        np.maximum.at(best, citing[apart:][near], values[:-apart][near])
        np.maximum.at(best, citing[:-apart][near], values[apart:][near])
    return best


def best_related(base: Scores, subjects: NDArray[np.int32], objects: NDArray[np.int32]) -> Scores:
    """Return for each fact the best positive score of another that shares an entity with it, hubs not counted.

    ``subjects``, ``objects``: the numbers of the two entities of each fact.
    """
    best = np.zeros(len(base))
    if not len(subjects):
        return best
    two = np.flatnonzero(subjects != objects)  # a fact from an entity to itself is in it once
    entities = np.concatenate([subjects, objects[two]])
    facts = np.concatenate([np.arange(len(subjects)), two])
    sizes = np.bincount(entities)[entities]
    linking = (sizes > 1) & (sizes <= max(2, HUB * len(base)))
    entities, facts = entities[linking], facts[linking]
    values = np.maximum(base, 0)[facts]
    order = np.lexsort((-values, entities))
    entities, facts, values = entities[order], facts[order], values[order]
    starts = np.flatnonzero(first_of_each(entities))
    others = np.repeat(values[starts], np.diff(np.concatenate([starts, [len(entities)]])))
    others[starts] = values[starts + 1]  # for the best fact of an entity, the best other one is the second
    np.maximum.at(best, facts, others)
    return best


def first_of_each(ordered: Indices) -> NDArray[np.bool_]:
    """Return which numbers of a sorted array differ from the one before, shape (n,)."""
    return np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]
