"""Notes, which kept all records beside the graph in one form before layout 4 and export format 3, as the records of now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from mem0g.model import Receipt, Scope
from mem0g.store.change import Change
from mem0g.store.records import (
    DONE,
    ConversationSummary,
    Done,
    ModelCall,
    ModelReply,
    PendingWindow,
    ProposedRetirement,
    RetirementReview,
)
from mem0g.times import Moment


def change_of_note(scope: Scope, kind: str, key: str, body: Mapping[str, Any] | None) -> Change | None:
    """Return the change that writes what a note of an older layout held; None for a kind that no mem0g ever wrote.

    ``body`` None is a note that was struck out. Raises KeyError, TypeError or ValueError for a body that no mem0g wrote.
    """
    if body is None:
        return Change(scope=scope, done=(Done(kind, key),)) if kind in DONE else None
    match kind:
        case "window":
            return Change(scope=scope, windows=(_window(scope, key, body),))
        case "call":
            given = {**body, "at": datetime.fromisoformat(body["at"])}
            return Change(scope=scope, calls=(ModelCall(id=key, scope=scope, **given),))
        case "reply":
            return Change(scope=scope, replies=(ModelReply(id=key, scope=scope, text=body["reply"]),))
        case "summary":
            given = {**body, "waiting": tuple(body["waiting"])}
            return Change(scope=scope, summaries=(ConversationSummary(id=key, scope=scope, **given),))
        case "review":
            return Change(scope=scope, reviews=(_review(scope, key, body),))
        case "receipt":
            given = {**body, "at": datetime.fromisoformat(body["at"])}
            return Change(scope=scope, receipts=(Receipt(**given),))
    return None


def _window(scope: Scope, key: str, body: Mapping[str, Any]) -> PendingWindow:
    lists = {name: tuple(body[name]) for name in ("messages", "context", "speakers")}
    given = {**body, **lists, "since": datetime.fromisoformat(body["since"])}
    return PendingWindow(id=key, scope=scope, **given)


def _review(scope: Scope, key: str, body: Mapping[str, Any]) -> RetirementReview:
    return RetirementReview(
        id=key,
        scope=scope,
        window=body["window"],
        at=datetime.fromisoformat(body["at"]),
        model=body["model"],
        retirements=tuple(
            ProposedRetirement(
                fact_id=row["fact"],
                successor_id=row["successor"],
                reason=row["reason"],
                since=Moment.parse(row["since"]) if row["since"] else None,
            )
            for row in body["retirements"]
        ),
    )
