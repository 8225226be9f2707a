"""The recall benchmark on the small LOCOMO, through the real engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.embedders import TimedEmbedder
from benchmarks.locomo import read_conversations
from benchmarks.memories import AGENT, memory_in
from benchmarks.recall.command import Facts, Limits, Task, measure
from benchmarks.timing import QueryTimes
from mem0g import Memory
from mem0g.testing import HashingEmbedder
from mem0g.transfer.triples import read_triples
from tests.benchmarks.mini import ASKED, Mini

LIMITS = Limits(budgets=(40, 250), ks=(3,))
METHODS = {"mem0g", "same-ranking", "bm25-windows", "dense-facts", "rrf-facts"}
FILLING, WHOLE = "mem0g-fill", "full-conversation"


def measured(mini: Mini, facts: Facts) -> tuple[list[dict[str, Any]], QueryTimes]:
    """Return the benchmark's rows and times, with word vectors."""
    embedder = TimedEmbedder(HashingEmbedder(512))
    times = QueryTimes(embedder)
    tasks = [
        Task(each, facts, tuple(read_triples(mini.triples / f"{each.id}.jsonl")) if facts is Facts.triples else ())
        for each in read_conversations(mini.data, mini.audit)
    ]
    with memory_in("sqlite", embedder, "rules" if facts is Facts.rules else "none") as memory:
        return measure(memory, tasks, LIMITS, times), times


def test_rows_of_every_method_limit_and_slice(mini: Mini) -> None:
    """Each method has, for each budget and k, a row for all questions, each category and those of two people.

    Filling the budget is another method for budgets; the full conversation has no limit.
    """
    rows, times = measured(mini, Facts.triples)
    keys = {"method", "slice", "recall", "hit", "full", "words", "tokens", "n"}
    assert all(set(row) in ({*keys, "budget"}, {*keys, "k"}) for row in rows if row["method"] != WHOLE)
    places = {(row["method"], row["slice"], row.get("budget"), row.get("k")) for row in rows}
    limits = [(40, None), (250, None), (None, 3)]
    slices = ["all", "1", "2", "3", "4"]
    expected = {(method, name, *limit) for method in METHODS for name in slices for limit in limits}
    expected |= {(WHOLE, name, None, None) for name in slices}
    assert places == expected | {(FILLING, name, *limit) for name in slices for limit in limits[:2]}
    assert len(places) == len(rows)
    assert {row["n"] for row in rows if row["slice"] == "all"} == {ASKED}
    assert len(times.milliseconds) == ASKED * 5


def test_figures_are_possible(mini: Mini) -> None:
    """Shares are percentages and in order, and no method exceeds its budget."""
    rows, _ = measured(mini, Facts.triples)
    for row in rows:
        assert 0 <= row["full"] <= row["recall"] <= row["hit"] <= 100
        assert 0 <= row["words"] <= 100
        assert row["tokens"] <= row.get("budget", 1000)
        if row["method"] == WHOLE:
            assert row["recall"] == 100


def test_all_is_found_where_all_fits(mini: Mini) -> None:
    """Two short conversations fit into 250 tokens, so mem0g and the turns' baseline cover all the gold."""
    rows, _ = measured(mini, Facts.triples)
    whole = {row["method"]: row["recall"] for row in rows if row["slice"] == "all" and row.get("budget") == 250}
    assert whole["mem0g"] == 100
    assert whole["bm25-windows"] == 100
    assert whole["rrf-facts"] == 100


@pytest.mark.slow
def test_with_facts_left_out(mini: Mini, tmp_path: Path, minilm: None) -> None:
    """A share of the triples is left out at random, the same in each run, and is not found."""
    found = []
    for share in ("0.5", "0.5", "1"):
        out = tmp_path / "out.json"
        files = ["--data", str(mini.data), "--triples", str(mini.triples), "--out", str(out)]
        with pytest.raises(SystemExit):
            main(["recall", *files, "--drop", share, "--budget", "40", "--k", "3"])
        rows = json.loads(out.read_text())["rows"]
        found.append({(row["method"], row["slice"], row.get("k")): row["recall"] for row in rows})
    assert found[0] == found[1]
    assert found[2]["rrf-facts", "all", None] == 0
    assert 0 < found[0]["rrf-facts", "all", None] < 100


