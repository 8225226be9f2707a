"""Retirements that are held for review: kept in the store until a person accepts or drops them.

A conflict policy holds them where it must not retire them itself; see mem0g.conflict.apply_decisions for when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mem0g.conflict.lying_ahead import holds_until
from mem0g.conflict.protocol import Verdict
from mem0g.errors import NotFoundError, quoted
from mem0g.history.images import USER, fact_image, image
from mem0g.model import Decision, Fact, Scope, Succession, content_id
from mem0g.store.change import Change, Retirement, Support
from mem0g.store.protocol import Store, Transaction
from mem0g.store.records import Done, ProposedRetirement, RetirementReview
from mem0g.times import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRetirement:
    """A fact that would have been retired at ``since``; ``successor`` is the fact that replaces it, if any."""

    fact: Fact
    successor: Fact | None
    reason: str
    since: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The retirements of one window, decided by ``model`` at the time ``at``, that wait to be accepted or dropped."""

    id: str
    scope: Scope
    window: str
    at: datetime
    model: str
    retirements: tuple[HeldRetirement, ...]


def reviews_of(verdicts: Sequence[Verdict], scope: Scope, window: str, at: datetime) -> tuple[RetirementReview, ...]:
    """Return the record of the retirements held by the verdicts of one window; empty where none are held."""
    held = [each for verdict in verdicts for each in verdict.held]
    if not held:
        return ()
    added = {verdict.fact.id for verdict in verdicts if verdict.fact}
    known = {each.succession.fact_id for each in held} - added
    review = RetirementReview(
        id=content_id("r", str(scope), window, at.isoformat(), *sorted(known)),
        scope=scope,
        window=window,
        at=at,
        model=held[0].succession.decided_by,
        retirements=tuple(map(_proposed, held)),
    )
    return (review,)


def held_retirements(store: Store, scope: Scope) -> tuple[Held, ...]:
    """Return what is held in the scopes covered, oldest first; facts that were erased are left out."""
    reviews = store.records(RetirementReview, scope)
    return tuple(_held(store.facts(review.scope, _ids(review)), review) for review in reviews)


def accept(store: Store, scope: Scope, wanted: str, at: datetime) -> int:
    """Retire the facts of one entry that are still current, as decided by the user; return how many.

    A state that ends on a later day stays current until then, with this end.

    Raises NotFoundError when nothing of that id is held in the scopes covered.
    """
    place = _found(store.records(RetirementReview, scope, [wanted]), wanted, scope).scope

    def work(transaction: Transaction) -> int:
        transaction.begin()  # from here on no other writer changes the scope
        review = _found(transaction.records(RetirementReview, [wanted]), wanted, place)
        held = _held(transaction.facts(_ids(review)), review)
        due = [each for each in held.retirements if each.fact.current]
        later = [each for each in due if holds_until(each.fact, each.since, at)]
        ends = tuple(_retirement(each, at) for each in due if each not in later)
        ending = tuple(Support(each.fact.id, (), valid_to=each.since) for each in later)
        decisions = tuple(_decision(held, each, at) for each in due)
        done = (Done("review", review.id),)
        change = Change(scope=place, support=ending, retirements=ends, decisions=decisions, done=done)
        transaction.commit(change)
        return len(due)

    return store.write(place, work)


def drop(store: Store, scope: Scope, wanted: str) -> None:
    """Remove one entry and leave its facts as they are. Raises NotFoundError as ``accept``."""
    place = _found(store.records(RetirementReview, scope, [wanted]), wanted, scope).scope

    def work(transaction: Transaction) -> None:
        transaction.begin()
        _found(transaction.records(RetirementReview, [wanted]), wanted, place)
        transaction.commit(Change(scope=place, done=(Done("review", wanted),)))

    store.write(place, work)


def _found(reviews: Sequence[RetirementReview], wanted: str, scope: Scope) -> RetirementReview:
    if not reviews:
        problem = f"no decision {quoted(wanted)} is held for review in {scope}"
        raise NotFoundError(problem, hint="`mem0g review` lists it")
    return reviews[0]


def _ids(review: RetirementReview) -> list[str]:
    """Return the ids of the facts that a review names, each once."""
    ids = (each for row in review.retirements for each in (row.fact_id, row.successor_id) if each)
    return list(dict.fromkeys(ids))


def _held(known: Sequence[Fact], review: RetirementReview) -> Held:
    """Return what a review holds, without facts that were erased."""
    facts = {fact.id: fact for fact in known}
    return Held(
        id=review.id,
        scope=review.scope,
        window=review.window,
        at=review.at,
        model=review.model,
        retirements=tuple(
            HeldRetirement(
                fact=facts[row.fact_id],
                successor=facts.get(row.successor_id or ""),
                reason=row.reason,
                since=row.since,
            )
            for row in review.retirements
            if row.fact_id in facts
        ),
    )


def _proposed(end: Retirement) -> ProposedRetirement:
    link = end.succession
    return ProposedRetirement(
        fact_id=link.fact_id, successor_id=link.successor_id, reason=link.reason, since=end.valid_to
    )


def _retirement(each: HeldRetirement, at: datetime) -> Retirement:
    successor = each.successor.id if each.successor else None
    link = Succession(fact_id=each.fact.id, successor_id=successor, reason=each.reason, decided_by=USER, at=at)
    return Retirement(link, each.since)


def _decision(held: Held, each: HeldRetirement, at: datetime) -> Decision:
    return Decision(
        id=content_id("d", held.id, each.fact.id),
        operation="DELETE",
        rule="review",
        reason=each.reason,
        at=at,
        decided_by=USER,
        fact_id=each.successor.id if each.successor else None,
        targets=(each.fact.id,),
        before=image(facts=[fact_image(each.fact)]),
    )
