"""A graph broken by hand in each way is found out, and mended where it can be."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mem0g.store.neo4j import Neo4jStore
from mem0g.verify import repair, verify
from tests.integrity.contents import DECIDED, GONE, LISBON, LIV, LIVED, LIVES, OSLO, PERSON, SAID, fill
from tests.making import AT, dumped
from tests.servers.server import Server

F = f"MATCH (f:Fact {{id: '{LIVES.id}'}})"
MENDED = {
    "edge gone": (f"MATCH ()-[edge {{fact_id: '{LIVES.id}'}}]->() DELETE edge", "edge"),
    "edge doubled": (
        f"MATCH (a)-[e {{fact_id: '{LIVES.id}'}}]->(b) CREATE (a)-[twin:LIVES_IN]->(b) SET twin = properties(e)",
        "edge",
    ),
    "edge elsewhere": (
        f"MATCH (a:Entity {{id: '{OSLO.id}'}}), (b:Entity {{id: '{LISBON.id}'}}) "
        f"CREATE (a)-[:LIVES_IN {{fact_id: '{LIVES.id}'}}]->(b)",
        "edge",
    ),
    "edge says current": (f"MATCH ()-[edge {{fact_id: '{LIVED.id}'}}]->() SET edge.current = true", "edge"),
    "label gone": (f"MATCH (f:Fact {{id: '{LIVED.id}'}}) REMOVE f:Retired", "label"),
    "label of a current fact": (f"{F} SET f:Retired", "label"),
    "current disagrees": (f"MATCH (f:Fact {{id: '{LIVED.id}'}}) SET f.current = true", "properties"),
    "subject not linked": (f"{F}-[link:SUBJECT]->() DELETE link", "link"),
    "object linked elsewhere": (
        f"{F}-[link:OBJECT]->() DELETE link WITH f MATCH (e:Entity {{id: '{OSLO.id}'}}) CREATE (f)-[:OBJECT]->(e)",
        "link",
    ),
    "evidence not linked": (f"{F}-[link:EVIDENCE]->() DELETE link", "evidence link"),
    "cited message gone": (f"{F} SET f.evidence = f.evidence + 'm_0'", "missing evidence"),
    "words of a fact": (f"{F} SET f.terms = 'secret'", "properties"),
    "keys of a message": (f"MATCH (m:Message {{id: '{SAID[0].id}'}}) SET m.keys = 'ux'", "properties"),
    "names of an entity": (f"MATCH (e:Entity {{id: '{OSLO.id}'}}) SET e.names = []", "properties"),
    "interval": (f"{F} SET f.valid_from = datetime('2031-01-01T00:00:00Z')", "properties"),
    "counters": ("MATCH (s:Mem0gScope) SET s.facts = 99", "counter"),
    "end of a merged one": (
        f"{F}-[link:SUBJECT]->() DELETE link SET f.subject_id = '{LIV.id}' "
        f"WITH f MATCH (e:Entity {{id: '{LIV.id}'}}) CREATE (f)-[:SUBJECT]->(e)",
        "end",
    ),
    "retired without a reason": (
        f"MATCH (f:Fact {{id: '{GONE.id}'}}) SET f.ended_at = null, f.ended_reason = null",
        "retirement",
    ),
    "window of nothing": (
        "MATCH (w:Mem0gPendingWindow) SET w.messages = ['m_0']",
        "window",
    ),
}
LEFT = {
    "end gone": (f"MATCH (e:Entity {{id: '{LISBON.id}'}}) DETACH DELETE e", "missing end"),
    "two at one place": (f"MATCH (m:Message {{id: '{SAID[1].id}'}}) SET m.position = 0", "place"),
    "decision about nothing": (f"MATCH (d:Decision {{id: '{DECIDED.id}'}}) SET d.fact_id = 'f_0'", "decision"),
    "vector missing": (f"MATCH (e:Entity {{id: '{PERSON.id}'}}) REMOVE e.embedding", "vector"),
    "id in two scopes": (
        "MATCH (e:Entity {name: 'Rome'}) MATCH (s:Mem0gScope {user_id: 'ann', run_id: ''}) "
        "WITH e {.*, scope: s.scope, run_id: '', n: 99} AS twin CREATE (e:Entity) SET e = twin",
        "id in two scopes",
    ),
}


@pytest.fixture
def store(empty: Neo4jStore) -> Neo4jStore:
    """Something of everything."""
    fill(empty)
    return empty


def broken(server: Server, statement: str) -> None:
    """Run a statement past the store."""
    import neo4j

    auth = (server.username, server.password) if server.password else None
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver:
        done = driver.execute_query(statement, database_=server.database)
    assert done.summary.counters.contains_updates


@pytest.mark.slow
def test_a_whole_graph_has_no_problems(store: Neo4jStore) -> None:
    """Nothing is found in what the store wrote itself, and nothing is mended."""
    assert verify(store) == ()
    before = str(dumped(store))
    assert repair(store, AT) == ()
    assert str(dumped(store)) == before


@pytest.mark.slow
def test_what_can_be_mended_is(store: Neo4jStore, neo4j_server: Server) -> None:
    """Each is found, mended without the loss of a fact or a message, and then all is well."""
    before = sorted(map(str, dumped(store)))
    for name, (statement, kind) in MENDED.items():
        broken(neo4j_server, statement)
        found = verify(store)
        assert kind in {problem.kind for problem in found}, name
        assert all(problem.mendable and problem.text and problem.hint for problem in found), name
        assert kind in {problem.kind for problem in repair(store, AT)}, name
        assert verify(store) == (), name
        stats = store.stats()
        assert (stats.facts, stats.messages) == (4, 3), name
        now = sorted(map(str, dumped(store)))
        if name not in ("end of a merged one", "retired without a reason", "window of nothing"):
            assert now == before or name == "cited message gone", name
        before = now


@pytest.mark.parametrize("name", LEFT)
def test_what_cannot_be_mended_is_said(store: Neo4jStore, neo4j_server: Server, name: str) -> None:
    """It is found, with what to do; a repair deletes no fact for it."""
    statement, kind = LEFT[name]
    broken(neo4j_server, statement)
    found = {problem.kind: problem for problem in verify(store)}
    assert kind in found
    assert found[kind].hint
    repair(store, AT)
    assert verify(store) != ()
    assert store.stats().facts == 4


@pytest.mark.slow
@pytest.mark.alters_schema
@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        pytest.param(["DROP INDEX mem0g_fact_subject"], "mem0g_fact_subject", id="dropped"),
        pytest.param(
            [
                "DROP CONSTRAINT mem0g_literal_id",
                "CREATE INDEX mem0g_literal_id FOR (l:Literal) ON (l.id, l.scope)",
            ],
            "mem0g_literal_id",
            id="without its constraint",
        ),
    ],
)
def test_a_missing_index_is_made(store: Neo4jStore, neo4j_server: Server, changes: Sequence[str], missing: str) -> None:
    """It is named, and made again; so is a constraint whose index is there, as one that failed may leave it."""
    import neo4j

    auth = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        for change in changes:
            driver.execute_query(change, database_=neo4j_server.database)
    assert [(problem.kind, missing in problem.text) for problem in verify(store)] == [("index", True)]
    assert [problem.kind for problem in repair(store, AT)] == ["index"]
    assert verify(store) == ()
    (index,) = [row for row in store.run("indexes") if row["name"] == missing]
    assert index["constraint"] == (missing if len(changes) > 1 else None)
