"""The conflict policy by rules: it retires on structure and words, never on similarity.

A fact is retired when a relation known to have one object (or subject) at a time gets another, when a triple says that
it no longer holds, when another relation between the same two entities ends it (divorced from, married to), when it was
a plan that came true or was given up, when the number in it has changed, or when the triple's sentence says that it is
replaced. Any other triple is added: most triples do not contradict what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mem0g.conflict.cardinality import excluded_facts, may_be_another_value, relation_types
from mem0g.conflict.endings import JOBS, ended_by, ends_before, may_be_ended, named_longer, unnamed
from mem0g.conflict.lying_ahead import holds_until, later_of
from mem0g.conflict.order_of_time import (
    TOLD_LATE,
    earlier_ends,
    end_before,
    has_held,
    is_by_rule,
    is_earlier,
    later_facts,
)
from mem0g.conflict.outcomes import (
    came_true,
    changes_number,
    ended_by_death,
    given_up,
    may_be_outcome,
    meant_plan,
    parts_couple,
    put_off,
    reverses,
)
from mem0g.conflict.protocol import (
    ResolvedTriple,
    ResolvedWindow,
    Verdict,
    ended_earlier,
    log_entry,
    repeats,
    retired,
    retirement,
    support,
)
from mem0g.conflict.repetitions import known_before, same_edge
from mem0g.conflict.replacements import may_replace, replaced_facts
from mem0g.conflict.standing import replaced_instructions, taken_back
from mem0g.conflict.told_late import may_outdate, says_it_is_over
from mem0g.embed.protocol import MINILM, Thresholds
from mem0g.model import INSTRUCTS, PREFERS, Fact, Operation, Succession
from mem0g.relations.parsing import parse_relation
from mem0g.relations.registry import Registry
from mem0g.store.queries import RelatedFact
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector


_BY_WORDS: Final = JOBS | {INSTRUCTS, PREFERS}
"""Relations of facts that a triple of the same relation may replace or take back, whatever their objects."""


@dataclass(frozen=True, slots=True)
class RuleDecider:
    """Decides by rules; see mem0g.conflict.protocol.ConflictPolicy.

    ``nearest``: most similar facts to look up for each triple (Settings.candidates).
    """

    nearest: int = 16

    def concerns(self, new: ResolvedTriple, registry: Registry) -> Callable[[str], bool]:
        """See mem0g.conflict.protocol.SelectivePolicy."""
        by_words = {new.relation} & _BY_WORDS
        replaces = may_replace(new)
        one_object = {each.name for each in relation_types(new, registry) if each.one_object}

        def may_matter(relation: str) -> bool:
            if relation in one_object or relation in by_words or may_be_another_value(new.relation, relation):
                return True
            ended = may_be_ended(new, relation, registry) or may_outdate(relation, new)
            return ended or may_be_outcome(new, relation, registry) or replaces(relation)

        return may_matter

    def decide(self, window: ResolvedWindow) -> list[Verdict]:
        """Return one verdict per triple, in order; what one triple adds or retires, the next one finds."""
        verdicts: list[Verdict] = []
        changed: dict[str, Fact] = {}
        added: list[tuple[str, Vector]] = []
        ends = dict(window.ends)
        for new, related in zip(window.triples, window.related, strict=True):
            known = [
                RelatedFact(changed[each.fact.id], each.similarity) if each.fact.id in changed else each
                for each in related
            ]
            earlier = [RelatedFact(changed[fact_id], float(vector @ new.vector)) for fact_id, vector in added]
            verdict = decide_triple(new, [*known, *earlier], window.registry, window.at, window.thresholds, ends)
            verdicts.append(verdict)
            if verdict.fact:
                changed[verdict.fact.id] = verdict.fact
                added.append((verdict.fact.id, new.vector))
            facts = {each.fact.id: each.fact for each in known} | changed
            for end in verdict.retirements:
                fact_id = end.succession.fact_id
                if facts[fact_id].valid_to is None and is_by_rule(end.succession):
                    ends[fact_id] = end.succession
                changed[fact_id] = retired(facts[fact_id], end)
            for each in verdict.moved:
                fact_id = each.end.succession.fact_id
                ends[fact_id] = each.end.succession
                changed[fact_id] = ended_earlier(facts[fact_id], each.end)
        return verdicts


def decide_triple(
    new: ResolvedTriple,
    related: Sequence[RelatedFact],
    registry: Registry,
    at: datetime,
    thresholds: Thresholds = MINILM,
    ends: Mapping[str, Succession] = MappingProxyType({}),
) -> Verdict:
    """Return the verdict about one triple beside the facts it may touch; ``at`` is the time of the decision.

    ``ends`` are as in ResolvedWindow.
    """
    if new.triple.retracts:
        return _retraction(new, related, registry, at)
    same = known_before(new, related, registry, thresholds.same_sentence)
    if same is not None:
        return _confirmation(new, same, at)
    later = later_facts(new, related, registry)
    if later:
        return _about_the_past(new, related, later, registry, ends, at)
    reasons = _reasons(new, related, registry, thresholds)
    outdated = _what_outdates(new, related, registry, thresholds, at)
    return _addition(new, related, reasons, registry, ends, at, outdated)


def _reasons(
    new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry, thresholds: Thresholds
) -> dict[str, tuple[str, str]]:
    """Return the facts that the triple makes untrue, each with the rule and the reason."""
    excluded = excluded_facts(new, related, registry)
    reasons = {fact.id: ("one at a time", f"{fact.relation} has one at a time") for fact in excluded}
    reasons |= {
        fact.id: ("ended by", f"{new.relation} ends {fact.relation}") for fact in ended_by(new, related, registry)
    }
    for fact in (each.fact for each in related if each.fact.current and each.fact.subject_id == new.subject.id):
        reasons |= _outcome(new, fact, registry)
    parted = (fact for fact in (each.fact for each in related) if fact.current and parts_couple(new, fact))
    reasons |= {
        fact.id: ("parted", f"{new.object.name} has no partner") for fact in parted if not is_earlier(new, fact)
    }
    bereft = (fact for fact in (each.fact for each in related) if fact.current and ended_by_death(new, fact))
    reasons |= {fact.id: ("died", f"{new.subject.name} died") for fact in bereft if not _began_after(new, fact)}
    plan = meant_plan(new, (each.fact for each in related))
    if plan and not is_earlier(new, plan):
        off = not parse_relation(new.relation).ahead
        why = ("given up", "the plan was given up") if off else ("put off", "it has another date now")
        reasons.setdefault(plan.id, why)
    for fact in replaced_facts(new, related):
        if not is_earlier(new, fact):
            reasons.setdefault(fact.id, ("replaced", "the sentence says that it is replaced"))
    return reasons | replaced_instructions(new, related, thresholds)


def _what_outdates(
    new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry, thresholds: Thresholds, at: datetime
) -> tuple[Fact, str] | None:
    """Return the first known fact that would have ended the triple's, had they been told in order, and the reason."""
    made = new.fact(at, repeats=0)
    found: dict[str, tuple[Fact, str]] = {}
    for each in related:
        fact = each.fact
        if not (fact.current or has_held(fact)) or not is_earlier(new, fact) or not is_earlier(made, fact):
            continue
        reasons = _had_been_told(fact, RelatedFact(made, each.similarity), new, related, registry, thresholds)
        if made.id in reasons:
            found[fact.id] = (fact, reasons[made.id][1])
        elif says_it_is_over(fact, made):
            found[fact.id] = (fact, f"said to hold no longer: {fact.text}")
    if not found:
        return None
    first, _ = end_before(new, (fact for fact, _ in found.values()))
    return found[first.id]


