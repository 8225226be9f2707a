"""Rank the candidates of a search by the weighted sum of its signals, and give the hits their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from mem0g.errors import InputError
from mem0g.model import Fact, Hit, Message, Reason
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.retrieve.ranking.signals import DEFAULT_SIGNALS, Signal
from mem0g.retrieve.ranking.succession import Successions, said_at, was_said_after
from mem0g.retrieve.ranking.updates import raise_updates
from mem0g.store.candidates import FactCandidate, MessageCandidate, SearchCandidates
from mem0g.text.stemming import token_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Scores

SAYS_NO_MORE = 0.7
"""Share of a message's stems above which it says no more than the facts it is evidence of: when they are no longer
true, it is no candidate. "I live in Oslo, and my dog is called Rex" is one after a move: half is about the dog."""

FLOOR, ALWAYS = -1.2, 10
"""Score under which a hit is cut off, and how many are kept whatever their scores: of few candidates z-scores mean
little. The cut costs no recall within 1000 tokens and 0.3 points at 2000."""

CONTESTED, FARTHEST, ABOVE = 10, 3.0, 0.01
"""How many of the best messages later statements may replace, by how much these may fit less, and the points they then
have more."""

NEVER = datetime.min.replace(tzinfo=UTC)

NEARBY = Reason("nearby", "a fact stated nearby, or about the same entity, fits the question better", 0.15)
"""The reason of a fact whose neighbours raise it."""


@dataclass(frozen=True)
class Ranking:
    """The candidates as ``hits``, best first, on one scale, ties by id; those that hardly fit are cut off.

    The hits have no reasons yet: ``explained`` adds them to those that are returned. ``raised`` are the facts that
    their neighbours raise, ``contributions`` what signals of the caller's own added, by the id of fact, message
    or passage. ``said``: where a context gets a time line (of a conversation with an assistant, and of any as a whole)
    every message and passage found, in any order, scored by how well it fits the topic alone; ``summaries``: what a
    model wrote of its conversations.
    """

    question: Question
    hits: Sequence[Hit]
    found: SearchCandidates
    raised: frozenset[str]
    contributions: Mapping[str, tuple[Reason, ...]] = field(default_factory=dict)
    said: Sequence[Hit] = ()
    summaries: tuple[str, ...] = ()

    def explained(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """Return the same hits with their reasons; those that were not searched for have none."""
        facts = {each.fact.id: each for each in self.found.facts}
        messages = {each.id: each for each in self.found.messages}

        def why(hit: Hit) -> tuple[Reason, ...]:
            if hit.fact:
                return self._reasons(facts[hit.fact.id], hit.fact.id)
            return self._reasons(messages[hit.key], hit.key) if hit.key in messages else ()

        return tuple(replace(hit, reasons=why(hit)) for hit in hits)

    def _reasons(self, found: FactCandidate | MessageCandidate, key: str) -> tuple[Reason, ...]:
        raised = (NEARBY,) if key in self.raised else ()
        return (*reasons(self.question, found), *raised, *self.contributions.get(key, ()))


def rank(
    question: Question, found: SearchCandidates, signals: Sequence[Signal] = DEFAULT_SIGNALS, *, cut: bool = True
) -> Ranking:
    """Rank what a store found for a question; without ``cut`` keep those that hardly fit, too.

    Raises InputError for a signal that does not return one finite number for each candidate.
    """
    found = replace(found, messages=tuple(each for each in found.messages if not _is_outdated(each)))
    candidates = CandidateSet(question, found)
    total = np.zeros(len(candidates))
    own: dict[str, Scores] = {}
    for signal in signals:
        weighted = _weighted(signal, candidates)
        total += weighted
        if signal not in DEFAULT_SIGNALS:
            own[signal.name] = weighted
    first = len(candidates.facts)
    telling = np.concatenate([np.ones(first, bool), candidates.telling])
    _lift_newer(candidates, total)
    raise_updates(candidates, total)
    order = np.lexsort((-total, ~telling))
    kept = order[: max(ALWAYS, np.count_nonzero(telling & (total >= FLOOR)))] if cut else order
    total[kept] = np.minimum.accumulate(total[kept])
    neighbours = np.maximum(candidates.nearby[:first], candidates.related)
    lined = question.overview or any(each.role == "assistant" for each in candidates.messages)
    places = list(range(first, len(candidates))) if lined else []
    raised = np.flatnonzero(neighbours > np.maximum(candidates.relevance[:first], 0)).tolist()
    return Ranking(
        question,
        _Hits(candidates, kept.tolist(), total[kept].tolist()),
        found,
        frozenset(candidates.facts[number].id for number in raised),
        _contributions(candidates, own),
        _Hits(candidates, places, candidates.relevance[places].tolist()),
    )


def _is_outdated(found: MessageCandidate) -> bool:
    """Whether all that the message says is no longer true."""
    if not found.outdated:
        return False
    stems = set(found.terms.split()) - token_set(found.message.speaker)
    return len(stems.intersection(found.outdated.split())) >= SAYS_NO_MORE * len(stems)


def _lift_newer(candidates: CandidateSet, total: Scores) -> None:
    """Raise each statement right above the messages among the best that it replaces, and above the facts from these.

    A statement is a fact or a message; not a message of which facts say enough: they say what it changed.
    """
    first, told = len(candidates.facts), np.flatnonzero(candidates.telling)
    numbers, messages = [*(first + told).tolist(), *range(first)], candidates.messages
    best = told[np.argsort(-total[first:][told], kind="stable")[:CONTESTED]].tolist()
    if not best:
        return
    best.sort(key=lambda place: (messages[place].time or NEVER, messages[place].position))
    groups = [[first + place, *candidates.citing.get(messages[place].id, ())] for place in best]
    since = min(messages[place].time or NEVER for place in best)
    given: list[Message | Fact] = [*(messages[place] for place in told.tolist()), *candidates.facts]
    near = _near(total, numbers, groups)
    near[: len(told)] &= candidates.told[told] != 1
    may_rise = [place for place in np.flatnonzero(near).tolist() if (said_at(given[place]) or since) >= since]
    earlier = np.searchsorted(told, best).tolist()
    replacing = Successions(candidates.said(told.tolist()), candidates.question.text).replacing(earlier, may_rise)
    scores: list[float] = total.tolist()
    for place, group, places in zip(best, groups, replacing, strict=True):
        above = max(scores[number] for number in group)
        for later in places:
            number = numbers[later]
            close = scores[number] <= above <= scores[number] + FARTHEST
            if close and number not in group and was_said_after(given[later], messages[place]):
                scores[number] = above + ABOVE
    total[:] = scores


def _near(scores: Scores, numbers: Sequence[int], groups: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """Return which of ``numbers`` fit so much less than one of the groups that they may be raised.

    What is raised on the way may lift a group by ABOVE, each of them once.
    """
    highest = [max(scores[group].tolist()) for group in groups]
    least, most = min(highest), max(highest) + len(groups) * ABOVE
    near: NDArray[np.bool_] = (scores[numbers] < most) & (scores[numbers] + FARTHEST >= least)
    return near


def _weighted(signal: Signal, candidates: CandidateSet) -> Scores:
    """Return what the signal adds to the score of each candidate."""
    scores = np.asarray(signal.scores(candidates), dtype=np.float64)
    if scores.shape != (len(candidates),) or not np.isfinite(scores).all():
        raise InputError(
            f"the ranking signal {signal.name!r} returned an array of shape {scores.shape} for {len(candidates)}"
            " candidates, or a number that is not finite",
            hint="return one finite number for each fact, then for each message",
        )
    weighted: Scores = candidates.weights(signal.fact_weight, signal.message_weight) * scores
    return weighted


class _Hits(Sequence[Hit]):
    """The candidates of these numbers, facts before messages, as hits without reasons, made when they are read."""

    def __init__(self, candidates: CandidateSet, numbers: Sequence[int], scores: Sequence[float]) -> None:
        self._candidates, self._numbers, self._scores = candidates, numbers, scores

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self._all)

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        if isinstance(place, slice):
            return tuple(map(self._hit, self._numbers[place], self._scores[place]))
        return self._all[place]

    @cached_property
    def _all(self) -> tuple[Hit, ...]:
        return self[:]

    def _hit(self, number: int, score: float) -> Hit:
        first = len(self._candidates.facts)
        if number < first:
            return Hit(score=score, reasons=(), fact=self._candidates.facts[number])
        found = self._candidates.found.messages[number - first]
        return Hit(score=score, reasons=(), message=found.message, passage=found.passage)


def _contributions(candidates: CandidateSet, added: Mapping[str, Scores]) -> dict[str, tuple[Reason, ...]]:
    """Return a reason for each candidate and signal of the caller's own that added something, by id."""
    if not added:
        return {}
    ids = [*(each.id for each in candidates.facts), *(each.id for each in candidates.found.messages)]
    return {
        key: tuple(Reason(name, f"{values[n]:+.2f}", float(values[n])) for name, values in added.items() if values[n])
        for n, key in enumerate(ids)
    }


def reasons(question: Question, found: FactCandidate | MessageCandidate) -> tuple[Reason, ...]:
    """Return why a candidate was found: the path from an anchor, the cosine, the shared words; each if any."""
    given: list[Reason] = []
    if isinstance(found, FactCandidate) and found.path:
        given.append(Reason("anchor", " → ".join(found.path), 1 / (len(found.path) // 2)))
    if found.similarities:
        best = max(found.similarities)
        given.append(Reason("similarity", f"cosine {best:.2f}", best))
    stems = found.terms.split()
    shared = [term for term in dict.fromkeys(question.terms) if term in stems]
    if shared:
        given.append(Reason("keywords", " ".join(shared), len(shared) / len(set(question.terms))))
    return tuple(given)
