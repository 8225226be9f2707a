from __future__ import annotations

from pathlib import Path

import pytest

from mem0g.embed.minilm import MiniLM
from mem0g.embed.weights import Weights


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    """The weights that are installed on this machine; without them the error says how to get them."""
    return Weights(cache=tmp_path_factory.mktemp("cache"), hub=None)


@pytest.fixture(scope="session")
def folder(weights: Weights) -> Path:
    return weights.obtain()


@pytest.fixture(scope="session")
def minilm(weights: Weights) -> MiniLM:
    return MiniLM(weights)


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach servers on this machine directly."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