def _had_been_told(
    fact: Fact,
    made: RelatedFact,
    new: ResolvedTriple,
    related: Sequence[RelatedFact],
    registry: Registry,
    thresholds: Thresholds,
) -> dict[str, tuple[str, str]]:
    """Return what a known fact would have made untrue, had it been told after ``made``, the fact of the triple.

    Where it leaves the triple true though nothing else is known, it does so beside others, too: they can only be meant
    instead. So most facts are compared with this one alone, and not with all others.
    """
    told = ResolvedTriple.of(fact, new.vector)
    if made.fact.id not in _reasons(told, [made], registry, thresholds):
        return {}
    others = [one for one in related if one.fact.id != fact.id and is_earlier(one.fact, fact)]
    return _reasons(told, [*others, made], registry, thresholds)


def _retraction(new: ResolvedTriple, related: Sequence[RelatedFact], registry: Registry, at: datetime) -> Verdict:
    """Retire the current facts with the edge of a triple that says that it no longer holds."""
    ended = new.triple.valid_to or new.effective_from
    targets = [
        each.fact
        for each in related
        if each.fact.current and same_edge(new, each.fact, registry) and not ends_before(ended, each.fact)
    ]
    if not targets:
        plan = meant_plan(new, (each.fact for each in related))
        others = [*taken_back(new, related), *unnamed(new, related), *named_longer(new, related, registry)]
        targets = [fact for fact in ([plan] if plan else others) if not ends_before(ended, fact)]
    if not targets:
        return Verdict(decision=log_entry(new, "NOOP", "nothing to retract", "no current fact says it", at))
    reason = f"said to hold no longer: {new.triple.text}"
    retirements = tuple(retirement(fact, ended, None, reason, at) for fact in targets)
    ids = tuple(fact.id for fact in targets)
    return Verdict(decision=log_entry(new, "DELETE", "retracted", reason, at, targets=ids), retirements=retirements)


def _confirmation(new: ResolvedTriple, same: RelatedFact, at: datetime) -> Verdict:
    """Add the evidence of the triple to the known fact, and its dates where the fact has none or older ones."""
    added = support(new, same.fact, at)
    dates = (
        ("with the date", added.valid_from),
        ("until", added.valid_to),
        ("planned for", added.planned_for),
        ("observed on", added.observed),
    )
    told = [f"{words} {moment}" for words, moment in dates if moment]
    operation: Operation = "UPDATE" if told else "NOOP"
    reason = f"known already, now {', '.join(told)}" if told else "known already; its evidence is added"
    decision = log_entry(new, operation, "said again", reason, at, fact_id=same.fact.id, score=same.similarity)
    return Verdict(decision=decision, support=added)


