"""A memory for the integrations, in a file and in Neo4j."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g import Memory
from tests.store.fixtures import kept_minilm, open_neo4j

os.environ.update(LANGSMITH_TRACING="false", OPENAI_AGENTS_DISABLE_TRACING="1", OTEL_SDK_DISABLED="true")


@pytest.fixture
def memory(tmp_path: Path, minilm: None) -> Iterator[Memory]:
    """A memory that extracts by rules, in a file."""
    with Memory.open(tmp_path / "memory.db", embedder=kept_minilm(), extractor="rules") as opened:
        yield opened


@pytest.fixture
def neo4j_memory(request: pytest.FixtureRequest, minilm: None) -> Iterator[Memory]:
    """The same in Neo4j."""
    request.getfixturevalue("empty")
    store = open_neo4j(request.getfixturevalue("cleared_server"))
    with Memory.open(store, embedder=kept_minilm(), extractor="rules") as opened:
        yield opened
