"""Searches of large scopes that are answered from kept rows give what the server has, whoever wrote to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mem0g.store.candidates import SearchCandidates
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore, holding
from mem0g.store.neo4j.kept import KeptScopes
from mem0g.store.neo4j.searching import find
from mem0g.store.protocol import Transaction
from mem0g.store.queries import EVERYTHING, PathTraversal, SearchQuery
from tests.making import ANN, EMBEDDER, entity, fact, message, vector
from tests.making import change as change_of
from tests.servers.server import Server
from tests.store.fixtures import open_neo4j
from tests.store.ingested import memory_over
from tests.store.test_neo4j_round_trips import counting

OSLO, TEA, ANNA = entity("Oslo"), entity("tea"), entity("Ann")
SAID = [
    message(text, place) for place, text in enumerate(("I live in Oslo.", "Nice.", "I like tea.", "Me too.", "Bye."))
]
FACTS = [
    fact(ANNA, "LIVES_IN", OSLO, evidence=(SAID[0].id,)),
    fact(ANNA, "LIKES", TEA, evidence=(SAID[2].id,)),
]


@pytest.fixture
def other(empty: Neo4jStore, neo4j_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Neo4jStore]:
    """The same database, filled, as another process has it open; every scope is too large to be held in memory."""
    monkeypatch.setattr(holding, "MOST_FACTS", 0)
    monkeypatch.setattr(holding, "LARGE_FACTS", 0)
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    long = message("Tea is a drink. " * 200, 9)
    empty.write(ANN, lambda transaction: transaction.commit(change_of(ANN, [*SAID, long], [ANNA, OSLO, TEA], FACTS)))
    store = open_neo4j(neo4j_server)
    yield store
    store.close()


def probe(text: str, **given: object) -> SearchQuery:
    """A search for a text, with walks from Ann."""
    walks = {"anchors": (ANNA.id,), "traversal": PathTraversal(anchors=(ANNA.id,))}
    return SearchQuery(vectors=(vector(text), vector("drink")), terms=tuple(text.split()), **{**walks, **given})  # type: ignore[arg-type]


def rounded(found: SearchCandidates) -> object:
    """All that a search found, its cosines rounded."""

    def plain(each: object) -> object:
        similarities = getattr(each, "similarities", None)
        cosines = similarities and [round(cosine, 5) for cosine in similarities]
        return [getattr(each, name) for name in each.__slots__ if name != "similarities"], cosines  # type: ignore[attr-defined]

    lists = (found.facts, found.messages, found.traversal, found.instructions)
    return [list(map(plain, each)) for each in lists], found.turns


def anew(store: Neo4jStore, query: SearchQuery) -> object:
    """What a search finds that has no rows from before."""
    connection = store._connection
    how = {"filters": store._filters, "as_parameter": connection.as_parameter}
    return rounded(connection.read(lambda run: find(run, ANN, query, KeptScopes(), **how)).candidates)  # type: ignore[arg-type]


def test_kept_rows_are_those_of_the_server(other: Neo4jStore) -> None:
    """Of several questions, asked again and again, each gets what a first search gets."""
    probes = [probe("tea"), probe("oslo", facts=1, messages=1), probe("drink", anchors=(TEA.id,)), probe("bye", hops=0)]
    for query in (*probes, *(probe("tea", view=EVERYTHING, messages=most) for most in (0, 1, 100))):
        for _ in range(3):
            assert rounded(other.find(ANN, query)) == anew(other, query)


def test_no_more_facts_are_read_than_a_search_uses(other: Neo4jStore, empty: Neo4jStore) -> None:
    """Of facts that cite the messages found the latest are read, with the messages, as by a first search."""
    said = [message(f"Tea number {place}.", place, session="s2") for place in range(6)]
    ends = [entity(f"cup {place}") for place in range(24)]
    told = [fact(TEA, "IN", end, evidence=(said[place % 6].id,)) for place, end in enumerate(ends)]
    empty.write(ANN, lambda transaction: transaction.commit(change_of(ANN, said, ends, told)))
    few = {"anchors": (), "nearest_anchors": 0, "traversal": PathTraversal(), "facts": 3}
    queries = [probe(f"number {place}", messages=2, **few) for place in range(6)]
    wanted = [anew(other, query) for query in queries]
    other.find(ANN, queries[0])
    for most, (query, found) in enumerate(zip(queries, wanted, strict=True), start=1):
        with counting() as sent:
            assert rounded(other.find(ANN, query)) == found
        assert sent() <= 2
        (rows,) = other._kept._rows.values()
        assert len(rows.facts) <= 9 * most  # by vector, by words, and those that cite messages
    assert any(each.fact.evidence for each in other.find(ANN, queries[0]).facts)


def test_what_others_write_is_found(other: Neo4jStore, empty: Neo4jStore) -> None:
    """What another process retires, adds, corrects and forgets is never answered from rows that were read before."""
    writer = memory_over(empty)
    for change in (
        lambda: writer.retire(FACTS[0].id, user_id="ann"),
        lambda: writer.add_fact(subject="Ann", relation="likes", object="coffee", user_id="ann"),
        lambda: writer.merge(OSLO.id, TEA.id, user_id="ann"),
        lambda: writer.erase(SAID[2].id, user_id="ann"),
    ):
        for _ in range(3):
            other.find(ANN, probe("tea"))
        change()
        assert rounded(other.find(ANN, probe("tea"))) == anew(other, probe("tea"))
    for _ in range(3):
        other.find(ANN, probe("tea"))
    writer.forget(user_id="ann")
    assert other.find(ANN, probe("tea")) == SearchCandidates((), ())


def test_writes_within_a_millisecond_have_other_versions(empty: Neo4jStore) -> None:
    """The version of a scope is another one after each write, however fast they follow each other."""

    def write(transaction: Transaction) -> None:
        transaction.begin()
        transaction.commit(Change(scope=ANN))

    def version(number: int) -> object:
        del number
        empty.write(ANN, write)
        (row,) = empty.run("scopes_written", scopes=["user_id=ann"])
        return row["written_at"]

    memory_over(empty).add_fact(subject="Ann", relation="likes", object="tea", user_id="ann")
    times = list(map(version, range(20)))
    assert len(set(times)) == len(times)
