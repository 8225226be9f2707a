"""Which known facts a policy is shown beside a new triple: those it may end, and those that may say the same.

The constants were chosen on reference triples of five LOCOMO conversations, with 26 pairs of a fact and one that it
made untrue (``python -m benchmarks conflict``): 24 are shown, also when each conversation's are chosen on the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from mem0g.conflict.cardinality import may_exclude, relation_types
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import MINILM, Thresholds
from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold

NEAREST = 40
"""Number of most similar facts that are considered: 30 lose a pair, and more only add facts that score too low."""

FIRST = 2
"""Number of facts that are shown from the lower score ``Thresholds.first_candidate`` on."""

SAME_ENDS = 3
"""Number of facts between the same two entities that are always shown, most similar first: there are seldom more about
a plan and its outcome, but up to a hundred between two people who talk with each other."""

_STATE = re.compile(r"\b(?:is|are|am|has|have|do|does|can|cannot|will|still|now)\b|n['’]t\b", re.IGNORECASE)
"""Words of a sentence about a state."""

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
    limit: int,
    thresholds: Thresholds = MINILM,
) -> list[Fact]:
    """Return the current facts that the triple may touch, each once: by structure, then by falling score.

    At most ``limit`` come by the cardinality of the relation, and at most ``limit`` by their score.
    """
    current = sorted((each for each in related if each.fact.current), key=lambda one: (-one.similarity, one.fact.id))
    types = relation_types(new, registry)
    structure = [each.fact for each in current if any(may_exclude(new, each.fact, type_) for type_ in types)][:limit]
    structure += [each.fact for each in current if _has_same_ends(new, each.fact)][:SAME_ENDS]
    scored = [
        (_score(new, each, thresholds), each.fact) for each in current if _may_touch(new, each, thresholds.restated)
    ]
    scored.sort(key=lambda one: (-one[0], one[1].id))
    likely = [
        fact
        for place, (score, fact) in enumerate(scored[:limit])
        if score >= (thresholds.first_candidate if place < FIRST else thresholds.candidate)
    ]
    return list({fact.id: fact for fact in (*structure, *likely)}.values())


def _has_same_ends(new: ResolvedTriple, fact: Fact) -> bool:
    return {fact.subject_id, fact.object_id} == {new.subject.id, new.object.id}


def _score(new: ResolvedTriple, each: RelatedFact, thresholds: Thresholds) -> float:
    undated = (not is_dated(new)) + (not is_dated(each.fact))
    return each.similarity - thresholds.undated * undated + thresholds.ending * says_something_ended(new)


def _may_touch(new: ResolvedTriple, each: RelatedFact, restated: float) -> bool:
    """Whether the fact is about the same thing and can end, or is so similar that it may say the same."""
    return each.similarity >= restated or (_is_about_the_same(new, each.fact) and not is_past_event(each.fact))


def _is_about_the_same(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether they share an entity, or a word of their subjects' names: "Ann's studio" is Ann's."""
    if new.shares_an_end(fact.subject_id, fact.object_id):
        return True
    return not _words(new.subject.name).isdisjoint(_words(fact.subject))


@lru_cache(maxsize=65536)
def _words(name: str) -> frozenset[str]:
    from mem0g.text.stemming import tokens

    return frozenset(tokens(re.sub(r"'s\b", " ", fold(name))))


def is_past_event(fact: Fact) -> bool:
    """Whether the fact is an event of the past, which stays true, and not a state; judged by English words alone."""
    relation = parse_relation(fact.relation_given)
    return relation.tense == "past" and not relation.denied and not _STATE.search(fact.text)


def is_dated(item: ResolvedTriple | Fact) -> bool:
    """Whether it has a date: a state with a date belongs to that time, one without is a lasting trait."""
    if isinstance(item, ResolvedTriple):
        text, times = item.triple.text, (item.triple.valid_from, item.triple.valid_to)
    else:
        text, times = item.text, (item.valid_from, item.valid_to)
    return any(times) or _YEAR.search(text) is not None


def says_something_ended(new: ResolvedTriple) -> bool:
    """Whether the triple says that something is over; it may then touch more than what it names."""
    verb = parse_relation(new.triple.relation).words[:1]
    return new.triple.retracts or not _end_verbs().isdisjoint(verb) or _OVER.search(new.triple.text) is not None


@cache
def _end_verbs() -> frozenset[str]:
    return frozenset(word for verb in _END_VERBS for word in parse_relation(verb).words)
