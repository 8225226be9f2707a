"""The matching rules, from the surest to the boldest: the first that finds an entity decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mem0g.model import Entity
from mem0g.resolve.context_rules import (
    match_implied_owner,
    match_mentioned_before,
    match_mentioned_together,
    match_owner_added,
)
from mem0g.resolve.evidence.comparison import NICKNAME, Evidence, contradiction, evidence_for, objection
from mem0g.resolve.evidence.people import is_part_of_person
from mem0g.resolve.evidence.wording import has_same_words
from mem0g.resolve.kinds import PERSON, UNKNOWN, common
from mem0g.resolve.match_context import Match, MatchContext, MatchingRule
from mem0g.resolve.names import ParsedName, parse
from mem0g.resolve.nodes import kind, names_of


def match_speaker(context: MatchContext) -> Match | None:
    """Match a first name with the one speaker of this name.

    It gets no alias: where somebody else speaks it may mean another person.
    """
    if context.mention.kind not in (PERSON, UNKNOWN):
        return None
    fitting = [parse(each) for each in sorted(context.speakers) if _is_short_for(context.name, parse(each))]
    if len(fitting) != 1:
        return None
    for entity, score in context.candidates:
        if any(each.key == fitting[0].key for each in names_of(entity)):
            reason = f"{fitting[0].text} speaks here"
            return Match(entity_id=entity.id, rule="speaker", reason=reason, score=score, alias=False)
    return None


def match_same_name(context: MatchContext) -> Match | None:
    """Match an equal name or alias, or one that differs only in how its owner is called."""
    for entity in context.named(context.name):
        if any(each.key == context.name.key for each in names_of(entity)):
            return Match(entity_id=entity.id, rule="same name", reason="the same name", differs=False, alias=False)
        reason = f"{context.name.text} and {entity.name} have the same owner"
        return Match(entity_id=entity.id, rule="same owner", reason=reason)
    return None


def match_name_evidence(context: MatchContext) -> Match | None:
    """Match the one entity for whose name the strings speak: a part of it, a nickname, an acronym, a misspelling."""
    found = list(_with_evidence(context))
    fitting = [each for each in found if each[1].sure] or found
    if len(fitting) != 1:  # two people of one first name: a wrong join costs more than a missed one
        return None
    entity, evidence, score = fitting[0]
    shown = _evidence(context, entity, parse(entity.name))
    return Match(
        entity_id=entity.id,
        rule=evidence.rule,
        reason=f"{context.name.text} and {entity.name}",
        score=score,
        better_name=shown is not None and shown.better.key == context.name.key,
    )


def match_other_form(context: MatchContext) -> Match | None:
    """Match the same words in another form or order: surf and surfing."""
    for entity, score in context.candidates:
        if kind(entity) != context.mention.kind or not context.mention.kind:
            continue
        names = names_of(entity)
        fitting = any(
            context.has_same_owner(context.name, each)
            and has_same_words(context.name, each)
            and not (context.name.proper and each.proper)
            for each in names
        )
        if fitting and not any(contradiction(context.name, each) for each in names):
            reason = f"{context.name.text} is {entity.name} in another form"
            return Match(entity_id=entity.id, rule="other form", reason=reason, score=score)
    return None


def match_similar_name(context: MatchContext) -> Match | None:
    """Match the most similar name, from a cosine of ``context.threshold``, to which the strings do not object."""
    for entity, score in context.candidates:
        if score < context.threshold:
            break
        names = names_of(entity)
        if context.name.proper and names[0].proper:
            continue  # vectors take Norway for Sweden
        if context.is_other_group(entity):
            continue
        if all(context.has_same_owner(context.name, each) and not objection(context.name, each) for each in names):
            reason = f"{context.name.text} and {entity.name} are alike, and nothing sets them apart"
            return Match(entity_id=entity.id, rule="likeness", reason=reason, score=score)
    return None


DEFAULT_RULES: Final[tuple[MatchingRule, ...]] = (
    match_speaker,
    match_implied_owner,
    match_same_name,
    match_mentioned_together,
    match_mentioned_before,
    match_owner_added,
    match_name_evidence,
    match_other_form,
    match_similar_name,
)
"""The rules of a Resolver by default, in order."""


def uncertain_matches(context: MatchContext, min_score: float) -> Iterator[tuple[Entity, float]]:
    """Yield the candidates from a cosine of ``min_score`` that nothing contradicts, most similar first.

    They have the mention's type or kind where both are known, and no other owner: of 1,262 pairs from 0.5 on five
    conversations, 41 of them right, that leaves 716, of which 38 are right.
    """
    for entity, score in context.candidates:
        if score < min_score:
            return
        names = names_of(entity)
        if UNKNOWN not in (kind(entity), context.mention.kind) and not context.has_same_type(entity):
            continue
        if context.has_other_owner(entity) or any(contradiction(context.name, each) for each in names):
            continue
        yield entity, score


def _is_short_for(name: ParsedName, speaker: ParsedName) -> bool:
    return len(name.words) < len(speaker.words) and is_part_of_person(name, speaker)


def _with_evidence(context: MatchContext) -> Iterator[tuple[Entity, Evidence, float]]:
    """Yield the candidates with the best evidence for one of their names, unless another of their names objects."""
    for entity, score in context.candidates:
        names, kinds = names_of(entity), common(context.mention.kind, kind(entity))
        found = [evidence for each in names if (evidence := _evidence(context, entity, each))]
        best = max(found, key=lambda each: each.sure, default=None)
        if best is None or _are_two_speakers(context, names):
            continue
        if best.rule == NICKNAME and context.is_of_others(entity):
            continue
        if best.sure or not any(objection(context.name, each, kinds) for each in names):
            yield entity, best, score


def _evidence(context: MatchContext, entity: Entity, name: ParsedName) -> Evidence | None:
    mine, other = context.mention.kind, kind(entity)
    is_meant = name.proper or context.is_in_window(entity)  # "a cat named Bailey" is not any cat known before
    text = context.mention.statement if is_meant else ""
    return evidence_for(context.name, name, common(mine, other), text, same_kind=mine == other)


def _are_two_speakers(context: MatchContext, names: Sequence[ParsedName]) -> bool:
    """Whether the mention names one speaker and the entity another: Sam and Samantha, where both speak."""
    speakers = {parse(each).key for each in context.speakers}
    others = speakers - {context.name.key}
    return context.name.key in speakers and any(each.key in others for each in names)
