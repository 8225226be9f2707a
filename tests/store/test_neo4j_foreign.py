"""A database that holds other data: it is neither seen nor touched, and what is in the way is named.

Each change of the schema makes the server plan its queries anew, which takes seconds. So the tests that need a database
without mem0g's schema come first, and those after them share the schema that they left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from mem0g.errors import ForeignStoreError
from mem0g.model import Scope
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.maintenance.schema import names
from mem0g.store.sqlite import SqliteStore
from tests.making import EMBEDDER, vector
from tests.servers.server import Server
from tests.store.fixtures import clear
from tests.store.ingested import DEMO, TALK, error_text, ingest_result, memory_over, said

Ask = Callable[..., list[dict[str, Any]]]

LABELS = (
    *("Entity Fact Message Session Decision Scope Person City Retired".split()),
    *("Entity:Person", "Fact:Retired"),
)
QUESTIONS = ("Where does Olivia live?", "What pet do they have?", "running", "Who is foreign?")

EVERYTHING = """
CALL () {
  MATCH (n) WHERE n.foreign RETURN labels(n) AS kind, properties(n) AS holds, n.key AS key, null AS to
  UNION ALL
  MATCH (a)-[r]->(b) WHERE a.foreign AND b.foreign
  RETURN [type(r)] AS kind, properties(r) AS holds, a.key AS key, b.key AS to
}
RETURN kind, holds, key, to ORDER BY key, to, kind
"""
SCHEMA = "SHOW INDEXES YIELD * WHERE NOT name STARTS WITH 'mem0g_' RETURN name, type, labelsOrTypes, properties"
RULES = "SHOW CONSTRAINTS YIELD * WHERE NOT name STARTS WITH 'mem0g_' RETURN name, type, labelsOrTypes, properties"
NOT_IN_THE_WAY = (
    "CREATE CONSTRAINT their_key FOR (e:Entity) REQUIRE e.key IS UNIQUE",
    "CREATE CONSTRAINT their_token FOR (s:Session) REQUIRE s.token IS UNIQUE",
    "CREATE INDEX their_name FOR (p:Person) ON (p.name)",
    "CREATE INDEX their_id FOR (f:Fact) ON (f.id)",
    "CREATE FULLTEXT INDEX their_words FOR (m:Message) ON EACH [m.text]",
    "CREATE VECTOR INDEX their_vector FOR (f:Fact) ON (f.vector) OPTIONS {indexConfig: {`vector.dimensions`: 3}}",
)


@pytest.fixture(scope="module")
def ask(neo4j_server: Server) -> Iterator[Ask]:
    """The other program: runs any Cypher, past the code under test."""
    auth = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth, notifications_min_severity="OFF") as driver:

        def run(text: str, **given: Any) -> list[dict[str, Any]]:
            rows = driver.execute_query(text, given, database_=neo4j_server.database)
            return [dict(row) for row in rows.records]

        yield run


@pytest.fixture
def foreign(empty: Neo4jStore, ask: Ask, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """A database in which another program has nodes of mem0g's labels, with its properties and relationships."""
    with_ids = SqliteStore(tmp_path / "same.db")
    memory_over(with_ids).add(TALK, user_id="demo")
    ids = [row_id(each) for kind in ("messages", "entities", "facts") for each in ingest_result(with_ids)[kind][:3]]
    with_ids.close()
    try:
        for statement in NOT_IN_THE_WAY:
            ask(statement)
        make_others(ask, ids)
        yield {"data": ask(EVERYTHING), "indexes": ask(SCHEMA), "rules": ask(RULES)}
    finally:
        remove_others(ask)


def remove_others(ask: Ask) -> None:
    """Remove all that is not mem0g's: nodes, and indexes with their constraints."""
    ask("MATCH (n) WHERE n.foreign DETACH DELETE n")
    for row in ask("SHOW INDEXES YIELD name, type, owningConstraint AS rule WHERE type <> 'LOOKUP'"):
        if not row["name"].startswith("mem0g_"):
            ask(f"DROP {'CONSTRAINT' if row['rule'] else 'INDEX'} {row['name']}")


def row_id(row: Any) -> str:
    """The id of what ``heard`` tells."""
    found = row if isinstance(row, str) else row[0]
    assert isinstance(found, str)
    return found


