"""Fixtures shared by the tests of the benchmarks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.mini import Mini, write_mini


@pytest.fixture
def mini(tmp_path: Path) -> Mini:
    """The small LOCOMO's files in an empty folder."""
    return write_mini(tmp_path)
