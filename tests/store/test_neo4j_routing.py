"""In a cluster, reads go to readers and writes to the writer, each in a session of its mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest

from mem0g.errors import StoreError
from mem0g.extract import NoExtractor
from mem0g.memory import Memory
from mem0g.settings import Credentials, Settings
from mem0g.store.neo4j import Neo4jStore
from tests.making import EMBEDDER, triple
from tests.servers.server import Server
from tests.store.routed import Cluster, cluster_of

ANN: dict[str, Any] = {"user_id": "ann"}

READS: dict[str, Callable[[Memory], object]] = {
    "search": lambda memory: memory.search("Where does Ann live?", **ANN),
    "context": lambda memory: memory.context("Where does Ann live?", **ANN),
    "facts": lambda memory: memory.facts(**ANN),
    "entities": lambda memory: memory.entities(**ANN),
    "entity": lambda memory: memory.entity("Ann", **ANN),
    "subgraph": lambda memory: memory.subgraph("Ann", **ANN),
    "messages": lambda memory: memory.messages(**ANN),
    "history": lambda memory: memory.history("Ann", **ANN),
    "decisions": lambda memory: memory.decisions(**ANN),
    "diff": lambda memory: memory.diff("2020", **ANN),
    "relations": lambda memory: memory.relations(**ANN),
    "instructions": lambda memory: memory.instructions(**ANN),
    "contradictions": lambda memory: memory.contradictions(**ANN),
    "pending": lambda memory: memory.pending(**ANN),
    "costs": lambda memory: memory.costs(**ANN),
    "review": lambda memory: memory.review(**ANN),
    "stats": lambda memory: memory.stats(**ANN),
    "users": lambda memory: memory.users(),
    "info": lambda memory: memory.info(),
}

WRITES: dict[str, Callable[[Memory], object]] = {
    "add": lambda memory: memory.add([{"role": "user", "content": "I like tea."}], **ANN),
    "add_triples": lambda memory: memory.add_triples([triple("Ann", "likes", "tea")], **ANN),
    "add_fact": lambda memory: memory.add_fact(subject="Ann", relation="likes", object="jam", **ANN),
    "retire": lambda memory: memory.retire(memory.facts(**ANN)[0].id, **ANN),
    "forget": lambda memory: memory.forget(**ANN),
}


@pytest.fixture
def cluster(empty: Neo4jStore, neo4j_server: Server) -> Iterator[Cluster]:
    """A writer and a reader in front of the server, which has a fact of Ann's."""
    Memory(empty, EMBEDDER, NoExtractor(), Settings()).add_triples([triple("Ann", "lives_in", "Oslo")], **ANN)
    parts = urlsplit(neo4j_server.uri)
    with cluster_of(parts.hostname or "127.0.0.1", parts.port or 7687) as made:
        yield made


@pytest.fixture
def memory(cluster: Cluster, neo4j_server: Server) -> Iterator[Memory]:
    """A memory that is opened by the cluster's address."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    with closing(Neo4jStore(cluster.uri, credentials)) as store:
        yield Memory(store, EMBEDDER, NoExtractor(), Settings())


def test_reads_go_to_the_reader_and_writes_to_the_writer(memory: Memory, cluster: Cluster) -> None:
    """No read begins a transaction that could write, and nothing is asked of the writer but what writes."""
    for name, read in READS.items():
        before = cluster.writer.reads + cluster.writer.writes, cluster.reader.reads
        read(memory)
        assert (cluster.writer.reads + cluster.writer.writes, cluster.reader.writes) == (before[0], 0), name
        assert cluster.reader.reads > before[1], name
    for name, write in WRITES.items():
        begun = cluster.writer.writes
        write(memory)
        assert cluster.writer.writes > begun, name
        assert (cluster.writer.reads, cluster.reader.writes) == (0, 0), name


def test_reads_see_ones_own_writes(memory: Memory, cluster: Cluster) -> None:
    """A read after a write carries its bookmark, so that a reader that lags behind waits for it."""
    memory.add_fact(subject="Ann", relation="likes", object="jam", **ANN)
    before = cluster.reader.bookmarked, cluster.reader.reads
    memory.facts(**ANN)
    assert cluster.reader.bookmarked - before[0] == cluster.reader.reads - before[1] > 0


def test_the_server_refuses_to_write_in_a_read(memory: Memory) -> None:
    """A read that would write is an error, not a write: the mode reaches the server."""
    store = memory.store
    assert isinstance(store, Neo4jStore)
    with pytest.raises(StoreError, match=r"(?i)read access mode|not allowed|writ"):
        store.run("forget_store")
    assert len(memory.facts(**ANN)) == 1
