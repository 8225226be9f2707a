"""The store in Neo4j: the contract, and what is its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mem0g.settings import Login
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from tests.servers.server import Server
from tests.store.contract import StoreContract

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def opened(neo4j_server: Server) -> Iterator[Neo4jStore]:
    """A store of a real Neo4j, made anew."""
    login = Login(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    store = Neo4jStore(neo4j_server.uri, login)
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


class TestNeo4jStore(StoreContract):
    """The contract on a server."""

    @pytest.fixture
    def store(self, empty: Neo4jStore) -> Store:
        return empty

    @pytest.fixture
    def another(self, tmp_path: Path) -> Iterator[Callable[[], Store]]:
        opened = SqliteStore(tmp_path / "another.db")
        yield lambda: opened
        opened.close()
