"""The nodes of one window while its mentions are resolved, known ones and new ones, and the result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.model import LITERAL, Decision, Entity, Scope, Triple, content_id
from mem0g.resolve.kinds import kind_of
from mem0g.resolve.mentions import Mention, is_ahead
from mem0g.resolve.names import ParsedName, parse
from mem0g.resolve.roles import role_of
from mem0g.store.queries import EntityCandidate
from mem0g.text.names import fold, name_tokens
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector

EQUAL = 4
"""Decimals to which cosines of names are compared: a store keeps vectors in two bytes a number, or in four."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UncertainMatch:
    """A new node that may be the same as a known one: the names are similar, and no rule decides.

    ``new`` was created for a name in the sentence ``text``; ``score`` is the cosine of the two names.
    """

    new: Entity
    known: Entity
    text: str
    score: float

    @property
    def pair(self) -> tuple[str, str]:
        """The ids of the two nodes, the new one first."""
        return self.new.id, self.known.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The nodes of a window's triples.

    ``ends`` are (subject id, object id) of each triple, in order. ``created`` are entities that the graph does not have
    yet, and the literals, which it may have; ``updated`` known entities with new aliases, a better name or type.
    ``decisions`` log each join of different names (operation MERGE) with rule and score. ``merged`` are pairs of the id
    of a known entity and the id of the one it was merged into ("everyone calls me Liv"). ``uncertain`` are what a model
    may be asked.
    """

    ends: tuple[tuple[str, str], ...]
    created: tuple[Entity, ...] = ()
    updated: tuple[Entity, ...] = ()
    decisions: tuple[Decision, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    uncertain: tuple[UncertainMatch, ...] = ()


class Nodes:
    """The entities of a window by id, and what it changes. Mutable, for one call of the resolver."""

    def __init__(
        self,
        scope: Scope,
        candidates: Mapping[str, Sequence[EntityCandidate]],
        vectors: Mapping[str, Vector],
        at: datetime,
    ) -> None:
        """``candidates`` and ``vectors`` are by folded name, ``at`` is the time of what is created."""
        self._scope, self._candidates, self._vectors, self._at = scope, candidates, vectors, at
        self._entities: dict[str, Entity] = {}
        self._created: dict[str, None] = {}
        self._updated: dict[str, None] = {}
        self._merged: dict[str, str] = {}
        self._decisions: dict[str, Decision] = {}
        self._literals: dict[str, Entity] = {}
        self._uncertain: list[UncertainMatch] = []
        self._by_key: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._changed_by_token: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._linked: defaultdict[str, set[str]] = defaultdict(set)
        self._people: defaultdict[str, set[str]] = defaultdict(set)
        self._dates: defaultdict[str, set[Moment]] = defaultdict(set)
        self._roles: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        for found in candidates.values():
            for candidate in found:
                self._put(candidate.entity)
                self._linked[candidate.entity.id] |= candidate.neighbours
                self._dates[candidate.entity.id] |= {date for each, date in candidate.dates if not is_ahead(each)}
                told = {(person, role_of(relation)) for relation, person in candidate.roles}
                self._roles[candidate.entity.id] |= {(person, role) for person, role in told if role}

    def __getitem__(self, entity_id: str) -> Entity:
        return self._entities[self.final(entity_id)]

    def __contains__(self, entity_id: str) -> bool:
        return entity_id in self._entities

    def final(self, entity_id: str) -> str:
        """Return the id of the entity that this one was merged into, its own if it was not merged."""
        while entity_id in self._merged:
            entity_id = self._merged[entity_id]
        return entity_id

    def candidates(self, name: str) -> list[tuple[Entity, float]]:
        """Return what the name might mean with cosines: its candidates, and what the window created or changed.

        Most similar first, latest updated first among equals, then by id: cosines that differ only by how a store
        keeps its vectors are equal. Without vectors the cosine is 0.
        """
        vector = self._vectors.get(fold(name))
        scored = [(each.entity.id, each.similarity) for each in self._candidates.get(fold(name), ())]
        scored += [(each, self._cosine(vector, self[each])) for each in (*self._created, *self._sharing_token(name))]
        scores: dict[str, float] = {}
        for entity_id, score in scored:
            final = self.final(entity_id)
            scores[final] = max(round(score, EQUAL), scores.get(final, -1.0))
        found = [(self._entities[entity_id], score) for entity_id, score in scores.items()]
        return sorted(found, key=lambda each: (-each[1], -each[0].updated_at.timestamp(), each[0].id))

    def with_key(self, key: str) -> set[str]:
        """Return the ids of the entities that have a name with this key."""
        return {self.final(entity_id) for entity_id in self._by_key.get(key, ())}

    def record(self, entity_id: str, mention: Mention) -> None:
        """Record that the mention is of this node."""
        self._people[self.final(entity_id)] |= mention.people

    def mentioned_with(self, entity_id: str) -> frozenset[str] | None:
        """Return the folded names of the people this window mentioned the node with; None if it did not mention it."""
        return frozenset(self._people[entity_id]) if entity_id in self._people else None

    def dates(self, entity_id: str) -> frozenset[Moment]:
        """Return when the facts of a node that was known before this window are true, plans left out."""
        return frozenset(self._dates[entity_id])

    def roles(self, entity_id: str) -> frozenset[tuple[str, str]]:
        """Return the ids of people and what a node that was known before this window is to them."""
        return frozenset((self.final(person), role) for person, role in self._roles[entity_id])

    def is_linked(self, entity_id: str, person: str) -> bool:
        """Whether this window or a known fact links the node to the person of this folded name."""
        if person in self._people.get(entity_id, ()):
            return True
        around = {
            self.final(other)
            for one, others in self._linked.items()
            if self.final(one) == entity_id
            for other in others
        }
        return not around.isdisjoint(self.with_key(person))

    def create(self, mention: Mention) -> str:
        """Create a node for the mention and return its id, which is a hash of the scope, name and kind."""
        parts = (*self._scope.keys, *self._scope.keys.values(), fold(mention.name), mention.kind)
        entity_id, count = content_id("e", *parts), 0
        while entity_id in self._entities:
            count += 1
            entity_id = content_id("e", *parts, count)
        self._created[entity_id] = None
        entity = Entity(
            id=entity_id,
            scope=self._scope,
            name=mention.name,
            type=mention.type,
            created_at=self._at,
            updated_at=self._at,
        )
        self._put(entity)
        return entity_id

    def literal(self, value: str) -> str:
        """Return the id of the literal of a value, a hash of the scope and the folded text: equal values are one.

        It is always among ``created``, as nothing is looked up; a store keeps the one that it has.
        """
        entity_id = content_id("e", *self._scope.keys, *self._scope.keys.values(), fold(value), "", LITERAL)
        name, at = " ".join(value.split()), self._at
        made = Entity(id=entity_id, scope=self._scope, name=name, type=LITERAL, created_at=at, updated_at=at)
        self._literals.setdefault(entity_id, made)
        return entity_id

    def learn(self, entity_id: str, mention: Mention, *, better_name: bool = False, alias: bool = True) -> None:
        """Add the mention's name to a node, as an alias or as the name to show, and its type if the node has none."""
        entity = self[entity_id]
        name, aliases = entity.name, entity.aliases
        if alias and fold(mention.name) not in map(fold, entity.names):
            name, aliases = (mention.name, (*aliases, name)) if better_name else (name, (*aliases, mention.name))
        kind = entity.type or mention.type
        if (name, aliases, kind) != (entity.name, entity.aliases, entity.type):
            self._change(replace(entity, name=name, aliases=aliases, type=kind, updated_at=self._at))

    def merge(self, loser_id: str, winner_id: str) -> None:
        """Merge one node into another, which takes its names, and its type if it has none."""
        loser, winner = self[loser_id], self[winner_id]
        known = set(map(fold, winner.names))
        new = tuple(name for name in loser.names if fold(name) not in known)
        self._merged[loser.id] = winner.id
        self._people[winner.id] |= self._people.pop(loser.id, set())
        kind = winner.type or loser.type
        self._change(replace(winner, aliases=(*winner.aliases, *new), type=kind, updated_at=self._at))

    def add_uncertain(self, mention: Mention, new_id: str, known: Entity, score: float) -> None:
        """Record that the node created for a mention may be a known one."""
        self._uncertain.append(UncertainMatch(new=self[new_id], known=known, text=mention.triple.text, score=score))

    def log(
        self, rule: str, reason: str, mention: Mention, targets: tuple[str, ...], score: float | None = None
    ) -> None:
        """Log that a name was joined to a node, or that two nodes were merged."""
        triple = mention.triple
        decision = Decision(
            id=content_id("d", *self._scope.keys, *self._scope.keys.values(), *targets, fold(mention.name), rule),
            operation="MERGE",
            rule=rule,
            reason=reason,
            at=self._at,
            targets=targets,
            score=score,
            evidence=triple.evidence,
            triple=_as_given(triple),
        )
        self._decisions.setdefault(decision.id, decision)

    def resolution(self, ends: Sequence[tuple[str, str]]) -> Resolution:
        """Return the result for the window whose triples have these ends."""
        gone = self._merged.keys()
        return Resolution(
            ends=tuple((self.final(subject), self.final(obj)) for subject, obj in ends),
            created=(*(self._entities[each] for each in self._created if each not in gone), *self._literals.values()),
            updated=tuple(self._entities[each] for each in self._updated if each not in gone),
            decisions=tuple(self._decisions.values()),
            merged=tuple((each, self.final(each)) for each in self._merged if each not in self._created),
            uncertain=tuple(self._uncertain),
        )

    def _put(self, entity: Entity) -> None:
        self._entities[entity.id] = entity
        for name in entity.names:
            self._by_key[parse(name).key][entity.id] = None

    def _change(self, entity: Entity) -> None:
        if entity.id not in self._created:
            self._updated[entity.id] = None
        self._put(entity)
        for name in entity.names:
            for token in name_tokens(name):
                self._changed_by_token[token][entity.id] = None

    def _sharing_token(self, name: str) -> Iterator[str]:
        for token in name_tokens(name):
            yield from self._changed_by_token.get(token, ())

    def _cosine(self, vector: Vector | None, entity: Entity) -> float:
        if vector is None:
            return 0.0
        others = [self._vectors[fold(name)] for name in entity.names if fold(name) in self._vectors]
        return max((float(vector @ other) for other in others), default=0.0)


def names_of(entity: Entity) -> tuple[ParsedName, ...]:
    """Return the entity's names, parsed."""
    return tuple(parse(name) for name in entity.names)


def kind(entity: Entity) -> str:
    """Return the kind of the entity's type."""
    return kind_of(entity.type)


def _as_given(triple: Triple) -> dict[str, str]:
    return {"subject": triple.subject, "relation": triple.relation, "object": triple.object, "text": triple.text}
