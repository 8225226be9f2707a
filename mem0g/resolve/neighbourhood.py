"""A mention and the nodes it might mean, with what is told of them; the rules judge by it."""

from __future__ import annotations

from dataclasses import dataclass

from mem0g.model import Entity
from mem0g.resolve.kinds import GROUP, IDEA, PERSON, UNKNOWN, compatible
from mem0g.resolve.mentions import Mention
from mem0g.resolve.names import Name
from mem0g.resolve.nodes import Nodes, kind, names_of
from mem0g.resolve.wording import are_of_one_sort
from mem0g.text.names import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The node that a mention means.

    ``differs`` says that the names are two, so that the join is logged; ``alias`` that the mention's name goes on
    being a name of the node; ``better_name`` that it is the one to show.
    """

    entity_id: str
    rule: str
    reason: str
    score: float | None = None
    differs: bool = True
    alias: bool = True
    better_name: bool = False


class Neighbourhood:
    """A mention and the nodes it might mean."""

    def __init__(self, nodes: Nodes, mention: Mention, speakers: frozenset[str]) -> None:
        self.mention, self.name, self.speakers = mention, mention.parsed, speakers
        self._nodes = nodes
        self.known = [each for each in nodes.around(mention.name) if compatible(kind(each[0]), mention.kind)]

    def same_owner(self, one: Name, two: Name) -> bool:
        """Whether two things are the same one's, by name or because both owners are one node."""
        if one.owner == two.owner:
            return True
        if not (one.owner and two.owner):
            return False
        return bool(self._nodes.known_as(one.owner) & self._nodes.known_as(two.owner))

    def is_of_same_sort(self, entity: Entity) -> bool:
        """Whether both are of one type, or of one kind; ideas are of too many sorts."""
        mine = self.mention.kind
        return fold(self.mention.type) == fold(entity.type) or (mine == kind(entity) and mine not in (IDEA, UNKNOWN))

    def is_anothers(self, entity: Entity) -> bool:
        """Whether the entity has owners, and the mention another."""
        owned = [each for each in names_of(entity) if each.owner]
        return bool(self.name.owner and owned) and not any(self.same_owner(self.name, each) for each in owned)

    def are_other_people(self, entity: Entity) -> bool:
        """Whether the names are of people of another sort: close friends are some of the friends."""
        return self.mention.kind in (PERSON, GROUP) and not are_of_one_sort(self.name, names_of(entity))

    def told_together_with(self, entity: Entity) -> bool:
        """Whether this window spoke of the entity already, and not of other people's."""
        people = self._nodes.people(entity.id)
        mine = self.mention.people
        return people is not None and not (people and mine and people.isdisjoint(mine))

    def is_told_of(self, entity: Entity) -> bool:
        """Whether the entity is told of somebody whose the mention is, or of whom it is told: here, or in a fact."""
        return any(self._nodes.joins(entity.id, each) for each in self.mention.people)

    def called(self, name: Name) -> list[Entity]:
        """The nodes one of whose names is this one, those of the mention's own kind first.

        In a fact about Gina "the studio" is not the node that is known as Jon's studio too.
        """
        found = [
            entity
            for entity, _ in self.known
            if any(each.words == name.words and self.same_owner(each, name) for each in names_of(entity))
            and not self._is_of_another(entity, name)
        ]
        return sorted(found, key=lambda entity: kind(entity) != self.mention.kind)

    def _is_of_another(self, entity: Entity, name: Name) -> bool:
        whose = self.mention.whose
        if whose is None or name.owner:
            return False
        owned = [each for each in names_of(entity) if each.owner and each.words == name.words]
        return any(not self.same_owner(each, whose) for each in owned)
