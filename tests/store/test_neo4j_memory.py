"""A server that gives a transaction little memory: what is too large for it is written in halves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import ChangeTooLargeError
from mem0g.extract import NoExtractor
from mem0g.memory import Memory
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Transaction
from mem0g.store.sqlite import SqliteStore
from tests.making import ANN, EMBEDDER, change, message
from tests.servers.fixtures import StartLocal
from tests.servers.local import LocalServer
from tests.store.contract import write
from tests.store.told import DEMO, TALK, heard, reads_well

LONG = tuple(replace(each, text=each.text + " and so on" * 500) for each in TALK)
"""The talk in messages of five thousand characters: two megabytes and more with what is indexed of them."""


@pytest.fixture(scope="module", params=["db.memory.transaction.max=2m", "dbms.memory.transaction.total.max=10m"])
def server(request: pytest.FixtureRequest, local_neo4j: StartLocal) -> Iterator[LocalServer]:
    """A server with the least memory that it starts with: for each transaction, and for all."""
    name, _, value = request.param.partition("=")
    with local_neo4j(settings={name: value}) as started:
        yield started


@pytest.fixture
def store(server: LocalServer) -> Iterator[Neo4jStore]:
    """An empty store there."""
    opened = Neo4jStore(server.uri)
    for scope in opened.stats().scopes:
        opened.forget(scope)
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store that has all the memory it wants."""
    opened = SqliteStore(tmp_path / "memory.db")
    opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    yield opened
    opened.close()


def test_one_thing_too_large(store: Neo4jStore) -> None:
    """What cannot be halved any more is an error that names the settings; nothing of it is kept."""
    huge = change(messages=[message("x " * 4_000_000)])
    with pytest.raises(ChangeTooLargeError) as caught:
        write(store, huge)
    assert "dbms.memory.transaction.total.max" in reads_well(caught.value)
    with pytest.raises(ChangeTooLargeError):
        store.load(iter([huge]))
    assert store.stats(ANN).messages == 0


def test_a_load_is_halved(store: Neo4jStore, other: SqliteStore) -> None:
    """A large change that is loaded ends up whole, and as it was."""
    made = change(messages=[message(f"{place} " + "word " * 1000, place) for place in range(400)])

    def at_once(transaction: Transaction) -> None:
        transaction.commit(made)

    with pytest.raises(ChangeTooLargeError):
        store.write(ANN, at_once)
    assert store.stats(ANN).messages == 0
    store.load(iter([made]))
    write(other, made)
    assert heard(store, ANN) == heard(other, ANN)


def test_a_window_is_halved(store: Neo4jStore, other: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    """An ingest whose windows are too large goes through, and makes the facts that it makes elsewhere."""

    def told(into: Neo4jStore | SqliteStore) -> dict[str, Any]:
        memory = Memory(into, EMBEDDER, NoExtractor(), Settings(window=len(LONG)))
        assert memory.add(LONG, user_id="demo").messages == len(LONG)
        return heard(into, DEMO)

    assert told(store) == told(other)
    assert not [each for each in caplog.records if each.name.startswith("mem0g")]
