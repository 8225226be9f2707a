"""What several parts of the store contract write, and the fixtures that they share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mem0g.model import Decision, Fact, Message, Operation, Receipt, Scope, Succession, content_id
from mem0g.store.change import Change, Retirement
from mem0g.store.protocol import Store, commit
from mem0g.store.records import (
    ConversationSummary,
    Done,
    ModelCall,
    ModelReply,
    PendingWindow,
    ProposedRetirement,
    RetirementReview,
)
from mem0g.testing.samples import ANN, AT, EMBEDDER, change, day, entity, fact, message
from mem0g.times import Moment

OSLO, LISBON = entity("Oslo", type="city"), entity("Lisbon", type="city")
PERSON = entity("Ann", type="person", aliases=("Annie",))
SAID = message("I live in Oslo now.", source_id="D1:1")
RUN = Scope(run_id="r1")
LIVES = fact(PERSON, "LIVES_IN", OSLO, evidence=(SAID.id,), valid_from=Moment.parse("2020"))


def write(store: Store, made: Change) -> None:
    """Commit a change."""
    commit(store, made)


def retirement(of: str, successor: str | None, ended: str, at: str = "2024-07-01") -> Retirement:
    """Return a retirement decided by rule."""
    succession = Succession(fact_id=of, successor_id=successor, reason="she moved", decided_by="rule", at=day(at))
    return Retirement(succession, Moment.parse(ended))


def fill_two_scopes(store: Store) -> tuple[Message, dict[str, Fact]]:
    """Write a message by Ann in a run, and facts in a wider scope that cite it, another message, or both.

    "Zanzibar" and "Annika" occur in Ann's message only. Return that message and the facts by name.
    """
    own = Scope(user_id="ann", run_id="r1")
    said, kept = message("Annika here, I moved to Zanzibar.", scope=own), message("I like Oslo.", scope=RUN)
    ann, bergen = entity("Ann", RUN, aliases=("Annika",)), entity("Bergen", RUN)
    before = {"entities": [{"id": ann.id, "name": "Ann", "aliases": ["Annika"], "merged_into": None}]}
    zanzibar, oslo = entity("Zanzibar", RUN), entity("Oslo", RUN)
    facts = {
        "alone": fact(ann, "LIVES_IN", zanzibar, evidence=(said.id,)),
        "both": fact(ann, "LIKES", oslo, evidence=(kept.id, said.id)),
        "before": fact(ann, "LIVES_IN", bergen, evidence=(kept.id,)),
        "after": fact(ann, "LIVES_IN", oslo, evidence=(kept.id,)),
    }
    write(store, change(own, messages=[said]))
    write(store, change(RUN, messages=[kept], entities=[ann, bergen, zanzibar, oslo], facts=list(facts.values())))
    links = (
        replace(retirement(facts["before"].id, facts["alone"].id, "2024-03"), valid_to=None),
        retirement(facts["alone"].id, facts["after"].id, "2024-05"),
    )
    log = (
        decision("ADD", "Annika", "Zanzibar", said, fact_id=facts["alone"].id, targets=(facts["before"].id,)),
        decision("NOOP", "Annika", "Oslo", said, fact_id=facts["both"].id),
        decision("MERGE", "Annika", "Zanzibar", said, targets=(ann.id,)),
        decision("UPDATE", "Ann", "Oslo", kept, fact_id=facts["after"].id, targets=(facts["alone"].id,)),
        decision("NOOP", "Ann", "Oslo", kept, fact_id=facts["both"].id, before=before),
    )
    write(store, change(RUN, retirements=links, decisions=log))
    return said, facts


def decision(operation: Operation, subject: str, obj: str, said: Message, **given: Any) -> Decision:
    """Return a decision about a triple from the message ``said``; its reason quotes another fact."""
    triple = {"subject": subject, "relation": "lives_in", "object": obj, "text": f"{subject} lives in {obj}."}
    reason = "no longer in Zanzibar" if given.get("targets") else ""
    key = content_id("d", operation, subject, obj)
    return Decision(
        id=key, operation=operation, rule="r", reason=reason, at=AT, evidence=(said.id,), triple=triple, **given
    )


def window(key: str, scope: Scope = ANN, **given: Any) -> PendingWindow:
    """Return a pending window of Ann's."""
    made: dict[str, Any] = {"messages": (SAID.id,), "context": (), "speakers": ("Ann",), "since": AT, **given}
    return PendingWindow(id=key, scope=scope, **made)


def call(call_id: str, scope: Scope = ANN, **given: Any) -> ModelCall:
    """Return a model call for Ann."""
    counts: dict[str, Any] = {"attempt": 1, "prompt_tokens": 3, "completion_tokens": 2, "seconds": 0.5, "at": AT}
    names = {"purpose": "extract", "model": "tiny", "window": "w_1", "key": "k"}
    return ModelCall(id=call_id, scope=scope, **{**names, **counts, **given})


def records_of_all_types(scope: Scope = ANN) -> dict[str, Any]:
    """Return one record of each type beside the graph, by field of Change, and some that are done."""
    summary = ConversationSummary(id="s_1", scope=scope, source="chat", text="They talk.", waiting=(SAID.id,))
    proposed = ProposedRetirement(fact_id="f_1", successor_id=None, reason="späť", since=Moment.parse("2024-03"))
    ends = (proposed, proposed)
    review = RetirementReview(id="r_1", scope=scope, window="w_1", at=AT, model="tiny", retirements=ends)
    return {
        "windows": (window("w_1", scope, state="quarantined", problem="späť", reply="{", embedded=False),),
        "calls": (call("c_1", scope, cached=True, problem="no JSON"),),
        "replies": (ModelReply(id="k", scope=scope, text='{"facts": []}'),),
        "summaries": (summary,),
        "reviews": (review,),
        "receipts": (Receipt(id="r_2", at=AT, facts=2, complete=False),),
        "done": (Done("window", "w_0"), Done("reply", "k_0"), Done("review", "r_0")),
    }


class FilledStore:
    """A part of the contract: each of its tests has a store of its own."""

    @pytest.fixture
    def store(self) -> Store:
        raise NotImplementedError

    @pytest.fixture
    def filled(self, store: Store) -> Store:
        """A store with one message, in which Ann says that she lives in Oslo, and its fact."""
        store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        write(store, change(messages=[SAID], entities=[PERSON, OSLO], facts=[LIVES]))
        return store
