"""Rules by what is told of whom: a thing's owner, and common names in more or fewer words for one person's thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mem0g.model import Entity
from mem0g.resolve.evidence import contradiction
from mem0g.resolve.kinds import ANIMAL, EVENT, IDEA, ORGANISATION, PERSON
from mem0g.resolve.mentions import Mention
from mem0g.resolve.names import Name
from mem0g.resolve.neighbourhood import Match, Neighbourhood
from mem0g.resolve.nodes import kind, names_of
from mem0g.resolve.wording import content, counted, is_new, is_plural, says_more
from mem0g.text.names import fold

_LASTING: Final = frozenset({EVENT, ORGANISATION})
"""Kinds of which a person has one that is spoken of again: the festival, the shop; there are many books and dishes."""

_COUNTED: Final = frozenset({PERSON, ANIMAL})
"""Kinds of which somebody has several that stay the same while their number changes."""


def told_together(around: Neighbourhood) -> Match | None:
    """The guitar, where this window told of an acoustic guitar of the same person's and of no other guitar."""
    return _the_one(around, "told together", [each for each in around.known if _is_told_together(around, each[0])])


def told_before(around: Neighbourhood) -> Match | None:
    """The festival, in a fact about Jon, where a nearby festival is known of him and no other one."""
    fitting = [each for each in around.known if _may_be_again(around.mention, each[0])]
    return _the_one(around, "told before", [each for each in fitting if around.is_told_of(each[0])])


def counted_before(around: Neighbourhood) -> Match | None:
    """His three dogs, where he was said to have two: people and pets are the same ones however many they are now."""
    fitting = [each for each in around.known if _may_be_counted(around.mention, each[0])]
    return _the_one(around, "counted before", [each for each in fitting if around.is_told_of(each[0])])


def owner_told(around: Neighbourhood) -> Match | None:
    """Jon's studio, where a studio of nobody's is known that he was told of. Ideas have no owner."""
    for entity, score in around.known:
        if _may_be_owned(around.mention, entity) and around.is_told_of(entity):
            reason = f"{entity.name}, now with its owner"
            return Match(entity_id=entity.id, rule="owner told", reason=reason, score=score, better_name=True)
    return None


def _the_one(around: Neighbourhood, rule: str, fitting: Sequence[tuple[Entity, float]]) -> Match | None:
    """A match if one fits: where two do, it may be either."""
    if len(fitting) != 1 or around.name.proper or is_new(around.name, around.mention.triple.text):
        return None
    entity, score = fitting[0]
    reason = f"{around.name.text} is {entity.name}, which was {rule}"
    return Match(entity_id=entity.id, rule=rule, reason=reason, score=score)


def _is_told_together(around: Neighbourhood, entity: Entity) -> bool:
    return (
        around.is_of_same_sort(entity)
        and around.told_together_with(entity)
        and _says_more_or_less(around.mention, entity)
        and not around.are_other_people(entity)
    )


def _may_be_again(mention: Mention, entity: Entity) -> bool:
    """Whether an entity of a lasting kind has more words: fewer words come later, more would tell of another one."""
    name = mention.parsed
    if mention.kind not in _LASTING or fold(mention.type) != fold(entity.type) or is_plural(name):
        return False
    return any(content(name) < content(each) for each in names_of(entity)) and _says_more_or_less(mention, entity)


def _may_be_counted(mention: Mention, entity: Entity) -> bool:
    """Whether the names differ in a number of people or pets only; of two owners' there are two."""
    if mention.kind not in _COUNTED or kind(entity) != mention.kind:
        return False
    name, names = mention.parsed, names_of(entity)
    owners = {name.owner, *(each.owner for each in names)} - {""}
    return len(owners) < 2 and any(_differ_in_count(name, each) for each in names)


def _differ_in_count(one: Name, two: Name) -> bool:
    return one.words != two.words and counted(one) == counted(two)


def _may_be_owned(mention: Mention, entity: Entity) -> bool:
    name, names = mention.parsed, names_of(entity)
    if not name.owner or name.roles or mention.kind == IDEA or any(each.owner for each in names):
        return False
    return any(each.words == name.words and not each.proper for each in names)


def _says_more_or_less(mention: Mention, entity: Entity) -> bool:
    """Whether one of the entity's common names has the same head and more or fewer words, with nothing against it.

    What is somebody's is not what is told of another: in a fact about Gina, "store" is not Jon's clothing store.
    """
    name, names = mention.parsed, [each for each in names_of(entity) if not each.proper]
    owners = {each.owner for each in names if each.owner}
    if owners and mention.people and owners.isdisjoint(mention.people):
        return False
    return any(says_more(name, each) for each in names) and not any(contradiction(name, each) for each in names)
