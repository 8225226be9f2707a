"""Notes, in which stores before layout 4, and exports before format 3, held all records outside the graph."""

from __future__ import annotations

from typing import Any

from mem0g.model import Receipt
from mem0g.store.records import (
    ConversationSummary,
    Done,
    ModelCall,
    ModelReply,
    PendingWindow,
    ProposedRetirement,
    RetirementReview,
)
from mem0g.times import Moment
from tests.making import ANN, AT

COUNTS: dict[str, Any] = {
    "messages": 1,
    "entities": 0,
    "facts": 2,
    "retired": 1,
    "decisions": 3,
    "notes": 0,
    "replies": 1,
}
NOTES: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    (
        "window",
        "w_1",
        {
            "state": "quarantined",
            "problem": "no JSON",
            "reply": "{",
            "embedded": False,
            "messages": ["m_1", "m_2"],
            "context": ["m_0"],
            "since": AT.isoformat(),
            "speakers": ["Ann"],
        },
    ),
    ("window", "w_2", None),
    (
        "call",
        "c_1",
        {
            "purpose": "extract",
            "model": "tiny",
            "window": "w_1",
            "key": "k_1",
            "attempt": 2,
            "prompt_tokens": 30,
            "completion_tokens": 4,
            "seconds": 0.25,
            "at": AT.isoformat(),
            "cached": False,
            "problem": "no JSON",
        },
    ),
    ("reply", "k_1", {"reply": '{"facts": []}'}),
    ("reply", "k_2", None),
    ("summary", "s_1", {"text": "They talk.", "waiting": ["m_3"], "problem": "", "source": "chat"}),
    (
        "review",
        "r_1",
        {
            "window": "w_1",
            "at": AT.isoformat(),
            "model": "tiny",
            "retirements": [{"fact": "f_1", "successor": None, "reason": "moved", "since": "2024-03"}],
        },
    ),
    ("review", "r_2", None),
    ("receipt", "r_3", {"id": "r_3", "at": AT.isoformat(), "complete": True, **COUNTS}),
)
"""Kind, key and body of the notes of one scope; a body of None was struck out."""

RECORDS: dict[str, Any] = {
    "windows": (
        PendingWindow(
            id="w_1",
            scope=ANN,
            messages=("m_1", "m_2"),
            context=("m_0",),
            speakers=("Ann",),
            since=AT,
            state="quarantined",
            problem="no JSON",
            reply="{",
            embedded=False,
        ),
    ),
    "calls": (
        ModelCall(
            id="c_1",
            scope=ANN,
            purpose="extract",
            model="tiny",
            window="w_1",
            key="k_1",
            attempt=2,
            prompt_tokens=30,
            completion_tokens=4,
            seconds=0.25,
            at=AT,
            problem="no JSON",
        ),
    ),
    "replies": (ModelReply(id="k_1", scope=ANN, text='{"facts": []}'),),
    "summaries": (ConversationSummary(id="s_1", scope=ANN, source="chat", text="They talk.", waiting=("m_3",)),),
    "reviews": (
        RetirementReview(
            id="r_1",
            scope=ANN,
            window="w_1",
            at=AT,
            model="tiny",
            retirements=(
                ProposedRetirement(fact_id="f_1", successor_id=None, reason="moved", since=Moment.parse("2024-03")),
            ),
        ),
    ),
    "receipts": (Receipt(id="r_3", at=AT, **COUNTS),),
    "done": (Done("window", "w_2"), Done("reply", "k_2"), Done("review", "r_2")),
}
"""The same as records, by the field of Change."""
