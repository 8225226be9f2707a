"""Which facts cannot be true beside a claim, because there is one at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mem0g.conflict.claim import Claim
from mem0g.model import Fact
from mem0g.relations.registry import Registry, RelationType
from mem0g.resolve.names import parse
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold

_ONE_OF = re.compile(r"\bone of\b", re.IGNORECASE)
_FAVOURITE = re.compile(r"favou?rite", re.IGNORECASE)


def rivals(claim: Claim, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """The current facts that cannot be true beside the claim, by the cardinality of its relation or what it implies."""
    if claim.is_past:
        return []
    kinds = kinds_of(claim, registry)
    return [
        each.fact for each in related if each.fact.current and any(_excludes(claim, each.fact, kind) for kind in kinds)
    ]


def kinds_of(claim: Claim, registry: Registry) -> list[RelationType]:
    """The type of the claim's relation, and those of the relations that it implies."""
    kind = registry.get(claim.relation)
    return [kind, *map(registry.get, kind.implies)]


def may_exclude(claim: Claim, fact: Fact, kind: RelationType) -> bool:
    """Whether the fact is of a kind of which there is one at a time, and has the end that can have one only."""
    if fact.relation != kind.name:
        return False
    if kind.symmetric and kind.one_object:  # either end may be the one who can have only one
        return claim.shares_an_end(fact.subject_id, fact.object_id)
    same_subject, same_object = fact.subject_id == claim.subject.id, fact.object_id == claim.object.id
    return (kind.one_object and same_subject) or (kind.one_subject and same_object)


def same_ends(claim: Claim, fact: Fact, kind: RelationType) -> bool:
    """Whether both are between the same two ends, for a symmetric relation in either order."""
    ends = (fact.subject_id, fact.object_id)
    there = (claim.subject.id, claim.object.id)
    return ends == there or (kind.symmetric and ends[::-1] == there)


def _excludes(claim: Claim, fact: Fact, kind: RelationType) -> bool:
    """Whether ``fact`` is of ``kind``, of which there is one at a time, and another than the claim's."""
    if not may_exclude(claim, fact, kind) or same_ends(claim, fact, kind) or _has_ended(claim, fact):
        return False
    if _is_one_of_several(claim, fact, kind) or _may_be_one(claim, fact):
        return False
    if kind.symmetric and kind.one_object:
        return True
    if kind.one_object and fact.subject_id == claim.subject.id:
        return _comparable(claim.triple.object_type, fact.object_type)
    return _comparable(claim.triple.subject_type, fact.subject_type)


def _is_one_of_several(claim: Claim, fact: Fact, kind: RelationType) -> bool:
    """Whether there may be more than one after all: "one of her homes"."""
    texts = (claim.triple.text, fact.text)
    if any(_ONE_OF.search(text) for text in texts):
        return True
    if not kind.name.startswith("FAVORITE_"):
        return False
    in_one_breath = not set(claim.triple.evidence).isdisjoint(fact.evidence)
    ours, theirs = (_kind_of_favourite(kind, text) for text in texts)
    return in_one_breath or ours != theirs


def _kind_of_favourite(kind: RelationType, text: str) -> str | None:
    """What a sentence says more closely than the relation does: "fantasy" of a favourite fantasy movie."""
    noun = kind.name.removeprefix("FAVORITE_").replace("_", " ")
    favourite = _FAVOURITE.search(text)
    named = re.compile(rf"\b{re.escape(noun)}\b", re.IGNORECASE).search(text, favourite.end()) if favourite else None
    return fold(text[favourite.end() : named.start()]) if favourite and named else None


def _may_be_one(claim: Claim, fact: Fact) -> bool:
    """Whether an end that only one of them has is told by a role, "Ann's wife": the other may tell that one's name."""
    ours = {claim.subject.id: claim.subject.name, claim.object.id: claim.object.name}
    theirs = {fact.subject_id: fact.subject, fact.object_id: fact.object}
    told = [parse(name) for id_, name in (ours | theirs).items() if (id_ in ours) != (id_ in theirs)]
    return any(name.owner and name.roles for name in told)


def _comparable(kind: str, other: str) -> bool:
    """Whether two things of these types can exclude each other: a city does not exclude a country."""
    return not kind or not other or fold(kind) == fold(other)


def _has_ended(claim: Claim, fact: Fact) -> bool:
    """Whether the fact tells itself that it was over when the claim began."""
    return fact.valid_to is not None and claim.start is not None and fact.valid_to.end <= claim.start
