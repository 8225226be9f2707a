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

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mem0g.lexical import tokens
from mem0g.model import Hit, Message, Reason
from mem0g.retrieve.dates import match
from mem0g.retrieve.keywords import bm25
from mem0g.retrieve.question import Question
from mem0g.store.queries import Found, FoundFact, FoundMessage, Turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]
    """One score a candidate, shape (candidates,)."""

NEAR_TURNS = 4
"""Turns of one session within which two facts speak of one thing."""

HUB = 0.1
"""Share of the candidates from which an entity is in too many of them to link any two."""

TURN_HANDICAP = 1.3
"""By how much a raw turn must fit better than a fact, which says the same in fewer words, and dated. With many facts
more does as well, with few facts less."""

ONLY_ASKS = 1.0
"""What a turn that ends with a question loses: the answer stands in the next one."""

TOLD = 0.8
"""What a turn loses when a fact among the candidates stands on it: that fact says it."""

OUTDATED = 1.5
"""What a turn loses when all that it was found to say is no longer true."""

FLOOR, ALWAYS = -1.2, 10
"""Score under which a hit is cut off, and how many are kept whatever their scores: of few candidates z-scores tell
little. The cut costs no recall within 1000 tokens and 0.3 points at 2000."""

Turns = Mapping[str, Sequence[Turn]]
"""The turns at most one away from a message, itself included, by its id."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands: its conversation's sitting and its position there."""

    sitting: tuple[str, str]
    position: int


def rank(question: Question, found: Found, turns: Turns) -> tuple[Hit, ...]:
    """The candidates as hits, best first, on one scale, ties by id; those that hardly fit are cut off."""
    unknown = (0.0,) * len(question.vectors)
    cosines = [each.similarities for each in found.facts] + [each.similarities or unknown for each in found.messages]
    if not cosines:
        return ()
    columns = np.array(cosines)
    near = 0.5 * z(columns[:, 0]) + 0.5 * z(columns[:, 1])
    facts = _rank_facts(question, found.facts, near[: len(found.facts)], turns)
    told = {each for found_fact in found.facts for each in found_fact.fact.evidence}
    messages = _rank_messages(question, found.messages, near[len(found.facts) :], turns, told)
    ranked = sorted((*facts, *messages), key=lambda hit: (-hit.score, hit.fact is None, _id(hit)))
    return tuple(hit for place, hit in enumerate(ranked) if place < ALWAYS or hit.score >= FLOOR)


def _rank_facts(question: Question, facts: Sequence[FoundFact], near: Scores, turns: Turns) -> list[Hit]:
    if not facts:
        return []
    sentences = [found.terms for found in facts]
    around = [(*found.terms, *_terms_around(found.fact.evidence, turns)) for found in facts]
    base = near + 0.15 * z(bm25(question.terms, sentences)) + 0.15 * z(bm25(question.terms, around))
    told_near, kin = best_near(base, [_places(found, turns) for found in facts]), best_kin(base, facts)
    dates = np.array([match(question.dates, found.fact.valid_from) for found in facts])
    asked = np.array([_is_asked(question, found) for found in facts])
    scores = base + 0.15 * z(told_near) + 0.15 * z(kin) + 1.5 * dates + 1.5 * asked
    lifted = np.maximum(told_near, kin) > np.maximum(base, 0)
    return [
        Hit(score=float(score), reasons=_reasons(question, found, bool(lift)), fact=found.fact)
        for found, score, lift in zip(facts, scores, lifted, strict=True)
    ]


def _rank_messages(
    question: Question, messages: Sequence[FoundMessage], near: Scores, turns: Turns, told: set[str]
) -> list[Hit]:
    """``told`` are the ids of messages on which a fact among the candidates stands."""
    if not messages:
        return []
    own = bm25(question.terms, [found.terms for found in messages])
    around = bm25(question.terms, [_terms_around([found.message.id], turns) for found in messages])
    base = near + 0.25 * z(own) + 0.25 * z(around)
    scores = base + 0.3 * best_near(base, [[_place(found.message)] for found in messages]) - TURN_HANDICAP
    scores -= ONLY_ASKS * np.array([found.message.text.rstrip().endswith("?") for found in messages])
    scores -= TOLD * np.array([found.message.id in told for found in messages])
    scores -= OUTDATED * np.array([found.outdated for found in messages])
    return [
        Hit(score=float(score), reasons=_similar_and_keywords(question, found), message=found.message)
        for found, score in zip(messages, scores, strict=True)
    ]


