"""A store with something of everything in it, for tests that break it by hand."""

from __future__ import annotations

from mem0g.model import Decision, Scope
from mem0g.store.change import Change
from mem0g.store.protocol import Store
from mem0g.store.records import PendingWindow
from mem0g.testing.store_samples import retirement, write
from mem0g.times import Moment
from tests.making import ANN, AT, EMBEDDER, change, entity, fact, message

RUN = Scope(user_id="ann", run_id="r1")
SAID = [message(text, place, source="added") for place, text in enumerate(("I live in Oslo.", "I moved to Lisbon."))]
PERSON, OSLO, LISBON, LIV = (
    entity("Ann", type="person", aliases=("Annie",)),
    entity("Oslo"),
    entity("Lisbon"),
    entity("Liv"),
)
LIVED = fact(PERSON, "LIVES_IN", OSLO, evidence=(SAID[0].id,), valid_from=Moment.parse("2020"))
LIVES = fact(PERSON, "LIVES_IN", LISBON, evidence=(SAID[1].id, SAID[0].id), valid_from=Moment.parse("2024"))
GONE = fact(PERSON, "LIKES", OSLO)
DECIDED = Decision(
    id="d_1",
    operation="UPDATE",
    rule="one object",
    reason="",
    at=AT,
    fact_id=LIVES.id,
    targets=(LIVED.id,),
    triple={"subject": "Ann", "relation": "lives_in", "object": "Lisbon", "text": LIVES.text},
)
WINDOW = PendingWindow(id="w_1", scope=ANN, messages=(SAID[1].id,), context=(SAID[0].id,), speakers=("Ann",), since=AT)


def fill(store: Store) -> Store:
    """Ann moved, which was decided and is explained; Liv turned out to be Ann; there are two scopes; a window waits."""
    store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    there = entity("Ann", RUN), entity("Rome", RUN)
    write(store, change(RUN, [message("Rome!", scope=RUN)], there, [fact(there[0], "LIKES", there[1])]))
    write(store, change(ANN, SAID, [PERSON, OSLO, LISBON, LIV], [LIVED, LIVES, GONE]))
    moved, over = retirement(LIVED.id, LIVES.id, "2024"), retirement(GONE.id, None, "2023")
    write(store, change(ANN, retirements=(moved, over), decisions=(DECIDED,), windows=(WINDOW,)))
    write(store, Change(scope=ANN, merges=((LIV.id, PERSON.id),)))
    return store
