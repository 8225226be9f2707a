from __future__ import annotations

import pytest

from tests.llm.asking import MemoryLedger


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach servers on this machine directly."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()
