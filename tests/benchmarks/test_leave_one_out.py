"""Leave-one-out: what each matching rule adds, and the figures with rules chosen on the other folds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.merge.leave_one_out import Gain, LeaveOneOut, folds, is_helpful
from benchmarks.merge.methods import engines
from benchmarks.merge.scenes import Data, End, Scene, window_of
from mem0g.testing import HashingEmbedder
from tests.benchmarks.test_merging_data import DIALOGUE, write

EMBEDDER = HashingEmbedder(512)
JOINED, APART = ("Lars Berg", "Berg"), ("Anna Moe", "Moe")


def scene(name: str, *names: tuple[str, str]) -> Scene:
    """A scene of people with these names and labels."""
    ends = [End(each, "person", label) for each, label in names]
    return Scene(name, (window_of([("They talk.", ends)]),))


def right(name: str) -> Scene:
    """A scene in which a part of a name is its bearer's, and a spelling another's."""
    return scene(name, *((each, "1") for each in JOINED), *((each, "2") for each in ("Zoë", "Zoe")))


def wrong(name: str) -> Scene:
    """A scene in which a part of a name is somebody else's."""
    return scene(name, *((each, each) for each in APART))


def test_folds() -> None:
    """A few scenes are folds of their own; many are two halves, of every second one."""
    few, many = [right(str(number)) for number in range(8)], [right(str(number)) for number in range(9)]
    assert [fold.places for fold in folds(few)] == [(number,) for number in range(8)]
    assert [(fold.name, fold.places) for fold in folds(many)] == [
        ("half 1", (0, 2, 4, 6, 8)),
        ("half 2", (1, 3, 5, 7)),
    ]


@pytest.mark.parametrize(
    ("gains", "helpful"),
    [
        ([], False),
        ([Gain()], False),
        ([Gain(1, 1)], False),
        ([Gain(2, 1), Gain()], True),
        ([Gain(9, 0), Gain(0, 1)], False),
        ([Gain(0, -1)], True),
    ],
)
def test_what_helps(gains: list[Gain], helpful: bool) -> None:
    """A rule helps that adds more right pairs than wrong ones in some fold, and the reverse in none."""
    assert is_helpful(gains) is helpful


def test_each_rule_in_each_fold() -> None:
    """A rule's gain in a fold is what is joined with it and not without it; it needs another fold to be chosen."""
    data = Data("few", (right("a"), right("b"), wrong("c")), ())
    with engines(EMBEDDER, ()) as (ours,):
        runs = LeaveOneOut(data, ours)
        part, spelling = runs.rows()
        assert (part["rule"], part["a"], part["b"], part["c"], part["kept"]) == (
            "part of the name", "1 / 0", "1 / 0", "0 / 1", False,
        )  # fmt: skip
        assert (spelling["rule"], spelling["right"], spelling["wrong"], spelling["kept"]) == ("spelling", 2, 0, True)
        everything, chosen = runs.cross_validated()
    assert (everything["rules"], everything["precision"], everything["recall"]) == ("all", 80.0, 100.0)
    assert (chosen["rules"], chosen["precision"], chosen["recall"]) == ("cross-validated", 66.7, 50.0)


def test_the_command(tmp_path: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The option replaces the comparison of methods by the two tables."""
    out = tmp_path / "out.json"
    dialogues = write(tmp_path / "en.json", [DIALOGUE])
    with pytest.raises(SystemExit) as ended:
        main(["merge", "--dialogre", str(dialogues), "--leave-one-out", "--out", str(out)])
    assert ended.value.code == 0
    rows = json.loads(out.read_text())["rows"]
    assert [row["rules"] for row in rows if "rules" in row] == ["all", "cross-validated"]
    assert capsys.readouterr().out.count("dialogre en: 1 scopes") == 2
