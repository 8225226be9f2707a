"""The pipeline benchmark on the small LOCOMO, with its own server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.embedders import TimedEmbedder
from benchmarks.locomo import read_conversations
from benchmarks.pipeline.running import Configuration, run
from mem0g.embed import open_embedder
from mem0g.errors import UnusableReplyError
from mem0g.model import Triple
from mem0g.testing import HashingEmbedder
from mem0g.times import Moment
from tests.benchmarks.mini import TRIPLES, Mini

SIX = 6
"""Messages of the first sample: three in each of two sessions."""


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, minilm: None) -> None:
    """Remove the environment's model and server settings; a proxy in it must not be used."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MEM0G_MODEL", "MEM0G_EMBEDDER", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


def pipeline(mini: Mini, *options: str) -> tuple[int, dict[str, Any]]:
    """Return the command's exit code, and OUT.json."""
    out = mini.data.parent / "out.json"
    files = ["--data", str(mini.data), "--triples", str(mini.triples), "--out", str(out)]
    with pytest.raises(SystemExit) as ended:
        main(["pipeline", *files, *options])
    return int(ended.value.code or 0), json.loads(out.read_text()) if out.exists() else {}


@pytest.mark.slow
def test_the_rows(mini: Mini, capsys: pytest.CaptureFixture[str]) -> None:
    """Windows at 0 s and, at each concurrency, with slower replies; pairs at 0 s only."""
    slow = ["--seconds", "0", "--seconds", "0.05", "--concurrency", "1", "--concurrency", "3"]
    code, written = pipeline(mini, "--sample", "mini-1", *slow, "--repeat", "2")
    assert code == 0
    rows = written["rows"]
    ways = [(row["method"], row["seconds_a_reply"], row["concurrency"], row["windows"]) for row in rows]
    assert ways == [
        ("windows of 20", 0.0, 1, 2),
        ("windows of 20", 0.05, 1, 2),
        ("windows of 20", 0.05, 3, 2),
        ("pairs of 2", 0.0, 1, 4),
    ]
    assert {(row["data"], row["messages"], row["facts"]) for row in rows} == {("mini-1", SIX, len(TRIPLES["mini-1"]))}
    assert [row["extract_calls_per_message"] for row in rows] == [0.333, 0.333, 0.333, 0.667]
    assert {row["summary_calls_per_message"] for row in rows} == {0.0}
    for row in rows:
        assert row["calls_per_message"] >= row["extract_calls_per_message"] + row["decide_calls_per_message"] - 0.001
        assert row["prompt_tokens_per_message"] > row["completion_tokens_per_message"] > 0
    printed = capsys.readouterr()
    assert "engine ms per window" in printed.out
    assert "0.05 s × 3" in printed.out
    assert "mini-1, pairs of 2, 0 s a reply, 1 at a time: " in printed.err
    assert list(written["data_sha256"])[-1] == "conflict/decide.md"


