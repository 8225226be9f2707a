"""What every verdict is made of, whoever decided it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from datetime import datetime

from mem0g.conflict.claim import Claim
from mem0g.model import Decision, Fact, Operation, Succession, content_id
from mem0g.store.change import Retirement
from mem0g.times import Moment

RULE = "rule"
"""Who decided, when no model did."""


def repeats(claim: Claim, facts: Iterable[Fact]) -> int:
    """How many of ``facts`` have the claim's edge: what tells its fact from them."""
    return sum(fact.edge == (claim.subject.id, claim.relation, claim.object.id) for fact in facts)


def ending(
    fact: Fact, ended: Moment | None, successor: str | None, reason: str, at: datetime, *, decided_by: str = RULE
) -> Retirement:
    """The end of ``fact`` at ``ended``, by default now; an end that was told stays."""
    succession = Succession(fact_id=fact.id, successor_id=successor, reason=reason, decided_by=decided_by, at=at)
    return Retirement(succession, fact.valid_to or ended or Moment(at))


def entry(
    claim: Claim,
    operation: Operation,
    rule: str,
    reason: str,
    at: datetime,
    *,
    decided_by: str = RULE,
    fact_id: str | None = None,
    targets: tuple[str, ...] = (),
    score: float | None = None,
) -> Decision:
    """The log entry about a claim."""
    triple = claim.triple
    told = Claim.told(claim.scope, triple)
    given = {"subject": triple.subject, "relation": triple.relation, "object": triple.object, "text": triple.text}
    return Decision(
        id=told if triple.evidence else content_id("d", told, at.isoformat()),
        operation=operation,
        rule=rule,
        reason=reason,
        at=at,
        decided_by=decided_by,
        fact_id=fact_id,
        targets=targets,
        score=score,
        evidence=triple.evidence,
        triple=given,
    )


def retired(fact: Fact, end: Retirement) -> Fact:
    """The fact as it is after ``end``."""
    return dataclasses.replace(fact, retired_at=end.succession.at, valid_to=end.valid_to)
