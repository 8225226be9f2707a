"""A small run of the isolation benchmark on both stores, and tests that it detects a leak."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from benchmarks.isolation.command import run
from benchmarks.isolation.tenants import tenants
from mem0g.model import Fact, Message, Scope
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Store
from mem0g.store.queries import FactFilter
from mem0g.store.sqlite import SqliteStore

pytestmark = pytest.mark.slow


class Leaking(SqliteStore):
    """A store that ignores scopes in some results."""

    def list_messages(self, scope: Scope, limit: int, offset: int = 0) -> tuple[Message, ...]:
        """See Store; messages of all scopes."""
        return tuple(chain.from_iterable(SqliteStore.list_messages(self, each, limit) for each in self.stats().scopes))

    def list_facts(self, scope: Scope, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[Fact, ...]:
        """See Store; facts of all scopes."""
        scopes = self.stats().scopes
        return tuple(chain.from_iterable(SqliteStore.list_facts(self, each, wanted, limit) for each in scopes))


def leaks(store: Store, folder: Path, probes: int, scopes: int) -> dict[str, int]:
    """The leaks by way."""
    rows, milliseconds = run(store, folder, probes, scopes, seed=5)
    assert len(milliseconds) >= probes * 0.9
    assert all(row["probes"] for row in rows)
    return {row["way"]: row["leaks"] for row in rows}


def test_tenants_look_alike() -> None:
    """Fifty scopes, no two equal, some of which cover others."""
    made = tenants(50)
    assert len({tenant.scope for tenant in made}) == 50
    assert any(one.scope.covers(other.scope) for one in made for other in made if one != other)


def test_a_file(tmp_path: Path) -> None:
    """No tenant gets data of another."""
    store = SqliteStore(tmp_path / "memory.db")
    found = leaks(store, tmp_path, 200, 12)
    store.close()
    assert found == dict.fromkeys(found, 0)


def test_a_server(empty: Neo4jStore, tmp_path: Path) -> None:
    """The same on a server."""
    found = leaks(empty, tmp_path, 40, 4)
    assert found == dict.fromkeys(found, 0)


def test_a_leak_is_noticed(tmp_path: Path) -> None:
    """If a store returns others' messages and facts, the probes report it, by the method that returned them."""
    store = Leaking(tmp_path / "memory.db")
    found = leaks(store, tmp_path, 100, 6)
    store.close()
    assert found["messages"] > 0
    assert found["facts"] > 0
    assert found["entities"] == 0
