"""Which known facts a new triple may touch: those it may end, and those that may say the same.

The constants were chosen on two LOCOMO conversations as a model had extracted them, with 24 pairs of a fact and one
that it ended, restated or completed, and on reference triples of five with 26 pairs
(``python -m benchmarks conflict``): 20 and 15 are in one request, at 12 known facts in a request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Final

from mem0g.conflict.cardinality import may_exclude, relation_types
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import MINILM, Thresholds
from mem0g.model import Fact, Triple
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold
from mem0g.text.stemming import token_set, tokens

LIMIT = 5
"""Number of facts that are named beside a triple."""

NEAREST = 40
"""Number of most similar facts that are considered: 30 lose a pair, and more only add facts that score too low."""

SAME_TOPIC = 0.3
"""Added to the cosine, times the share of words of relation and object that both have: "is writing" a "book"."""

SAME_RELATION = 0.1
"""Added to the cosine of two facts of one subject and relation: how somebody feels, and felt before."""

OPEN = 0.2
"""Added to the cosine of a plan, a wish, a search, work in progress, and what is not so yet: half of all that ends."""

DENIED = 0.15
"""Added to the cosine where one of the two says what the other denies: "has no pets" is about having one."""

ALIKE = 0.5
"""Share of the words of relation and object that both have if they say the same, in sentences that are alike."""

ALIAS: Final = "ALSO_KNOWN_AS"
"""The relation of another name; such facts are compared exactly, and never asked about."""

_STATE = re.compile(r"\b(?:is|are|am|has|have|do|does|can|cannot|will|still|now)\b|n['’]t\b", re.IGNORECASE)
"""Words of a sentence about a state."""

_IN_PROGRESS = re.compile(
    r"(?:(?:is|are|am|has been|have been) )?(?:still |currently |now )?"
    r"(?:\w+ing\b|(?:search|look|seek|struggl|consider|prepar|hope|need|try|tries)\w*)",
    re.IGNORECASE,
)
"""The beginning of a relation that tells what somebody is busy with and will be done with."""

_NO = re.compile(r"(?:no|not|never|without)\b", re.IGNORECASE)
"""The first word of an object that denies: "no job"."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

_END_VERBS: Final = (
    "abandon break cancel close complete conclude die divorce drop end finish fire laid leave lose move postpone quit "
    "recover replace resign retire sell separate split stop switch"
).split()
"""Verbs of daily life that say that something is over."""

_OPINION_VERBS: Final = "advise agree appreciate believe encourage find realize say suggest tell think".split()
"""Verbs of what somebody thinks or tells somebody else."""

LONG_AGO = timedelta(days=60)

