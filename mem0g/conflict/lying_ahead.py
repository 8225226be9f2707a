"""What lies ahead when it is written: what begins on a later day is planned for it, what ends then is true until then.

"From March I live in Rome" leaves today's home current, and so does "I leave Acme in March" today's job, which gets its
end. A plan that is given up is none from then on, whatever its day was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.conflict.protocol import ResolvedTriple, Verdict
from mem0g.model import Fact, Triple
from mem0g.relations.parsing import parse_relation
from mem0g.store.change import Retirement, Support
from mem0g.times import Moment


def later_of(said: datetime | None, at: datetime) -> datetime:
    """Return the time of writing, ``at``; or when a message was said if that is later, by a clock that is ahead."""
    return max(said, at) if said else at


def as_planned(triple: Triple, now: datetime) -> Triple:
    """Return the triple as one that is planned for its first day, if that is later than ``now``."""
    begun = triple.valid_from
    if begun is None or triple.retracts or not begun.lies_ahead(now):
        return triple
    return replace(triple, valid_from=None, planned_for=triple.planned_for or begun)


def is_state(fact: Fact) -> bool:
    """Whether a fact is no plan or wish: it holds until it ends."""
    return fact.planned_for is None and not parse_relation(fact.relation_given).ahead


def holds_until(fact: Fact, ended: Moment | None, now: datetime) -> bool:
    """Whether a fact is a state, and ``ended`` is later than ``now``: it is true until then."""
    return ended is not None and ended.lies_ahead(now) and is_state(fact)


def with_ends_ahead(
    verdicts: Sequence[Verdict], triples: Sequence[ResolvedTriple], known: Mapping[str, Fact], at: datetime
) -> list[Verdict]:
    """Return the verdicts with an end for each known state that they retire as of a later day: it stays current.

    ``triples`` are those that the verdicts are about, ``known`` the known facts, by id; ``at`` is the time of writing.
    """
    facts = {**known, **{each.fact.id: each.fact for each in verdicts if each.fact}}
    return [_with_ends_ahead(each, new, facts, at) for each, new in zip(verdicts, triples, strict=True)]


def _with_ends_ahead(verdict: Verdict, new: ResolvedTriple, facts: Mapping[str, Fact], at: datetime) -> Verdict:
    now, made = later_of(new.said_at, at), verdict.fact and verdict.fact.id
    known = {each: facts[each.succession.fact_id] for each in verdict.retirements if each.succession.fact_id in facts}
    later = [each for each, fact in known.items() if fact.id != made and holds_until(fact, _end(each, fact, new), now)]
    if not later:
        return verdict
    decision = replace(verdict.decision, reason=f"{verdict.decision.reason}; true until then")
    if decision.operation == "DELETE":
        decision = replace(decision, operation="UPDATE")
    return replace(
        verdict,
        decision=decision,
        retirements=tuple(each for each in verdict.retirements if each not in later),
        ending=tuple(Support(known[each].id, new.triple.evidence, valid_to=each.valid_to) for each in later),
    )


def _end(end: Retirement, fact: Fact, new: ResolvedTriple) -> Moment | None:
    """Return when a triple ends a fact; a retirement keeps an end that was known before."""
    if fact.valid_to is None:
        return end.valid_to
    return (new.triple.valid_to if new.triple.retracts else None) or new.effective_from
