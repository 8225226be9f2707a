"""The rule resolver: retires on structure and words, never on similarity.

A fact is retired when a relation known to have one object (or subject) at a time gets another, when a triple says that
it holds no longer, when another relation between the same two ends ends it (divorced from, married to), when it was
a plan that came true or was given up, or when what it counts has another number. Whatever these rules do not reach is
added: "also true" is the usual case.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from mem0g.conflict.claim import Claim, Verdict
from mem0g.conflict.counts import recounted
from mem0g.conflict.plans import came_true, given_up
from mem0g.conflict.rivals import rivals, same_ends
from mem0g.conflict.verdicts import ending, entry, repeats
from mem0g.model import Fact, Operation
from mem0g.relations.registry import Registry
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
    excluded = rivals(claim, related, registry)
    later = [fact for fact in excluded if _is_earlier(claim, fact)]
    if later:
        return _about_the_past(claim, related, later, at)
    reasons = {fact.id: ("one at a time", f"{fact.relation} has one at a time") for fact in excluded}
    reasons |= {
        fact.id: ("ended by", f"{claim.relation} ends {fact.relation}") for fact in _ended(claim, related, registry)
    }
    for fact in (each.fact for each in related if each.fact.current):
        reasons |= _outcome(claim, fact, registry)
    return _added(claim, related, reasons, at)


def _outcome(claim: Claim, fact: Fact, registry: Registry) -> dict[str, tuple[str, str]]:
    """Rule and reason, by the fact's id, if the claim says what came of it."""
    if came_true(claim, fact, registry):
        return {fact.id: ("plan came true", "the plan came true")}
    if given_up(claim, fact):
        return {fact.id: ("given up", "the plan was given up")}
    if recounted(claim, fact) and not _is_earlier(claim, fact):
        return {fact.id: ("another number", "there is another number now")}
    return {}


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
    ended = claim.triple.valid_to or claim.when_known()
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
    one_object = registry.get(claim.relation).one_object
    for each in sorted(related, key=lambda each: (-each.similarity, each.fact.id)):
        fact = each.fact
        if not fact.current or not _same_edge(claim, fact, registry) or not _times_agree(claim, fact):
            continue
        if recounted(claim, fact):
            continue
        if one_object or each.similarity >= SAME_SENTENCE:
            return each
    return None


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


def _same_edge(claim: Claim, fact: Fact, registry: Registry) -> bool:
    return fact.relation == claim.relation and same_ends(claim, fact, registry.get(claim.relation))


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


def _ends_before(ended: Moment | None, fact: Fact) -> bool:
    start = _start(fact)
    return ended is not None and start is not None and ended.end <= start
