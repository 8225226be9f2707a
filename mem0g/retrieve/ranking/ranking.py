"""Rank the candidates of a search by the weighted sum of its signals, and give the hits their reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, count
from typing import TYPE_CHECKING, overload

import numpy as np

from mem0g.errors import InputError
from mem0g.model import Hit, Reason
from mem0g.retrieve.question.query import Question
from mem0g.retrieve.ranking.candidate_set import CandidateSet
from mem0g.retrieve.ranking.corrections import raise_corrections
from mem0g.retrieve.ranking.follow_ups import raise_follow_up
from mem0g.retrieve.ranking.recency import add_recency, raise_latest
from mem0g.retrieve.ranking.signals import DEFAULT_SIGNALS, Signal
from mem0g.retrieve.ranking.succession import Successions, was_said_after
from mem0g.retrieve.ranking.times_asked import raise_what_held, raise_what_holds
from mem0g.retrieve.ranking.wording import WITHIN
from mem0g.store.candidates import (
    UNKNOWN,
    FactCandidate,
    MessageCandidate,
    SearchCandidates,
    several,
)
from mem0g.text.stemming import token_set

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices, Scores

SAYS_NO_MORE = 0.7
"""Share of a message's stems above which it says no more than the facts it is evidence of: when they are no longer
true, it is no candidate. "I live in Oslo, and my dog is called Rex" is one after a move: half is about the dog."""

FLOOR, ALWAYS = -1.2, 10
"""Score under which a hit is cut off, and how many are kept whatever their scores: of few candidates z-scores mean
little. The cut costs no recall within 1000 tokens and 0.3 points at 2000."""

CONTESTED, FARTHEST, ABOVE = 10, 3.0, 0.01
"""How many of the best messages later statements may replace, by how much these may fit less, and the points they then
have more."""

ASKING = 4.0
"""By how much less than a question at the top a statement may fit that is put above it."""

LOOP = 3
"""Parts of the path of one edge: subject, relation and object. One that leads back to its subject is no path."""

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
    hits: Hits
    found: SearchCandidates
    raised: frozenset[str]
    contributions: Mapping[str, tuple[Reason, ...]] = field(default_factory=dict)
    said: Sequence[Hit] = ()
    summaries: tuple[str, ...] = ()

    def explained(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """Return the same hits with their reasons; those that were not searched for have none."""
        given, found = tuple(hits), self.found
        facts = dict(zip(found.fact_columns.ids, count(), strict=False))
        messages = dict(zip(found.message_columns.keys, count(), strict=False))
        stated = {hit.key: facts[hit.key] for hit in given if hit.fact}
        said = {hit.key: messages[hit.key] for hit in given if hit.key in messages}
        candidates: dict[str, FactCandidate | MessageCandidate] = {
            **dict(zip(stated, several(found.facts, [*stated.values()]), strict=True)),
            **dict(zip(said, several(found.messages, [*said.values()]), strict=True)),
        }
        return tuple(
            replace(hit, reasons=self._reasons(candidates[hit.key], hit.key) if hit.key in candidates else ())
            for hit in given
        )

    def _reasons(self, found: FactCandidate | MessageCandidate, key: str) -> tuple[Reason, ...]:
        raised = (NEARBY,) if key in self.raised else ()
        return (*reasons(self.question, found), *raised, *self.contributions.get(key, ()))


def rank(
    question: Question, found: SearchCandidates, signals: Sequence[Signal] = DEFAULT_SIGNALS, *, cut: bool = True
) -> Ranking:
    """Rank what a store found for a question; without ``cut`` keep those that hardly fit, too.

    Raises InputError for a signal that does not return one finite number for each candidate.
    """
    if any(found.message_columns.outdated):
        found = replace(found, messages=tuple(each for each in found.messages if not _is_outdated(each)))
    found = found.in_columns()
    candidates = CandidateSet(question, found)
    total, first = np.zeros(len(candidates)), candidates.first
    own: dict[str, Scores] = {}
    for signal in signals:
        if signal in DEFAULT_SIGNALS:
            scores = np.asarray(signal.scores(candidates), dtype=np.float64)
            if signal.fact_weight:
                total[:first] += signal.fact_weight * scores[:first]
            if signal.message_weight:
                total[first:] += signal.message_weight * scores[first:]
        else:
            own[signal.name] = weighted = _weighted(signal, candidates)
            total += weighted
    add_recency(candidates, total)
    telling = candidates.eligible
    _lift_newer(candidates, total)
    raise_latest(candidates, total)
    raise_corrections(candidates, total)
    raise_what_held(candidates, total)
    raise_what_holds(candidates, total)
    raise_follow_up(candidates, total)
    order = np.lexsort((-total, ~telling))
    order = _with_a_statement_first(candidates, order, total)
    kept = order[: max(ALWAYS, np.count_nonzero(telling & (total >= FLOOR)))] if cut else order
    total[kept] = np.minimum.accumulate(total[kept])
    neighbours = np.maximum(candidates.nearby[:first], candidates.related)
    lined = question.overview or candidates.has_role("assistant").any()
    places = list(range(first, len(candidates))) if lined else []
    raised = (neighbours > np.maximum(candidates.relevance[:first], 0)).tolist()
    return Ranking(
        question,
        Hits(candidates, kept.tolist(), total[kept].tolist()),
        found,
        frozenset(compress(candidates.fact_columns.ids, raised)),
        _contributions(candidates, own),
        Hits(candidates, places, candidates.relevance[places].tolist()),
    )


def _with_a_statement_first(candidates: CandidateSet, order: Indices, total: Scores) -> Indices:
    """Return the order with the best statement in front, if a question is and the statement fits nearly as well."""
    asking = np.zeros(len(candidates), dtype=bool)
    asking[candidates.first :] = candidates.wordings & WITHIN > 0
    if not len(order) or not asking[order[0]]:
        return order
    near = ~asking[order] & candidates.eligible[order] & (total[order] >= total[order[0]] - ASKING)
    if not near.any():
        return order
    place = int(near.argmax())
    total[order[place]] = total[order[0]] + ABOVE
    return np.concatenate([order[place : place + 1], np.delete(order, place)])


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
    first, told = candidates.first, np.flatnonzero(candidates.telling)
    messages, facts = candidates.message_columns, candidates.fact_columns
    numbers = np.concatenate([first + told, np.arange(first)])
    times = np.concatenate([messages.times[told], facts.said_at])
    best = told[np.argsort(-total[first:][told], kind="stable")[:CONTESTED]].tolist()
    if not best:
        return
    best.sort(key=lambda place: (messages.times[place], messages.positions[place]))
    groups = [np.concatenate([[first + place], candidates.stating(place)]) for place in best]
    near = _near(total, numbers, groups)
    near[: len(told)] &= candidates.told[told] != 1
    near &= (times == UNKNOWN) | (times >= messages.times[best].min())
    near &= ~candidates.belated[numbers]
    of_speakers = {*(len(told) + np.flatnonzero(facts.subjects.are(candidates.speakers))).tolist()}
    successions = Successions(candidates.said(told), candidates.question.text, of_speakers)
    replacing = successions.replacing(np.searchsorted(told, best).tolist(), np.flatnonzero(near))
    for place, group, places in zip(best, groups, replacing, strict=True):
        above = total[group].max()
        later = numbers[places]
        close = (total[later] <= above) & (above <= total[later] + FARTHEST)
        close &= (later[:, None] != group).all(axis=1)
        close[close] = _said_after(candidates, later[close], times[places[close]], place)
        total[later[close]] = above + ABOVE


def _said_after(candidates: CandidateSet, numbers: Indices, times: Indices, place: int) -> NDArray[np.bool_]:
    """Return which candidates, said at these ``times``, were said after the message at a place; see was_said_after."""
    time, first, found = candidates.message_columns.times[place], candidates.first, candidates.found
    after: NDArray[np.bool_] = times > time
    unclear = (times == UNKNOWN) | (times == time) | (time == UNKNOWN)
    after[unclear] = False
    for at in np.flatnonzero(unclear & (numbers >= first)).tolist():
        after[at] = was_said_after(found.messages[numbers[at] - first].message, found.messages[place].message)
    return after


def _near(scores: Scores, numbers: Indices, groups: Sequence[Indices]) -> NDArray[np.bool_]:
    """Return which of ``numbers`` fit so much less than one of the groups that they may be raised.

    What is raised on the way may lift a group by ABOVE, each of them once.
    """
    highest = [float(scores[group].max()) for group in groups]
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


class Hits(Sequence[Hit]):
    """Hits without reasons, each made when it is read: ``first``, then the candidates of these numbers.

    Facts are numbered before messages.
    """

    def __init__(
        self, candidates: CandidateSet, numbers: Sequence[int], scores: Sequence[float], first: Sequence[Hit] = ()
    ) -> None:
        self._candidates, self._numbers, self._scores, self._first = candidates, numbers, scores, first

    def __len__(self) -> int:
        return len(self._first) + len(self._numbers)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self._all)

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        if not isinstance(place, slice):
            return self._all[place]
        places, known = range(len(self))[place], len(self._first)
        made = iter(self._made([each - known for each in places if each >= known]))
        return tuple(self._first[each] if each < known else next(made) for each in places)

    def after(self, first: Sequence[Hit], place: int, without: Collection[str]) -> Hits:
        """Return ``first`` and then these hits from a place on, but not the facts with the ids ``without``."""
        ids = self._candidates.fact_columns.ids
        gone = {number for number, each in enumerate(ids) if each in without} if without else ()
        rest = zip(self._numbers[place:], self._scores[place:], strict=True)
        left = [(number, score) for number, score in rest if number not in gone]
        return Hits(self._candidates, [number for number, _ in left], [score for _, score in left], first)

    @property
    def scores(self) -> list[float]:
        """The scores of the hits."""
        return [*(each.score for each in self._first), *self._scores]

    @cached_property
    def _all(self) -> tuple[Hit, ...]:
        return self[:]

    def _made(self, places: Sequence[int]) -> Iterator[Hit]:
        facts, found = self._candidates.first, self._candidates.found
        numbers = [self._numbers[place] for place in places]
        stated = iter(several(found.facts, [number for number in numbers if number < facts]))
        said = iter(several(found.messages, [number - facts for number in numbers if number >= facts]))
        for place, number in zip(places, numbers, strict=True):
            if number < facts:
                yield Hit(score=self._scores[place], reasons=(), fact=next(stated).fact)
            else:
                each = next(said)
                yield Hit(score=self._scores[place], reasons=(), message=each.message, passage=each.passage)


def _contributions(candidates: CandidateSet, added: Mapping[str, Scores]) -> dict[str, tuple[Reason, ...]]:
    """Return a reason for each candidate and signal of the caller's own that added something, by id."""
    if not added:
        return {}
    ids = [*candidates.fact_columns.ids, *candidates.message_columns.keys]
    return {
        key: tuple(Reason(name, f"{values[n]:+.2f}", float(values[n])) for name, values in added.items() if values[n])
        for n, key in enumerate(ids)
    }


def reasons(question: Question, found: FactCandidate | MessageCandidate) -> tuple[Reason, ...]:
    """Return why a candidate was found: the path from an anchor, the cosine, the shared words; each if any."""
    given: list[Reason] = []
    if isinstance(found, FactCandidate) and found.path:
        path = found.path[:1] if found.fact.names_its_subject and len(found.path) == LOOP else found.path
        given.append(Reason("anchor", " → ".join(path), 1 / (len(found.path) // 2)))
    if found.similarities:
        best = max(found.similarities)
        given.append(Reason("similarity", f"cosine {best:.2f}", best))
    stems = found.terms.split()
    shared = [term for term in dict.fromkeys(question.terms) if term in stems]
    if shared:
        given.append(Reason("keywords", " ".join(shared), len(shared) / len(set(question.terms))))
    return tuple(given)