def _about_the_past(
    new: ResolvedTriple,
    related: Sequence[RelatedFact],
    later: Sequence[Fact],
    registry: Registry,
    ends: Mapping[str, Succession],
    at: datetime,
) -> Verdict:
    """Add a fact about an earlier time as one that ended where the first of the facts ``later`` began.

    What is known to have begun before it ends where it begins.
    """
    fact = new.fact(at, repeats=repeats(new, (each.fact for each in related)))
    successor, ended = end_before(new, later)
    reason = f"{new.relation} has one at a time, and this was before"
    own = retirement(fact, ended, None if fact.valid_to else successor.id, reason, at)
    before = [each for each in excluded_facts(new, related, registry) if each not in later and is_earlier(each, fact)]
    why = f"{new.relation} has one at a time"
    retirements = (own, *(retirement(each, new.effective_from, fact.id, why, at) for each in before))
    moved = earlier_ends(new, fact, related, registry, ends, at)
    targets = (*(each.id for each in before), *(each.before.fact_id for each in moved))
    operation: Operation = "UPDATE" if targets else "ADD"
    decision = log_entry(new, operation, TOLD_LATE, reason, at, fact_id=fact.id, targets=targets)
    return Verdict(decision=decision, fact=fact, retirements=retirements, moved=moved)


def _began_after(new: ResolvedTriple, fact: Fact) -> bool:
    """Whether the fact is dated after the triple; one that was said later, without a date, may have begun before."""
    return fact.valid_from is not None and new.start is not None and fact.valid_from.start > new.start


def _outcome(new: ResolvedTriple, fact: Fact, registry: Registry) -> dict[str, tuple[str, str]]:
    """Return the rule and the reason to retire a fact of its subject, by id, if the triple says what became of it."""
    if came_true(new, fact, registry):
        return {fact.id: ("plan came true", "the plan came true")}
    if given_up(new, fact):
        return {fact.id: ("given up", "the plan was given up")}
    if put_off(new, fact) and not is_earlier(new, fact):
        return {fact.id: ("put off", "it has another date now")}
    if reverses(new, fact) and not is_earlier(new, fact):
        return {fact.id: ("the opposite", f"{new.relation} is the opposite of {fact.relation}")}
    if changes_number(new, fact) and not is_earlier(new, fact):
        return {fact.id: ("another number", "there is another number now")}
    return {}


def _addition(
    new: ResolvedTriple,
    related: Sequence[RelatedFact],
    reasons: dict[str, tuple[str, str]],
    registry: Registry,
    ends: Mapping[str, Succession],
    at: datetime,
    outdated: tuple[Fact, str] | None,
) -> Verdict:
    """Add a fact, and retire those that ``reasons`` (rule and reason, by id) names.

    It ends itself where ``outdated``, a later fact with the reason, begins.
    """
    fact = new.fact(at, repeats=repeats(new, (each.fact for each in related)))
    retirements = tuple(
        retirement(each.fact, _end_of(each.fact, new, at), fact.id, reasons[each.fact.id][1], at)
        for each in related
        if each.fact.id in reasons
    )
    if outdated:
        successor, reason = outdated
        _, ended = end_before(new, [successor])
        own = retirement(fact, ended, None if fact.valid_to else successor.id, reason, at)
        operation: Operation = "UPDATE" if retirements else "ADD"
        why = f"told late, what came after ended it: {reason}"
        decision = log_entry(new, operation, TOLD_LATE, why, at, fact_id=fact.id)
        targets = tuple(each.succession.fact_id for each in retirements)
        return Verdict(decision=replace(decision, targets=targets), fact=fact, retirements=(own, *retirements))
    moved = earlier_ends(new, fact, related, registry, ends, at)
    if not retirements and not moved:
        decision = log_entry(new, "ADD", "new", "nothing known contradicts it", at, fact_id=fact.id)
        return Verdict(decision=decision, fact=fact)
    causes = [*reasons.values(), *((TOLD_LATE, each.end.succession.reason) for each in moved)]
    rules = ", ".join(dict.fromkeys(rule for rule, _ in causes))
    reason = "; ".join(dict.fromkeys(reason for _, reason in causes))
    targets = (*(each.succession.fact_id for each in retirements), *(each.before.fact_id for each in moved))
    decision = log_entry(new, "UPDATE", rules, reason, at, fact_id=fact.id, targets=targets)
    return Verdict(decision=decision, fact=fact, retirements=retirements, moved=moved)


def _end_of(fact: Fact, new: ResolvedTriple, at: datetime) -> Moment | None:
    """Return when a fact ends that the triple makes untrue: a state not before the day for which that is planned."""
    day = new.triple.planned_for
    return day if holds_until(fact, day, later_of(new.said_at, at)) else new.effective_from
