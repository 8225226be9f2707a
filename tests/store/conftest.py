"""Stores on a real Neo4j."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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


@pytest.fixture(scope="module")
def opened(neo4j_server: Server) -> Iterator[Neo4jStore]:
    """A store of a real Neo4j, made anew and cleared_server at the end: for tests of indexes and of plans."""
    store = open_neo4j(neo4j_server)
    store.drop()
    store.prepare()
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
    """The store with nothing in it.

    Its indexes stay: making them takes seconds, and the server then plans every query anew.
    """
    for scope in connected.stats().scopes:
        connected.forget(scope)
    connected._connection.write(lambda run: run("forget_store"))
    connected.prepare()
    return connected
