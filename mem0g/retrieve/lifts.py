"""How the company that a candidate is in speaks for it: the best score of another that is near, or of its kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.keywords import Indices

    Scores = NDArray[np.float64]

NEAR_TURNS = 4
"""Turns of one session within which two facts speak of one thing."""

HUB = 0.1
"""Share of the candidates from which an entity is in too many of them to link any two."""


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
