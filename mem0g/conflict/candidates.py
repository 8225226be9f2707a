"""Which known facts a policy is shown beside a new triple: those it may end, and those that may say the same.

The constants were chosen on reference triples of five LOCOMO conversations, with 26 pairs of a fact and one that it
made untrue (``python -m benchmarks conflict``): 19 are shown beside their triple, and 23 within its window.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from mem0g.conflict.cardinality import may_exclude, relation_types
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import MINILM, Thresholds
from mem0g.model import Fact, Triple
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.resolve.mentions import ALIAS
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold
from mem0g.text.stemming import token_set, tokens

LIMIT = 5
"""Number of facts that are shown beside a triple."""

NEAREST = 40
"""Number of most similar facts that are considered: 30 lose a pair, and more only add facts that score too low."""

FIRST = 1
"""Number of facts that are shown from the lower score ``Thresholds.first_candidate`` on."""

SAME_ENDS = 2
"""Number of facts between the same two entities that are always shown, most similar first: there are seldom more about
a plan and its outcome, but up to a hundred between two people who talk with each other."""

EVENTS = 2
"""Number of events that are shown because the triple may say them again, in places left over."""

SAME_TOPIC = 0.2
"""Added to the cosine, times the share of words of relation and object that both have: "is writing" a "book"."""

DENIED = 0.15
"""Added to the cosine where one of the two says what the other denies: "has no pets" is about having one."""

_STATE = re.compile(r"\b(?:is|are|am|has|have|do|does|can|cannot|will|still|now)\b|n['’]t\b", re.IGNORECASE)
"""Words of a sentence about a state."""

_NO = re.compile(r"(?:no|not|never|without)\b", re.IGNORECASE)
"""The first word of an object that denies: "no job"."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

_END_VERBS: Final = (
    "abandon break cancel close complete conclude die divorce drop end finish fire laid leave lose move postpone quit "
    "recover replace resign retire sell separate split stop switch"
).split()
"""Verbs of daily life that say that something is over."""

_OVER = re.compile(r"\b(?:no longer|any ?more|instead)\b", re.IGNORECASE)


def candidates(
    new: ResolvedTriple,
    related: Sequence[RelatedFact],
    registry: Registry,
    limit: int = LIMIT,
    thresholds: Thresholds = MINILM,
) -> list[Fact]:
    """Return at most ``limit`` current facts that the triple may touch.

    First those that its relation excludes and those between its two entities, then what can end by falling score, then
    events that it may say again.
    """
    current = [each for each in related if each.fact.current and each.fact.relation != ALIAS]
    current.sort(key=lambda one: (-one.similarity, one.fact.id))
    types = relation_types(new, registry)
    structure = [each.fact for each in current if any(may_exclude(new, each.fact, type_) for type_ in types)]
    same_ends = (each.fact for each in current if _has_same_ends(new, each.fact))
    structure += [fact for fact in same_ends if new.triple.retracts or not is_past_event(fact)][:SAME_ENDS]
    events = [each.fact for each in current if _may_be_the_same_event(new, each, thresholds.restated)]
    scored = [(_score(new, each, thresholds), each.fact) for each in current if _can_end(new, each, thresholds)]
    scored.sort(key=lambda one: (-one[0], one[1].id))
    likely = [
        fact
        for place, (score, fact) in enumerate(scored[:limit])
        if score >= (thresholds.first_candidate if place < FIRST else thresholds.candidate)
    ]
    return list({fact.id: fact for fact in (*structure, *likely, *events[:EVENTS])}.values())[:limit]


