"""The rule resolver: retires on structure only, never on similarity.

A fact is retired when a relation known to have one object (or subject) at a time gets another, when a triple says that
it holds no longer, when another relation between the same two ends ends it (divorced from, married to), or when it
was a plan and its fulfilment has the same ends. Whatever these rules do not reach is added: "also true" is the usual
case.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from mem0g.conflict.claim import Claim, Verdict
from mem0g.conflict.verdicts import ending, entry, repeats
from mem0g.model import Fact, Operation
from mem0g.names import fold
from mem0g.relations.registry import Registry, RelationType
from mem0g.store.change import Support
from mem0g.store.queries import RelatedFact
from mem0g.times import Moment

SAME_SENTENCE = 0.85
"""Cosine from which two sentences about one edge, with times that agree, say the same thing (MiniLM paraphrases score
0.85 to 1; another detail, such as a reason or a partner, brings them below)."""


def judge(claim: Claim, related: Sequence[RelatedFact], registry: Registry, at: datetime) -> Verdict:
    """Decide about ``claim`` beside the facts it might touch; ``at`` is the time of the decision."""
    if claim.triple.retracts:
        return _retraction(claim, related, registry, at)
    same = _said_before(claim, related, registry)
    if same is not None:
        return _again(claim, same, at)
    rivals = _rivals(claim, related, registry)
    later = [fact for fact in rivals if _is_earlier(claim, fact)]
    if later:
        return _about_the_past(claim, related, later, at)
    reasons = {fact.id: ("one at a time", f"{fact.relation} has one at a time") for fact in rivals}
    reasons |= {
        fact.id: ("ended by", f"{claim.relation} ends {fact.relation}") for fact in _ended(claim, related, registry)
    }
    reasons |= {fact.id: ("plan came true", "the plan came true") for fact in _fulfilled(claim, related, registry)}
    return _added(claim, related, reasons, at)


def _added(claim: Claim, related: Sequence[RelatedFact], reasons: dict[str, tuple[str, str]], at: datetime) -> Verdict:
    fact = claim.fact(at, repeats=repeats(claim, (each.fact for each in related)))
    retirements = tuple(
        ending(each.fact, claim.when_known(), fact.id, reasons[each.fact.id][1], at)
        for each in related
        if each.fact.id in reasons
    )
    if not retirements:
        decision = entry(claim, "ADD", "new", "nothing known contradicts it", at, fact_id=fact.id)
        return Verdict(decision=decision, fact=fact)
    rules = ", ".join(dict.fromkeys(rule for rule, _ in reasons.values()))
    told = "; ".join(dict.fromkeys(reason for _, reason in reasons.values()))
    retired = tuple(each.succession.fact_id for each in retirements)
    decision = entry(claim, "UPDATE", rules, told, at, fact_id=fact.id, targets=retired)
    return Verdict(decision=decision, fact=fact, retirements=retirements)


def _about_the_past(claim: Claim, related: Sequence[RelatedFact], later: list[Fact], at: datetime) -> Verdict:
    """A later message about an earlier time: the fact is kept with the interval it had, and the present stands."""
    successor = min(later, key=lambda fact: (_start(fact) or at, fact.id))
    fact = claim.fact(at, repeats=repeats(claim, (each.fact for each in related)))
    ended = fact.valid_to or successor.valid_from or (Moment(successor.said_at) if successor.said_at else None)
    reason = f"{claim.relation} has one at a time, and this was before"
    decision = entry(claim, "ADD", "about an earlier time", reason, at, fact_id=fact.id)
    retirement = ending(fact, ended, successor.id, reason, at)
    return Verdict(decision=decision, fact=fact, retirements=(retirement,))


def _again(claim: Claim, same: RelatedFact, at: datetime) -> Verdict:
    dated = claim.triple.valid_from if same.fact.valid_from is None else None
    evidence = tuple(each for each in claim.triple.evidence if each not in same.fact.evidence)
    operation: Operation = "UPDATE" if dated else "NOOP"
    reason = f"known already, now with the date {dated}" if dated else "known already; its evidence is added"
    decision = entry(claim, operation, "said again", reason, at, fact_id=same.fact.id, score=same.similarity)
    return Verdict(decision=decision, support=Support(same.fact.id, evidence, dated))


def _retraction(claim: Claim, related: Sequence[RelatedFact], registry: Registry, at: datetime) -> Verdict:
    ended = claim.triple.valid_until or claim.when_known()
    targets = [
        each.fact
        for each in related
        if each.fact.current and _same_edge(claim, each.fact, registry) and not _ends_before(ended, each.fact)
    ]
    if not targets:
        return Verdict(decision=entry(claim, "NOOP", "nothing to retract", "no current fact says it", at))
    reason = f"said to hold no longer: {claim.triple.text}"
    retirements = tuple(ending(fact, ended, None, reason, at) for fact in targets)
    ids = tuple(fact.id for fact in targets)
    return Verdict(decision=entry(claim, "DELETE", "retracted", reason, at, targets=ids), retirements=retirements)


def _said_before(claim: Claim, related: Sequence[RelatedFact], registry: Registry) -> RelatedFact | None:
    """The current fact that says the same: one edge, times that agree, and a state or nearly the same sentence."""
    for each in sorted(related, key=lambda each: (-each.similarity, each.fact.id)):
        fact = each.fact
        if not fact.current or not _same_edge(claim, fact, registry) or not _times_agree(claim, fact):
            continue
        if registry.get(claim.relation).one_object or each.similarity >= SAME_SENTENCE:
            return each
    return None


def _rivals(claim: Claim, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """The current facts that cannot be true beside the claim, by the cardinality of its relation or what it implies."""
    if claim.is_past:
        return []
    kinds = [registry.get(name) for name in (claim.relation, *registry.get(claim.relation).implies)]
    return [
        each.fact for each in related if each.fact.current and any(_excludes(claim, each.fact, kind) for kind in kinds)
    ]


def _excludes(claim: Claim, fact: Fact, kind: RelationType) -> bool:
    """Whether ``fact`` is of ``kind``, of which there is one at a time, and another than the claim's."""
    if fact.relation != kind.name or _same_ends(claim, fact, kind) or _has_ended(claim, fact):
        return False
    if kind.symmetric and kind.one_object:  # either end may be the one who can have only one
        return bool({fact.subject_id, fact.object_id} & {claim.subject.id, claim.object.id})
    if kind.one_object and fact.subject_id == claim.subject.id:
        return _comparable(claim.triple.object_type, fact.object_type)
    if kind.one_subject and fact.object_id == claim.object.id:
        return _comparable(claim.triple.subject_type, fact.subject_type)
    return False


