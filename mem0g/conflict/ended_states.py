"""New states whose end had passed when they were told: "Ann lives in Oslo", from 2010 to 2015.

They were true, and are kept with their interval, but as retired from the start: whatever is current holds now. Events
of the past stay current, as they stay true, and so do plans, as nothing tells what came of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from mem0g.conflict.passing_states import is_past_event
from mem0g.conflict.protocol import ResolvedTriple, Verdict, retired, retirement, support
from mem0g.model import Fact
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact


def ended_from_the_start(
    verdicts: Sequence[Verdict],
    triples: Sequence[ResolvedTriple],
    related: Sequence[Sequence[RelatedFact]],
    registry: Registry,
    at: datetime,
    *,
    any_relation: bool,
) -> list[Verdict]:
    """Return the verdicts with each new state retired that had ended when it was told.

    ``triples`` are those that the verdicts are about, ``related`` the facts beside each: a state that is known with the
    same times is confirmed. What nobody is known to have said was told ``at``. With ``any_relation``, as of facts that
    a person or an assistant gives, whatever has an end is a state, unless it is an event of the past. Elsewhere that is
    certain only of a relation that has one object at a time.
    """
    settled: list[Verdict] = []
    replaced = {each.succession.fact_id for verdict in verdicts for each in verdict.retirements}
    made: list[Fact] = []
    for verdict, new, facts in zip(verdicts, triples, related, strict=False):
        fact, alone = verdict.fact, not (verdict.retirements or verdict.moved or verdict.held)
        if (
            fact is None
            or fact.id in replaced
            or not _is_over(fact, new.said_at or at, registry, any_relation=any_relation)
        ):
            settled.append(verdict)
            continue
        known = next((each for each in (*(one.fact for one in facts), *made) if _says_the_same(fact, each)), None)
        if known and alone:
            settled.append(_confirmed(verdict, fact, known, at))
            continue
        end = retirement(fact, None, None, "it had ended when it was told", at)
        decision = replace(verdict.decision, reason=f"{verdict.decision.reason}; {end.succession.reason}")
        settled.append(replace(verdict, decision=decision, retirements=(*verdict.retirements, end)))
        made.append(retired(fact, end))
    return settled


def _is_over(fact: Fact, told: datetime, registry: Registry, *, any_relation: bool) -> bool:
    """Whether a new fact is a state whose end had passed; what has one date for both is an event, as a birth."""
    if fact.valid_to is None or not fact.valid_to.is_over(told) or fact.valid_to == fact.valid_from:
        return False
    if fact.planned_for or parse_relation(fact.relation_given).plans or is_past_event(fact):
        return False
    return any_relation or registry.get(fact.relation).one_object


def _says_the_same(fact: Fact, known: Fact) -> bool:
    """Whether a fact that has ended is of the same edge, times and words."""
    times = (fact.valid_from, fact.valid_to) == (known.valid_from, known.valid_to)
    return times and not known.current and known.edge == fact.edge and known.text == fact.text


def _confirmed(verdict: Verdict, fact: Fact, known: Fact, at: datetime) -> Verdict:
    """Return the verdict that adds the evidence of ``fact`` to the known one."""
    reason = "known already; its evidence is added"
    decision = replace(verdict.decision, operation="NOOP", rule="said again", reason=reason, fact_id=known.id)
    more = support(ResolvedTriple.of(fact, np.zeros(0, np.float32)), known, at)
    return Verdict(decision=decision, support=more)
