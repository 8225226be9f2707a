"""The rules of node matching, from the surest to the boldest; each finds the node of a mention or passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mem0g.model import Entity
from mem0g.resolve.evidence import Evidence, contradiction, evidence_for, is_part_of_person, objection
from mem0g.resolve.kinds import IDEA, PERSON, UNKNOWN, common, compatible
from mem0g.resolve.mentions import Mention
from mem0g.resolve.names import Name, has_pronoun_owner, parse
from mem0g.resolve.nodes import Nodes, kind, names_of

_SELF: Final = frozenset("i me myself self user".split())
_ROLE_NAMES: Final = frozenset("assistant system tool".split())


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

    def called(self, name: Name) -> list[Entity]:
        """The nodes one of whose names is this one, those of the mention's own kind first.

        In a fact about Gina "the studio" is not the node that is known as Jon's studio too.
        """
        found = [
            entity
            for entity, _ in self.known
            if any(each.words == name.words and self.same_owner(each, name) for each in names_of(entity))
            and not self._is_anothers(entity, name)
        ]
        return sorted(found, key=lambda entity: kind(entity) != self.mention.kind)

    def _is_anothers(self, entity: Entity, name: Name) -> bool:
        whose = self.mention.whose
        if whose is None or name.owner:
            return False
        owned = [each for each in names_of(entity) if each.owner and each.words == name.words]
        return any(not self.same_owner(each, whose) for each in owned)


def match(around: Neighbourhood, threshold: float) -> Match | None:
    """The node that the mention means by the first rule that finds one, or None: it is new."""
    for rule in (_speaker, _owner_understood, _same_name, _owner_told, _evidence):
        if found := rule(around):
            return found
    return _likeness(around, threshold)


def unclear(around: Neighbourhood, least: float) -> Iterator[tuple[Entity, float]]:
    """Nodes that the mention may mean, most alike first: of a cosine of at least ``least``, with no contradiction."""
    for entity, score in around.known:
        if score < least:
            return
        if not any(contradiction(around.name, each) for each in names_of(entity)):
            yield entity, score


def is_alias(subject: Mention, alias: Mention, speakers: frozenset[str]) -> bool:
    """Whether "subject, also known as alias" gives a name to one thing: two speakers, or two kinds, are two."""
    keys = {parse(speaker).key for speaker in speakers}
    two_speakers = subject.parsed.key != alias.parsed.key and {subject.parsed.key, alias.parsed.key} <= keys
    is_name = alias.parsed.proper and not alias.parsed.owner and not has_pronoun_owner(alias.given)
    return is_name and not two_speakers and compatible(subject.kind, alias.kind)


def _same_name(around: Neighbourhood) -> Match | None:
    for entity in around.called(around.name):
        if any(each.key == around.name.key for each in names_of(entity)):
            return Match(entity_id=entity.id, rule="same name", reason="the same name", differs=False, alias=False)
        reason = f"{around.name.text} and {entity.name} are the same one's"
        return Match(entity_id=entity.id, rule="same owner", reason=reason)
    return None


def _speaker(around: Neighbourhood) -> Match | None:
    """A first name, or "I", where one speaker fits: among people of one first name the one who speaks is meant.

    It stays no alias: where another speaks it means another.
    """
    if around.mention.kind not in (PERSON, UNKNOWN):
        return None
    fitting = [parse(each) for each in sorted(around.speakers) if _may_be(around.name, parse(each), around.speakers)]
    if len(fitting) != 1:
        return None
    for entity, score in around.known:
        if any(each.key == fitting[0].key for each in names_of(entity)):
            reason = f"{fitting[0].text} speaks here"
            return Match(entity_id=entity.id, rule="speaker", reason=reason, score=score, alias=False)
    return None


def _may_be(name: Name, speaker: Name, speakers: frozenset[str]) -> bool:
    if name.key in _SELF:
        return len({each for each in speakers if each not in _ROLE_NAMES}) == 1 and speaker.key not in _ROLE_NAMES
    return len(name.words) < len(speaker.words) and is_part_of_person(name, speaker)


def _owner_understood(around: Neighbourhood) -> Match | None:
    """The studio, in a fact about Jon, where Jon's studio is known. It stays no alias: another's studio is another."""
    whose = around.mention.whose
    if whose is None:
        return None
    for entity in around.called(whose):
        reason = f"in a fact about {around.mention.about}"
        return Match(entity_id=entity.id, rule="owner understood", reason=reason, alias=False)
    return None


def _owner_told(around: Neighbourhood) -> Match | None:
    """Jon's studio, where one studio is known and nobody's yet. Ideas have no owner: Jon's peace is not all peace."""
    name = around.name
    if not name.owner or name.roles or around.mention.kind == IDEA:
        return None
    for entity, score in around.known:
        names = names_of(entity)
        bare = any(each.words == name.words and not each.owner and not each.proper for each in names)
        if bare and not any(each.owner for each in names):
            reason = f"{entity.name}, now with its owner"
            return Match(entity_id=entity.id, rule="owner told", reason=reason, score=score, better_name=True)
    return None


def _evidence(around: Neighbourhood) -> Match | None:
    fitting = list(_fitting(around))
    if len(fitting) != 1:  # two people of one first name: a wrong join costs more than a missed one
        return None
    entity, rule, score = fitting[0]
    with_name = _evidence_of(around, entity, parse(entity.name))
    return Match(
        entity_id=entity.id,
        rule=rule,
        reason=f"{around.name.text} and {entity.name}",
        score=score,
        better_name=with_name is not None and with_name.better.key == around.name.key,
    )


def _fitting(around: Neighbourhood) -> Iterator[tuple[Entity, str, float]]:
    for entity, score in around.known:
        names = names_of(entity)
        found = [evidence for each in names if (evidence := _evidence_of(around, entity, each))]
        if found and not any(objection(around.name, each) for each in names):
            yield entity, found[0].rule, score


def _evidence_of(around: Neighbourhood, entity: Entity, name: Name) -> Evidence | None:
    return evidence_for(around.name, name, common(around.mention.kind, kind(entity)))


def _likeness(around: Neighbourhood, threshold: float) -> Match | None:
    for entity, score in around.known:
        if score < threshold:
            break
        names = names_of(entity)
        if around.name.proper and names[0].proper:
            continue  # vectors take Norway for Sweden
        if all(around.same_owner(around.name, each) and not objection(around.name, each) for each in names):
            reason = f"{around.name.text} and {entity.name} are alike, and nothing sets them apart"
            return Match(entity_id=entity.id, rule="likeness", reason=reason, score=score)
    return None
