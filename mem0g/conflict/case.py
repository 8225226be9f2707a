"""What of a window has to be decided: its claims, and the facts that each of them might touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mem0g.conflict.candidates import candidates
from mem0g.conflict.claim import Claim
from mem0g.model import Fact, content_id
from mem0g.relations.registry import Registry
from mem0g.resolve.nodes import UncertainMatch
from mem0g.store.queries import RelatedFact

if TYPE_CHECKING:
    from mem0g.model import Vector

ALIKE = 0.8
"""Cosine from which two claims of one window may touch: in one breath people seldom contradict themselves."""


@dataclass(frozen=True)
class Case:
    """Numbered: the known facts that may be touched from 1, then the claims that may touch something.

    ``shown`` are the known facts of each claim; ``earlier`` the claims of its window before it that it might touch.
    ``doubts`` are pairs of names that may mean one thing, numbered from 1 too.
    """

    claims: tuple[Claim, ...]
    related: tuple[tuple[RelatedFact, ...], ...]
    shown: tuple[tuple[Fact, ...], ...]
    earlier: tuple[tuple[int, ...], ...]
    doubts: tuple[UncertainMatch, ...] = ()

    @property
    def key(self) -> str:
        """What is asked, as an id: another one when other facts may be touched."""
        known = (f"{fact.id} {fact.evidence}" for fact in self.known.values())
        pairs = ("/".join(each.pair) for each in self.doubts)
        return content_id("case", *known, *(claim.triple.text for claim in self.claims), *pairs)

    @property
    def is_open(self) -> bool:
        """Whether a known fact may be touched, or a name is in doubt: else there is nothing to decide."""
        return any(self.shown) or bool(self.doubts)

    @cached_property
    def known(self) -> Mapping[int, Fact]:
        """The known facts that are shown, by number."""
        facts = {fact.id: fact for each in self.shown for fact in each}
        return dict(enumerate(facts.values(), start=1))

    @cached_property
    def asked(self) -> Mapping[int, int]:
        """The places of the claims to be decided about, by number."""
        touched = {place for each in self.earlier for place in each}
        open_ones = [
            place for place in range(len(self.claims)) if self.shown[place] or self.earlier[place] or place in touched
        ]
        return dict(enumerate(open_ones, start=len(self.known) + 1))

    @cached_property
    def pairs(self) -> Mapping[int, UncertainMatch]:
        """The names in doubt, by number."""
        return dict(enumerate(self.doubts, start=1))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each known fact, by id."""
        return {fact.id: number for number, fact in self.known.items()}

    @cached_property
    def numbers_of_claims(self) -> Mapping[int, int]:
        """The number of each claim to be decided about, by place."""
        return {place: number for number, place in self.asked.items()}

    def touches(self, place: int) -> list[int]:
        """The numbers of what a claim might touch."""
        known = [self.numbers[fact.id] for fact in self.shown[place]]
        return known + [self.numbers_of_claims[each] for each in self.earlier[place]]


def case_of(
    claims: Sequence[Claim],
    related: Sequence[Sequence[RelatedFact]],
    registry: Registry,
    most: int,
    doubts: Sequence[UncertainMatch] = (),
) -> Case:
    """The case of a window: for each claim the current facts that it may touch, at most ``most`` by likeness."""
    shown = tuple(tuple(candidates(one, facts, registry, most)) for one, facts in zip(claims, related, strict=True))
    earlier = tuple(tuple(_earlier(claims, place)) for place in range(len(claims)))
    return Case(tuple(claims), tuple(map(tuple, related)), shown, earlier, tuple(doubts))


def _earlier(claims: Sequence[Claim], place: int) -> list[int]:
    """The places of earlier claims that have both ends of this one, or one of them and nearly the same sentence."""
    claim, found = claims[place], []
    for each in range(place):
        other = claims[each]
        same_ends = {other.subject.id, other.object.id} == {claim.subject.id, claim.object.id}
        alike = claim.shares_an_end(other.subject.id, other.object.id) and _cosine(other.vector, claim.vector) >= ALIKE
        if same_ends or alike:
            found.append(each)
    return found


def _cosine(one: Vector, two: Vector) -> float:
    return float(one @ two)