def make_others(ask: Ask, ids: list[str]) -> None:
    """Nodes of every label: bare, with ids of mem0g's, with names, scopes, texts, and embeddings of several kinds."""
    embedding = [float(value) for value in vector("Where does Olivia live?")]
    told = {"text": "Olivia lives in Foreignland.", "name": "Olivia", "terms": "olivia live", "names": ["olivia"]}
    kinds: list[dict[str, Any]] = [
        {},
        {"name": "Olivia", "id": 7},
        {"scope": "global", "text": "Who is foreign?"},
        {"embedding": embedding, "text": told["text"]},
        {"embedding": [1.0, 2.0]},
        {"embedding": "none", "id": True, "n": "x"},
        {"scope": 1, "n": 1},
        {"user_id": "demo", "agent_id": "", "run_id": "", "embedding": embedding, "current": True, **told},
        *({"id": each, "user_id": "demo", "agent_id": "", "run_id": "", **told} for each in ids),
    ]
    ask(
        "UNWIND range(0, size($labels) - 1) AS place UNWIND range(0, size($kinds) - 1) AS i "
        "CREATE (n:$($labels[place])) SET n += $kinds[i], n.foreign = true, n.key = 1000 * place + i",
        kinds=kinds,
        labels=[label.split(":") for label in LABELS],
    )
    ask(
        "MATCH (a), (b) WHERE a.foreign AND b.foreign AND b.key = a.key + 1 "
        "UNWIND $kinds AS kind CREATE (a)-[:$(kind) {fact_id: 'f_1', current: true}]->(b)",
        kinds="SUBJECT OBJECT EVIDENCE IN ABOUT SUPERSEDED_BY MERGED_INTO LIVES_IN".split(),
    )


def answers(store: Neo4jStore | SqliteStore) -> dict[str, Any]:
    """What a memory says to all that can be asked of it."""
    memory = memory_over(store)
    asked: dict[str, Any] = {
        question: sorted(hit.text for hit in memory.search(question, user_id="demo", limit=50))
        for question in QUESTIONS
    }  # sorted: a file rounds vectors, and hits that fit nearly alike change places
    asked["context"] = sorted(memory.context("Where does Olivia live?", user_id="demo", tokens=300).text.splitlines())
    asked["Olivia"] = memory.entity("Olivia", user_id="demo").id
    asked["walk"] = sorted(memory.subgraph("Olivia", user_id="demo", hops=3).edges(keys=True))
    asked["stats"] = store.stats().messages, store.stats().scopes, store.vocabulary(DEMO).types
    asked["prefix"] = [store.ids_with_prefix(DEMO, kind, 1000) for kind in ("e_", "f_", "m_")]
    asked["why"] = [
        [each.id for each in memory.why(fact.id, user_id="demo").evidence] for fact in memory.facts(user_id="demo")
    ]
    return asked | ingest_result(store)


@pytest.mark.slow
def test_other_data_is_neither_seen_nor_touched(
    empty: Neo4jStore, foreign: dict[str, Any], ask: Ask, tmp_path: Path
) -> None:
    """All answers are those of a memory that is alone; forgotten and dropped, it leaves all else as it was."""
    alone = SqliteStore(tmp_path / "alone.db")
    for store in (alone, empty):
        memory_over(store).add(TALK, user_id="demo")
    assert answers(empty) == answers(alone)
    assert ask(EVERYTHING) == foreign["data"]
    memory_over(empty).forget(user_id="demo")
    assert ask(EVERYTHING) == foreign["data"]
    assert ask("MATCH (n) WHERE n.foreign IS NULL AND n.scope IS NOT NULL RETURN count(n) AS left") == [{"left": 0}]
    memory_over(empty).add(TALK, user_id="demo")
    memory_over(empty).reindex()
    assert answers(empty) == answers(alone)
    empty.drop()
    assert {"data": ask(EVERYTHING), "indexes": ask(SCHEMA), "rules": ask(RULES)} == foreign
    assert ask("MATCH (n) WHERE n.foreign IS NULL RETURN count(n) AS left") == [{"left": 0}]
    assert ask("SHOW INDEXES YIELD name WHERE name STARTS WITH 'mem0g_'") == []
    alone.close()


