"""The rules of node matching, from the surest to the boldest; each finds the node of a mention or passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mem0g.model import Entity
from mem0g.resolve.evidence import Evidence, contradiction, evidence_for, is_part_of_person, objection
from mem0g.resolve.kinds import PERSON, UNKNOWN, common, compatible
from mem0g.resolve.mentions import Mention
from mem0g.resolve.names import Name, has_pronoun_owner, parse
from mem0g.resolve.neighbourhood import Match, Neighbourhood
from mem0g.resolve.nodes import kind, names_of
from mem0g.resolve.told import counted_before, owner_told, told_before, told_together
from mem0g.resolve.wording import same_words


def match(around: Neighbourhood, threshold: float) -> Match | None:
    """The node that the mention means by the first rule that finds one, or None: it is new."""
    for rule in (
        _speaker,
        _owner_understood,
        _same_name,
        told_together,
        told_before,
        counted_before,
        owner_told,
        _evidence,
        _other_form,
    ):
        if found := rule(around):
            return found
    return _likeness(around, threshold)


def unclear(around: Neighbourhood, least: float) -> Iterator[tuple[Entity, float]]:
    """Nodes that the mention may mean, most alike first: of a cosine of at least ``least``, with no contradiction.

    They are of the same sort as far as known, and nobody else's: of 1,262 doubts from 0.5 up on five conversations, 41
    of them right, that leaves 716, of which 38 are right.
    """
    for entity, score in around.known:
        if score < least:
            return
        names = names_of(entity)
        if UNKNOWN not in (kind(entity), around.mention.kind) and not around.is_of_same_sort(entity):
            continue
        if around.is_anothers(entity) or any(contradiction(around.name, each) for each in names):
            continue
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
    """A first name that one speaker has: among people of one first name the one who speaks is meant.

    It stays no alias: where another speaks it means another.
    """
    if around.mention.kind not in (PERSON, UNKNOWN):
        return None
    fitting = [parse(each) for each in sorted(around.speakers) if _may_be(around.name, parse(each))]
    if len(fitting) != 1:
        return None
    for entity, score in around.known:
        if any(each.key == fitting[0].key for each in names_of(entity)):
            reason = f"{fitting[0].text} speaks here"
            return Match(entity_id=entity.id, rule="speaker", reason=reason, score=score, alias=False)
    return None


def _may_be(name: Name, speaker: Name) -> bool:
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


def _evidence(around: Neighbourhood) -> Match | None:
    found = list(_fitting(around))
    fitting = [each for each in found if each[1].sure] or found
    if len(fitting) != 1:  # two people of one first name: a wrong join costs more than a missed one
        return None
    entity, evidence, score = fitting[0]
    with_name = _evidence_of(around, entity, parse(entity.name))
    return Match(
        entity_id=entity.id,
        rule=evidence.rule,
        reason=f"{around.name.text} and {entity.name}",
        score=score,
        better_name=with_name is not None and with_name.better.key == around.name.key,
    )


def _fitting(around: Neighbourhood) -> Iterator[tuple[Entity, Evidence, float]]:
    told, its_kind = around.mention.told, around.mention.kind
    for entity, score in around.known:
        names, kinds, same = names_of(entity), common(its_kind, kind(entity)), its_kind == kind(entity)
        each_evidence = (evidence_for(around.name, each, kinds, told, same_kind=same) for each in names)
        found = [evidence for evidence in each_evidence if evidence]
        best = max(found, key=lambda each: each.sure, default=None)
        if (
            best
            and not _are_two_who_speak(around, names)
            and (best.sure or not any(objection(around.name, each, kinds) for each in names))
        ):
            yield entity, best, score


def _are_two_who_speak(around: Neighbourhood, names: Sequence[Name]) -> bool:
    """Sam and Samantha, where both speak."""
    others = {parse(each).key for each in around.speakers} - {around.name.key}
    return around.name.key in {parse(each).key for each in around.speakers} and any(
        each.key in others for each in names
    )


def _evidence_of(around: Neighbourhood, entity: Entity, name: Name) -> Evidence | None:
    mention, its_kind = around.mention, kind(entity)
    same = mention.kind == its_kind
    return evidence_for(around.name, name, common(mention.kind, its_kind), mention.told, same_kind=same)


def _other_form(around: Neighbourhood) -> Match | None:
    """Surf, where surfing is known."""
    for entity, score in around.known:
        if kind(entity) != around.mention.kind or not around.mention.kind:
            continue
        names = names_of(entity)
        fitting = any(around.same_owner(around.name, each) and same_words(around.name, each) for each in names)
        if fitting and not any(contradiction(around.name, each) for each in names):
            reason = f"{around.name.text} is {entity.name} in another form"
            return Match(entity_id=entity.id, rule="other form", reason=reason, score=score)
    return None


def _likeness(around: Neighbourhood, threshold: float) -> Match | None:
    for entity, score in around.known:
        if score < threshold:
            break
        names = names_of(entity)
        if around.name.proper and names[0].proper:
            continue  # vectors take Norway for Sweden
        if around.are_other_people(entity):
            continue
        if all(around.same_owner(around.name, each) and not objection(around.name, each) for each in names):
            reason = f"{around.name.text} and {entity.name} are alike, and nothing sets them apart"
            return Match(entity_id=entity.id, rule="likeness", reason=reason, score=score)
    return None
