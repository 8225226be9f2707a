"""The relations benchmark, on small data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.embedders import TimedEmbedder
from benchmarks.relations.command import name_counts
from benchmarks.relations.joining import JUDGED, JudgedPair, by_cosine, methods, read_pairs, scored
from benchmarks.timing import QueryTimes
from mem0g.testing import HashingEmbedder

NAMES = ["lives_in", "resident_of", "LivesIn", "yodels_at", "is_yodeling_at", "plans_to_yodel_at"]
PAIRS = [
    JudgedPair("lives_in", "resident_of", same=True),
    JudgedPair("yodels_at", "is_yodeling_at", same=True),
    JudgedPair("yodels_at", "plans_to_yodel_at", same=False),
    JudgedPair("yodels_at", "chants_at", same=True),
]


def compared() -> tuple[dict[str, Any], QueryTimes]:
    """Return all ways of joining, with word vectors."""
    embedder = TimedEmbedder(HashingEmbedder(512))
    times = QueryTimes(embedder)
    return dict(methods(embedder, times)), times


def test_names_left_by_each_method() -> None:
    """The registry joins synonyms and inflections, normalisation only spellings; one database of all files is a row."""
    joining, times = compared()
    files = {"one": NAMES, "two": ["lives_in"]}
    rows = {name: {row["data"]: row for row in name_counts(name, each, files)} for name, each in joining.items()}
    assert {name: row["all"]["kept"] for name, row in rows.items() if "cosine" not in name} == {
        "mem0g": 3,
        "mem0g without seeds": 4,
        "exact": 5,
    }
    assert (rows["exact"]["one"]["triples"], rows["exact"]["one"]["names"]) == (6, 6)
    assert (rows["exact"]["all"]["triples"], rows["exact"]["all"]["names"]) == (7, 6)
    assert len(times.milliseconds) == 2 * (6 + 1 + 6)


def test_cosine_joins_the_nearest_known() -> None:
    """From the threshold on, a name joins the most similar earlier one, never a later one."""
    joined = by_cosine(["walks the dog", "walks", "walks the cat"], 0.49, HashingEmbedder(4096))
    assert joined == {"walks the dog": "WALKS_THE_DOG", "walks": "WALKS_THE_DOG", "walks the cat": "WALKS_THE_DOG"}
    assert len(set(by_cosine(list(joined), 0.9, HashingEmbedder(4096)).values())) == 3


def test_judged_pairs_are_scored() -> None:
    """Precision is of the pairs joined, recall of the pairs that are the same."""
    joining, _ = compared()
    row = scored("mem0g", joining["mem0g"], PAIRS, "mine")
    assert row == {
        "method": "mem0g",
        "data": "mine",
        "joined": 2,
        "wrong": 0,
        "precision": 100.0,
        "recall": 66.7,
        "n": 4,
    }
    assert scored("exact", joining["exact"], PAIRS, "mine")["precision"] is None


def test_the_pairs_that_come_along() -> None:
    """There are 200, of distinct names, none judged twice, of both kinds."""
    pairs = read_pairs(JUDGED)
    assert len(pairs) == len({frozenset((pair.one, pair.other)) for pair in pairs}) == 200
    assert all(pair.one != pair.other for pair in pairs)
    assert {pair.same for pair in pairs} == {True, False}


def test_from_the_command_line(tmp_path: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints both tables and writes OUT.json with the checksums of all it read."""
    folder, pairs, out = tmp_path / "triples", tmp_path / "mine.jsonl", tmp_path / "out.json"
    folder.mkdir()
    lines = [{"subject": "Ann", "relation": name, "object": "Rome", "text": "Ann is there."} for name in NAMES]
    (folder / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)))
    pairs.write_text(json.dumps({"one": "LIVES_IN", "other": "RESIDES_IN", "same": True}))
    with pytest.raises(SystemExit) as ended:
        main(["relations", "--triples", str(folder), "--pairs", str(pairs), "--out", str(out)])
    assert ended.value.code == 0
    written = json.loads(out.read_text())
    assert {Path(name).name for name in written["data_sha256"]} == {"talk.jsonl", "mine.jsonl"}
    assert {row["data"] for row in written["rows"]} == {"mine", "talk", "all"}
    assert written["rows"][0]["recall"] == 100
    assert written["ms_per_query"]["p50"] <= written["ms_per_query"]["p95"]
    assert "judged by hand" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "has no pairs"),
        ("{", "line 1 is not JSON"),
        ("[]", "line 1 is not an object"),
        ('{"one": "A", "other": "B"}', "line 1 is not a pair of names"),
    ],
)
def test_a_mistake_in_the_pairs_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, problem: str
) -> None:
    """An unreadable file of pairs ends with one line that names it, a hint and exit code 1, and writes nothing."""
    pairs, out = tmp_path / "mine.jsonl", tmp_path / "out.json"
    pairs.write_text(line)
    with pytest.raises(SystemExit) as ended:
        main(["relations", "--triples", str(tmp_path), "--pairs", str(pairs), "--out", str(out)])
    assert ended.value.code == 1
    told, hint = capsys.readouterr().err.strip().splitlines()
    assert problem in told
    assert hint.startswith("hint: ")
    assert not out.exists()


def test_a_folder_without_triples_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without triples ends with one line that names it, a hint and exit code 1."""
    with pytest.raises(SystemExit) as ended:
        main(["relations", "--triples", str(tmp_path), "--out", str(tmp_path / "out.json")])
    assert ended.value.code == 1
    assert "has no *.jsonl" in capsys.readouterr().err
