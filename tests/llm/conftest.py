from __future__ import annotations

import socket

import pytest

from tests.llm.asking import MemoryLedger


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach servers on this machine directly."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def nowhere() -> str:
    """An address where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()
