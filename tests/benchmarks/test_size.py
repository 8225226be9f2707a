"""A small run of the benchmark of sizes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main


def test_a_small_run(tmp_path: Path) -> None:
    """The parts add up, and a fact has more than one vector: its own, its entities' and its share of a message's."""
    with pytest.raises(SystemExit) as ended:
        main(["size", "--facts", "400", "--out", str(tmp_path / "out.json")])
    assert not ended.value.code
    rows = {row["part"]: row["bytes a fact"] for row in json.loads((tmp_path / "out.json").read_text())["rows"]}
    assert rows["vectors"] > 384 * 4
    assert 0 < rows["words"] < rows["records and their indexes"]
    assert abs(rows["all"] - sum(list(rows.values())[:3])) <= 2


def test_a_server_needs_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its files cannot be measured from afar."""
    with pytest.raises(SystemExit):
        main(["size", "--store", "neo4j://127.0.0.1:9", "--out", str(tmp_path / "out.json")])
    assert "--data" in capsys.readouterr().err
