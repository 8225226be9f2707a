"""A scripted model on a server, places for stores, and the messages of several users."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mem0g.distributed import IngestTask, MemoryOptions
from mem0g.settings import Credentials, LLMSettings, Settings
from mem0g.store.neo4j import Neo4jStore
from tests.distributed.users import USERS, task_of
from tests.llm.server import Server, serving
from tests.pipeline.scripted import Model
from tests.servers.server import Server as Database


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reach local servers without a proxy, and forget detected server capabilities; also in the processes started."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def model() -> Iterator[Model]:
    """A simulated model that answers well unless a test changes that."""
    made = Model()
    yield made
    made.end()


@pytest.fixture
def server(model: Model) -> Iterator[Server]:
    """The server of the model."""
    with serving(model) as started:
        try:
            yield started
        finally:
            model.end()


@pytest.fixture
def options(tmp_path: Path, server: Server, quick_embedder: str) -> MemoryOptions:
    """A memory in a new file that asks the scripted model."""
    llm = LLMSettings(base_url=server.base_url, model="tiny", retries=0)
    return MemoryOptions(
        store=str(tmp_path / "memory.db"), settings=Settings(llm=llm), embedder=quick_embedder, extractor="llm"
    )


@pytest.fixture
def on_neo4j(options: MemoryOptions, empty: Neo4jStore, neo4j_server: Database) -> MemoryOptions:
    """The same in an empty Neo4j."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    return replace(options, store=neo4j_server.uri, credentials=credentials)


@pytest.fixture
def tasks() -> list[IngestTask]:
    """The messages of three users, in two files each."""
    return [task_of(user) for user in USERS]
