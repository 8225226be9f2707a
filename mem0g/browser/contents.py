"""What a memory contains, as far as its style sheet, its saved queries and its guide need it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from mem0g.browser.palette import PEOPLE, node_style
from mem0g.browser.saved import Value
from mem0g.errors import NotFoundError

MAX_SCOPES: Final = 25
"""Scopes at most that one guide and one set of queries cover: more is a database of many memories."""

_MAX_EXAMPLES: Final = 50
"""Entities and changes at most among which the guide's examples are chosen."""


@runtime_checkable
class Graph(Protocol):
    """A memory in Neo4j whose queries can be run by name."""

    def run(self, name: str, /, **given: Any) -> list[dict[str, Any]]:
        """Run the query ``cypher/<name>.cypher``, which only reads, and return its rows."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts of the scopes; ``first`` and ``last`` are days ("2024-01-14"), None where no message has a time."""

    messages: int
    sessions: int
    entities: int
    facts: int
    retired: int
    first: str | None
    last: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeType:
    """A type of edge between entities, with the number of its edges and of the retired ones among them."""

    type: str
    edges: int
    retired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntitySummary:
    """An entity: its name, its type as given, and the number of facts about it."""

    name: str
    type: str
    facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A fact that another one replaced: both sentences, the reason, the day it ended and the day before, where known.

    ``same_relation``: one state replaced another, rather than a plan coming true.
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
    """What the ``scopes`` contain; ``owner`` names them in words ("user demo")."""

    scopes: tuple[str, ...]
    owner: str
    counts: Counts
    labels: tuple[str, ...]
    types: tuple[EdgeType, ...]
    entities: tuple[EntitySummary, ...]
    changes: tuple[Change, ...]
    sentence: str | None

    @property
    def person(self) -> EntitySummary | None:
        """The person with the most facts; without people, the entity with the most facts."""
        people = (entity for entity in self.entities if node_style(entity.type) is PEOPLE)
        return next(people, self.entities[0] if self.entities else None)

    @property
    def people(self) -> tuple[str, ...]:
        """The labels of people."""
        return tuple(label for label in self.labels if node_style(label) is PEOPLE)

    @property
    def change(self) -> Change | None:
        """The best example of a change: with a known end, of one state to another, about ``person``, late."""
        name = self.person.name if self.person else ""

        def rank(change: Change) -> tuple[bool, bool, bool]:
            return (change.eve is None, not change.same_relation, change.subject != name)

        return min(self.changes, key=rank, default=None)

    @property
    def relation(self) -> EdgeType | None:
        """The relation to show: that of ``change`` if it has several edges, else the one with the most."""
        example = self.change.relation if self.change else ""
        return min(
            self.types, key=lambda each: (each.type != example or each.edges < 2, -each.edges, each.type), default=None
        )

    @property
    def values(self) -> Mapping[str, Value]:
        """The values of the saved queries' parameters, without those that this memory has none for."""
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


def read_contents(
    graph: Graph, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
) -> Contents:
    """Return the contents of the scopes that have these keys; of more than 25, those with the most facts.

    Raises NotFoundError when there is no such scope.
    """
    keys = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
    rows = graph.run("browse_scopes", limit=MAX_SCOPES, **keys)
    if not rows:
        asked = _in_words(keys) or "anybody"
        raise NotFoundError(f"there is no memory of {asked} in this database", hint="`mem0g ingest` makes one")
    scopes = [row["scope"] for row in rows]

    def ask(name: str, **more: Any) -> list[dict[str, Any]]:
        return graph.run(name, scopes=scopes, **more)

    sentences = [row["text"] for row in ask("browse_sentence")]
    return Contents(
        scopes=tuple(scopes),
        owner=_owner(rows),
        counts=Counts(**ask("browse_counts")[0]),
        labels=tuple(row["label"] for row in ask("browse_labels")),
        types=tuple(EdgeType(**row) for row in ask("browse_types")),
        entities=tuple(EntitySummary(**row) for row in ask("browse_entities", limit=_MAX_EXAMPLES)),
        changes=tuple(Change(**row) for row in ask("browse_changes", limit=_MAX_EXAMPLES)),
        sentence=sentences[0] if sentences else None,
    )


def _owner(scopes: Sequence[Mapping[str, Any]]) -> str:
    if len(scopes) == 1:
        return _in_words(scopes[0])
    found = scopes[0]["found"]
    many = f"{len(scopes)} scopes"
    return many if found == len(scopes) else f"the {many} of {found} that have most facts"


def _in_words(keys: Mapping[str, Any]) -> str:
    named = (("user", keys["user_id"]), ("agent", keys["agent_id"]), ("run", keys["run_id"]))
    return ", ".join(f"{name} {value}" for name, value in named if value)