@pytest.mark.slow
def test_the_time_of_replies(mini: Mini, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reply takes its time; the engine's own time is reported for replies of 0 s, the speedup for others."""
    monkeypatch.setattr("benchmarks.embedders.open_embedder", open_embedder)  # its time is measured: no kept vectors
    options = ["--sample", "mini-1", "--seconds", "0.3", "--seconds", "0", "--window", "20"]
    code, written = pipeline(mini, *options, "--concurrency", "1", "--concurrency", "2", "--repeat", "1")
    assert code == 0
    slow, together, fast = written["rows"]
    waited = round(SIX * (slow["extract_calls_per_message"] + slow["decide_calls_per_message"])) * 0.3
    assert slow["wall_seconds"] >= waited - 0.01  # to which it is rounded
    assert waited >= 0.6
    assert slow["speedup"] == fast["speedup"] == 1.0
    assert together["speedup"] == pytest.approx(slow["wall_seconds"] / together["wall_seconds"], abs=0.05)
    parts = [f"{name}_ms_per_window" for name in ("engine", "calls", "embedder")]
    assert {row[part] for row in (slow, together) for part in parts} == {None}
    assert fast["engine_ms_per_window"] == pytest.approx(1000 * fast["wall_seconds"] / 2, abs=5.1)
    assert fast["engine_ms_per_window"] > fast["calls_ms_per_window"] > 0
    assert fast["embedder_ms_per_window"] > 0


@pytest.mark.slow
def test_all_samples(mini: Mini) -> None:
    """Every sample has its rows; table titles have its name."""
    code, written = pipeline(mini, "--seconds", "0", "--repeat", "1", "--window", "3")
    assert code == 0
    assert [(row["data"], row["method"], row["messages"]) for row in written["rows"]] == [
        ("mini-1", "windows of 3", SIX),
        ("mini-2", "windows of 3", 2),
    ]


def test_without_concurrency_1(mini: Mini) -> None:
    """Without runs of concurrency 1 there is no speedup."""
    _, written = pipeline(mini, "--sample", "mini-2", "--seconds", "0.01", "--concurrency", "2", "--window", "20")
    assert [row["speedup"] for row in written["rows"]] == [None]


def test_a_conversation_as_it_is_known(mini: Mini) -> None:
    """A run has each window's time, all facts, and calls by purpose; none of its files is left behind."""
    conversation = read_conversations(mini.data)[0]
    known = [_triple("Nora", "Bergen", "D1:1"), _triple("Sam", "the bakery", "D2:1"), _triple("Sam", "Mars", "D9:9")]
    embedder = TimedEmbedder(HashingEmbedder())
    done = run(conversation, known, Configuration(size=20, seconds=0, concurrency=2), embedder)
    assert (done.messages, done.facts, done.windows, len(done.milliseconds)) == (SIX, 2, 2, 1)
    assert done.embedding > 0
    assert {cost.purpose: cost.calls for cost in done.costs}["extract"] == 2
    assert not (mini.data.parent / "cache").exists()


def test_a_window_that_comes_to_nothing(mini: Mini) -> None:
    """A triple that the engine refuses ends the run, with the window's problem in the error."""
    conversation = read_conversations(mini.data)[0]
    never = Triple(
        subject="Nora",
        relation="lives_in",
        object="Bergen",
        text="Nora lived in Bergen.",
        valid_from=Moment.parse("2023"),
        valid_to=Moment.parse("2021"),
        evidence=("D1:1",),
    )
    with pytest.raises(UnusableReplyError, match=r"1 of 2 windows .* quarantined: .*valid_to 2021") as refused:
        run(conversation, [never], Configuration(size=20, seconds=0, concurrency=1), TimedEmbedder(HashingEmbedder()))
    assert refused.value.hint


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--sample", "mini-9"], "no sample 'mini-9'"),
        (["--window", "2", "--seconds", "1"], "nothing is measured of pairs at 1 s a reply"),
    ],
)
def test_a_mistake_is_one_line(
    mini: Mini, capsys: pytest.CaptureFixture[str], options: list[str], problem: str
) -> None:
    """Invalid options end with one line, a hint and exit code 1."""
    code, written = pipeline(mini, *options)
    assert (code, written) == (1, {})
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert problem in line
    assert hint.startswith("hint: ")


def test_no_triples(mini: Mini, capsys: pytest.CaptureFixture[str]) -> None:
    """A sample without a file of triples is reported before anything runs."""
    (mini.triples / "mini-2.jsonl").unlink()
    code, written = pipeline(mini, "--seconds", "0")
    assert (code, written) == (1, {})
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("benchmarks: no triples for sample 'mini-2': there is no ")
    assert "--sample" in hint


def _triple(subject: str, thing: str, turn: str) -> Triple:
    return Triple(
        subject=subject, relation="told_of", object=thing, text=f"{subject} told of {thing}.", evidence=(turn,)
    )
