"""Making what a memory needs, upgrading it, and being rid of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import NotFoundError
from mem0g.memory import Memory
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.server.queries import query
from tests.cli.conftest import Shell
from tests.servers.server import Server

READING = (
    ("search", "Oslo", "--user", "ann"),
    ("context", "Oslo", "--user", "ann"),
    ("facts", "--user", "ann"),
    (
        "stats",
        "--all",
    ),
    (
        "export",
        "--all",
    ),
    ("forget", "--user", "ann", "--yes"),
    ("reindex",),
)


@pytest.fixture
def served(bare: Neo4jStore, neo4j_server: Server, tmp_path: Path, minilm: None) -> Shell:
    """A shell on a server with what the test before left there: each change of the schema costs seconds."""
    return Shell(tmp_path, neo4j_server)


def indexes(store: Neo4jStore) -> set[str]:
    """Names of the indexes that mem0g made."""
    return {row["name"] for row in store.run("indexes") if row["name"].startswith("mem0g_")}


def execute(store: Neo4jStore, statement: str) -> list[dict[str, Any]]:
    """Run a statement past the code under test."""
    with store._connection._session("WRITE") as session:
        return session.run(statement).data()


def test_a_file_is_made_once(shell: Shell) -> None:
    """The first init makes the file and says so; the second finds nothing to do."""
    assert f"made {shell.store}" in shell.ok("init")
    assert shell.store.exists()
    assert "nothing to do" in shell.ok("init")
    assert shell.json("stats", "--all")["messages"] == 0


def test_a_file_is_removed_when_asked(shell: Shell) -> None:
    """--drop asks, counting what goes, and removes the file alone."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    other = Path(shell.file("other.txt", "hello"))
    asked = shell("init", "--drop", stdin="n\n")
    assert asked.exit_code == 1
    assert "1 messages, 2 entities and 1 facts" in asked.stderr
    assert shell.json("stats", "--all")["messages"] == 1
    assert "removed 1 messages" in shell.ok("init", "--drop", "--yes")
    assert list(shell.folder.iterdir()) == [other]
    assert "nothing to do" in shell.ok("init", "--drop", "--yes")
    assert not shell.store.exists()


def test_reading_makes_nothing_on_a_server(served: Shell, bare: Neo4jStore) -> None:
    """A question to a database where mem0g never was is an error, and leaves it as it is; doctor says so."""
    bare.drop()
    for words in READING:
        assert "no memory" in served.fails(*words), words
    assert "nothing to do" in served.ok("init", "--drop")
    assert "nothing of mem0g yet" in served.ok("doctor")
    assert indexes(bare) == set()
    assert execute(bare, "MATCH (n) WHERE n:Mem0g OR n:Mem0gScope RETURN n") == []


@pytest.mark.slow
def test_a_server_is_prepared_once(served: Shell, bare: Neo4jStore) -> None:
    """init makes all that the first ingest would, names it, and finds nothing to do the second time."""
    bare.drop()
    said = served.ok("init")
    names = {line.removeprefix("made ") for line in said.splitlines() if line.startswith("made mem0g_")}
    assert "mem0g_fact_id" in names
    assert indexes(bare) - names == {
        "mem0g_entity_embedding",
        "mem0g_fact_embedding",
        "mem0g_message_embedding",
        "mem0g_passage_embedding",
    }
    assert "all-MiniLM-L6-v2, 384 dimensions" in said
    assert f"neo4j {bare.info().details['neo4j']}" in said
    assert "nothing to do" in served.ok("init")
    before = indexes(bare)
    served.ok("add", "I live in Oslo.", "--user", "ann")
    assert indexes(bare) == before
    served.ok("forget", "--user", "ann", "--yes")


def test_what_is_missing_is_told_and_made_again(served: Shell, bare: Neo4jStore) -> None:
    """doctor names an index that someone dropped, init makes that one alone."""
    served.ok("init")
    bare._connection.change_schema(query("drop_index"), name="mem0g_fact_terms")
    sick = served("doctor")
    assert sick.exit_code == 1
    assert "mem0g_fact_terms is missing" in sick.stdout
    assert "mem0g init" in sick.stdout
    assert [line for line in served.ok("init").splitlines() if line.startswith("made")] == ["made mem0g_fact_terms"]
    assert "✗" not in served.ok("doctor")


@pytest.mark.slow
def test_a_server_is_left_as_it_was(served: Shell, bare: Neo4jStore) -> None:
    """--drop asks, then removes all that mem0g made; what others made under the same names stays."""
    execute(bare, "CREATE (:Fact:Foreign {id: 'f_1'})-[:SUBJECT]->(:Entity:Foreign {name: 'Ann'})")
    execute(bare, "CREATE INDEX foreign_name IF NOT EXISTS FOR (e:Entity) ON (e.name)")
    try:
        served.ok("add", "I live in Oslo.", "--user", "ann")
        assert served("init", "--drop", stdin="n\n").exit_code == 1
        assert served.json("stats", "--all")["messages"] == 1
        assert "removed 1 messages" in served.ok("init", "--drop", "--yes")
        assert indexes(bare) == set()
        assert execute(bare, "MATCH (n) WHERE NOT n:Foreign RETURN n") == []
        assert execute(bare, "MATCH (:Fact)-[r:SUBJECT]->(:Entity) RETURN count(r) AS n") == [{"n": 1}]
        assert execute(bare, "SHOW INDEXES YIELD name WHERE name = 'foreign_name' RETURN count(*) AS n") == [{"n": 1}]
    finally:
        execute(bare, "MATCH (n:Foreign) DETACH DELETE n")
        execute(bare, "DROP INDEX foreign_name IF EXISTS")


@pytest.mark.alters_schema
def test_init_keeps_another_embedder(served: Shell, bare: Neo4jStore) -> None:
    """A store that another embedder filled can be prepared, but not claimed for this one."""
    bare.drop()
    served.ok("init", "--embedder", "openai:text-embedding-3-small")
    assert "nothing to do" in served.ok("init")
    assert "text-embedding-3-small" in served.fails("init", "--embedder", "minilm")
    assert "✗ store and embedder" in served("doctor").stdout


@pytest.mark.slow
def test_in_python(bare: Neo4jStore, neo4j_server: Server) -> None:
    """Memory.open takes the credentials, and makes nothing where it is told that the memory exists."""
    bare.drop()
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    with pytest.raises(NotFoundError, match="no memory"):
        Memory.open(neo4j_server.uri, credentials=credentials, existing=True)
    with Memory.open(neo4j_server.uri, credentials=credentials) as memory:
        memory.add("I live in Oslo.", user_id="ann")
    with Memory.open(neo4j_server.uri, credentials=credentials, existing=True) as memory:
        assert memory.stats(all_scopes=True).messages == 1
