"""Which known facts a resolver is shown beside a claim: those that it may end, and those that may say the same.

The constants were chosen on reference triples of five LOCOMO conversations, with 26 pairs of a fact and one that it
made untrue (``python -m benchmarks conflict``): 24 are shown, also when each conversation's are chosen on the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mem0g.conflict.claim import Claim
from mem0g.conflict.lasting import happened, is_dated, tells_an_end
from mem0g.conflict.rivals import kinds_of, may_exclude
from mem0g.model import Fact
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact
from mem0g.text.names import fold

NEAREST = 40
"""Most similar facts that are looked through: with 30 a pair is lost, more bring only what scores too low."""

LIKELY = 0.48
"""Score from which a fact is shown: at 0.52 a pair is lost, at 0.44 a fact more is shown beside each claim."""

FIRST, MAYBE = 2, 0.3
"""So many facts are shown from a lower score on: where no sentence tells a date that is a cosine of 0.5, as of "has no
job" and "started at Acme". It costs a third of a fact a claim."""

SAME = 0.65
"""Cosine (all-MiniLM-L6-v2) from which two sentences may say the same, whatever they are about: of 42 facts that a
model, shown all from 0.5 on, found said again, no event was below."""

UNDATED = 0.1
"""Taken from the score for each of the two that tells no time: 25 of the 26 that ended had a date."""

OVER = 0.2
"""Added for a claim that says that something is over: "lost his job" ends more than what is like it."""

SAME_ENDS = 3
"""Facts between the same two ends that are always shown, most similar first: of a plan and what came of it there are
seldom more, of two people who talk with each other a hundred."""


def candidates(claim: Claim, related: Sequence[RelatedFact], registry: Registry, most: int) -> list[Fact]:
    """The current facts that the claim may touch: by structure, then at most ``most`` by falling score; each once."""
    current = sorted((each for each in related if each.fact.current), key=lambda one: (-one.similarity, one.fact.id))
    kinds = kinds_of(claim, registry)
    structure = [each.fact for each in current if any(may_exclude(claim, each.fact, kind) for kind in kinds)][:most]
    structure += [each.fact for each in current if _has_same_ends(claim, each.fact)][:SAME_ENDS]
    scored = [(_score(claim, each), each.fact) for each in current if _may_touch(claim, each)]
    scored.sort(key=lambda one: (-one[0], one[1].id))
    likely = [fact for place, (score, fact) in enumerate(scored[:most]) if score >= _least(place)]
    return list({fact.id: fact for fact in (*structure, *likely)}.values())


def _least(place: int) -> float:
    return MAYBE if place < FIRST else LIKELY


def _score(claim: Claim, each: RelatedFact) -> float:
    undated = (not is_dated(claim)) + (not is_dated(each.fact))
    return each.similarity - UNDATED * undated + OVER * tells_an_end(claim)


def _may_touch(claim: Claim, each: RelatedFact) -> bool:
    """Whether it is about the same thing and can end, or so like the claim that it may say the same."""
    return each.similarity >= SAME or (_is_about_the_same(claim, each.fact) and not happened(each.fact))


def _has_same_ends(claim: Claim, fact: Fact) -> bool:
    return {fact.subject_id, fact.object_id} == {claim.subject.id, claim.object.id}


def _is_about_the_same(claim: Claim, fact: Fact) -> bool:
    """Whether they share an end, or a word of what they are about: "Ann's studio" is Ann's."""
    if claim.shares_an_end(fact.subject_id, fact.object_id):
        return True
    return not _words(claim.subject.name).isdisjoint(_words(fact.subject))


@lru_cache(maxsize=65536)
def _words(name: str) -> frozenset[str]:
    from mem0g.text.stemming import tokens

    return frozenset(tokens(re.sub(r"'s\b", " ", fold(name))))
