"""Correct or retire a fact by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from mem0g.conflict.protocol import ResolvedTriple, Verdict, log_entry, retirement
from mem0g.conflict.repetitions import known_before
from mem0g.errors import InputError, TimeError, quoted
from mem0g.history.images import USER, decision_by_hand, fact_image, image
from mem0g.model import Decision, Fact, Scope, Succession, content_id
from mem0g.relations.parsing import parse_relation
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


def correction(
    new: ResolvedTriple,
    old: Fact,
    related: Sequence[RelatedFact],
    registry: Registry,
    same_sentence: float,
    at: datetime,
) -> Verdict:
    """Return the verdict that replaces ``old`` with the triple's fact, or with another current one that says the same.

    ``same_sentence`` is the cosine from which two sentences are one (Thresholds).
    """
    others = [each for each in related if each.fact.current and each.fact.id != old.id]
    known = known_before(new, others, registry, same_sentence)
    return _by_known(new, known.fact, old, at) if known else _by_new(new, old, at)


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
    begun, said = _begin(found[0]), found[0].said_at
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


def _begin(fact: Fact) -> Moment | None:
    """Return when a fact begins to be true: a state that is planned on its day, while a plan is one already."""
    return fact.valid_from or (None if parse_relation(fact.relation).plans else fact.planned_for)
