"""Stores on a real Neo4j."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from tests.servers.server import Server


@pytest.fixture(scope="module")
def opened(neo4j_server: Server) -> Iterator[Neo4jStore]:
    """A store of a real Neo4j, made anew."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    store = Neo4jStore(neo4j_server.uri, credentials)
    store.drop()
    store.prepare()
    yield store
    store.close()


@pytest.fixture
def empty(opened: Neo4jStore) -> Neo4jStore:
    """The store with nothing in it; its indexes stay, as making them takes seconds."""
    for scope in opened.stats().scopes:
        opened.forget(scope)
    opened._connection.write(lambda run: run("forget_store"))
    opened.prepare()
    return opened
