"""docs/strategies.md is made of kept figures, and its example runs."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from benchmarks.strategies.page import KEPT, PAGE, keep, kept, page
from mem0g.errors import InputError
from mem0g.strategies import STRATEGIES
from tests.docs.pages import blocks, text_of


def test_the_page_is_generated() -> None:
    """It is what `python -m benchmarks.strategies.page` writes, with a section for each strategy."""
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(kept())
    assert all(f"### {name}\n" in text for name in STRATEGIES)


def test_kept_figures_say_where_they_come_from() -> None:
    """Command, commit and the hashes of the data, and no folder of the machine that measured."""
    assert set(kept()) >= {"rules", "triples"}
    for run in kept().values():
        assert run["command"].startswith("python -m benchmarks strategies --data locomo")
        assert "/" not in run["command"]
        assert run["commit"] != "unknown"
        assert not run["commit"].endswith("-dirty")
        assert all(len(each) == 64 for each in run["data_sha256"].values())


def test_the_example_runs(tmp_path: Path, minilm: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Python block prints what Ann said."""
    monkeypatch.chdir(tmp_path)
    (example,) = blocks("python", text_of("docs/strategies.md"))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, "docs/strategies.md", "exec"), {})
    assert "Lisbon" in printed.getvalue()


def test_figures_are_kept_without_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where results went is left out of the command; those of another benchmark are refused."""
    document = json.loads((KEPT / "rules.json").read_text(encoding="utf-8"))
    document["command"] = "python -m benchmarks strategies --data /some/where/locomo.json --out /tmp/x.json --budget 5"
    out = tmp_path / "out.json"
    out.write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setattr("benchmarks.strategies.page.KEPT", tmp_path / "kept")
    made = json.loads(keep(out).read_text(encoding="utf-8"))
    assert made["command"] == "python -m benchmarks strategies --data locomo.json --budget 5"
    assert made["rows"] == document["rows"]
    out.write_text(json.dumps({**document, "benchmark": "recall"}), encoding="utf-8")
    with pytest.raises(InputError, match="not of the benchmark strategies"):
        keep(out)
