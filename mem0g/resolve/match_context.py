"""What a matching rule sees, a MatchContext, and what it returns, a Match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from mem0g.model import Entity
from mem0g.resolve.evidence.wording import is_same_up_to_head
from mem0g.resolve.kinds import EVENT, GROUP, IDEA, PERSON, UNKNOWN, compatible
from mem0g.resolve.mentions import Mention
from mem0g.resolve.names import ParsedName
from mem0g.resolve.nodes import Nodes, kind, names_of
from mem0g.resolve.roles import exclude
from mem0g.text.names import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The entity that a mention means, by which ``rule``, and the ``reason`` that the log of decisions gives.

    ``score`` is the cosine of the two names where it is known. ``alias`` keeps the mention's name as an alias of the
    entity, ``better_name`` makes it the name to show. ``differs`` is False where the names are equal, so that there is
    nothing to log.
    """

    entity_id: str
    rule: str
    reason: str
    score: float | None = None
    differs: bool = True
    alias: bool = True
    better_name: bool = False


class MatchContext:
    """A mention and the entities that it might mean.

    ``mention`` is one end of a triple and ``name`` its name, parsed. ``candidates`` are entities of a compatible kind
    with the cosine of the names, most similar first: those that share a word with the name, those nearest to it by
    vector, and those that this window created; without events on other dates, and people in other roles. ``speakers``
    are the names of the window's speakers, ``threshold`` is the cosine from which two names may mean one entity,
    ``roles`` what the window says that the mention is to others; see ``mem0g.resolve.roles``.
    """

    def __init__(
        self,
        nodes: Nodes,
        mention: Mention,
        speakers: frozenset[str],
        threshold: float,
        roles: frozenset[tuple[str, str]] = frozenset(),
    ) -> None:
        self.mention, self.name, self.speakers, self.threshold = mention, mention.parsed, speakers, threshold
        self._nodes, self._roles = nodes, roles
        self.candidates = tuple(
            (entity, score)
            for entity, score in nodes.candidates(mention.name)
            if compatible(kind(entity), mention.kind)
            and self._is_on_same_date(entity) is not False
            and not self._is_in_other_role(entity)
        )

    def named(self, name: ParsedName) -> list[Entity]:
        """Return the candidates that have this name and owner, those of the mention's own kind first.

        In a fact about Gina "the studio" is not the entity that Jon's studio is an alias of.
        """
        found = [
            entity
            for entity, _ in self.candidates
            if any(each.words == name.words and self.has_same_owner(each, name) for each in names_of(entity))
            and not self._has_implied_other_owner(entity, name)
        ]
        return sorted(found, key=lambda entity: kind(entity) != self.mention.kind)

    def has_same_owner(self, one: ParsedName, two: ParsedName) -> bool:
        """Whether two names have the same owner: by name, or because both owners are one entity."""
        if one.owner == two.owner:
            return True
        if not (one.owner and two.owner):
            return False
        return bool(self._nodes.with_key(one.owner) & self._nodes.with_key(two.owner))

    def has_other_owner(self, entity: Entity) -> bool:
        """Whether the mention and the entity have owners, and not the same."""
        owned = [each for each in names_of(entity) if each.owner]
        return bool(self.name.owner and owned) and not any(self.has_same_owner(self.name, each) for each in owned)

    def has_same_type(self, entity: Entity) -> bool:
        """Whether the entity has the mention's type or kind; the kind does not count for ideas, which vary too much."""
        mine = self.mention.kind
        return fold(self.mention.type) == fold(entity.type) or (mine == kind(entity) and mine not in (IDEA, UNKNOWN))

    def is_other_group(self, entity: Entity) -> bool:
        """Whether both are people, and other ones: close friends are some of the friends."""
        return self.mention.kind in (PERSON, GROUP) and not is_same_up_to_head(self.name, names_of(entity))

    def is_mentioned_together(self, entity: Entity) -> bool:
        """Whether this window mentioned the entity before, and not in connection with other people."""
        people = self._nodes.mentioned_with(entity.id)
        mine = self.mention.people
        return people is not None and not (people and mine and people.isdisjoint(mine))

    def is_in_window(self, entity: Entity) -> bool:
        """Whether this window mentioned the entity before."""
        return self._nodes.mentioned_with(entity.id) is not None

    def may_recur(self, entity: Entity) -> bool:
        """Whether the mention may be of the entity again, under another name.

        An event that an earlier window dated needs a date in common.
        """
        if EVENT not in (self.mention.kind, kind(entity)) or self.is_in_window(entity):
            return True
        is_dated = self.mention.date is not None or bool(self._nodes.dates(entity.id))
        return not is_dated or self._is_on_same_date(entity) is True

    def is_of_others(self, entity: Entity) -> bool:
        """Whether the mention and the entity have roles, and to nobody the same: Mia's sister, and Paul's boss."""
        theirs = self._nodes.roles(entity.id)
        people = {person for key, _ in self._roles for person in self._nodes.with_key(key)}
        return bool(self._roles and theirs) and all(person not in people for person, _ in theirs)

    def is_linked(self, entity: Entity) -> bool:
        """Whether this window or a known fact links the entity to one of the mention's people."""
        return any(self._nodes.is_linked(entity.id, each) for each in self.mention.people)

    def _is_on_same_date(self, entity: Entity) -> bool | None:
        """Whether the dates of a known event and of the mention have a moment in common; None if they are not known.

        An event with a proper name is one on all its days, and another one in another year. A name that comes twice in
        a window means one event. On five conversations, 15 of 16 pairs of events of one name on different dates are two
        events, and 4 of 4 on one date are one.
        """
        date = self.mention.date
        is_event = self.mention.kind == kind(entity) == EVENT and not self.is_in_window(entity)
        if not is_event or date is None or not (known := self._nodes.dates(entity.id)):
            return None
        in_capitals = self.name.proper and any(map(str.isupper, self.mention.name))  # some scripts have none
        if in_capitals:
            return any(each.start.year == date.start.year for each in known)
        return any(each.start < date.end and date.start < each.end for each in known)

    def _is_in_other_role(self, entity: Entity) -> bool:
        """Whether the entity is known in a role to somebody that the mention's excludes. A full name tells more."""
        theirs = self._nodes.roles(entity.id) if self._roles else ()
        if not theirs or any(each.key == self.name.key and len(each.words) > 1 for each in names_of(entity)):
            return False
        mine = {(person, role) for key, role in self._roles for person in self._nodes.with_key(key)}
        return mine.isdisjoint(theirs) and any(
            one == other and exclude(role, known) for one, role in mine for other, known in theirs
        )

    def _has_implied_other_owner(self, entity: Entity, name: ParsedName) -> bool:
        implied = self.mention.with_implied_owner
        if implied is None or name.owner:
            return False
        owned = [each for each in names_of(entity) if each.owner and each.words == name.words]
        return any(not self.has_same_owner(each, implied) for each in owned)


class MatchingRule(Protocol):
    """A function that decides which candidate a mention means. It changes nothing and is called for every mention."""

    def __call__(self, context: MatchContext, /) -> Match | None:
        """Return the match, or None to leave the mention to the next rule."""
        ...