def test_what_others_draw_to_a_memory(
    empty: Neo4jStore, ask: Ask, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Relationships of another program to and between mem0g's nodes change no answer, and go with these nodes alone."""
    alone = SqliteStore(tmp_path / "alone.db")
    for store in (alone, empty):
        memory_over(store).add(TALK, user_id="demo")
    request.addfinalizer(lambda: ask("MATCH (r:Reader) DETACH DELETE r"))
    ask("CREATE (:Reader {foreign: true, key: 1, name: 'R'})")
    ask("MATCH (r:Reader), (n) WHERE n.scope IS NOT NULL CREATE (r)-[:READ]->(n) CREATE (n)-[:READ_BY]->(r)")
    ask("MATCH (a:Entity), (b:Entity) WHERE a.scope IS NOT NULL AND b.scope IS NOT NULL CREATE (a)-[:LIVES_IN]->(b)")
    assert answers(empty) == answers(alone)
    empty.forget(DEMO)
    assert [row["holds"] for row in ask(EVERYTHING)] == [{"foreign": True, "key": 1, "name": "R"}]
    alone.close()


IN_THE_WAY = {
    "theirs": (
        "CREATE FULLTEXT INDEX theirs FOR (f:Fact) ON EACH [f.keys, f.terms]",
        "CREATE INDEX theirs FOR (e:Entity) ON (e.id, e.scope)",
        "CREATE CONSTRAINT theirs FOR (e:Entity) REQUIRE (e.id, e.scope) IS UNIQUE",
        "CREATE INDEX theirs FOR (m:Message) ON (m.scope, m.n)",
    ),
    "mem0g_fact_terms": (
        "CREATE INDEX mem0g_fact_terms FOR (t:Thing) ON (t.x)",
        "CREATE FULLTEXT INDEX mem0g_fact_terms FOR (t:Thing) ON EACH [t.keys, t.terms]",
        "CREATE CONSTRAINT mem0g_fact_terms FOR (t:Thing) REQUIRE t.x IS UNIQUE",
    ),
}
THEIR_RULES = ("(p:Person) REQUIRE p.name IS UNIQUE", "(e:Entity) REQUIRE e.type IS UNIQUE")
VECTORS_IN_THE_WAY = (
    "CREATE VECTOR INDEX mem0g_fact_embedding FOR (t:Thing) ON (t.x) OPTIONS {indexConfig: {`vector.dimensions`: 64}}",
    "CREATE INDEX mem0g_fact_embedding FOR (f:Fact) ON (f.embedding)",
)


@pytest.fixture
def bare(connected: Neo4jStore, ask: Ask) -> Iterator[Neo4jStore]:
    """A database in which mem0g made nothing; what another program makes there is removed."""
    connected.drop()
    yield connected
    remove_theirs(ask)


@pytest.fixture
def unclaimed(connected: Neo4jStore, ask: Ask) -> Iterator[Neo4jStore]:
    """An empty store of no embedder, thus without vector indexes; what another program makes there is removed."""
    clear(connected)
    for name in names("vectors"):
        ask(f"DROP INDEX {name} IF EXISTS")
    yield connected
    remove_theirs(ask)


@pytest.fixture
def ruled(empty: Neo4jStore, ask: Ask) -> Iterator[Neo4jStore]:
    """An empty store with its schema; what another program makes there is removed."""
    yield empty
    remove_theirs(ask)


def remove_theirs(ask: Ask) -> None:
    """Remove all nodes, and what is not mem0g's or is in the way of it."""
    ask("MATCH (n) DETACH DELETE n")
    remove_others(ask)
    for row in ask("SHOW INDEXES YIELD name, labelsOrTypes AS labels, owningConstraint AS rule"):
        if row["labels"] == ["Thing"]:
            ask(f"DROP {'CONSTRAINT' if row['rule'] else 'INDEX'} {row['name']}")


def credentials(server: Server) -> Credentials:
    """Who opens the store."""
    return Credentials(username=server.username, password=server.password, database=server.database)


def claimed(server: Server) -> None:
    """Open a store and note its embedder, so that all its indexes are made."""
    with memory_over(Neo4jStore(server.uri, credentials(server))) as memory:
        memory.store.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)


def refused(server: Server, index: str) -> None:
    """Check that a store is refused whose index is in the way, and that the error names it, with the way out."""
    with pytest.raises(ForeignStoreError) as caught:
        claimed(server)
    assert f"the index {index} of" in error_text(caught.value)


