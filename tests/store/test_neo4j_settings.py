"""A server with settings of its own: with little memory for a transaction, and then one that cannot be written.

What is too large for the memory is written in halves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mem0g.errors import ChangeTooLargeError, ReadOnlyStoreError
from mem0g.extract import NoExtractor
from mem0g.extract.rules import RulesExtractor
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.protocol import Transaction
from mem0g.store.sqlite import SqliteStore
from mem0g.testing import HashingEmbedder
from mem0g.testing.store_samples import write
from tests.making import ANN, BOB, EMBEDDER, change, dumped, message
from tests.servers.fixtures import StartLocal
from tests.servers.local import LocalServer
from tests.store.ingested import DEMO, TALK, error_text, ingest_result, said

MANY = 400
"""Messages that are too many for one transaction."""

LONG = tuple(replace(each, text=each.text + " and so on" * 500) for each in TALK)
"""The talk in messages of five thousand characters: two megabytes and more with what is indexed of them."""


def long_talk(scope: Scope) -> Change:
    """Many messages in one change."""
    return change(scope, messages=[message(f"{n} " + "word " * 500, n, scope) for n in range(MANY)])


@pytest.fixture(scope="module")
def server(local_neo4j: StartLocal) -> Iterator[LocalServer]:
    """A server that gives a transaction the least memory with which it starts."""
    with local_neo4j(settings={"db.memory.transaction.max": "2m"}) as started:
        yield started


@pytest.fixture
def store(server: LocalServer) -> Iterator[Neo4jStore]:
    """A store there."""
    with closing(Neo4jStore(server.uri)) as opened:
        opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        yield opened


@pytest.fixture
def other(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store that has all the memory it wants."""
    with closing(SqliteStore(tmp_path / "memory.db")) as opened:
        opened.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
        yield opened


def test_one_thing_too_large(store: Neo4jStore) -> None:
    """What cannot be halved any more is an error that names the settings; nothing of it is kept."""
    huge = change(BOB, messages=[message("x" * 3_000_000, scope=BOB)])
    with pytest.raises(ChangeTooLargeError) as caught:
        write(store, huge)
    assert "db.memory.transaction.max" in error_text(caught.value)
    with pytest.raises(ChangeTooLargeError):
        store.load(iter([huge]))
    assert store.stats(BOB).messages == 0


def test_a_load_is_halved(store: Neo4jStore, other: SqliteStore) -> None:
    """A large change that is loaded ends up whole, and as it was."""
    made = long_talk(ANN)

    def at_once(transaction: Transaction) -> None:
        transaction.commit(made)

    with pytest.raises(ChangeTooLargeError):
        store.write(ANN, at_once)
    assert store.stats(ANN).messages == 0
    store.load(iter([made]))
    write(other, made)
    assert ingest_result(store, ANN) == ingest_result(other, ANN)


def test_a_window_is_halved(store: Neo4jStore, other: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    """An ingest whose windows are too large goes through, and makes the facts that it makes elsewhere."""

    def told(into: Neo4jStore | SqliteStore) -> dict[str, Any]:
        memory = Memory(into, EMBEDDER, NoExtractor(), Settings(window=len(LONG)))
        assert memory.add(LONG, user_id="demo").messages == len(LONG)
        return ingest_result(into, DEMO)

    assert told(store) == told(other)
    assert not [each for each in caplog.records if each.name.startswith("mem0g")]


def test_much_is_forgotten(store: Neo4jStore, other: SqliteStore) -> None:
    """A scope is forgotten in parts that the server has the memory for."""
    carol = Scope(user_id="carol")
    store.load(iter([long_talk(carol)]))
    assert store.forget(carol).messages == MANY
    assert store.stats(carol).messages == 0


def test_much_is_embedded_anew(store: Neo4jStore) -> None:
    """A reindex writes as many embeddings at once as the server has the memory for."""
    embedder = HashingEmbedder(1024)
    store.load(iter([long_talk(Scope(user_id="dave"))]))
    store.replace_embedder(embedder.name, embedder.dimensions, lambda texts: list(embedder.embed(texts)))
    assert {len(each) for made in dumped(store) for each in made.vectors.values()} == {embedder.dimensions}


def test_a_server_that_comes_back_read_only(server: LocalServer) -> None:
    """What a database held before it became read-only is read and searched; every write says that it cannot be done."""

    def opened() -> Memory:
        store = Neo4jStore(server.uri)
        dimensions = (store.info().embedder or EMBEDDER.name).removeprefix("hashing-")
        return Memory(store, HashingEmbedder(int(dimensions)), RulesExtractor(), Settings())

    with opened() as memory:
        memory.add(TALK[:8], user_id="demo")
        held = ingest_result(memory.store)
    server.settings = {**server.settings, "server.databases.default_to_read_only": "true"}
    server.restart()
    with opened() as memory:
        assert ingest_result(memory.store) == held
        assert memory.search("Where does Olivia live?", user_id="demo")
        writes: tuple[Callable[[], object], ...] = (
            lambda: memory.add("I live in Rome.", user_id="ann"),
            lambda: memory.forget(user_id="demo"),
            lambda: memory.define_relation("mentored by", user_id="demo"),
            memory.reindex,
            memory.store.prepare,
            memory.store.drop,
        )
        for write_it in writes:
            with pytest.raises(ReadOnlyStoreError) as caught:
                write_it()
            assert "cannot be written" in error_text(caught.value)
        assert ingest_result(memory.store) == held
    assert "cannot be written" in said("forget", "-u", "demo", "--yes", "--store", server.uri)
