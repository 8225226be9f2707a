"""Searches in memory find what the server finds, whoever wrote to it, and hold nothing of other scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, product
from threading import Event, Thread
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.errors import StoreError
from mem0g.memory import Memory
from mem0g.model import INSTRUCTS, Scope
from mem0g.store.candidates import FactCandidate, SearchCandidates
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore, holding
from mem0g.store.neo4j.held import HeldScopes, StaleError
from mem0g.store.neo4j.holding import Holder
from mem0g.store.neo4j.kept import KeptScopes
from mem0g.store.neo4j.searching import find
from mem0g.store.neo4j.server.connection import Run
from mem0g.store.queries import EVERYTHING, PathTraversal, Period, SearchQuery, Selection, View
from mem0g.testing.store_samples import write
from tests.making import ANN, AT, BOB, EMBEDDER, change, day, entity, fact, message, vector
from tests.servers.server import Server
from tests.store.fixtures import open_neo4j
from tests.store.ingested import memory_over
from tests.store.test_stores_agree import NAMES, SCOPES, changes

VIEWS = (
    View(),
    EVERYTHING,
    View(as_of=day("2022-07-01")),
    View(known_at=day("2024-06-10")),
    View(as_of=day("2024"), known_at=day("2024-06-10"), include_retired=True),
)
SELECTIONS = (
    None,
    Selection(relations=("LIKES", "IN")),
    Selection(types=("Person",)),
    Selection(not_types=("",)),
    Selection(valid=Period(since=day("2021"))),
    Selection(said=Period(until=AT)),
    Selection(recorded=Period(since=day("2024-06-10"))),
    Selection(speakers=("Ann",), roles=("user",)),
    Selection(metadata=("",)),
)


@pytest.fixture
def other(empty: Neo4jStore, neo4j_server: Server) -> Iterator[Neo4jStore]:
    """The same database, as another process has it open."""
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    store = open_neo4j(neo4j_server)
    yield store
    store.close()


def probe(**given: object) -> SearchQuery:
    """A search for tea in Oslo."""
    vectors = (vector("Ann lives in Oslo."), vector("green tea"))
    return SearchQuery(vectors=vectors, terms=("ann", "tea", "turn", "green tea"), **given)  # type: ignore[arg-type]


def plain(found: SearchCandidates, *, selected: bool = False) -> object:
    """What a search found, with rounded cosines, without paths, of which two may be equally short.

    Facts are scope by scope, as those of two scopes that were recorded at one time have no order. Of what is
    ``selected`` the turns are left out: the server returns those of facts, too, that it leaves out later.
    """

    def cosines(given: tuple[float, ...] | None) -> object:
        return given and [round(each, 4) + 0.0 for each in given]

    def facts(some: Sequence[FactCandidate]) -> list[object]:
        in_order = sorted(some, key=lambda each: str(each.fact.scope))
        return [(each.fact, each.terms, cosines(each.similarities)) for each in in_order]

    turns = zip(found.turns.ids, found.turns.positions, found.turns.terms, strict=True)
    messages = [
        (each.message, each.passage, each.terms, cosines(each.similarities), sorted(each.outdated.split()))
        for each in found.messages
    ]
    lists = [facts(each) for each in (found.facts, found.traversal, found.instructions)]
    return lists, messages, () if selected else (sorted(turns), sorted(found.turns.noted))


def by_server(store: Neo4jStore, scope: Scope, query: SearchQuery) -> SearchCandidates:
    """What the server finds."""
    connection = store._connection
    return connection.read(
        lambda run: find(run, scope, query, KeptScopes(), filters=store._filters, as_parameter=connection.as_parameter)
    ).candidates


def held(store: Neo4jStore, scope: Scope = ANN) -> HeldScopes | None:
    """What a store holds of a scope."""
    return store._holder._entries[scope].held


def agree(store: Neo4jStore, scope: Scope, query: SearchQuery) -> None:
    """A search in memory finds what the server does."""
    found = store.find(scope, query)
    assert held(store, scope) is not None
    selected = query.selection is not None
    assert plain(found, selected=selected) == plain(by_server(store, scope, query), selected=selected)


@pytest.mark.slow
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])  # emptied within
@given(
    made=changes(),
    scope=st.sampled_from((*SCOPES, Scope(run_id="r"))),
    asked=st.lists(st.sampled_from(list(product(VIEWS, SELECTIONS))), min_size=4, max_size=4),
    anchor=st.sampled_from(NAMES),
)
def test_any_changes(
    empty: Neo4jStore,
    other: Neo4jStore,
    made: list[Change],
    scope: Scope,
    asked: list[tuple[View, Selection | None]],
    anchor: str,
) -> None:
    """After each change by another process, searches of any view and selection find what the server does."""
    for written in SCOPES:
        other.forget(written)
    named = tuple(entity(anchor, written).id for written in SCOPES if scope.covers(written))
    for each, (view, selection) in zip([*made, *made][: max(len(made), 4)], [*asked, *asked, *asked], strict=False):
        write(other, each)
        for anchors in ((), named):
            walked = {"anchors": anchors, "traversal": PathTraversal(anchors=anchors)}
            agree(empty, scope, probe(view=view, selection=selection, **walked))


TEA, OSLO, ANNA = entity("tea", type="Drink"), entity("Oslo", type="City"), entity("Ann", type="Person")
SAID = [
    replace(message(text, place), metadata=noted)
    for place, (text, noted) in enumerate([("I live in Oslo.", {}), ("Nice.", {"a": 1}), ("I like green tea.", {})])
]
LONG = message("Green tea is a drink of Ann. " * 200, 9)
FACTS = [
    fact(ANNA, "LIVES_IN", OSLO, "Ann lives in Oslo.", evidence=(SAID[0].id,)),
    fact(ANNA, "LIKES", TEA, "Ann likes green tea.", evidence=(SAID[2].id,)),
    fact(ANNA, INSTRUCTS, TEA, "Ann instructs to speak of tea.", evidence=(SAID[2].id,)),
]


@pytest.fixture
def writer(empty: Neo4jStore, other: Neo4jStore) -> Memory:
    """A memory of another process: messages, a long one, facts and an instruction of Ann; a fact of Bob."""
    write(other, change(ANN, [*SAID, LONG], [ANNA, OSLO, TEA], FACTS))
    ends = [entity("Bob", BOB), entity("tea", BOB)]
    write(other, change(BOB, [], ends, [fact(ends[0], "LIKES", ends[1])]))
    return memory_over(other)


DOINGS: dict[str, Callable[[Memory], object]] = {
    "a fact is added": lambda by: by.add_fact(subject="Ann", relation="likes", object="coffee", user_id="ann"),
    "a message is added": lambda by: by.add(
        [{"role": "user", "content": "I have a dog. He drinks tea."}], user_id="ann"
    ),
    "a fact is retired": lambda by: by.retire(FACTS[0].id, user_id="ann"),
    "it is restored": lambda by: by.undo(by.decisions(limit=1, user_id="ann")[0].id, user_id="ann"),
    "it is retired again": lambda by: by.retire(FACTS[0].id, user_id="ann"),
    "a fact is corrected": lambda by: by.correct(FACTS[1].id, object="black tea", user_id="ann"),
    "entities are merged": lambda by: by.merge(OSLO.id, TEA.id, user_id="ann"),
    "they are parted": lambda by: by.undo(by.decisions(limit=1, user_id="ann")[0].id, user_id="ann"),
    "a message is erased": lambda by: by.erase(SAID[0].id, user_id="ann"),
    "another agent's scope appears": lambda by: by.add_fact(
        subject="Ann", relation="likes", object="green tea", agent_id="helper", user_id="ann"
    ),
    "it is forgotten": lambda by: by.forget(agent_id="helper", user_id="ann"),
}


def test_what_others_do_is_found(empty: Neo4jStore, writer: Memory) -> None:
    """Whatever another process does, the next search finds what the server has."""
    anchors = {"anchors": (ANNA.id,), "traversal": PathTraversal(anchors=(ANNA.id,))}
    for name, do in {"nothing": lambda by: by, **DOINGS}.items():
        do(writer)
        for view in VIEWS[:2]:
            for walked in ({}, anchors, {"messages": 1, "facts": 1, "radius": 0}):
                agree(empty, ANN, probe(view=view, **walked))
        assert held(empty), name
    writer.forget(user_id="ann")
    assert empty.find(ANN, probe()) == SearchCandidates((), ())


def test_a_search_while_others_write(empty: Neo4jStore, writer: Memory) -> None:
    """What is written after a search began is found by it or by the next; what another one has read since is used."""
    empty.find(ANN, probe())
    with empty.reading():
        before = empty.find(ANN, probe())
        writer.add_fact(subject="Ann", relation="likes", object="white tea", user_id="ann")
        assert plain(empty.find(ANN, probe())) == plain(before)
        writer.add_fact(subject="Ann", relation="likes", object="red tea", user_id="ann")
        in_another_thread(lambda: empty.find(ANN, probe()))
        assert len(empty.find(ANN, probe()).facts) == len(before.facts) + 2
    writer.add_fact(subject="Ann", relation="likes", object="black tea", user_id="ann")
    agree(empty, ANN, probe())
    assert len(empty.find(ANN, probe()).facts) == len(before.facts) + 3


def in_another_thread(do: Callable[[], object]) -> None:
    thread = Thread(target=do)
    thread.start()
    thread.join()


def test_what_is_added_or_replaced_is_read_alone(empty: Neo4jStore, writer: Memory) -> None:
    """After new facts, more evidence and retirements nothing is read anew that is held; after an erasure all is."""
    empty.find(ANN, probe())
    before = held(empty)
    writer.add([{"role": "user", "content": "I live in Bergen. I like green tea."}], user_id="ann")
    writer.add_fact(subject="Ann", relation="likes", object="tea", user_id="ann")
    writer.retire(FACTS[1].id, user_id="ann")
    agree(empty, ANN, probe())
    assert held(empty) is before
    writer.erase(SAID[0].id, user_id="ann")
    agree(empty, ANN, probe())
    assert held(empty) is not before


def test_a_writer_that_records_nothing_is_noticed(empty: Neo4jStore, writer: Memory, other: Neo4jStore) -> None:
    """What an older version of mem0g changed is found, also if a newer one has written since."""
    empty.find(ANN, probe())
    with other._connection._session("WRITE") as session:
        session.run(
            "MATCH (s:Mem0gScope {scope: 'user_id=ann'}) SET s.written_at = datetime() "
            "WITH s MATCH (f:Fact {id: $id}) SET f.text = 'Ann lives in Bergen.'",
            id=FACTS[0].id,
        ).consume()
    agree(empty, ANN, probe())
    writer.retire(FACTS[1].id, user_id="ann")
    with other._connection._session("WRITE") as session:
        session.run(
            "MATCH (s:Mem0gScope {scope: 'user_id=ann'}) SET s.written_at = datetime() "
            "WITH s MATCH (f:Fact {id: $id}) SET f.text = 'Ann lives in Narvik.'",
            id=FACTS[0].id,
        ).consume()
    writer.retire(FACTS[2].id, user_id="ann")
    agree(empty, ANN, probe())


def test_a_reindex_is_noticed(empty: Neo4jStore, writer: Memory, other: Neo4jStore) -> None:
    """After another process has embedded everything anew, searches compare the new vectors."""
    empty.find(ANN, probe())
    other.replace_embedder("other", EMBEDDER.dimensions, lambda texts: [vector(text[::-1]) for text in texts])
    agree(empty, ANN, probe())


@pytest.mark.slow
def test_what_is_held_is_of_its_scopes(empty: Neo4jStore, writer: Memory) -> None:
    """Columns hold the scopes that a search covers and no others; each scope asked for has columns of its own."""
    writer.add_fact(subject="Ann", relation="likes", object="coffee", agent_id="helper", user_id="ann")
    helper = Scope(user_id="ann", agent_id="helper")
    for scope in (ANN, BOB, helper, Scope(agent_id="helper")):
        agree(empty, scope, probe(view=EVERYTHING))
        rows = held(empty, scope)
        assert rows is not None
        assert {rows._scopes[each.scope] for each in rows._facts} == {
            each for each in (ANN, BOB, helper) if scope.covers(each)
        }


def test_a_large_scope_is_held_when_it_is_searched_again(
    empty: Neo4jStore, writer: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first search of a scope with more than a few facts asks the server; one too large always does."""
    monkeypatch.setattr(holding, "FEW_FACTS", 2)
    for times in range(3):
        assert plain(empty.find(ANN, probe())) == plain(by_server(empty, ANN, probe()))
        assert (held(empty) is not None) == (times > 0)
    writer.erase(SAID[0].id, user_id="ann")
    monkeypatch.setattr(holding, "MOST_FACTS", 1)
    monkeypatch.setattr(holding, "LARGE_FACTS", 1)
    for _ in range(3):
        assert plain(empty.find(ANN, probe())) == plain(by_server(empty, ANN, probe()))
        assert held(empty) is None


