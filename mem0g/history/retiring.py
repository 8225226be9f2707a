"""A fact ended by hand."""

from __future__ import annotations

from datetime import datetime

from mem0g.conflict.protocol import retirement
from mem0g.errors import InputError
from mem0g.history.images import USER, fact_image, image
from mem0g.model import Decision, Scope, content_id
from mem0g.store.change import Change
from mem0g.store.protocol import Transaction
from mem0g.times import Moment


def retire(
    transaction: Transaction, scope: Scope, fact_id: str, *, reason: str, ended: Moment | None, at: datetime
) -> Decision:
    """End a current fact of ``scope`` at ``ended``, by default now. Raises InputError when it is retired already."""
    ours = content_id("d", "retire", fact_id, at.isoformat())
    if done := transaction.decisions([ours]):  # the commit went through, and its answer was lost
        return done[0]
    found = transaction.facts([fact_id])
    if not found or not found[0].current:
        raise InputError(f"{fact_id} is retired already", hint="`mem0g history` shows why")
    decision = Decision(
        id=ours,
        operation="DELETE",
        rule="by hand",
        reason=reason,
        at=at,
        decided_by=USER,
        targets=(fact_id,),
        before=image(facts=[fact_image(found[0])]),
    )
    end = retirement(found[0], ended, None, reason, at, decided_by=USER)
    transaction.commit(Change(scope=scope, retirements=(end,), decisions=(decision,)))
    return decision