_OVER = re.compile(r"\b(?:no longer|any ?more|instead)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A known fact that a new triple may touch, and how likely; scores of one embedder can be compared.

    ``excluded``: the relation of the triple excludes it, or the triple takes it back. ``alike``: it may say the same.
    """

    fact: Fact
    score: float
    excluded: bool = False
    alike: bool = False


def candidates(
    new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry, thresholds: Thresholds = MINILM
) -> list[Candidate]:
    """Return the current facts that the triple may touch, those with the highest score first.

    First all that its relation excludes and that it takes back. Then, with a score of at least
    ``thresholds.candidate``: states and plans about the same thing or nearly in the same words, and events that it may
    tell again.
    """
    types = relation_types(new, registry)
    found: list[Candidate] = []
    for each in related:
        if not each.fact.current or each.fact.relation == ALIAS:
            continue
        excluded = any(may_exclude(new, each.fact, type_) for type_ in types)
        excluded = excluded or (new.triple.retracts and _has_same_ends(new, each.fact))
        if excluded or _can_end(new, each, thresholds) or _may_be_the_same_event(new, each, thresholds.restated):
            score = _score(new, each, thresholds)
            alike = each.similarity >= thresholds.touching and _shared_topic(new, each.fact) >= ALIKE
            if excluded or score >= thresholds.candidate:
                found.append(Candidate(each.fact, score, excluded, alike))
    return sorted(found, key=lambda one: (not one.excluded, -one.score, one.fact.id))


def says_exactly(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the fact says what the triple says, so that nobody has to be asked: the same words or the same alias."""
    if new.subject.id != fact.subject_id or new.relation != fact.relation or new.triple.retracts:
        return False
    if new.relation == ALIAS:
        return f" {fold(new.triple.object)} " in f" {fold(fact.object)} {_unpunctuated(fact.text)} "
    same_dates = new.triple.valid_from in (None, fact.valid_from) and new.triple.valid_to in (None, fact.valid_to)
    return new.object.id == fact.object_id and fold(new.triple.text) == fold(fact.text) and same_dates


def _unpunctuated(text: str) -> str:
    return re.sub(r"[^\w'’-]+", " ", fold(text))


def _score(new: ResolvedTriple, each: RelatedFact, thresholds: Thresholds) -> float:
    undated = (not is_dated(new.triple)) * (new.said_at is not None) + _is_trait(each.fact)
    denies = _denies(new.triple.relation, new.triple.object)
    return (
        each.similarity
        + SAME_TOPIC * _shared_topic(new, each.fact)
        + SAME_RELATION * (new.relation == each.fact.relation)
        + OPEN * _is_open(each.fact, new.said_at)
        + DENIED * (denies != _denies(each.fact.relation_given, each.fact.object))
        + thresholds.ending * says_something_ended(new)
        - thresholds.undated * undated * (each.similarity < thresholds.touching)
    )


def _has_same_ends(new: ResolvedTriple, fact: Fact) -> bool:
    return {fact.subject_id, fact.object_id} == {new.subject.id, new.object.id}


def _is_open(fact: Fact, at: datetime | None) -> bool:
    """Whether it is a plan, a wish, a search, work in progress or a lack, which seldom lasts.

    A plan whose day was long ago is none: had it come true, that would have been told.
    """
    if fact.planned_for and at and fact.planned_for.end + LONG_AGO < at:
        return False
    relation = parse_relation(fact.relation_given)
    if (relation.ahead and relation.mood != "anticipation") or _denies(fact.relation_given, fact.object):
        return True
    return _IN_PROGRESS.match(fact.relation_given.replace("_", " ")) is not None


def _is_trait(fact: Fact) -> bool:
    """Whether it tells no time, though it was said at a known one, and so seldom ends; unlike what is open."""
    return fact.said_at is not None and not _is_open(fact, None) and not is_dated(fact)


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
    """Whether the fact is no event of the past, and about the same thing or nearly in the same words.

    What somebody thinks or says is hardly ended by anything but its opposite in nearly the same words.
    """
    if is_past_event(each.fact) or (_is_opinion(each.fact) and each.similarity < thresholds.touching):
        return False
    return each.similarity >= thresholds.restated or _is_about_the_same(new, each.fact)


def _is_opinion(fact: Fact) -> bool:
    return not _opinion_verbs().isdisjoint(parse_relation(fact.relation_given).words[:1])


def _may_be_the_same_event(new: ResolvedTriple, each: RelatedFact, likeness: float) -> bool:
    """Whether the fact is an event of the past, nearly in the same words and at a time that agrees."""
    if each.similarity < likeness or not is_past_event(each.fact):
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
    dated = fact.valid_from is not None and relation.mood == ""
    return relation.tense == "past" and not relation.denied and (dated or not _STATE.search(fact.text))


def is_dated(item: Triple | Fact) -> bool:
    """Whether it has a date: a state with a date belongs to that time, one without is a lasting trait."""
    times = (item.valid_from, item.valid_to, item.observed, item.planned_for)
    return any(times) or _YEAR.search(item.text) is not None


def says_something_ended(new: ResolvedTriple) -> bool:
    """Whether the triple says that something is over; it may then touch more than what it names."""
    verb = parse_relation(new.triple.relation).words[:1]
    return new.triple.retracts or not _end_verbs().isdisjoint(verb) or _OVER.search(new.triple.text) is not None


@cache
def _opinion_verbs() -> frozenset[str]:
    return frozenset(word for verb in _OPINION_VERBS for word in parse_relation(verb).words)


@cache
def _end_verbs() -> frozenset[str]:
    return frozenset(word for verb in _END_VERBS for word in parse_relation(verb).words)
