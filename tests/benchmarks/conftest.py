"""Fixtures shared by the tests of the benchmarks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from benchmarks.embedders import CachedEmbedder
from mem0g.embed import open_embedder
from tests.benchmarks.mini import Mini, write_mini


@pytest.fixture
def mini(tmp_path: Path) -> Mini:
    """The small LOCOMO's files in an empty folder."""
    return write_mini(tmp_path)


@pytest.fixture
def minilm(minilm: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for all tests; it is loaded once, and computes each text's vector once: this was most of these tests' time."""
    monkeypatch.setattr("benchmarks.embedders.open_embedder", _shared)


@cache
def _shared(spec: str | None = None, *, weights: Path | None = None) -> CachedEmbedder:
    return CachedEmbedder(open_embedder(spec, weights=weights))