def test_messages_only(mini: Mini) -> None:
    """With no facts the fact baselines are left out, and mem0g finds the messages themselves."""
    rows, _ = measured(mini, Facts.none)
    assert {row["method"] for row in rows} == {"mem0g", "same-ranking", FILLING, WHOLE, "bm25-windows"}
    found = {row["method"]: row["recall"] for row in rows if row["slice"] == "all" and row.get("k") == 3}
    assert found["mem0g"] > 50


def test_facts_of_the_rules(mini: Mini) -> None:
    """With the rules extractor the baselines rank the facts extracted by mem0g."""
    rows, _ = measured(mini, Facts.rules)
    assert {row["method"] for row in rows} == {*METHODS, FILLING, WHOLE}
    found = {row["method"]: row["hit"] for row in rows if row["slice"] == "all" and row.get("budget") == 250}
    assert found["rrf-facts"] > 0


def test_a_store_of_ones_own_is_left_as_it_was(mini: Mini, tmp_path: Path) -> None:
    """A benchmark in a store with other data neither reads it nor leaves anything behind."""
    store = tmp_path / "mine.db"
    embedder = TimedEmbedder(HashingEmbedder(512))
    with Memory.open(store, embedder=embedder, extractor="none") as mine:
        mine.add("Nora moved to Paris.", user_id="mini-1")
        before = mine.stats(all_scopes=True)
    tasks = [Task(each, Facts.none) for each in read_conversations(mini.data)]
    for _ in range(2):
        with memory_in(str(store), embedder, "none") as memory:
            measure(memory, tasks, Limits(budgets=(250,), ks=()), QueryTimes(embedder))
            assert memory.stats(agent_id=AGENT).messages == 8
    with Memory.open(store, embedder=embedder, extractor="none") as mine:
        assert mine.stats(all_scopes=True) == before


@pytest.mark.slow
def test_from_the_command_line(mini: Mini, tmp_path: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints its tables and writes OUT.json with the checksums of all it read."""
    out = tmp_path / "out.json"
    files = ["--data", str(mini.data), "--audit", str(mini.audit), "--triples", str(mini.triples)]
    with pytest.raises(SystemExit) as ended:
        main(["recall", *files, "--budget", "60", "--budget", "250", "--k", "5", "--out", str(out)])
    assert ended.value.code == 0
    written = json.loads(out.read_text())
    assert {Path(name).name for name in written["data_sha256"]} == {
        "mini.json",
        "audit.json",
        "mini-1.jsonl",
        "mini-2.jsonl",
    }
    assert {row["method"] for row in written["rows"]} == {*METHODS, FILLING, WHOLE}
    assert written["ms_per_query"]["p50"] <= written["ms_per_query"]["p95"]
    printed = capsys.readouterr()
    assert "mem0g" in printed.out
    assert "embedder's" in printed.err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--facts", "triples"], "no --triples given"),
        (["--triples", "{folder}"], "no such file: {folder}/mini-1.jsonl"),
        (["--facts", "none", "--store", "mongo://here"], "unknown store"),
    ],
)
def test_a_mistake_is_one_line(
    mini: Mini, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    """Invalid options end with one line, a hint and exit code 1, and write nothing."""
    given = [argument.format(folder=tmp_path) for argument in arguments]
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["recall", "--data", str(mini.data), "--out", str(out), *given])
    assert ended.value.code == 1
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("benchmarks: ")
    assert problem.format(folder=tmp_path) in line
    assert hint.startswith("hint: ")
    assert not out.exists()
