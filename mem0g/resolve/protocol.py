"""What node matching is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from mem0g.model import Decision, Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A new node that may be one that was there: the names are alike, and no rule tells whether they mean one thing.

    ``new`` was made for the name, said in the sentence ``text``; ``known`` is what it may be, ``score`` the cosine.
    """

    new: Entity
    known: Entity
    text: str
    score: float

    @property
    def pair(self) -> tuple[str, str]:
        """The ids of the two nodes."""
        return self.new.id, self.known.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The nodes of a window's triples.

    ``ends`` are (subject id, object id) of each triple, in order. ``created`` are entities the graph does not have
    yet, ``updated`` known ones with new aliases, a better name or type. ``decisions`` log each join of different
    names (operation MERGE) with rule and score. ``merged`` maps the id of an entity to the id of the one it turned
    out to be ("everyone calls me Liv"). ``doubts`` are what a model may be asked.
    """

    ends: tuple[tuple[str, str], ...]
    created: tuple[Entity, ...] = ()
    updated: tuple[Entity, ...] = ()
    decisions: tuple[Decision, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    doubts: tuple[Doubt, ...] = ()
