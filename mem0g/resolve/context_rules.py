"""Matching rules by context: an entity's owner, and common nouns with more or fewer words for one person's thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mem0g.model import Entity
from mem0g.resolve.evidence.comparison import contradiction
from mem0g.resolve.evidence.wording import content_words, is_more_specific, is_new, is_plural
from mem0g.resolve.kinds import EVENT, IDEA, ORGANISATION, UNKNOWN
from mem0g.resolve.match_context import Match, MatchContext
from mem0g.resolve.mentions import Mention
from mem0g.resolve.nodes import kind, names_of
from mem0g.text.names import fold

_RECURRING: Final = frozenset({EVENT, ORGANISATION})
"""Kinds of which a person has one that comes up again: the festival, the shop; there are many books and dishes."""


def may_need_links(mention: Mention) -> bool:
    """Whether a rule may ask what known facts link a candidate to, or when they are true: see the last two rules."""
    return mention.kind in _RECURRING or (bool(mention.parsed.owner) and mention.kind != IDEA)


def match_implied_owner(context: MatchContext) -> Match | None:
    """Match the studio, in a fact about Jon, with Jon's studio. It gets no alias: Gina's studio is another."""
    implied = context.mention.with_implied_owner
    if implied is None:
        return None
    for entity in context.named(implied):
        reason = f"in a fact about {context.mention.about}"
        return Match(entity_id=entity.id, rule="owner implied", reason=reason, alias=False)
    return None


def match_mentioned_together(context: MatchContext) -> Match | None:
    """Match the guitar with the acoustic guitar that this window mentioned, and no other, of the same person.

    Ideas do not match: an abstract painting is a painting, but who likes painting need not like abstract painting.
    """
    fitting = [each for each in context.candidates if _is_mentioned_together(context, each[0])]
    return _only(context, "mentioned together", fitting)


def match_mentioned_before(context: MatchContext) -> Match | None:
    """Match the studio, in a fact about Jon, with the one dance studio that a known fact links to him.

    The festival is the nearby festival if a known fact has it on the same date.
    """
    fitting = [each for each in context.candidates if _is_recurring(context, each[0])]
    return _only(context, "mentioned before", [each for each in fitting if context.is_linked(each[0])])


def match_owner_added(context: MatchContext) -> Match | None:
    """Match Jon's studio with a studio without an owner that a fact links to him. Ideas have no owner."""
    for entity, score in context.candidates:
        if _may_be_owned(context.mention, entity) and context.may_recur(entity) and context.is_linked(entity):
            reason = f"{entity.name}, now with its owner"
            return Match(entity_id=entity.id, rule="owner added", reason=reason, score=score, better_name=True)
    return None


def _only(context: MatchContext, rule: str, fitting: Sequence[tuple[Entity, float]]) -> Match | None:
    """Return a match with the one entity that fits; none where several do, or where the mention is of a new thing."""
    if len(fitting) != 1 or context.name.proper or is_new(context.name, context.mention.triple.text):
        return None
    entity, score = fitting[0]
    return Match(entity_id=entity.id, rule=rule, reason=f"{context.name.text} is {entity.name}, {rule}", score=score)


def _is_mentioned_together(context: MatchContext, entity: Entity) -> bool:
    return (
        {IDEA, UNKNOWN}.isdisjoint((context.mention.kind, kind(entity)))
        and context.has_same_type(entity)
        and context.is_mentioned_together(entity)
        and _is_more_or_less_specific(context.mention, entity)
        and not context.is_other_group(entity)
    )


def _is_recurring(context: MatchContext, entity: Entity) -> bool:
    """Whether the mention has fewer words than an entity of a recurring kind: more words would mean another one."""
    mention, name = context.mention, context.name
    if mention.kind not in _RECURRING or fold(mention.type) != fold(entity.type) or not context.may_recur(entity):
        return False
    if is_plural(name):
        return False
    is_shorter = any(content_words(name) < content_words(each) for each in names_of(entity))
    return is_shorter and _is_more_or_less_specific(mention, entity)


def _may_be_owned(mention: Mention, entity: Entity) -> bool:
    name, names = mention.parsed, names_of(entity)
    if not name.owner or name.roles or mention.kind == IDEA or any(each.owner for each in names):
        return False
    return any(each.words == name.words and not each.proper for each in names)


def _is_more_or_less_specific(mention: Mention, entity: Entity) -> bool:
    """Whether the mention and a common noun of the entity have the same head, one has more words, and nothing objects.

    Other owners object: in a fact about Gina, "store" is not Jon's clothing store.
    """
    name, names = mention.parsed, [each for each in names_of(entity) if not each.proper]
    owners = {each.owner for each in names if each.owner}
    if owners and mention.people and owners.isdisjoint(mention.people):
        return False
    return any(is_more_specific(name, each) for each in names) and not any(contradiction(name, each) for each in names)
