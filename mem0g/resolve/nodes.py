"""The nodes of one window while its mentions are resolved: known ones, new ones, what was learnt of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.model import Decision, Entity, Scope, Triple, content_id
from mem0g.resolve.kinds import kind_of
from mem0g.resolve.mentions import Mention
from mem0g.resolve.names import Name, parse
from mem0g.resolve.protocol import Doubt, Resolution
from mem0g.store.queries import EntityCandidate
from mem0g.text.names import fold, name_tokens

if TYPE_CHECKING:
    from mem0g.model import Vector


class Nodes:
    """Entities by id with what the window changes; mutable, for one call of the resolver."""

    def __init__(
        self,
        scope: Scope,
        candidates: Mapping[str, Sequence[EntityCandidate]],
        vectors: Mapping[str, Vector],
        at: datetime,
    ) -> None:
        """Start with the candidates of every name, by folded name."""
        self._scope, self._candidates, self._vectors, self._at = scope, candidates, vectors, at
        self._entities: dict[str, Entity] = {}
        self._created: dict[str, None] = {}
        self._updated: dict[str, None] = {}
        self._merged: dict[str, str] = {}
        self._decisions: dict[str, Decision] = {}
        self._doubts: list[Doubt] = []
        self._by_key: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._changed_by_token: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._linked: defaultdict[str, set[str]] = defaultdict(set)
        self._told: defaultdict[str, set[str]] = defaultdict(set)
        for found in candidates.values():
            for candidate in found:
                self._put(candidate.entity)
                self._linked[candidate.entity.id] |= candidate.neighbours

    def __getitem__(self, entity_id: str) -> Entity:
        return self._entities[self.final(entity_id)]

    def final(self, entity_id: str) -> str:
        """The id of the entity that this one turned out to be: itself as a rule."""
        while entity_id in self._merged:
            entity_id = self._merged[entity_id]
        return entity_id

    def around(self, name: str) -> list[tuple[Entity, float]]:
        """What the name might mean, with cosines: its candidates, and what the window made or changed.

        By falling cosine, latest updated first among equals, then by id. Without vectors the cosine is 0.
        """
        scores: dict[str, float] = {}
        for candidate in self._candidates.get(fold(name), ()):
            _keep_best(scores, self.final(candidate.entity.id), candidate.similarity)
        vector = self._vectors.get(fold(name))
        for entity_id in (*self._created, *self._sharing_token(name)):
            _keep_best(scores, self.final(entity_id), self._cosine(vector, self[entity_id]))
        found = [(self._entities[entity_id], score) for entity_id, score in scores.items()]
        return sorted(found, key=lambda each: (-each[1], -each[0].updated_at.timestamp(), each[0].id))

    def known_as(self, key: str) -> set[str]:
        """The ids of entities one of whose names has this key."""
        return {self.final(entity_id) for entity_id in self._by_key.get(key, ())}

    def tell(self, entity_id: str, mention: Mention) -> None:
        """The mention was of this node."""
        self._told[self.final(entity_id)] |= mention.people

    def people(self, entity_id: str) -> frozenset[str] | None:
        """Whose the node is and whom it was told of in this window, by folded name; None: it was not told of."""
        return frozenset(self._told[entity_id]) if entity_id in self._told else None

    def joins(self, entity_id: str, person: str) -> bool:
        """Whether the node was told of the person of this folded name, in this window or in a fact before."""
        if person in self._told.get(entity_id, ()):
            return True
        around = {
            self.final(other)
            for one, others in self._linked.items()
            if self.final(one) == entity_id
            for other in others
        }
        return not around.isdisjoint(self.known_as(person))

    def create(self, mention: Mention) -> str:
        """A new node for the mention; returns its id, which the same name and kind always give."""
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

    def learn(self, entity_id: str, mention: Mention, *, better_name: bool = False, alias: bool = True) -> None:
        """Add what the mention tells of a node: its name, as alias or as the better one, and a type if it had none."""
        entity = self[entity_id]
        name, aliases = entity.name, entity.aliases
        if alias and fold(mention.name) not in map(fold, entity.names):
            name, aliases = (mention.name, (*aliases, name)) if better_name else (name, (*aliases, mention.name))
        kind = entity.type or mention.type
        if (name, aliases, kind) != (entity.name, entity.aliases, entity.type):
            self._change(replace(entity, name=name, aliases=aliases, type=kind, updated_at=self._at))

    def merge(self, loser_id: str, winner_id: str) -> None:
        """The two nodes are one: the winner takes the loser's names, and what was the loser's is the winner's."""
        loser, winner = self[loser_id], self[winner_id]
        known = set(map(fold, winner.names))
        new = tuple(name for name in loser.names if fold(name) not in known)
        self._merged[loser.id] = winner.id
        self._told[winner.id] |= self._told.pop(loser.id, set())
        kind = winner.type or loser.type
        self._change(replace(winner, aliases=(*winner.aliases, *new), type=kind, updated_at=self._at))

    def doubt(self, mention: Mention, new_id: str, known: Entity, score: float) -> None:
        """Note that the node made for a mention may be a known one."""
        self._doubts.append(Doubt(new=self[new_id], known=known, text=mention.triple.text, score=score))

    def log(
        self, rule: str, reason: str, mention: Mention, targets: tuple[str, ...], score: float | None = None
    ) -> None:
        """Log that a name was joined to a node, or two nodes to one."""
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
        """What came of the window whose triples have these ends."""
        gone = self._merged.keys()
        return Resolution(
            ends=tuple((self.final(subject), self.final(obj)) for subject, obj in ends),
            created=tuple(self._entities[each] for each in self._created if each not in gone),
            updated=tuple(self._entities[each] for each in self._updated if each not in gone),
            decisions=tuple(self._decisions.values()),
            merged=tuple((each, self.final(each)) for each in self._merged if each not in self._created),
            doubts=tuple(self._doubts),
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


def names_of(entity: Entity) -> tuple[Name, ...]:
    """The entity's names, taken apart."""
    return tuple(parse(name) for name in entity.names)


def kind(entity: Entity) -> str:
    """The kind of the entity's type."""
    return kind_of(entity.type)


def _keep_best(scores: dict[str, float], entity_id: str, score: float) -> None:
    scores[entity_id] = max(score, scores.get(entity_id, -1.0))


def _as_given(triple: Triple) -> dict[str, str]:
    return {"subject": triple.subject, "relation": triple.relation, "object": triple.object, "text": triple.text}
