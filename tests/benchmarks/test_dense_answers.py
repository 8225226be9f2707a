"""The rows of the Mem0 paper's tables in the answers benchmark, with a model on a local server."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.answers.systems import CHUNK_TOKENS, SETS, names_of
from mem0g.errors import InputError
from tests.benchmarks.mini import Mini
from tests.benchmarks.scripted import function
from tests.benchmarks.test_strategies import model
from tests.llm.server import Server, serving


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reach local servers without a proxy, and forget detected server capabilities."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def run(mini: Mini, server: Server, *options: str) -> dict[str, Any]:
    """Run the command to a good end; return OUT.json."""
    out, cache = mini.data.parent / "out.json", mini.data.parent / "replies.jsonl"
    files = ["--data", str(mini.data), "--out", str(out), "--llm-cache", str(cache)]
    with pytest.raises(SystemExit) as ended:
        main(["answers", *files, "--model", "tiny", "--base-url", server.base_url, *options])
    assert ended.value.code == 0
    written: dict[str, Any] = json.loads(out.read_text())
    return written


def test_a_name_for_the_tables_of_the_paper() -> None:
    """Mem0, Mem0g, all memories, chunks of seven sizes, one and two of them, and the whole conversation."""
    assert names_of("paper, mem0g,facts") == [*SETS["paper"], "facts"]
    assert len(SETS["paper"]) == 3 + 2 * len(CHUNK_TOKENS) + 1
    with pytest.raises(InputError, match="unknown system 'mem1'"):
        names_of("paper,mem1")


@pytest.mark.slow
def test_mem0_and_mem0g_side_by_side(mini: Mini, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Dense memories are made by the model beside facts from elsewhere; every row has all figures of the paper."""
    systems = "mem0,mem0g,all-memories,all-facts,rag-128-k2,full-context"
    with serving(model) as server:
        written = run(mini, server, "--triples", str(mini.triples), "--systems", systems, "--budget", "60")
        asked = Counter(map(function, server.requests))
    assert asked["remember_sentences"] == 3  # a window for each session
    found = {row["method"]: row for row in written["rows"] if row["slice"] == "all"}
    assert list(found) == systems.split(",")
    for row in found.values():
        assert {"J", "strict", "f1", "bleu1", "tokens", "search_p50", "search_p95", "total_p50", "total_p95"} <= set(
            row
        )
    assert 0 < found["mem0"]["tokens"] <= 60
    assert found["all-memories"]["tokens"] > found["mem0"]["tokens"]
    assert found["all-facts"]["tokens"] > 10
    assert "F1 / BLEU-1 / J" in capsys.readouterr().out


@pytest.mark.slow
def test_mem0_alone_needs_no_facts(mini: Mini, minilm: None) -> None:
    """No source of facts has to be named; in windows of two, as in the paper, the model is asked more often."""
    with serving(model) as server:
        written = run(mini, server, "--systems", "mem0", "--budget", "60", "--window", "2", "--questions", "1")
        asked = Counter(map(function, server.requests))
    assert asked["remember_sentences"] == 4
    assert {row["method"] for row in written["rows"]} == {"mem0"}
