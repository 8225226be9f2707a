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


def test_a_folder_is_summed_by_its_indexes(tmp_path: Path) -> None:
    """As Neo4j names them: vector, full-text, and all other files."""
    for name, count in (("vector-2.0/1/a", 2000), ("fulltext-1.0/2/b", 400), ("range-1.0/3/c", 800)):
        path = tmp_path / "neo4j" / "schema" / "index" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(count))
    with pytest.raises(SystemExit):
        main(["size", "--data", str(tmp_path / "neo4j"), "--facts", "200", "--out", str(tmp_path / "out.json")])
    rows = json.loads((tmp_path / "out.json").read_text())["rows"]
    assert [row["bytes a fact"] for row in rows] == [10, 2, 4, 16]