def says_exactly(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the fact says what the triple says, in the same words or as the same alias, so that no model is asked."""
    if new.subject.id != fact.subject_id or new.relation != fact.relation or new.triple.retracts:
        return False
    if new.relation == ALIAS:
        return f" {fold(new.triple.object)} " in f" {fold(fact.object)} {_unpunctuated(fact.text)} "
    same_dates = new.triple.valid_from in (None, fact.valid_from) and new.triple.valid_to in (None, fact.valid_to)
    return new.object.id == fact.object_id and fold(new.triple.text) == fold(fact.text) and same_dates


def _unpunctuated(text: str) -> str:
    return re.sub(r"[^\w'’-]+", " ", fold(text))


def _score(new: ResolvedTriple, each: RelatedFact, thresholds: Thresholds) -> float:
    undated = (not is_dated(new.triple)) + _is_trait(each.fact)
    return (
        each.similarity
        + SAME_TOPIC * _shared_topic(new, each.fact)
        + DENIED
        * (_denies(new.triple.relation, new.triple.object) != _denies(each.fact.relation_given, each.fact.object))
        + thresholds.ending * says_something_ended(new)
        - thresholds.undated * undated
    )


def _has_same_ends(new: ResolvedTriple, fact: Fact) -> bool:
    return {fact.subject_id, fact.object_id} == {new.subject.id, new.object.id}


def _is_trait(fact: Fact) -> bool:
    """Whether it has no date and so seldom ends, unlike a plan, a wish, or something that is still to come."""
    open_ended = parse_relation(fact.relation_given).ahead or _denies(fact.relation_given, fact.object)
    return not open_ended and not is_dated(fact)


def _shared_topic(new: ResolvedTriple, fact: Fact) -> float:
    """Return the share of the words of relation and object that both have, of those of the shorter one; 0 to 1."""
    people = _words(new.subject.name) | _words(fact.subject)
    ours = _topic(new.triple.relation, new.triple.object) - people
    theirs = _topic(fact.relation_given, fact.object) - people
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


def _topic(relation: str, obj: str) -> frozenset[str]:
    return token_set(relation.replace("_", " ")) | _words(obj)


def _denies(relation: str, obj: str) -> bool:
    return parse_relation(relation).denied or _NO.match(obj) is not None


def _can_end(new: ResolvedTriple, each: RelatedFact, thresholds: Thresholds) -> bool:
    """Whether the fact is no event of the past, and about the same thing or nearly in the same words."""
    if is_past_event(each.fact):
        return False
    return each.similarity >= thresholds.restated or _is_about_the_same(new, each.fact)


def _may_be_the_same_event(new: ResolvedTriple, each: RelatedFact, restated: float) -> bool:
    """Whether the fact is an event of the past, nearly in the same words and at a time that agrees."""
    if each.similarity < restated or not is_past_event(each.fact):
        return False
    ours, theirs = new.triple.valid_from, each.fact.valid_from
    return ours is None or theirs is None or (ours.start < theirs.end and theirs.start < ours.end)


def _is_about_the_same(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether they share an entity, or a word of their subjects' names: "Ann's studio" is Ann's."""
    if new.shares_an_end(fact.subject_id, fact.object_id):
        return True
    return not _words(new.subject.name).isdisjoint(_words(fact.subject))


@lru_cache(maxsize=65536)
def _words(name: str) -> frozenset[str]:
    return frozenset(tokens(re.sub(r"'s\b", " ", fold(name))))


def is_past_event(fact: Fact) -> bool:
    """Whether the fact is an event of the past, which stays true, and not a state; judged by English words alone."""
    relation = parse_relation(fact.relation_given)
    return relation.tense == "past" and not relation.denied and not _STATE.search(fact.text)


def is_dated(item: Triple | Fact) -> bool:
    """Whether it has a date: a state with a date belongs to that time, one without is a lasting trait."""
    times = (item.valid_from, item.valid_to, item.observed, item.planned_for)
    return any(times) or _YEAR.search(item.text) is not None


def says_something_ended(new: ResolvedTriple) -> bool:
    """Whether the triple says that something is over; it may then touch more than what it names."""
    verb = parse_relation(new.triple.relation).words[:1]
    return new.triple.retracts or not _end_verbs().isdisjoint(verb) or _OVER.search(new.triple.text) is not None


@cache
def _end_verbs() -> frozenset[str]:
    return frozenset(word for verb in _END_VERBS for word in parse_relation(verb).words)
