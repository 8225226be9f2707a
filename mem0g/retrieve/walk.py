"""From what a question names, along facts, to what it asks: "the capital of the country that the author of Dune is of".

What lies several facts away need not be like the question in words. So a thing that the question names is followed
from subject to object, hop by hop, and the facts on the way come right behind the best hits. Of whom much is told, such
as a speaker, nothing is followed: what is told of them is for the ranking to choose from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mem0g.model import Fact, Hit
from mem0g.retrieve.question import Question
from mem0g.retrieve.ranking import Ranking
from mem0g.store.queries import FactCandidate
from mem0g.text.names import fold

BEST = 5
"""Hits of the ranking that stay before those of the walk: on a LOCOMO conversation the first ten hits lose 4 points of
recall with none, 1.5 with three, nothing with five; answers several facts away are among the first ten all the same."""


def walk(anchors: Mapping[str, str], traversal: Iterable[FactCandidate]) -> tuple[FactCandidate, ...]:
    """The facts of the ``traversal`` with the paths to them from ``anchors``, names by id."""
    paths: dict[str, tuple[str, ...]] = {each: (name,) for each, name in anchors.items()}
    told = []
    for each in traversal:
        fact = each.fact
        path = (*paths.get(fact.subject_id, (fact.subject,)), fact.relation, fact.object)
        paths.setdefault(fact.object_id, path)
        told.append(replace(each, path=path))
    return tuple(told)


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


def leading(ranking: Ranking, walked: Sequence[FactCandidate]) -> Ranking:
    """The ranking with the facts of the walk, those nearest to the question first, behind the best hits.

    Of two facts of the walk that tell the same of one thing, the one told later stands before the other.
    """
    if not walked:
        return ranking
    led = {each.fact.id: each for each in walked}
    best, others = ranking.hits[:BEST], [hit for hit in ranking.hits[BEST:] if not hit.fact or hit.fact.id not in led]
    there = {hit.fact.id for hit in best if hit.fact}
    nearest = sorted(walked, key=lambda each: (-sum(each.similarities), each.fact.id))
    new = [each.fact for each in nearest if each.fact.id not in there]
    above = best[-1].score if best else 0.0
    step = (above - (others[0].score if others else above - 1)) / (len(new) + 1)
    behind = (Hit(score=above - step * place, reasons=(), fact=fact) for place, fact in enumerate(new, start=1))
    facts = {each.fact.id: each for each in ranking.found.facts} | led
    hits = _latest_first([*best, *behind, *others], walked)
    return replace(ranking, hits=tuple(hits), found=replace(ranking.found, facts=tuple(facts.values())))


def _latest_first(hits: Sequence[Hit], walked: Sequence[FactCandidate]) -> list[Hit]:
    """The hits with the walk's facts of one subject and relation in the places that these have, the latest first."""
    places = {hit.fact.id: place for place, hit in enumerate(hits) if hit.fact}
    alike: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for each in walked:
        alike[each.fact.subject_id, each.fact.relation].append(each.fact)
    ordered = list(hits)
    for told in alike.values():
        latest = sorted(told, key=lambda fact: fact.recorded_at)[::-1]  # of one instant, as the store gave them
        for place, fact in zip(sorted(places[fact.id] for fact in told), latest, strict=True):
            ordered[place] = replace(hits[place], fact=fact)
    return ordered
