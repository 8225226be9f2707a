"""Candidates to a ranking: eight signals on one scale, summed.

    s0 = 0.5 z(d) + 0.5 z(d') + 0.15 z(b) + 0.15 z(w)        s = s0 + 0.15 z(t) + 0.15 z(e) + 1.5 m + 1.5 r

d is the cosine of question and text, d' the same with the names cut out of the question; b is BM25 of the text, w
BM25 of the text with the turns around its evidence; t is the best s0 of another candidate whose evidence is at most
four turns away, e of another that shares an entity; m is how well the dates match; r is 1 for an edge of an entity that
the question names, when it also names the relation. z is the z-score over the candidates, of d and d' over facts and
messages together, so that few facts do not look better than they are. A message is scored alike, by
0.5 z(d) + 0.5 z(d') + 0.25 z(b) + 0.25 z(w) + 0.3 t, less what the constants below say.

The weights of d to m were chosen on five LOCOMO conversations by leaving one out; halving or doubling one moves recall
by 0.3 points. Those of r and of messages were chosen on the same conversations without leaving one out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import Fact, Hit, Reason
from mem0g.retrieve.keywords import Stems, bm25
from mem0g.retrieve.proximity import Citations, best_kin, best_near
from mem0g.retrieve.query import Question
from mem0g.retrieve.temporal_intent import date_match
from mem0g.store.queries import FactCandidate, MessageCandidate, SearchCandidates
from mem0g.text.stemming import token_set

if TYPE_CHECKING:
    from mem0g.retrieve.proximity import Scores

TURN_HANDICAP = 1.3
"""By how much a raw turn must fit better than a fact, which says the same in fewer words, and dated. With many facts
more does as well, with few facts less."""

ONLY_ASKS = 1.0
"""What a turn that ends with a question loses: the answer stands in the next one."""

TOLD = 0.8
"""What a turn loses when a fact among the candidates stands on it: that fact says it."""

OUTDATED = 1.5
"""What a turn loses when the facts that stand on it are no longer true, but it has more to say than they."""

SAYS_NO_MORE = 0.7
"""Share of a turn's stems from which it says no more than the facts on it: when they are no longer true, it is none of
the candidates. "I live in Oslo, and my dog is called Rex" is one when she has moved: half of it is about the dog."""

FLOOR, ALWAYS = -1.2, 10
"""Score under which a hit is cut off, and how many are kept whatever their scores: of few candidates z-scores tell
little. The cut costs no recall within 1000 tokens and 0.3 points at 2000."""

NEARBY = Reason("nearby", "a fact told near it, or of the same entity, fits the question better", 0.15)
"""The reason of a fact that others lift."""


@dataclass(frozen=True)
class Ranking:
    """The candidates as ``hits``, best first, on one scale, ties by id; those that hardly fit are cut off.

    The hits have no reasons yet: ``explained`` gives them to those that are answered.
    """

    question: Question
    hits: tuple[Hit, ...]
    found: SearchCandidates
    lifted: frozenset[str]

    def explained(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """The same hits with their reasons."""
        facts = {each.fact.id: each for each in self.found.facts}
        messages = {each.message.id: each for each in self.found.messages}
        return tuple(
            replace(hit, reasons=reasons(self.question, facts[hit.fact.id], lifted=hit.fact.id in self.lifted))
            if hit.fact
            else replace(hit, reasons=reasons(self.question, messages[hit.message.id]) if hit.message else ())
            for hit in hits
        )


def rank(question: Question, found: SearchCandidates) -> Ranking:
    """Rank what a store found for a question."""
    found = replace(found, messages=tuple(each for each in found.messages if not _is_outdated(each)))
    first = len(found.facts)
    stems = Stems([*(each.terms for each in found.facts), *found.turns.terms])
    counts = stems.counts(tuple(dict.fromkeys(question.terms)))
    turns = Citations(found.turns, counts[first:], stems.lengths[first:])
    near = _nearness(question, found)
    own = (counts[:first], stems.lengths[:first])
    facts, lifted = _fact_scores(question, found.facts, near[:first], own, turns)
    messages = _message_scores(found, near[first:], turns)
    scores = np.concatenate([facts, messages])
    order = np.argsort(-scores, kind="stable")
    kept = order[: max(ALWAYS, np.count_nonzero(scores >= FLOOR))]
    hits = _hits(found, kept.tolist(), scores[kept].tolist())
    names = frozenset(each.fact.id for each, lift in zip(found.facts, lifted, strict=True) if lift)
    return Ranking(question, hits, found, names)


def _is_outdated(found: MessageCandidate) -> bool:
    """Whether all that it says is no longer true."""
    if not found.outdated:
        return False
    said = set(found.terms.split()) - token_set(found.message.speaker)
    return len(said.intersection(found.outdated.split())) >= SAYS_NO_MORE * len(said)


def _hits(found: SearchCandidates, numbers: Sequence[int], scores: Sequence[float]) -> tuple[Hit, ...]:
    """The candidates of these numbers, facts before messages, without reasons."""
    facts, messages, first = found.facts, found.messages, len(found.facts)
    return tuple(
        Hit(score=score, reasons=(), fact=facts[number].fact)
        if number < first
        else Hit(score=score, reasons=(), message=messages[number - first].message)
        for number, score in zip(numbers, scores, strict=True)
    )


def _nearness(question: Question, found: SearchCandidates) -> Scores:
    if not question.understood:
        return np.zeros(len(found.facts) + len(found.messages))
    unknown = (0.0,) * len(question.vectors)
    cosines = [each.similarities for each in found.facts] + [each.similarities or unknown for each in found.messages]
    columns = np.fromiter(chain.from_iterable(cosines), float).reshape(-1, len(question.vectors))
    return 0.5 * z(columns[:, 0]) + 0.5 * z(columns[:, 1])


def _fact_scores(
    question: Question, facts: Sequence[FactCandidate], near: Scores, own: tuple[Scores, Scores], turns: Citations
) -> tuple[Scores, Sequence[bool]]:
    """The scores, and for which facts the company they are in fits better than they do.

    ``own``: how often each fact has each term, and how many stems it has.
    """
    counts, lengths = own
    citing, places = turns.cited([each.fact.evidence for each in facts])
    around, lengths_around = turns.around(citing, places, len(facts))
    base = near + 0.15 * z(bm25(counts, lengths)) + 0.15 * z(bm25(counts + around, lengths + lengths_around))
    told_near = best_near(base, citing, turns.where(places))
    kin = best_kin(base, [each.fact.subject_id for each in facts], [each.fact.object_id for each in facts])
    scores = base + 0.15 * z(told_near) + 0.15 * z(kin) + _asked(question, facts)
    return scores, (np.maximum(told_near, kin) > np.maximum(base, 0)).tolist()


def _asked(question: Question, facts: Sequence[FactCandidate]) -> Scores:
    """What is beyond likeness: a date that the question names, an edge that it asks for."""
    points = np.zeros(len(facts))
    if question.dates:
        points += 1.5 * np.array([date_match(question.dates, each.fact.valid_from) for each in facts])
    if question.anchors:
        anchors = {each.id for each in question.anchors}
        points += 1.5 * np.array([_is_asked(question.terms, anchors, each.fact) for each in facts])
    return points


def _is_asked(terms: Collection[str], anchors: Collection[str], fact: Fact) -> bool:
    """Whether an end of the fact is named, and a word of its relation: "where does Ann live", LIVES_IN."""
    named = fact.subject_id in anchors or fact.object_id in anchors
    return named and not token_set(fact.relation).isdisjoint(terms)


def _message_scores(found: SearchCandidates, near: Scores, turns: Citations) -> Scores:
    messages = found.messages
    citing, places = turns.cited([(each.message.id,) for each in messages])
    own, around = turns.own(citing, places, len(messages)), turns.around(citing, places, len(messages))
    base = near + 0.25 * z(bm25(*own)) + 0.25 * z(bm25(*around))
    scores = base + 0.3 * best_near(base, citing, turns.where(places)) - TURN_HANDICAP
    told = {each for fact in found.facts for each in fact.fact.evidence}
    scores -= ONLY_ASKS * np.array([each.message.text.rstrip().endswith("?") for each in messages], dtype=float)
    scores -= TOLD * np.array([each.message.id in told for each in messages], dtype=float)
    scores -= OUTDATED * np.array([bool(each.outdated) for each in messages], dtype=float)
    return scores


def z(scores: Scores) -> Scores:
    """Z-scores; all 0 where the scores do not differ."""
    apart = scores - scores.sum() / max(len(scores), 1)
    spread = math.sqrt(apart @ apart / max(len(scores), 1))
    return np.zeros_like(scores) if spread < 1e-12 else apart / spread


def reasons(question: Question, found: FactCandidate | MessageCandidate, *, lifted: bool = False) -> tuple[Reason, ...]:
    """The path from an anchor, the cosine, the words shared, and whether its company ``lifted`` it; each if any."""
    told: list[Reason] = []
    if isinstance(found, FactCandidate) and found.path:
        told.append(Reason("anchor", " → ".join(found.path), 1 / (len(found.path) // 2)))
    if found.similarities:
        best = max(found.similarities)
        told.append(Reason("similarity", f"cosine {best:.2f}", best))
    said = found.terms.split()
    shared = [term for term in dict.fromkeys(question.terms) if term in said]
    if shared:
        told.append(Reason("keywords", " ".join(shared), len(shared) / len(set(question.terms))))
    return (*told, NEARBY) if lifted else tuple(told)
