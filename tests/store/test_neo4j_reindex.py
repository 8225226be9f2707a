"""A reindex of a database beside another one, a writer to a new scope, and a snapshot."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import neo4j
import pytest

from mem0g.errors import LockedStoreError
from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.transaction import Neo4jTransaction
from mem0g.testing import HashingEmbedder
from mem0g.testing.store_samples import write
from tests.making import BOB, EMBEDDER, change, dumped, message
from tests.servers.server import Server
from tests.store.ingested import TALK, error_text, memory_over

if TYPE_CHECKING:
    from mem0g.model import Vector

SMALL = HashingEmbedder(32)


def another(server: Server) -> Neo4jStore:
    """Another store of the same database, as another process has it."""
    return Neo4jStore(
        server.uri, Credentials(username=server.username, password=server.password, database=server.database)
    )


def in_background(work: Callable[[], object]) -> threading.Thread:
    """A thread that does ``work``."""
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def wait_until_stopped(server: Server, thread: threading.Thread) -> None:
    """Wait until the thread has ended, or its transaction waits for the lock of another."""
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.username, server.password or "")) as driver:
        while thread.is_alive():
            records = driver.execute_query("SHOW TRANSACTIONS YIELD status", database_=server.database).records
            if any(record["status"].startswith("Blocked") for record in records):
                return
            thread.join(0.05)


@pytest.mark.slow
@pytest.mark.alters_schema
def test_two_reindexes_at_once(empty: Neo4jStore, neo4j_server: Server) -> None:
    """The one that began first stops with an error, and all vectors are of the other: never some of either."""
    memory = memory_over(empty)
    for user in ("ann", "bob"):
        memory.add(TALK[:4], user_id=user)
    second = another(neo4j_server)
    threads: list[threading.Thread] = []

    def embed(texts: Sequence[str]) -> Sequence[Vector]:
        if not threads:
            given = (SMALL.name, SMALL.dimensions, lambda texts: list(SMALL.embed(texts)))
            threads.append(in_background(lambda: second.replace_embedder(*given)))
            wait_until_stopped(neo4j_server, threads[0])
        return list(EMBEDDER.embed(texts))

    with pytest.raises(LockedStoreError, match="another reindex") as caught:
        empty.replace_embedder("first", EMBEDDER.dimensions, embed)
    threads[0].join()
    second.close()
    assert SMALL.name in error_text(caught.value)
    assert empty.info().embedder == SMALL.name
    assert {len(each) for made in dumped(empty) for each in made.vectors.values()} == {SMALL.dimensions}


def test_a_new_scope_beside_a_reindex(empty: Neo4jStore, neo4j_server: Server) -> None:
    """A reindex that cannot see a new scope yet, as its writer has not ended, waits for it and embeds it too."""
    write(empty, change(messages=[message("I live in Oslo.")]))
    empty.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    second = another(neo4j_server)
    threads: list[threading.Thread] = []
    new = message("I live in Rome.", scope=BOB)
    # Of the same size, so that no index is made anew, for which the writer would be waited for anyway.
    given = ("negative", EMBEDDER.dimensions, lambda texts: list(-EMBEDDER.embed(texts)))

    def work(transaction: Neo4jTransaction) -> None:
        transaction.commit(change(BOB, messages=[new]))
        threads.append(in_background(lambda: second.replace_embedder(*given)))
        wait_until_stopped(neo4j_server, threads[-1])

    empty.write(BOB, work)
    for thread in threads:
        thread.join()
    second.close()
    assert empty.info().embedder == "negative"
    vectors = {id_: each for made in dumped(empty) for id_, each in made.vectors.items()}
    assert vectors[new.id] == pytest.approx(-EMBEDDER.embed([new.spoken])[0], abs=1e-5)


@pytest.mark.slow
@pytest.mark.alters_schema
def test_a_snapshot_beside_a_reindex(empty: Neo4jStore) -> None:
    """A snapshot that names one embedder gives no vectors of another: it ends with an error that says to try again."""
    memory_over(empty).add(TALK[:4], user_id="ann")
    with empty.snapshot() as snapshot:
        empty.replace_embedder(SMALL.name, SMALL.dimensions, lambda texts: list(SMALL.embed(texts)))
        assert snapshot.embedder == EMBEDDER.name
        with pytest.raises(LockedStoreError, match="re-embedded") as caught:
            list(snapshot.changes)
    assert "try again" in error_text(caught.value)
