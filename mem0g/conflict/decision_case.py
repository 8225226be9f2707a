"""What a language model is asked to decide about a window, numbered as it is shown, and what it replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from mem0g.conflict.candidates import candidates, latest_passing, says_exactly
from mem0g.conflict.protocol import ResolvedTriple, ResolvedWindow
from mem0g.model import Fact, content_id
from mem0g.resolve.mentions import ALIAS
from mem0g.resolve.nodes import UncertainMatch
from mem0g.store.queries import RelatedFact


@dataclass(frozen=True)
class DecisionCase:
    """The known facts that may be touched, numbered from 1, then the triples that may touch something.

    ``shown`` are the known facts of each triple; ``earlier`` the places of the triples before it that it may touch.
    Both are empty for a triple that says exactly what is known, or another name: it is decided by rule.
    ``windows`` are the places of the triples of each window that is decided about. ``uncertain`` are pairs of entities
    that may be one, numbered from 1 too.
    """

    triples: tuple[ResolvedTriple, ...]
    related: tuple[tuple[RelatedFact, ...], ...]
    shown: tuple[tuple[Fact, ...], ...]
    earlier: tuple[tuple[int, ...], ...]
    windows: tuple[range, ...]
    uncertain: tuple[UncertainMatch, ...] = ()

    @property
    def key(self) -> str:
        """The id of the question: another one when other facts may be touched."""
        known = (f"{fact.id} {fact.evidence}" for fact in self.known.values())
        pairs = ("/".join(each.pair) for each in self.uncertain)
        return content_id("case", *known, *(new.triple.text for new in self.triples), *pairs)

    @property
    def is_open(self) -> bool:
        """Whether there is something to decide: a fact that may be touched and was told before, or an uncertain pair.

        What only facts of the same day may touch is decided by rule.
        """
        before = any(
            _is_of_a_day_before(self.triples[each], self.triples[place])
            for place, earlier in enumerate(self.earlier)
            for each in earlier
        )
        return any(self.shown) or before or bool(self.uncertain)

    @cached_property
    def known(self) -> Mapping[int, Fact]:
        """The known facts that are shown, by number."""
        facts = {fact.id: fact for each in self.shown for fact in each}
        return dict(enumerate(facts.values(), start=1))

    @cached_property
    def asked(self) -> Mapping[int, int]:
        """The places of the triples to be decided about, by number."""
        touched = {place for each in self.earlier for place in each}
        open_ones = [
            place for place in range(len(self.triples)) if self.shown[place] or self.earlier[place] or place in touched
        ]
        return dict(enumerate(open_ones, start=len(self.known) + 1))

    @cached_property
    def pairs(self) -> Mapping[int, UncertainMatch]:
        """The uncertain pairs of entities, by number."""
        return dict(enumerate(self.uncertain, start=1))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each known fact, by id."""
        return {fact.id: number for number, fact in self.known.items()}

    @cached_property
    def numbers_of_triples(self) -> Mapping[int, int]:
        """The number of each triple to be decided about, by place."""
        return {place: number for number, place in self.asked.items()}

    def touches(self, place: int) -> list[int]:
        """Return the numbers of what the triple at ``place`` may touch."""
        known = [self.numbers[fact.id] for fact in self.shown[place]]
        return known + [self.numbers_of_triples[each] for each in self.earlier[place]]


def case_of(window: ResolvedWindow, limit: int) -> DecisionCase:
    """Return the case of a window; ``limit`` is the number of facts shown per triple, see ``candidates``."""
    asked = [_is_asked(new, related) for new, related in zip(window.triples, window.related, strict=True)]
    told = [new.fact(window.at, repeats=place) for place, new in enumerate(window.triples)]
    places = {fact.id: place for place, fact in enumerate(told)}
    related = [
        (*known, *_told_before(window.triples, place, told, asked)) if asked[place] else ()
        for place, known in enumerate(window.related)
    ]
    likely = [
        candidates(new, found, window.registry, limit, window.thresholds)
        for new, found in zip(window.triples, related, strict=True)
    ]
    for place, fact in latest_passing(window.triples, related, {fact.id for facts in likely for fact in facts}):
        if len(likely[place]) < limit:
            likely[place].append(fact)
    shown = tuple(tuple(fact for fact in facts if fact.id not in places) for facts in likely)
    touching = window.thresholds.touching
    earlier = []
    for place, facts in enumerate(likely):
        before = [each for each in _earlier(window.triples, place, touching) if asked[each]] if asked[place] else []
        found = dict.fromkeys((*(places[fact.id] for fact in facts if fact.id in places), *before))
        earlier.append(tuple(found)[: max(0, limit - len(shown[place]))])
    return DecisionCase(window.triples, window.related, shown, tuple(earlier), window.windows, window.uncertain)


def _told_before(
    triples: Sequence[ResolvedTriple], place: int, told: Sequence[Fact], asked: Sequence[bool]
) -> list[RelatedFact]:
    """Return what triples said on a day before that at ``place`` tell, which it may touch as it may what is known."""
    new = triples[place]
    return [
        RelatedFact(told[each], float(triples[each].vector @ new.vector))
        for each, other in enumerate(triples[:place])
        if asked[each] and _is_of_a_day_before(other, new)
    ]


def _is_of_a_day_before(other: ResolvedTriple, new: ResolvedTriple) -> bool:
    """Whether the other triple was said on a day before the new one."""
    return other.said_at is not None and new.said_at is not None and other.said_at.date() < new.said_at.date()


def _is_asked(new: ResolvedTriple, related: Sequence[RelatedFact]) -> bool:
    """Whether the triple is neither another name nor exactly what a current fact says."""
    return new.relation != ALIAS and not any(each.fact.current and says_exactly(new, each.fact) for each in related)


def _earlier(triples: Sequence[ResolvedTriple], place: int, touching: float) -> list[int]:
    """Return the places of earlier triples that share an entity and the other one, or have a similar sentence.

    The most similar come first.
    """
    new = triples[place]
    found: list[tuple[float, int]] = []
    for each in range(place):
        other = triples[each]
        same_ends = {other.subject.id, other.object.id} == {new.subject.id, new.object.id}
        similarity = float(other.vector @ new.vector)
        if same_ends or (new.shares_an_end(other.subject.id, other.object.id) and similarity >= touching):
            found.append((-similarity, each))
    return [each for _, each in sorted(found)]


class Judgement(BaseModel):
    """A decision about one new fact: ``number`` is its own, ``facts`` are the numbers of those it touches.

    A new fact may have several: it says the same as one fact and ends others. One without any is added.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    number: int
    operation: Literal["UPDATE", "DELETE", "NOOP"]
    facts: list[int]
    sentence: str | None
    since: str | None
    reason: str | None


class Judgements(BaseModel):
    """The reply: the decisions about a window's new facts."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    decisions: list[Judgement]

    @field_validator("decisions", mode="before")
    @classmethod
    def _listed(cls, decisions: Any) -> Any:
        """Leave out what is only added: it need not be listed, but a model that knows mem0's operations may list it."""
        if not isinstance(decisions, list):
            return decisions
        return [each for each in decisions if not (isinstance(each, dict) and each.get("operation") == "ADD")]


class JudgementsAndNames(Judgements):
    """The reply where pairs are uncertain: also the numbers of the pairs that mean one thing."""

    same: list[int]
