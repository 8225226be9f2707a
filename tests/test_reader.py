"""Finding one entity or fact, its history, and why it is there."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import NotFoundError
from mem0g.history.explaining import explain, fact_history
from mem0g.lookup import find_entity, find_fact
from mem0g.memory import Memory
from mem0g.model import Decision, Scope, Succession
from mem0g.store.change import Change, Retirement
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_samples import write
from mem0g.times import Moment
from tests.making import ANN, AT, BOB, EMBEDDER, change, day, entity, fact, message

PERSON = entity("Ann Oliveira", aliases=("Ann", "Annie"))
LIV = entity("Liv")
OSLO, LISBON, ROME = entity("Oslo"), entity("Lisbon"), entity("Rome")
SAID = [message("I live in Oslo.", 0), message("I moved to Lisbon!", 1), message("And back to Oslo.", 2)]
OSLO_ONCE = fact(PERSON, "LIVES_IN", OSLO, "once", valid_from=Moment.parse("2020"), evidence=(SAID[0].id,))
LISBON_THEN = fact(PERSON, "LIVES_IN", LISBON, valid_from=Moment.parse("2022"), evidence=(SAID[1].id,))
OSLO_AGAIN = fact(PERSON, "LIVES_IN", OSLO, "again", valid_from=Moment.parse("2024"), evidence=(SAID[2].id,))
LIKES = fact(PERSON, "LIKES", ROME, said_at=day("2021-01-01"))


def retired(old: str, new: str, when: str) -> Retirement:
    """One home gave way to the next."""
    succession = Succession(fact_id=old, successor_id=new, reason="moved", decided_by="rule", at=AT)
    return Retirement(succession, Moment.parse(when))


def decision(name: str, **given: Any) -> Decision:
    """An entry of the log."""
    return dataclasses.replace(Decision(id=name, operation="ADD", rule="new", reason="", at=AT), **given)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Ann lived in Oslo, then in Lisbon, now in Oslo again; she was called Liv once."""
    opened = SqliteStore(tmp_path / "memory.db")
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    moves = (retired(OSLO_ONCE.id, LISBON_THEN.id, "2022"), retired(LISBON_THEN.id, OSLO_AGAIN.id, "2024"))
    decisions = (
        decision("d_1", fact_id=OSLO_ONCE.id, evidence=(SAID[0].id,)),
        decision("d_2", fact_id=LISBON_THEN.id, targets=(OSLO_ONCE.id,), evidence=(SAID[1].id,)),
        decision("d_3", operation="MERGE", targets=(PERSON.id,), evidence=(SAID[2].id,)),
        decision("d_4", fact_id=LIKES.id),
    )
    facts = [OSLO_ONCE, LISBON_THEN, OSLO_AGAIN, LIKES]
    write(
        opened,
        change(
            messages=SAID,
            entities=[PERSON, LIV, OSLO, LISBON, ROME],
            facts=facts,
            retirements=moves,
            decisions=decisions,
        ),
    )
    write(opened, Change(scope=ANN, merges=((LIV.id, PERSON.id),)))
    write(opened, change(BOB, entities=[entity("Rex", BOB)]))
    yield opened
    opened.close()


@pytest.mark.parametrize("wanted", ["Ann Oliveira", " ANN  oliveira ", "annie", PERSON.id, PERSON.id[:10], LIV.id])
def test_an_entity_by_name_or_id(store: SqliteStore, wanted: str) -> None:
    """A name or alias in any case, an id or its start, and the id of one that was merged into it."""
    assert find_entity(store, ANN, wanted).id == PERSON.id


@pytest.mark.parametrize("wanted", ["Rex", "Liv", "nobody", "e_", "e_000000", "", "%", entity("Rex", BOB).id])
def test_no_such_entity(store: SqliteStore, wanted: str) -> None:
    """Another scope's, a start that several have, and what is not there are named."""
    with pytest.raises(NotFoundError) as caught:
        find_entity(store, ANN, wanted)
    assert repr(wanted) in str(caught.value)
    assert caught.value.hint