def _is_asked(question: Question, found: FoundFact) -> bool:
    """Whether the question names an end of the fact, and a word of its relation: "where does Ann live", LIVES_IN."""
    ends = {found.fact.subject_id, found.fact.object_id}
    words = set(tokens(found.fact.relation.replace("_", " ")))
    return bool(words.intersection(question.terms)) and not ends.isdisjoint(each.id for each in question.anchors)


def z(scores: Scores) -> Scores:
    """Z-scores; all 0 where the scores do not differ."""
    spread = scores.std()
    return np.zeros_like(scores) if spread < 1e-12 else (scores - scores.mean()) / spread


def best_near(base: Scores, places: Sequence[Sequence[Place]]) -> Scores:
    """For each candidate the best positive score of another whose evidence is at most four turns from its own."""
    by_sitting: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for index, cited in enumerate(places):
        for place in cited:
            by_sitting[place.sitting].append((place.position, index))
    best = np.zeros(len(base))
    for cited_in in by_sitting.values():
        positions = np.array([position for position, _ in cited_in])
        owners = np.array([index for _, index in cited_in])
        close = np.abs(positions[:, None] - positions[None, :]) <= NEAR_TURNS
        close &= owners[:, None] != owners[None, :]
        values = np.where(close, np.maximum(base[owners], 0)[None, :], 0).max(axis=1)
        np.maximum.at(best, owners, values)
    return best


def best_kin(base: Scores, facts: Sequence[FoundFact]) -> Scores:
    """For each candidate the best positive score of another that shares an entity with it, hubs not counted."""
    members: dict[str, list[int]] = defaultdict(list)
    for index, found in enumerate(facts):
        for entity in {found.fact.subject_id, found.fact.object_id}:
            members[entity].append(index)
    best = np.zeros(len(base))
    for sharing in members.values():
        if 1 < len(sharing) <= max(2, HUB * len(facts)):
            scores = np.maximum(base[sharing], 0)
            for place, index in enumerate(sharing):
                best[index] = max(best[index], np.delete(scores, place).max())
    return best


def _places(found: FoundFact, turns: Turns) -> list[Place]:
    near = (turn.message for each in found.fact.evidence for turn in turns.get(each, ()) if turn.message.id == each)
    return [_place(message) for message in near]


def _place(message: Message) -> Place:
    return Place((message.source, message.session), message.position)


def _terms_around(ids: Iterable[str], turns: Turns) -> tuple[str, ...]:
    near = {turn.message.id: turn.terms for each in ids for turn in turns.get(each, ())}
    return tuple(term for terms in near.values() for term in terms)


def _reasons(question: Question, found: FoundFact, lifted: bool) -> tuple[Reason, ...]:
    reasons = list(_similar_and_keywords(question, found))
    if found.path:
        reasons.insert(0, Reason("anchor", " → ".join(found.path), 1 / (len(found.path) // 2)))
    if lifted:
        reasons.append(Reason("nearby", "a fact told near it, or of the same entity, fits the question better", 0.15))
    return tuple(reasons)


def _similar_and_keywords(question: Question, found: FoundFact | FoundMessage) -> tuple[Reason, ...]:
    reasons: list[Reason] = []
    if found.similarities:
        best = max(found.similarities)
        reasons.append(Reason("similarity", f"cosine {best:.2f}", best))
    shared = [term for term in dict.fromkeys(question.terms) if term in found.terms]
    if shared:
        reasons.append(Reason("keywords", " ".join(shared), len(shared) / len(set(question.terms))))
    return tuple(reasons)


def _id(hit: Hit) -> str:
    return hit.fact.id if hit.fact else hit.message.id if hit.message else ""
