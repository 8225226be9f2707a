"""The store in Neo4j: the contract, and what is its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mem0g.errors import StoreError
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.server.address import read_address
from mem0g.store.neo4j.server.connection import Connection
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_contract import StoreContract
from tests.servers.server import Server


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


def test_an_analyzer_that_is_not_found(
    neo4j_server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An index is tried again, as a busy server may not find its own analyzer; one that does not exist is an error."""
    monkeypatch.setattr("mem0g.store.neo4j.server.connection.ANALYZER_PAUSES", (0.0, 0.0))
    options = "OPTIONS {indexConfig: {`fulltext.analyzer`: 'nosuch'}}"
    credentials = Credentials(username=neo4j_server.username, password=neo4j_server.password)
    with closing(Connection(read_address(neo4j_server.uri, credentials))) as connection:
        with pytest.raises(StoreError, match="full-text analyzer"):
            connection.change_schema(f"CREATE FULLTEXT INDEX odd FOR (n:Odd) ON EACH [n.odd] {options}")
        assert caplog.text.count("trying again") == 2
        caplog.clear()
        with pytest.raises(StoreError):
            connection.change_schema("CREATE FULLTEXT INDEX odd FOR")
        assert caplog.text == ""
