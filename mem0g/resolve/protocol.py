"""What node matching is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from mem0g.model import Entity

NEIGHBOURS = 50
"""Entities up to which those around one are told: who is joined with more is a person, or a place that all know."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity of the scope that a name might mean, and the cosine of the two names' vectors.

    ``neighbours``: ids of the entities that a fact joins with it, current or retired; none are told of one that has
    more than a thing has (NEIGHBOURS).
    """

    entity: Entity
    similarity: float
    neighbours: frozenset[str] = frozenset()
