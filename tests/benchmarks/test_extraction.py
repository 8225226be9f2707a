"""The extraction benchmark on the small LOCOMO, with a model on a local server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from mem0g.text.token_count import estimate_tokens
from tests.benchmarks.mini import Mini
from tests.benchmarks.scripted import Writer, fact, function
from tests.llm.server import USAGE, Server, serving

FIRST, SECOND, THIRD = "lopsided clay mug", "lost my job", "a tortoise named Bolt"
"""Words of each window: the two sessions of mini-1, the one of mini-2."""

MOVED = fact("Nora", "moved_to", "Bergen", "Nora moved to Bergen on 7 May 2023.", [1], valid_from="2023-05-07")
CAT = fact("Sam", "has_pet", "cat", "Sam has a cat and still lives in Leeds.", [2])
LOST = fact("Nora", "lost_job_at", "bakery", "Nora lost her job at the bakery.", [4], valid_from="2023-06-01")
FACTS: Mapping[str, Sequence[Any] | None] = {FIRST: [MOVED, CAT], SECOND: [LOST], THIRD: None}


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, minilm: None) -> None:
    """Reach local servers without a proxy, and forget detected server capabilities."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for name in ("OPENAI_BASE_URL", "MEM0G_MODEL", "MEM0G_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)


def run(mini: Mini, server: Server | None, *options: str) -> tuple[int, dict[str, Any]]:
    """Return the command's exit code, and OUT.json."""
    folder = mini.data.parent
    out = folder / "out.json"
    files = ["--data", str(mini.data), "--triples", str(mini.triples), "--out", str(out)]
    model = ["--model", "tiny", "--llm-cache", str(folder / "replies.jsonl")]
    where = ["--base-url", server.base_url] if server else []
    with pytest.raises(SystemExit) as ended:
        main(["extraction", *files, *model, *where, *options])
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(out.read_text()) if out.exists() else {}


def test_the_figures(mini: Mini, capsys: pytest.CaptureFixture[str]) -> None:
    """Recovered triples, dates, persons and details are counted against the reference of the windows that succeeded."""
    lists = [part for name in ("missed", "dates", "undated", "persons", "lost") for part in ("--show", name)]
    with serving(Writer(FACTS)) as server:
        code, written = run(mini, server, *lists)
    assert code == 3
    (row,) = (each for each in written["rows"] if each["slice"] == "mini-1")
    assert row == {
        "method": "llm",
        "slice": "mini-1",
        "windows": 2,
        "failed": 0,
        "messages": 6,
        "facts": 3,
        "facts_per_message": 0.5,
        "reference": 4,
        "recovered": 75.0,  # all but the pottery
        "dates": 50.0,
        "dates_wrong": 1,
        "undated": 0,
        "lost": 1,  # Pixel; of "7 May 2023", Bergen, 2023 nothing
        "lost_percent": 20.0,
        "wrong_persons": 1,
    }
    whole = {each["slice"]: (each["windows"], each["failed"], each["reference"]) for each in written["rows"]}
    assert whole == {"all": (2, 1, 4), "mini-1": (2, 0, 4), "mini-2": (0, 1, 0)}
    printed = capsys.readouterr()
    assert "missed: 1\n- mini-1 D1:3: Nora takes pottery classes and made a clay mug." in printed.out
    assert "dates: 1\n- mini-1 D2:1: Sam lost his job at the bakery in late May 2023. [2023-05 to ]" in printed.out
    assert "persons: 1" in printed.out
    assert "named Pixel. lost: Pixel" in printed.out
    assert "failed: mini-2, session_1, from message 1: tiny gave no usable reply to 'extract'" in printed.err


def test_costs(mini: Mini) -> None:
    """Calls and tokens are the server's, by purpose and message; invalid replies and repairs count too."""
    with serving(Writer(FACTS)) as server:
        _, written = run(mini, server)
        assert len(server.requests) == 4
    extract, everything = written["costs"]
    assert extract == {
        "purpose": "extract",
        "calls": 4,
        "kept": 0,
        "repairs": 1,
        "calls_per_message": 0.5,
        "tokens_in": 4 * USAGE["prompt_tokens"] / 8,
        "tokens_out": 4 * USAGE["completion_tokens"] / 8,
    }
    assert everything == extract | {"purpose": "all"}


def test_from_the_cache(mini: Mini) -> None:
    """A run with all replies cached needs no server and no key; tokens are then estimated from the request."""
    well = {**FACTS, THIRD: []}
    with serving(Writer(well)) as server:
        assert run(mini, server)[0] == 0
        sent = list(server.requests)
    code, written = run(mini, None)
    assert code == 0
    cost = written["costs"][0]
    assert (cost["calls"], cost["kept"], cost["repairs"]) == (3, 3, 0)
    prompts = sum(estimate_tokens(text) for each in sent for _, text in each.texts)
    assert prompts < cost["tokens_in"] * 8 < 3 * prompts
    assert cost["tokens_out"] > 0


def test_two_stages(mini: Mini) -> None:
    """The two stages are two purposes; the next run asks again for a failed window, and nothing else."""
    with serving(Writer(FACTS)) as server:
        code, written = run(mini, server, "--extractor", "llm-two-stage")
        assert [function(each) for each in server.requests].count("write_facts") == 2
    assert code == 3
    assert [each["purpose"] for each in written["costs"]] == ["entities", "relations", "all"]
    with serving(Writer({**FACTS, THIRD: [fact("Uma", "adopted", "Bolt", "Uma adopted Bolt.", [1])]})) as server:
        code, written = run(mini, server, "--extractor", "llm-two-stage")
        assert [function(each) for each in server.requests] == ["list_entities", "write_facts"]
    assert code == 0
    assert written["rows"][0]["failed"] == 0


@pytest.mark.slow
def test_some_windows(mini: Mini) -> None:
    """With fewer windows, only reference triples with all of their evidence in them count."""
    with serving(Writer({**FACTS, THIRD: []})) as server:
        seen = set()
        for seed in range(6):
            _, written = run(mini, server, "--windows", "1", "--seed", str(seed), "--sample", "mini-1")
            (row,) = written["rows"]
            seen.add((row["slice"], row["windows"], row["reference"]))
    # the cat is told in both sessions
    assert seen <= {("all", 1, 2), ("all", 1, 1)}
    assert len(seen) == 2


def test_message_pairs(mini: Mini) -> None:
    """Windows of two messages, as the paper has them: five of eight messages in three sessions."""
    nothing: Mapping[str, Sequence[Any] | None] = {"[": []}
    with serving(Writer(nothing)) as server:
        code, written = run(mini, server, "--message-pairs")
        assert len(server.requests) == 5
    row = written["rows"][0]
    assert (code, row["windows"], row["messages"], row["facts"], row["recovered"]) == (0, 5, 8, 0, 0.0)
    assert row["dates"] is None


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--windows", "some"], "--windows is 'some'"),
        (["--windows", "0"], "--windows is '0'"),
        (["--sample", "mini-9"], "no sample 'mini-9'"),
        ([], "OPENAI_API_KEY"),
    ],
)
def test_a_mistake_is_one_line(
    mini: Mini,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    problem: str,
) -> None:
    """Invalid options end with one line, a hint and exit code 1; so does a missing key when a reply is not cached."""
    monkeypatch.delenv("OPENAI_API_KEY")
    code, written = run(mini, None, *options)
    assert (code, written) == (1, {})
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("benchmarks: ")
    assert problem in line + hint
