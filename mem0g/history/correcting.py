"""A fact replaced by hand with what should have been there."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from mem0g.conflict.protocol import ResolvedTriple, Verdict, log_entry
from mem0g.errors import InputError
from mem0g.history.images import USER
from mem0g.model import Fact, Succession, content_id
from mem0g.store.change import Retirement
from mem0g.store.protocol import Transaction

CORRECTED = "corrected"
"""Why a fact was retired that was wrong."""


def fact_to_correct(transaction: Transaction, fact_id: str) -> Fact:
    """The fact as it is now. Raises InputError when it is not current, or not there any more."""
    found = transaction.facts([fact_id])
    if not found or not found[0].current:
        raise InputError(
            f"{fact_id} is not current", hint="correct the fact that replaced it; `mem0g history` shows which"
        )
    return found[0]


def corrected(claim: ResolvedTriple, old: Fact, at: datetime) -> Verdict:
    """The fact that the claim makes in the place of ``old``: on its evidence, said when it was said.

    The old one keeps its evidence too, as it is a part of history; it gets no end, because it never held: no question
    about any day sees it.
    """
    made = _between_nodes(claim.fact(at, repeats=0), claim, old)
    new = replace(
        made,
        id=content_id("f", old.id, made.id, at.isoformat()),
        evidence=old.evidence,
        said_at=old.said_at,
        confidence=1.0,
    )
    link = Succession(fact_id=old.id, successor_id=new.id, reason=CORRECTED, decided_by=USER, at=at)
    decision = log_entry(
        claim, "UPDATE", CORRECTED, "corrected by hand", at, decided_by=USER, fact_id=new.id, targets=(old.id,)
    )
    return Verdict(decision=decision, fact=new, retirements=(Retirement(link, None),))


def _between_nodes(new: Fact, claim: ResolvedTriple, old: Fact) -> Fact:
    """An end of the same name is the same node, whatever else goes by that name."""
    if claim.triple.subject == old.subject:
        new = replace(new, subject_id=old.subject_id, subject=old.subject, subject_type=old.subject_type)
    if claim.triple.object == old.object:
        new = replace(new, object_id=old.object_id, object=old.object, object_type=old.object_type)
    return new