def _comparable(kind: str, other: str) -> bool:
    """Whether two things of these types can exclude each other: a city does not exclude a country."""
    return not kind or not other or fold(kind) == fold(other)


def _ended(claim: Claim, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    ends = registry.get(claim.relation).ends
    pair = {claim.subject.id, claim.object.id}
    return [
        each.fact
        for each in related
        if each.fact.current
        and each.fact.relation in ends
        and {each.fact.subject_id, each.fact.object_id} == pair
        and not _is_earlier(claim, each.fact)
    ]


def _fulfilled(claim: Claim, related: Sequence[RelatedFact], registry: Registry) -> list[Fact]:
    """The plans with the same ends that the claim says came true, those for a later day left out."""
    return [
        each.fact
        for each in related
        if each.fact.current
        and (each.fact.subject_id, each.fact.object_id) == (claim.subject.id, claim.object.id)
        and registry.fulfils(claim.relation, each.fact.relation)
        and not _is_for_later(each.fact, claim)
    ]


def _is_for_later(plan: Fact, claim: Claim) -> bool:
    done = claim.triple.valid_from
    return plan.valid_from is not None and done is not None and plan.valid_from.start >= done.end


def _same_edge(claim: Claim, fact: Fact, registry: Registry) -> bool:
    return fact.relation == claim.relation and _same_ends(claim, fact, registry.get(claim.relation))


def _same_ends(claim: Claim, fact: Fact, kind: RelationType) -> bool:
    ends = (fact.subject_id, fact.object_id)
    there = (claim.subject.id, claim.object.id)
    return ends == there or (kind.symmetric and ends[::-1] == there)


def _times_agree(claim: Claim, fact: Fact) -> bool:
    ours, theirs = claim.triple.valid_from, fact.valid_from
    if ours is None or theirs is None:
        return True
    return ours.start < theirs.end and theirs.start < ours.end


def _is_earlier(claim: Claim, fact: Fact) -> bool:
    """Whether the claim is about a time before the fact: by dates told, else by when each was said, else by arrival."""
    ours, theirs = claim.triple.valid_from, fact.valid_from
    if ours and theirs:
        return ours.end <= theirs.start
    start = _start(fact)
    if start is None or claim.said_at is None:
        return False
    if ours:  # "since 2020", said after the other was said: the later word counts
        return claim.said_at < start and ours.end <= start
    return claim.said_at < start


def _start(fact: Fact) -> datetime | None:
    return fact.valid_from.start if fact.valid_from else fact.said_at


def _has_ended(claim: Claim, fact: Fact) -> bool:
    """Whether the fact tells itself that it was over when the claim began."""
    return fact.valid_to is not None and claim.start is not None and fact.valid_to.end <= claim.start


def _ends_before(ended: Moment | None, fact: Fact) -> bool:
    start = _start(fact)
    return ended is not None and start is not None and ended.end <= start
