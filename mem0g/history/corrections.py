"""Correct or retire a fact by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from mem0g.conflict.order_of_time import beginning
from mem0g.conflict.protocol import EarlierEnd, ResolvedTriple, Verdict, log_entry, retirement
from mem0g.conflict.repetitions import known_before
from mem0g.errors import InputError, TimeError, quoted
from mem0g.history.images import USER, decision_by_hand, fact_image, image
from mem0g.model import Decision, Fact, Scope, Succession, content_id
from mem0g.relations.registry import Registry
from mem0g.store.change import Change, Retirement
from mem0g.store.protocol import Transaction
from mem0g.store.queries import RelatedFact
from mem0g.times import Moment, check_interval

CORRECTED = "corrected"
"""The reason of the succession from a wrong fact to its correction."""

ONE_DAY = timedelta(days=1)
"""By how much an end may lie ahead in UTC: it is tomorrow already east of Greenwich."""


def fact_to_correct(transaction: Transaction, fact_id: str) -> Fact:
    """Return the fact as it is now. Raises InputError when it is not current, or was erased."""
    found = transaction.facts([fact_id])
    if not found or not found[0].current:
        raise InputError(
            f"{fact_id} is not current", hint="correct the fact that replaced it; `mem0g history` shows which"
        )
    return found[0]


def replaced_by(transaction: Transaction, old: Fact, related: Sequence[RelatedFact]) -> dict[str, Succession]:
    """Return how those of the ``related`` facts were retired that ended where the fact ``old`` began."""
    begun = beginning(old)
    ended = [each.fact.id for each in related if not each.fact.current and begun and each.fact.valid_to == begun]
    links = transaction.successions(ended) if ended else ()
    return {each.fact_id: each for each in links if each.successor_id == old.id and each.reason != CORRECTED}


def correction(
    new: ResolvedTriple,
    old: Fact,
    related: Sequence[RelatedFact],
    replaced: Mapping[str, Succession],
    registry: Registry,
    same_sentence: float,
    at: datetime,
) -> Verdict:
    """Return the verdict that replaces ``old`` with the triple's fact, or with another current one that says the same.

    What ``old`` replaced (see replaced_by) ends where the triple begins. ``same_sentence`` is the cosine from which two
    sentences are one (Thresholds).
    """
    others = [each for each in related if each.fact.current and each.fact.id != old.id]
    known = known_before(new, others, registry, same_sentence)
    if known:
        return _by_known(new, known.fact, old, at)
    verdict = _by_new(new, old, at)
    before = [each.fact for each in related if each.fact.id in replaced]
    return replace(verdict, moved=_moved(new, verdict, before, replaced, at))


def _moved(
    new: ResolvedTriple, verdict: Verdict, before: Sequence[Fact], replaced: Mapping[str, Succession], at: datetime
) -> tuple[EarlierEnd, ...]:
    """Return the ends of the facts ``before`` that move to the beginning of the triple, if it has another one."""
    begun, made = new.triple.valid_from, verdict.fact
    if begun is None or made is None:
        return ()
    ends = []
    for fact in before:
        since, link = beginning(fact), replaced[fact.id]
        if fact.valid_to == begun or (since and since.start >= begun.start):
            continue
        opened = replace(fact, valid_to=None)
        end = retirement(opened, begun, made.id, link.reason, at, decided_by=link.decided_by)
        ends.append(EarlierEnd(end, link))
    return tuple(ends)


def _by_new(new: ResolvedTriple, old: Fact, at: datetime) -> Verdict:
    """Return the verdict that replaces ``old`` with the triple's fact, on the evidence of ``old``.

    The old fact keeps its evidence, as part of the history. It gets no ``valid_to`` because it was never true, so
    that no query as of any date returns it.
    """
    made = _with_ends_of(old, new.fact(at, repeats=0), new)
    fact = replace(
        made,
        id=content_id("f", old.id, made.id, at.isoformat()),
        evidence=old.evidence,
        said_at=old.said_at,
        confidence=1.0,
    )
    link = Succession(fact_id=old.id, successor_id=fact.id, reason=CORRECTED, decided_by=USER, at=at)
    decision = log_entry(
        new, "UPDATE", CORRECTED, "corrected by hand", at, decided_by=USER, fact_id=fact.id, targets=(old.id,)
    )
    return Verdict(decision=decision, fact=fact, retirements=(Retirement(link, None),))


def _by_known(new: ResolvedTriple, known: Fact, old: Fact, at: datetime) -> Verdict:
    """Return the verdict that replaces ``old`` with the ``known`` fact, which says what the triple says."""
    link = Succession(fact_id=old.id, successor_id=known.id, reason=CORRECTED, decided_by=USER, at=at)
    reason = "corrected by hand to what is known already"
    decision = log_entry(new, "DELETE", CORRECTED, reason, at, decided_by=USER, targets=(old.id,))
    return Verdict(decision=decision, retirements=(Retirement(link, None),))


def _with_ends_of(old: Fact, fact: Fact, new: ResolvedTriple) -> Fact:
    """Return the fact with the entities of ``old`` where the names are unchanged, even if the names are ambiguous."""
    if new.triple.subject == old.subject:
        fact = replace(fact, subject_id=old.subject_id, subject=old.subject, subject_type=old.subject_type)
    if new.triple.object == old.object:
        fact = replace(fact, object_id=old.object_id, object=old.object, object_type=old.object_type)
    return fact


def retire(
    transaction: Transaction, scope: Scope, fact_id: str, *, reason: str, ended: Moment | None, at: datetime
) -> Decision:
    """Retire a current fact of ``scope``, which ended at ``ended``, by default at ``at``.

    What lay ahead may be given up before it begins: it was never true, and gets no ``valid_to``, see ``correction``.

    Raises InputError when it is retired already, TimeError when it began after ``ended``, or when ``ended`` lies ahead.
    """
    decision_id = content_id("d", "retire", fact_id, at.isoformat())
    if done := transaction.decisions([decision_id]):  # a retried transaction: the first attempt was committed
        return done[0]
    found = transaction.facts([fact_id])
    if not found or not found[0].current:
        raise InputError(f"{fact_id} is retired already", hint="`mem0g history` shows why")
    begun, said = found[0].valid_from or found[0].planned_for, found[0].said_at
    if begun and (said is None or begun.start <= said):
        check_interval(begun, ended)
    if ended and ended.start > at + ONE_DAY and not (begun and ended.end <= begun.start):
        raise TimeError(
            f"{quoted(found[0].text)} is true still: its end, {ended}, lies ahead",
            hint="note the end with `correct`, as its valid_to, and retire the fact when it is over",
        )
    before = image(facts=[fact_image(found[0])])
    decision = decision_by_hand(decision_id, "DELETE", reason, at, targets=(fact_id,), before=before)
    end = retirement(found[0], ended, None, reason, at, decided_by=USER)
    if begun and end.valid_to and end.valid_to.end <= begun.start:
        end = replace(end, valid_to=None)
    transaction.commit(Change(scope=scope, retirements=(end,), decisions=(decision,)))
    return decision
