"""The store in Neo4j: the contract, and what is its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.sqlite import SqliteStore
from mem0g.testing.store_contract import StoreContract


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
