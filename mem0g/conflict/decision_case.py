"""What a language model is asked to decide about a window, numbered as it is shown, and what it replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict

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
    ``uncertain`` are pairs of entities that may be one, numbered from 1 too.
    """

    triples: tuple[ResolvedTriple, ...]
    related: tuple[tuple[RelatedFact, ...], ...]
    shown: tuple[tuple[Fact, ...], ...]
    earlier: tuple[tuple[int, ...], ...]
    uncertain: tuple[UncertainMatch, ...] = ()

    @property
    def key(self) -> str:
        """The id of the question: another one when other facts may be touched."""
        known = (f"{fact.id} {fact.evidence}" for fact in self.known.values())
        pairs = ("/".join(each.pair) for each in self.uncertain)
        return content_id("case", *known, *(new.triple.text for new in self.triples), *pairs)

    @property
    def is_open(self) -> bool:
        """Whether there is something to decide: a known fact that may be touched, or an uncertain pair."""
        return any(self.shown) or bool(self.uncertain)

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
    shown = tuple(
        tuple(candidates(new, related, window.registry, limit, window.thresholds)) if is_asked else ()
        for new, related, is_asked in zip(window.triples, window.related, asked, strict=True)
    )
    shown = _with_passing(window, shown, asked)
    touching = window.thresholds.touching
    earlier = tuple(
        tuple(each for each in _earlier(window.triples, place, touching) if asked[each])[
            : max(0, limit - len(shown[place]))
        ]
        if is_asked
        else ()
        for place, is_asked in enumerate(asked)
    )
    return DecisionCase(window.triples, window.related, shown, earlier, window.uncertain)


def _with_passing(
    window: ResolvedWindow, shown: tuple[tuple[Fact, ...], ...], asked: Sequence[bool]
) -> tuple[tuple[Fact, ...], ...]:
    """Return what is shown with the latest passing states, each beside one triple that is asked about."""
    open_ones = [place for place, is_asked in enumerate(asked) if is_asked]
    found = latest_passing(
        [window.triples[place] for place in open_ones],
        [window.related[place] for place in open_ones],
        {fact.id for facts in shown for fact in facts},
    )
    added = [(open_ones[place], fact) for place, fact in found]
    return tuple(
        (*facts, *(fact for beside, fact in added if beside == place)) for place, facts in enumerate(shown)
    )


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


class JudgementsAndNames(Judgements):
    """The reply where pairs are uncertain: also the numbers of the pairs that mean one thing."""

    same: list[int]
