"""Answers several facts away from what a question names: "the capital of the country that the author of Dune is of".

Such a fact need not resemble the question in words. So each entity that the question names is followed from subject to
object, hop by hop, and the facts on the way are inserted right behind the best hits. An entity with many facts, such
as a speaker, is not followed: its facts are left to the ranking.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mem0g.model import Fact, Hit
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.ranking import Ranking
from mem0g.retrieve.ranking.times_asked import asks_for_time
from mem0g.store.candidates import FactCandidate
from mem0g.text.names import fold

BEST = 5
"""Hits of the ranking that stay before the facts on paths. On a LOCOMO conversation the first ten hits lose 4 points of
recall with none, 1.5 with three, nothing with five; answers several facts away are among the first ten all the same."""


def path_anchors(question: Question) -> dict[str, str]:
    """Return the anchors to follow, names by id: without those named only within a longer name of another anchor."""
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


def insert_paths(ranking: Ranking) -> Ranking:
    """Return the ranking with the facts on paths from the question's anchors behind the best hits.

    Of these facts the most similar to the question comes first. Of two with the same subject and relation, the one
    recorded later takes the better of their two places, if they have the same words of the question: it may replace the
    other one ("lives in"), but no later purchase answers "When did Ann buy the lamp?". Not where the question asks for
    a time or for what was before.
    """
    if not ranking.found.traversal:
        return ranking
    on_paths = follow_paths(path_anchors(ranking.question), ranking.found.traversal)
    by_id = {each.fact.id: each for each in on_paths}
    best, others = ranking.hits[:BEST], ranking.hits.after((), BEST, by_id)
    already = {hit.fact.id for hit in best if hit.fact}
    nearest = sorted(on_paths, key=lambda each: (-sum(each.similarities), each.fact.id))
    new = [each.fact for each in nearest if each.fact.id not in already]
    above = best[-1].score if best else 0.0
    step = (above - (others.scores[0] if others else above - 1)) / (len(new) + 1)
    inserted = (Hit(score=above - step * place, reasons=(), fact=fact) for place, fact in enumerate(new, start=1))
    first = [*best, *inserted]
    if not asks_for_time(ranking.question):
        first = _latest_first(first, on_paths, ranking.question.terms)
    hits = others.after(first, 0, ())
    return replace(ranking, hits=hits, found=ranking.found.with_facts(on_paths))


def follow_paths(anchors: Mapping[str, str], traversal: Iterable[FactCandidate]) -> tuple[FactCandidate, ...]:
    """Return the facts of the traversal, each with its path of names from one of ``anchors`` (names by id)."""
    paths: dict[str, tuple[str, ...]] = {each: (name,) for each, name in anchors.items()}
    found = []
    for each in traversal:
        fact = each.fact
        path = (*paths.get(fact.subject_id, (fact.subject,)), fact.relation, fact.object)
        paths.setdefault(fact.object_id, path)
        found.append(replace(each, path=path))
    return tuple(found)


def _latest_first(hits: Sequence[Hit], on_paths: Sequence[FactCandidate], terms: Iterable[str]) -> list[Hit]:
    """Return the hits; facts on paths that may replace each other share out their places, the latest first.

    They have one subject, one relation and the same of these ``terms``; a plan replaces only a plan.
    """
    asked = frozenset(terms)
    places = {hit.fact.id: place for place, hit in enumerate(hits) if hit.fact}
    groups: dict[tuple[str, str, bool, frozenset[str]], list[Fact]] = defaultdict(list)
    for each in on_paths:
        shared = asked.intersection(each.terms.split())
        planned = each.fact.planned_for is not None
        groups[each.fact.subject_id, each.fact.relation, planned, shared].append(each.fact)
    ordered = list(hits)
    for group in groups.values():
        latest = sorted(group, key=lambda fact: fact.recorded_at)[::-1]  # of equal times the last in the store's order
        for place, fact in zip(sorted(places[fact.id] for fact in group), latest, strict=True):
            ordered[place] = replace(hits[place], fact=fact)
    return ordered
