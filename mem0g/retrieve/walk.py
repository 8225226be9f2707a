"""From what a question names, along facts, to what it asks: "the capital of the country that the author of Dune is of".

What lies several facts away need not be like the question in words. So a thing that the question names is followed
from subject to object, hop by hop, and the facts on the way come first. Of whom much is told, such as a speaker, only
the relations that the question names lead on: what else is told of them is for the ranking to choose from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from mem0g.lexical import tokens
from mem0g.model import Hit
from mem0g.names import fold
from mem0g.retrieve.question import Question
from mem0g.retrieve.ranking import Ranking
from mem0g.store.queries import FoundFact

FEW = 20
"""Facts up to which a thing is followed whole."""

Follow = Callable[[tuple[str, ...]], tuple[FoundFact, ...]]
"""The facts on the ways from these entities, as Store.follow brings them."""


def walk(question: Question, facts: Sequence[FoundFact], follow: Follow) -> tuple[FoundFact, ...]:
    """The facts that the names in ``question`` lead to, nearest to it first, with the paths to them.

    ``facts`` are the candidates there are: with them the walk begins at whom much is told of.
    """
    anchors = outermost(question)
    if not anchors:
        return ()
    told = Counter(each.fact.subject_id for each in facts)
    asked = [each for each in facts if told[each.fact.subject_id] > FEW and _is_asked(question, anchors, each)]
    ends = dict.fromkeys((*(each for each in anchors if told[each] <= FEW), *(each.fact.object_id for each in asked)))
    trail = follow(tuple(ends)) if ends else ()
    leading = {each.fact.subject_id for each in trail}
    begun = [each for each in asked if each.fact.object_id in leading]
    return tuple(_latest_first(_with_paths(anchors, {each.fact.id: each for each in (*begun, *trail)}.values())))


def outermost(question: Question) -> dict[str, str]:
    """The names of the anchors by id, without those that the question names only within a longer name of another."""
    text = fold(question.text)
    spellings = {anchor.id: {name for name in map(fold, anchor.names) if name in text} for anchor in question.anchors}
    alone = set()
    for name in sorted(set().union(*spellings.values()), key=lambda name: (-len(name), name)):
        if name in text:
            alone.add(name)
            text = text.replace(name, "\0")
    return {
        anchor.id: anchor.name
        for anchor in question.anchors
        if not spellings[anchor.id] or not alone.isdisjoint(spellings[anchor.id])
    }


def leading(ranking: Ranking, walked: Sequence[FoundFact]) -> Ranking:
    """The ranking with the facts of the walk first, in their order."""
    if not walked:
        return ranking
    first = {each.fact.id: each for each in walked}
    best = ranking.hits[0].score if ranking.hits else 0.0
    led = [Hit(score=best + len(walked) - place, reasons=(), fact=each.fact) for place, each in enumerate(walked)]
    rest = (hit for hit in ranking.hits if not hit.fact or hit.fact.id not in first)
    facts = {each.fact.id: each for each in ranking.found.facts} | first
    return replace(ranking, hits=(*led, *rest), found=replace(ranking.found, facts=tuple(facts.values())))


def _is_asked(question: Question, anchors: Mapping[str, str], found: FoundFact) -> bool:
    fact = found.fact
    return fact.subject_id in anchors and not _stems(fact.relation).isdisjoint(question.terms)


@lru_cache(maxsize=8192)
def _stems(relation: str) -> frozenset[str]:
    return frozenset(tokens(relation.replace("_", " ")))


def _with_paths(anchors: dict[str, str], facts: Iterable[FoundFact]) -> list[FoundFact]:
    paths: dict[str, tuple[str, ...]] = {each: (name,) for each, name in anchors.items()}
    told = []
    for each in facts:
        fact = each.fact
        path = (*paths.get(fact.subject_id, (fact.subject,)), fact.relation, fact.object)
        paths.setdefault(fact.object_id, path)
        told.append(replace(each, path=path))
    return told


def _latest_first(facts: Sequence[FoundFact]) -> list[FoundFact]:
    """Nearest to the question first, but of one subject and relation the latest told first."""
    places = {each.fact.id: place for place, each in enumerate(facts)}
    groups: dict[tuple[str, str], list[FoundFact]] = {}
    for each in facts:
        groups.setdefault((each.fact.subject_id, each.fact.relation), []).append(each)
    nearness = {each.fact.id: max(sum(one.similarities) for one in some) for some in groups.values() for each in some}
    return sorted(facts, key=lambda each: (-nearness[each.fact.id], -places[each.fact.id]))
