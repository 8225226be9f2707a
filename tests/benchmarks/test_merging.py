"""Node matching, the usual rules and mem0g's, on small data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.embedders import CachedEmbedder
from benchmarks.merge.datasets import read_conversations
from benchmarks.merge.methods import Method, Rule, engines, nearest, part_of_name, same_name
from benchmarks.merge.scenes import End, Scene, window_of
from mem0g.testing import HashingEmbedder
from tests.benchmarks.test_merging_data import DIALOGUE, DOCUMENT, SEASON, write, write_conversation

EMBEDDER = HashingEmbedder(512)


def told(*names: tuple[str, str]) -> Scene:
    """A scene with these names and types."""
    return Scene("s", (window_of([("They talk.", [End(name, kind, name) for name, kind in names])]),))


@pytest.mark.parametrize(
    ("rule", "nodes"),
    [
        (same_name, "012034"),
        (part_of_name, "000012"),
        (nearest(0.7), "001000"),
        (nearest(0.7, typed=True), "001023"),
    ],
)
def test_the_usual_rules(rule: Rule, nodes: str) -> None:
    """A name goes to the node that the rule finds, else to a new one."""
    scene = told(
        ("old red harbour", "place"),
        ("old red harbour festival", "place"),
        ("harbour", "place"),
        ("Old  red harbour", "place"),
        ("old red harbour house", "house"),
        ("old red harbour house light", "thing"),
    )
    assert "".join(Method("?", rule, EMBEDDER).nodes(scene)) == nodes


def test_the_engine_remembers(tmp_path: Path) -> None:
    """A window finds the nodes of earlier ones, and a scope nothing of another."""
    data = read_conversations(*write_conversation(tmp_path))
    with engines(EMBEDDER, [0.9]) as (ours, strict):
        nora, friends, nora_again, studio, friends_again, studio_again, _, others = ours.nodes(data.scenes[0])
        assert (nora_again, friends_again, studio_again) == (nora, friends, studio)
        assert others != friends
        assert nora not in strict.nodes(data.scenes[0])


def test_vectors_are_kept() -> None:
    """A text is embedded once, and returned in any order; no texts give no rows."""
    embedder = HashingEmbedder(64)
    kept = CachedEmbedder(embedder)
    assert (kept.embed(["a", "b", "a"]) == embedder.embed(["a", "b", "a"])).all()
    assert (kept.embed(["b"]) == embedder.embed(["b"])).all()
    assert kept.embed([]).shape == (0, 64)


def test_the_command(tmp_path: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Every method has a row for every data set, with all figures, and those of people for character identification."""
    triples, entities = write_conversation(tmp_path)
    out = tmp_path / "out.json"
    arguments = ["--locomo", str(triples), "--entities", str(entities), "--out", str(out)]
    arguments += ["--redocred", str(write(tmp_path / "docs.json", [DOCUMENT]))]
    arguments += ["--dialogre", str(write(tmp_path / "en.json", [DIALOGUE]))]
    arguments += ["--character", str(write(tmp_path / "season.json", SEASON))]
    with pytest.raises(SystemExit) as ended:
        main(["merge", *arguments])
    assert ended.value.code == 0
    rows = json.loads(out.read_text())["rows"]
    methods = {row["method"] for row in rows}
    data = {"locomo", "redocred", "dialogre en", "character"}
    assert {(row["method"], row["data"]) for row in rows} == {(method, name) for method in methods for name in data}
    (ours,) = (row for row in rows if (row["method"], row["data"]) == ("mem0g", "locomo"))
    assert (ours["precision"], ours["recall"], ours["wrong_pairs"], ours["b3_f1"], ours["n"]) == (100, 100, 0, 100, 8)
    (people,) = (row for row in rows if (row["method"], row["data"]) == ("mem0g", "character"))
    assert people["first_person"] == 100
    assert "redocred: 1 scopes" in capsys.readouterr().out


@pytest.mark.parametrize("options", [[], ["--locomo", "."], ["--redocred", "docs.json"]])
def test_a_mistake_is_one_line(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Options without data, half a pair of options, or a file of another format end with one line, a hint and exit code
    1.
    """
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "docs.json", {"no": "documents"})
    with pytest.raises(SystemExit) as ended:
        main(["merge", *options, "--out", "out.json"])
    assert ended.value.code == 1
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("benchmarks: ")
    assert hint.startswith("hint: ")
