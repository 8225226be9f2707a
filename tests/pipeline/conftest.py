"""A scripted model on a server, and places for stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.settings import Credentials
from mem0g.store.neo4j import Neo4jStore
from tests.llm.server import Server, serving
from tests.pipeline.scripted import Model
from tests.pipeline.telling import Place
from tests.servers.server import Server as Database


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reach local servers without a proxy, and forget detected server capabilities."""
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
def file(tmp_path: Path) -> Place:
    """The place of a new file."""
    return Place(str(tmp_path / "memory.db"))


@pytest.fixture
def emptied(empty: Neo4jStore, neo4j_server: Database) -> Place:
    """The place of an empty Neo4j."""
    credentials = Credentials(
        username=neo4j_server.username, password=neo4j_server.password, database=neo4j_server.database
    )
    return Place(neo4j_server.uri, credentials)


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def place(request: pytest.FixtureRequest, file: Place) -> Place:
    """The place of a file, then one of a Neo4j: the test runs on both."""
    found: Place = file if request.param == "sqlite" else request.getfixturevalue("emptied")
    return found