def test_of_several_of_a_name_the_one_called_so(store: SqliteStore) -> None:
    """The one whose very name it is goes before one that has it as an alias, then the one updated last."""
    named = entity("Annie", updated_at=day("2020-01-01"))
    write(store, change(entities=[named]))
    assert find_entity(store, ANN, "annie").id == named.id
    run = Scope(user_id="ann", run_id="r1")
    later = entity("Annie", run, updated_at=day("2025-01-01"))
    write(store, change(run, entities=[later]))
    assert find_entity(store, ANN, "annie").id == later.id


def test_a_fact_by_id(store: SqliteStore) -> None:
    """The id or its start finds the fact as it is now."""
    assert find_fact(store, ANN, LIKES.id) == find_fact(store, ANN, LIKES.id[:9]) == LIKES
    assert not find_fact(store, ANN, OSLO_ONCE.id).current


@pytest.mark.parametrize(
    ("scope", "wanted", "problem"),
    [
        (ANN, "f_", "several"),
        (ANN, "f_0000", "no fact"),
        (ANN, "Ann", "no fact"),
        (ANN, "", "no fact"),
        (ANN, PERSON.id, "no fact"),
        (BOB, LIKES.id, "no fact"),
    ],
)
def test_no_such_fact(store: SqliteStore, scope: Scope, wanted: str, problem: str) -> None:
    """An unknown id, a start of several, and another scope's id are named."""
    with pytest.raises(NotFoundError, match=problem) as caught:
        find_fact(store, scope, wanted)
    assert repr(wanted) in str(caught.value)


@pytest.mark.parametrize("asked", [OSLO_ONCE, LISBON_THEN, OSLO_AGAIN])
def test_history(store: SqliteStore, asked: object) -> None:
    """From any link the whole chain, in order of validity, with the reasons; other facts are no part of it."""
    facts, successions = fact_history(store, ANN, find_fact(store, ANN, getattr(asked, "id", "")))
    assert [each.id for each in facts] == [OSLO_ONCE.id, LISBON_THEN.id, OSLO_AGAIN.id]
    assert {(each.fact_id, each.successor_id) for each in successions} == {
        (OSLO_ONCE.id, LISBON_THEN.id),
        (LISBON_THEN.id, OSLO_AGAIN.id),
    }


def test_a_fact_without_a_past(store: SqliteStore) -> None:
    """Its history is itself."""
    assert fact_history(store, ANN, LIKES) == ((LIKES,), ())


def test_why(store: SqliteStore) -> None:
    """The turns that say it, then those of what was decided about it and its ends, and what replaced it."""
    told = explain(store, ANN, find_fact(store, ANN, OSLO_ONCE.id))
    assert told.fact.id == OSLO_ONCE.id
    assert told.evidence == tuple(SAID)
    assert [each.id for each in told.decisions] == ["d_1", "d_2", "d_3"]
    assert [each.successor_id for each in told.successions] == [LISBON_THEN.id]


def test_the_kind_of_an_id_alone_names_nothing(tmp_path: Path) -> None:
    """Where there is one fact, the bare start of every fact's id does not mean it."""
    opened = SqliteStore(tmp_path / "one.db")
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    write(opened, change(messages=SAID[:1], entities=[OSLO, PERSON], facts=[OSLO_ONCE]))
    with pytest.raises(NotFoundError):
        find_fact(opened, ANN, "f_")
    assert find_fact(opened, ANN, OSLO_ONCE.id[:4]).id == OSLO_ONCE.id
    opened.close()


def test_an_overview_of_a_large_memory_shows_each_of_the_best_connected(tmp_path: Path) -> None:
    """Not the latest facts alone, which may all be about one of them; a small memory is shown whole."""
    hub, others = entity("Hub"), [entity(f"Friend {n}") for n in range(5)]
    things = [entity(f"thing {n}") for n in range(60)]
    late = [fact(hub, "OWNS", thing, recorded_at=day("2024-06-01")) for thing in things]
    early = [fact(other, "LIKES", thing, recorded_at=day("2024-01-01")) for other in others for thing in things[:3]]
    with Memory.open(tmp_path / "memory.db", extractor="none") as memory:
        memory.store.load(
            iter([Change(scope=ANN, entities=(hub, *others, *things), facts=tuple(late + early))]),
        )
        few = memory.subgraph(user_id="ann", limit=40)
        assert few.number_of_edges() == 40
        assert {each.id for each in (hub, *others)} <= set(few)
        assert memory.subgraph(user_id="ann", limit=76).number_of_edges() == 75
