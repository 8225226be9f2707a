"""Vector indexes that are not there, not filled, or another embedder's."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import pytest

from mem0g.errors import EmbedderMismatchError
from mem0g.extract.rules import RulesExtractor
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.settings import Credentials, Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.server.queries import as_list, query
from mem0g.testing import HashingEmbedder
from mem0g.testing.store_samples import write
from tests.making import ANN, EMBEDDER, change, dumped, message, vector
from tests.servers.server import Server
from tests.store.ingested import ROOT, TALK, error_text, memory_over, said

MANY = 6_000
"""Vectors that an index needs a second or more for."""

CROWD = """
MATCH (m:Message {id: $id})
UNWIND range(1, $many) AS i
CREATE (c:Message) SET c = m {.*, id: m.id + '_' + i, n: m.n + i, position: i, text: 'number ' + i, terms: 'number',
  embedding: [x IN $embedding | x + 0.4 * rand()]}
WITH count(c) AS made
MATCH (s:Mem0gScope {scope: $scope}) SET s.messages = s.messages + made, s.n = s.n + made
"""
SMALL = HashingEmbedder(32)


@pytest.fixture
def altered(empty: Neo4jStore) -> Neo4jStore:
    """An empty store, for tests that replace its vector indexes."""
    return empty


@pytest.mark.slow
def test_an_index_that_is_being_filled(
    altered: Neo4jStore, neo4j_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """A memory whose vector indexes are made anew is waited for, which is said, and then answers rightly."""
    altered.claim_embedder(EMBEDDER.name, EMBEDDER.dimensions)
    far = message("Far from all others.")
    write(altered, change(messages=[message("one of a crowd"), far]))
    given = {"id": message("one of a crowd").id, "many": MANY, "scope": "user_id=ann"}
    altered._connection.change_schema(CROWD, embedding=as_list(vector("one of a crowd")), **given)
    for name in ("entity", "fact", "message"):
        altered._connection.change_schema(query("drop_index"), name=f"mem0g_{name}_embedding")
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    with memory_over(Neo4jStore(neo4j_server.uri, credentials)) as memory, caplog.at_level(logging.WARNING, "mem0g"):
        hits = memory.search("Far from all others.", user_id="ann", limit=1)
    assert "mem0g_message_embedding (" in caplog.text
    assert "fill its indexes" in caplog.text
    assert [hit.text for hit in hits] == [far.text]
    states = altered.run("indexes")
    assert {row["state"] for row in states if row["name"].startswith("mem0g_")} == {"ONLINE"}


def test_a_store_that_another_embedder_filled(empty: Neo4jStore, neo4j_server: Server) -> None:
    """It is refused, naming both embedders and the way out; on the command line as well."""
    memory_over(empty).add(TALK[:8], user_id="demo")
    with pytest.raises(EmbedderMismatchError) as caught:
        empty.claim_embedder(SMALL.name, SMALL.dimensions)
    read = error_text(caught.value)
    assert f"filled by the embedder {EMBEDDER.name}" in read
    assert "mem0g reindex" in read
    credentials = {"NEO4J_USERNAME": neo4j_server.username, "NEO4J_PASSWORD": neo4j_server.password or ""}
    read = said("search", "Oslo", "--user", "demo", "--store", neo4j_server.uri, credentials=credentials)
    assert f"filled by the embedder {EMBEDDER.name}" in read


DYING = """
import os, sys
from mem0g.settings import Settings
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.neo4j.maintenance import reindexing
from tests.store.test_neo4j_vectors import SMALL
calls = []
def embed(texts):
    calls.append(texts)
    if len(calls) == 3:
        os._exit(9)
    return list(SMALL.embed(texts))
reindexing.EMBEDDED_AT_ONCE = 5
store = Neo4jStore(sys.argv[1], Settings.from_environment().credentials)
store.replace_embedder(SMALL.name, SMALL.dimensions, embed)
"""


@pytest.mark.slow
def test_a_reindex_that_was_killed(altered: Neo4jStore, neo4j_server: Server) -> None:
    """Half embedded anew, the store fits no embedder, and says so; the reindex, run again, finishes it."""
    memory_over(altered).add(TALK, user_id="demo")
    before = memory_over(altered).facts(user_id="demo", include_retired=True)
    credentials = {"NEO4J_USERNAME": neo4j_server.username, "NEO4J_PASSWORD": neo4j_server.password or ""}
    command = [sys.executable, "-c", DYING, neo4j_server.uri]
    died = subprocess.run(command, cwd=ROOT, env=os.environ | credentials, capture_output=True, text=True, check=False)
    assert died.returncode == 9, died.stderr
    sizes = {len(each) for made in dumped(altered) for each in made.vectors.values()}
    assert sizes == {EMBEDDER.dimensions, SMALL.dimensions}
    memory = memory_over(altered)
    for each in (EMBEDDER, SMALL):
        altered._look()
        with pytest.raises(EmbedderMismatchError, match="not finished") as caught:
            altered.claim_embedder(each.name, each.dimensions)
        assert "reindex" in error_text(caught.value)
    memory._embedding.embedder = SMALL
    stats = altered.stats()
    assert memory.reindex() == stats.messages + stats.entities + stats.facts
    assert {len(each) for made in dumped(altered) for each in made.vectors.values()} == {SMALL.dimensions}
    assert memory.facts(user_id="demo", include_retired=True) == before
    fresh = Memory(altered, SMALL, RulesExtractor(), Settings())
    assert [hit.text for hit in fresh.search(before[0].text, user_id="demo", limit=1)] == [before[0].text]
    assert fresh.add("I live in Rome.", user_id="ann").messages == 1
    assert altered.stats(Scope(user_id="ann")).messages == 1
    assert altered.stats(ANN).facts == 1