@pytest.fixture
def large(empty: Neo4jStore, writer: Memory, monkeypatch: pytest.MonkeyPatch) -> Neo4jStore:
    """A store with a scope that is known to be too large to be read by a search; four searches pay for reading it."""
    monkeypatch.setattr(holding, "MOST_FACTS", 1)
    monkeypatch.setattr(holding, "AT_ONCE_BESIDE", 3)
    empty.find(ANN, probe())
    monkeypatch.setattr(holding, "NODES_A_SEARCH", -(-empty._holder._entries[ANN].nodes // 4))
    return empty


def read_with(store: Neo4jStore, before: Callable[[], object]) -> None:
    """Have something done before each query by which a store reads a large scope."""
    connection, entries = store._connection, store._holder._entries

    def observed(run: Run) -> Run:
        def reading(name: str, /, **given: Any) -> list[dict[str, Any]]:
            if name.endswith("held"):
                before()
            return run(name, **given)

        return reading

    store._holder = Holder(connection.as_parameter, lambda work: connection.read(lambda run: work(observed(run))))
    store._holder._entries.update(entries)


def search_until_held(store: Neo4jStore) -> int:
    """Search until the scope is held, which the server answers until then; return how often."""
    for times in range(10):
        if held(store):
            return times
        before = plain(by_server(store, ANN, probe()))
        found = plain(store.find(ANN, probe()))
        if store._holder._reader:  # others may write while it reads, before the search or after it
            store._holder._reader.join()
        assert found in (before, plain(by_server(store, ANN, probe())))
    return 10


def test_a_large_scope_is_read_beside_the_searches(large: Neo4jStore, writer: Memory) -> None:
    """Once the server has answered enough searches all is held, and kept up with what is written."""
    assert search_until_held(large) == 4
    for view, selection in product(VIEWS, SELECTIONS):
        agree(large, ANN, probe(view=view, selection=selection))
    before = held(large)
    writer.add_fact(subject="Ann", relation="likes", object="coffee", user_id="ann")
    writer.retire(FACTS[1].id, user_id="ann")
    agree(large, ANN, probe())
    assert held(large) is before


@pytest.mark.parametrize("name", DOINGS)
def test_what_is_done_while_a_large_scope_is_read(large: Neo4jStore, writer: Memory, name: str) -> None:
    """What another process does between two queries of the reading is found by the next search."""
    doings = list(DOINGS)
    for each in doings[: doings.index(name)]:
        DOINGS[each](writer)
    queries = count()
    read_with(large, lambda: next(queries) == 1 and DOINGS[name](writer))
    search_until_held(large)
    assert next(queries) > 2
    for view in VIEWS[:2]:
        assert plain(large.find(ANN, probe(view=view))) == plain(by_server(large, ANN, probe(view=view)))


def test_a_large_scope_of_which_anything_is_removed(large: Neo4jStore, writer: Memory) -> None:
    """The server answers until it has been read anew beside the searches; no search reads all of it."""
    search_until_held(large)
    writer.erase(SAID[0].id, user_id="ann")
    assert plain(large.find(ANN, probe())) == plain(by_server(large, ANN, probe()))
    assert held(large) is None
    assert search_until_held(large) in (3, 4)
    agree(large, ANN, probe())


def test_a_large_scope_is_not_read_after_closing(large: Neo4jStore) -> None:
    """Closing waits for the query that is being answered, and no other follows."""
    begun, go_on, queries = Event(), Event(), count()
    read_with(large, lambda: (next(queries), begun.set(), go_on.wait(10)))  # type: ignore[func-returns-value]
    while large._holder._reader is None:
        large.find(ANN, probe())
    assert begun.wait(10)
    closing = Thread(target=large._holder.close)
    closing.start()
    assert large._holder._closed.wait(10)
    go_on.set()
    closing.join(10)
    assert not large._holder._reader.is_alive()
    assert next(queries) == 1
    assert not large._holder._entries


def test_what_is_removed_while_it_is_read() -> None:
    """Of a node that was found, and removed before its properties were read, there are none: all is read anew."""
    kinds = {"facts": 24, "messages": 17, "passages": 9, "entities": 11, "literals": 11}
    for kind in kinds:
        with pytest.raises(StaleError):
            HeldScopes([ANN], ["user_id=ann"], None).add(
                {each: [[None] * kinds[each]] * (each == kind) for each in kinds}
            )


def test_a_large_scope_that_cannot_be_read(large: Neo4jStore, caplog: pytest.LogCaptureFixture) -> None:
    """A failure is logged; searches go on, and it is tried again after as many."""
    queries = count()

    def fail() -> None:
        if next(queries) < 1:
            raise StoreError("the server is busy", hint="wait")

    read_with(large, fail)
    assert search_until_held(large) == 8
    assert "is not held in memory: the server is busy" in caplog.text


def test_the_least_recently_used_are_dropped(
    empty: Neo4jStore, writer: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More memory than is allowed is not kept; the scope that was searched last stays."""
    empty._discard()
    monkeypatch.setattr(holding, "HELD_BYTES", 1)
    for scope in (ANN, BOB):
        agree(empty, scope, probe())
        assert list(empty._holder._entries) == [scope]


def test_what_is_forgotten_here_is_not_held(empty: Neo4jStore, writer: Memory) -> None:
    """A store drops what it holds of a scope when it forgets it or erases something in it."""
    empty.find(ANN, probe())
    memory_over(empty).erase(SAID[0].id, user_id="ann")
    assert ANN not in empty._holder._entries
    empty.find(ANN, probe())
    empty.forget(ANN)
    assert not empty._holder._entries