def test_an_index_in_the_way_on_the_command_line(bare: Neo4jStore, neo4j_server: Server, ask: Ask) -> None:
    """The program says it in one line and a hint."""
    ask(IN_THE_WAY["theirs"][0])
    given = {"NEO4J_USERNAME": neo4j_server.username, "NEO4J_PASSWORD": neo4j_server.password or ""}
    read = said("add", "I live in Oslo.", "-u", "ann", "--store", neo4j_server.uri, credentials=given)
    assert "the index theirs of" in read
    assert "SHOW INDEXES" in read


@pytest.mark.slow
def test_what_is_in_the_way_of_a_new_store(bare: Neo4jStore, neo4j_server: Server, ask: Ask) -> None:
    """It is named before anything is made, and all is well without it.

    In the way are other indexes, and two nodes with one id and one scope, which cannot be told apart.
    """
    for name, statements in IN_THE_WAY.items():
        for statement in statements:
            ask(statement)
            before = ask("SHOW INDEXES YIELD name ORDER BY name")
            refused(neo4j_server, name)
            assert ask("SHOW INDEXES YIELD name ORDER BY name") == before
            ask(f"DROP {'CONSTRAINT' if 'CONSTRAINT' in statement else 'INDEX'} {name}")
    ask("UNWIND [1, 2] AS i CREATE (:Entity {id: 'x', scope: 'y'})")
    with pytest.raises(ForeignStoreError) as caught:
        Neo4jStore(neo4j_server.uri, credentials(neo4j_server))
    read = error_text(caught.value)
    assert "Entity" in read
    assert "mem0g_entity_id" in read
    ask("MATCH (e:Entity) DELETE e")
    for rule in THEIR_RULES:
        ask(f"CREATE CONSTRAINT FOR {rule}")  # in the way only of what it forbids
    with memory_over(Neo4jStore(neo4j_server.uri, credentials(neo4j_server))) as memory:
        assert memory.add("I live in Oslo.", user_id="ann").facts == 1


@pytest.mark.slow
def test_a_vector_index_in_the_way(unclaimed: Neo4jStore, neo4j_server: Server, ask: Ask) -> None:
    """One of the same name is, and one of the same property where indexes have no filters; all is well without it."""
    for statement in VECTORS_IN_THE_WAY:
        ask(statement)
        refused(neo4j_server, "mem0g_fact_embedding")
        ask("DROP INDEX mem0g_fact_embedding")
    ask("CREATE VECTOR INDEX theirs FOR (f:Fact) ON (f.embedding) OPTIONS {indexConfig: {`vector.dimensions`: 3}}")
    store = Neo4jStore(neo4j_server.uri, credentials(neo4j_server))
    if neo4j_server.version.startswith("5."):
        with pytest.raises(ForeignStoreError) as caught:
            memory_over(store).add(TALK[:8], user_id="demo")
        assert "the index theirs of" in error_text(caught.value)
        ask("DROP INDEX theirs")
    else:
        memory_over(store).add(TALK[:8], user_id="demo")
        assert memory_over(store).search(TALK[0].text, user_id="demo")
    assert memory_over(store).add("I live in Oslo.", user_id="ann").facts == 1
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("rule", THEIR_RULES)
def test_a_constraint_in_the_way(ruled: Neo4jStore, neo4j_server: Server, ask: Ask, rule: str) -> None:
    """A constraint that forbids what is to be written is named when it does, and the window is left out whole."""
    ask(f"CREATE CONSTRAINT their_rule FOR {rule}")
    store = Neo4jStore(neo4j_server.uri, credentials(neo4j_server))
    memory = memory_over(store)

    def tell() -> None:
        for user in ("ann", "bob"):
            memory.add(TALK[:8], user_id=user)

    with pytest.raises(ForeignStoreError) as caught:
        tell()
    read = error_text(caught.value)
    assert "already exists with label" in read
    assert "another program" in read
    kept = [scope for scope in store.stats().scopes if store.stats(scope).messages]
    assert kept in ([], [Scope(user_id="ann")])
    ask("DROP CONSTRAINT their_rule")
    tell()
    assert [store.stats(Scope(user_id=user)).messages for user in ("ann", "bob")] == [8, 8]
    store.close()
