"""A small run of the benchmark of several workers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main


@pytest.mark.slow
def test_a_small_run(tmp_path: Path, minilm: None) -> None:
    """One and two processes store all messages, and the figures say by how many messages a second."""
    words = ["--users", "2", "--facts", "8", "--workers", "1", "--workers", "2", "--seconds", "0"]
    with pytest.raises(SystemExit) as ended:
        main(["workers", "--out", str(tmp_path / "out.json"), *words])
    assert not ended.value.code
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["messages"] == 8
    assert [(row["store"], row["workers"]) for row in written["rows"]] == [("sqlite", 1), ("sqlite", 2)]
    assert all(row["messages/s"] > 0 and row["times one worker"] for row in written["rows"])
