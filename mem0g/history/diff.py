"""What changed in a memory between two times, read from the log of decisions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mem0g.model import Decision, Fact, Receipt, Scope
from mem0g.store.protocol import Store

LIMIT = 1_000_000
"""The limit for reading the log: all decisions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A fact that replaced others, and why."""

    old: tuple[Fact, ...]
    new: Fact
    why: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A fact that was retired without a successor, and why."""

    fact: Fact
    why: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """What changed, each in the order in which it was decided.

    ``learnt`` are facts that were added, ``changed`` those that replaced others, ``ended`` those that only ended,
    ``undone`` the decisions that undid others, ``forgotten`` what was erased: counts, as nothing else is left. Facts
    are as they are now; those that were erased since are left out.
    """

    learnt: tuple[Fact, ...] = ()
    changed: tuple[Replaced, ...] = ()
    ended: tuple[Ended, ...] = ()
    undone: tuple[Decision, ...] = ()
    forgotten: tuple[Receipt, ...] = ()


def diff(store: Store, scope: Scope, since: datetime, until: datetime | None) -> Diff:
    """Return what was decided in the scopes covered from ``since`` on and, if given, before ``until``."""
    log = store.log(scope, LIMIT, since=since, until=until)[::-1]
    ids = dict.fromkeys(each for decision in log for each in (decision.fact_id, *decision.targets) if each)
    facts = {fact.id: fact for fact in store.facts(scope, list(ids))}
    receipts = store.records(Receipt, scope)
    return Diff(
        learnt=tuple(facts[each.fact_id] for each in log if each.operation == "ADD" and each.fact_id in facts),
        changed=tuple(
            Replaced(old=old, new=facts[each.fact_id], why=each.reason, decision=each.id)
            for each in log
            if each.operation in ("UPDATE", "DELETE") and each.fact_id in facts and (old := _targets(each, facts))
        ),
        ended=tuple(
            Ended(fact=fact, why=each.reason, decision=each.id)
            for each in log
            if each.operation == "DELETE" and each.fact_id is None
            for fact in _targets(each, facts)
        ),
        undone=tuple(each for each in log if each.operation == "UNDO"),
        forgotten=tuple(each for each in receipts if each.at >= since and (until is None or each.at < until)),
    )


def _targets(decision: Decision, facts: dict[str, Fact]) -> tuple[Fact, ...]:
    return tuple(facts[each] for each in decision.targets if each in facts)
