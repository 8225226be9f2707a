"""Stores on a real Neo4j, for the tests of every folder.

They share one schema: after a change of it the server plans every query again, which takes longer than most tests. So
stores are emptied rather than dropped, and tests that change it come last.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from benchmarks.embedders import CachedEmbedder
from mem0g.embed import open_embedder
from mem0g.memory import Memory
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from tests.servers.server import Server


def open_neo4j(server: Server) -> Neo4jStore:
    """Return a store on the server."""
    credentials = Credentials(username=server.username, password=server.password, database=server.database)
    return Neo4jStore(server.uri, credentials)


@pytest.fixture(scope="session")
def cleared_server(neo4j_server: Server) -> Server:
    """The server, without what an earlier run left of mem0g."""
    store = open_neo4j(neo4j_server)
    store.drop()
    store.close()
    return neo4j_server


_ALTERING = {"opened", "bare", "unclaimed", "ruled", "foreign", "altered"}
"""Fixtures of tests that change the schema, their own or that of other programs."""


@pytest.hookimpl(trylast=True)  # after pytest has ordered them by their fixtures
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that change the schema after all others: with each change, the server plans every query anew."""

    def changes_the_schema(item: pytest.Item) -> bool:
        altering = _ALTERING.intersection(getattr(item, "fixturenames", ()))
        return bool(altering) or item.get_closest_marker("alters_schema") is not None

    items.sort(key=changes_the_schema)


@pytest.fixture(scope="module")
def opened(neo4j_server: Server) -> Iterator[Neo4jStore]:
    """A store of a real Neo4j with a new schema, which is dropped at the end: for tests of indexes and of plans."""
    store = open_neo4j(neo4j_server)
    store.drop()
    store.prepare()
    yield store
    store.drop()
    store.close()


@pytest.fixture(scope="module")
def bare(neo4j_server: Server) -> Iterator[Neo4jStore]:
    """A database without anything of mem0g, and a store on it."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    store = Neo4jStore(neo4j_server.uri, credentials, prepare=False)
    store.drop()
    yield store
    store.drop()
    store.close()


@pytest.fixture(scope="module")
def connected(cleared_server: Server) -> Iterator[Neo4jStore]:
    """A store of a real Neo4j with whatever other modules left in it."""
    store = open_neo4j(cleared_server)
    yield store
    store.close()


@pytest.fixture
def empty(connected: Neo4jStore) -> Neo4jStore:
    """The store with nothing in it."""
    clear(connected)
    return connected


_CLEAR = """CYPHER replan=skip
MATCH (scope:Mem0gScope)
WITH collect(scope) AS found, collect(scope.scope) AS scopes
CALL (scopes) {
  MATCH (node:Message|Passage|Session|Entity|Literal|Fact|Decision|Mem0gRecord)
  WHERE node.scope IN scopes AND node.n IS NOT NULL
  DETACH DELETE node
}
FOREACH (scope IN found | DETACH DELETE scope)
WITH 1 AS next
MATCH (node:Mem0gRelation|Mem0gTenant|Mem0g)
WHERE node.name IS NOT NULL OR node.scope IS NOT NULL OR node.id = 'store'
DETACH DELETE node
"""


def clear(store: Neo4jStore) -> None:
    """Remove everything but the schema, whose creation takes seconds and makes the server plan every query again.

    In one query, past the store, which takes a dozen transactions to forget the scopes one by one.
    """
    with store._connection._session("WRITE") as session:
        session.run(_CLEAR).consume()
    store._discard()
    store.prepare()


@cache
def kept_minilm() -> CachedEmbedder:
    """MiniLM, with each text's vector computed once in a process: many tests say the same, and all name relations."""
    return CachedEmbedder(open_embedder(None))


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A memory that extracts by rules, in a file and then in a Neo4j."""
    if request.param == "sqlite":
        opened = Memory.open(tmp_path / "memory.db", extractor="rules", embedder=kept_minilm())
    else:
        request.getfixturevalue("empty")
        store = open_neo4j(request.getfixturevalue("cleared_server"))
        opened = Memory.open(store, extractor="rules", embedder=kept_minilm())
    with opened:
        yield opened
