"""What a memory holds, as far as its style, its saved queries and its tour need to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mem0g.browser.literals import Value
from mem0g.browser.looks import PEOPLE, look_of
from mem0g.browser.protocol import Graph
from mem0g.errors import NotFoundError

MOST_SCOPES: Final = 25
"""Scopes that one tour and one set of queries look at: more is not a memory but a database of memories."""

_LOOKED_AT: Final = 50
"""Entities and changes that are looked at in order to choose what the tour tells of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much the scopes hold; ``first`` and ``last`` are days ("2024-01-14"), None where no message has a time."""

    messages: int
    sessions: int
    entities: int
    facts: int
    retired: int
    first: str | None
    last: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeType:
    """A type of edge between entities: how many there are, how many of them are true no longer."""

    type: str
    edges: int
    retired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An entity: its name, the words given for its type, and how many facts are about it."""

    name: str
    type: str
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A fact that another one replaced: both sentences and why; the day it ended and the eve of it, where known.

    ``same_relation``: a state gave way to the next one, as a plan that came true does not.
    """

    subject: str
    relation: str
    before: str
    after: str
    reason: str
    decided_by: str
    same_relation: bool
    ended: str | None
    eve: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What these ``scopes`` hold, which are ``whose`` in words ("user demo")."""

    scopes: tuple[str, ...]
    whose: str
    counts: Counts
    labels: tuple[str, ...]
    types: tuple[EdgeType, ...]
    entities: tuple[Known, ...]
    changes: tuple[Change, ...]
    sentence: str | None

    @property
    def person(self) -> Known | None:
        """The person of whom most is known; without people, whatever most is known of."""
        people = (entity for entity in self.entities if look_of(entity.type) is PEOPLE)
        return next(people, self.entities[0] if self.entities else None)

    @property
    def people(self) -> tuple[str, ...]:
        """The labels that people have."""
        return tuple(label for label in self.labels if look_of(label) is PEOPLE)

    @property
    def change(self) -> Change | None:
        """The change to tell of: its end is known, one state gave way to another, it is of ``person``, it is late."""
        name = self.person.name if self.person else ""

        def rank(change: Change) -> tuple[bool, bool, bool]:
            return (change.eve is None, not change.same_relation, change.subject != name)

        return min(self.changes, key=rank, default=None)

    @property
    def relation(self) -> EdgeType | None:
        """The relation to show: that of the change to tell of where it is drawn several times, else the most usual."""
        told = self.change.relation if self.change else ""
        return min(
            self.types, key=lambda each: (each.type != told or each.edges < 2, -each.edges, each.type), default=None
        )

    @property
    def values(self) -> Mapping[str, Value]:
        """The values of the saved queries' parameters, those that this memory has."""
        change = self.change
        found: dict[str, Value | None] = {
            "scopes": self.scopes,
            "person": self.person.name if self.person else None,
            "people": self.people or None,
            "relation": self.relation.type if self.relation else None,
            "day": (change.eve if change else None) or self.counts.last,
            "words": change.after if change else self.sentence,
        }
        return {name: value for name, value in found.items() if value is not None}


def read(
    graph: Graph, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
) -> Contents:
    """What the scopes that have these keys hold; of many, the 25 with most facts.

    Raises NotFoundError when there is no such scope.
    """
    keys = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
    rows = graph.run("browse_scopes", limit=MOST_SCOPES, **keys)
    if not rows:
        asked = _in_words(keys) or "anybody"
        raise NotFoundError(f"there is no memory of {asked} in this database", hint="`mem0g ingest` makes one")
    scopes = [row["scope"] for row in rows]

    def ask(name: str, **more: Any) -> list[dict[str, Any]]:
        return graph.run(name, scopes=scopes, **more)

    sentences = [row["text"] for row in ask("browse_sentence")]
    return Contents(
        scopes=tuple(scopes),
        whose=_whose(rows),
        counts=Counts(**ask("browse_counts")[0]),
        labels=tuple(row["label"] for row in ask("browse_labels")),
        types=tuple(EdgeType(**row) for row in ask("browse_types")),
        entities=tuple(Known(**row) for row in ask("browse_entities", limit=_LOOKED_AT)),
        changes=tuple(Change(**row) for row in ask("browse_changes", limit=_LOOKED_AT)),
        sentence=sentences[0] if sentences else None,
    )


def _whose(scopes: Sequence[Mapping[str, Any]]) -> str:
    if len(scopes) == 1:
        return _in_words(scopes[0])
    found = scopes[0]["found"]
    many = f"{len(scopes)} scopes"
    return many if found == len(scopes) else f"the {many} of {found} that have most facts"


def _in_words(keys: Mapping[str, Any]) -> str:
    named = (("user", keys["user_id"]), ("agent", keys["agent_id"]), ("run", keys["run_id"]))
    return ", ".join(f"{name} {value}" for name, value in named if value)
