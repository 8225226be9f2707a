"""What a store keeps outside the graph: pending windows, calls and replies of a model, summaries, reviews, receipts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal, TypeAlias, TypeVar

from mem0g.model import Receipt, Scope
from mem0g.times import Moment

WindowState = Literal["waiting", "failed", "quarantined", "buffered"]
DoneKind = Literal["window", "reply", "review"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingWindow:
    """A window whose messages are stored and whose facts are not yet: message ids, so that a crash loses none.

    ``waiting`` was not tried yet; ``failed`` is tried again by whatever next processes the scope (``problem`` says
    why); ``quarantined`` had a reply that could not be used (``reply`` is its raw text), or is too long for the model
    even when halved, and waits for `mem0g retry`. ``buffered`` are the messages that a working memory still shows: they
    are extracted when they leave its buffer; see mem0g.ingest.session_buffer. ``embedded``: whether its messages have
    vectors.
    """

    id: str
    scope: Scope
    messages: tuple[str, ...]
    context: tuple[str, ...]
    speakers: tuple[str, ...]
    since: datetime
    state: WindowState = "waiting"
    problem: str = ""
    reply: str = ""
    embedded: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call of a language model, as the ledger keeps it; see mem0g.llm.protocol.Call.

    ``key`` identifies the request: calls of the same request share it, and so does the ModelReply, as its ``id``.
    """

    id: str
    scope: Scope
    purpose: str
    model: str
    window: str
    key: str
    attempt: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    at: datetime
    cached: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A reply that was paid for and is not committed yet, as JSON text; ``id`` is the key of the request."""

    id: str
    scope: Scope
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSummary:
    """The summary of one conversation (``source``); ``waiting`` are the ids of messages that it does not cover yet.

    Its id says whether it is of one session only: see mem0g.ingest.summaries.

    ``problem``: why it could not be refreshed the last time, "" if it could.
    """

    id: str
    scope: Scope
    source: str
    text: str = ""
    waiting: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedRetirement:
    """A fact that a model would have retired at ``since``; ``successor_id`` is the fact it named instead, if any."""

    fact_id: str
    successor_id: str | None
    reason: str
    since: Moment | None


def retirements_as_text(retirements: Iterable[ProposedRetirement]) -> str:
    """Return the retirements as JSON text, as both stores keep them."""
    rows = [asdict(each) | {"since": str(each.since) if each.since else None} for each in retirements]
    return json.dumps(rows, ensure_ascii=False)


def retirements_from_text(text: str) -> tuple[ProposedRetirement, ...]:
    """Return the retirements that ``retirements_as_text`` wrote."""
    rows = json.loads(text)
    return tuple(
        ProposedRetirement(**row | {"since": Moment.parse(row["since"]) if row["since"] else None}) for row in rows
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RetirementReview:
    """The retirements of one window that wait to be accepted or dropped by a person."""

    id: str
    scope: Scope
    window: str
    at: datetime
    model: str
    retirements: tuple[ProposedRetirement, ...]


Record: TypeAlias = PendingWindow | ModelCall | ModelReply | ConversationSummary | RetirementReview | Receipt
R = TypeVar("R", bound=Record)

FIELDS: Mapping[type, str] = {
    PendingWindow: "windows",
    ModelCall: "calls",
    ModelReply: "replies",
    ConversationSummary: "summaries",
    RetirementReview: "reviews",
    Receipt: "receipts",
}
"""The field of Change, and of Stats, for each type of record."""

DONE: Mapping[DoneKind, type] = {"window": PendingWindow, "reply": ModelReply, "review": RetirementReview}
"""The types of records that can be done."""


@dataclass(frozen=True, slots=True)
class Done:
    """A record that is used up: a window that was extracted, a reply that was committed, a review that was settled.

    Nothing is left of it but its id, so that an import or a copy of an older state does not bring it back.
    """

    kind: DoneKind
    id: str
