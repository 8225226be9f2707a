"""The benchmark of strategies on the small LOCOMO, without a model and with one on a local server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.locomo import read_conversations
from benchmarks.strategies.figures import rows
from benchmarks.strategies.picture import draw
from benchmarks.strategies.running import FactSource, Setup, run
from mem0g.errors import InputError
from mem0g.settings import LLMSettings
from mem0g.strategies import STRATEGIES
from mem0g.testing import HashingEmbedder
from tests.benchmarks.mini import ASKED, QUESTIONS, Mini
from tests.benchmarks.scripted import Reader, function
from tests.llm.server import Asked, Reply, call, serving

NAMES = [name for name in STRATEGIES if name != "dense-memories"]


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reach local servers without a proxy, and forget detected server capabilities."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def measured(mini: Mini, facts: FactSource = FactSource.rules) -> list[dict[str, Any]]:
    """Return the rows of all strategies that need no model, with word vectors."""
    conversations = read_conversations(mini.data, mini.audit)
    setup = Setup(store="sqlite", facts=facts, llm=LLMSettings(), triples=mini.triples)
    return rows(run(NAMES, conversations, (30, 250), setup, HashingEmbedder(256)))


@pytest.mark.parametrize("facts", [FactSource.rules, FactSource.triples])
def test_rows_of_every_strategy(mini: Mini, facts: FactSource) -> None:
    """Each has a row for each budget and keeps to it; the full history has one, with everything in it."""
    found = {(row["strategy"], row.get("budget")): row for row in measured(mini, facts)}
    expected = {(name, budget) for name in NAMES[1:] for budget in (30, 250)} | {("full-history", None)}
    assert set(found) == expected
    assert list(dict.fromkeys(name for name, _ in found)) == NAMES
    for (_, budget), row in found.items():
        assert row["n"] == ASKED
        assert row["tokens"] <= (budget or 1000)
        assert row["calls"] == 0
        assert 0 <= row["recall"] <= 100
        assert row["add_ms"] > 0
    assert found["full-history", None]["recall"] == 100
    assert found["knowledge-graph", 250]["recall"] == 100
    assert found["sliding-window", 30]["recall"] < 100
    assert found["relevance-filter", 250]["recall"] > 0


@pytest.mark.slow
def test_a_picture(mini: Mini, tmp_path: Path) -> None:
    """Recall against tokens, equal from one run to the next; of a kind that cannot be drawn, an error."""
    pytest.importorskip("matplotlib", reason="make install installs it")
    found = [
        {"strategy": name, "tokens": 100 * place + 1, "recall": 9.0 * place} for place, name in enumerate(STRATEGIES)
    ]
    pictures = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in pictures:
        draw(found, "a title", path)
    one, two = (path.read_text() for path in pictures)
    assert one == two
    assert all(name in one for name in (*STRATEGIES, "a title", "evidence recall, %"))
    with pytest.raises(InputError, match="cannot draw"):
        draw(found, "a title", tmp_path / "one.docx")


def model(asked: Asked) -> Reply:
    """Remembers every new message, adds every memory, sums up, and answers and judges as a Reader of golds."""
    name = function(asked)
    user = asked.texts[1][1]
    if name == "keep_summary":
        return call({"summary": "They talk."}, name)
    if name == "remember":
        return call({"entities": [], "facts": []}, name)
    if name == "remember_sentences":
        new = [line for line in user.split("New messages:", 1)[1].splitlines() if line.startswith("[")]
        made = [{"text": line.split("] ", 1)[1], "messages": [int(line[1 : line.index("]")])]} for line in new]
        return call({"memories": made}, name)
    if name == "update_memory":
        numbers = [
            int(line[1 : line.index("]")]) for line in user.split("New memories:")[1].split("\n") if line[:1] == "["
        ]
        usual = {"memory": None, "text": None, "reason": None}
        return call({"decisions": [{"number": number, "operation": "ADD", **usual} for number in numbers]}, name)
    return Reader({text: "…" for asked_of in QUESTIONS.values() for text, _, _ in asked_of})(asked)


@pytest.mark.slow
def test_from_the_command_line_with_a_model(mini: Mini, tmp_path: Path, minilm: None) -> None:
    """A model extracts, sums up, makes dense memories, answers and judges; OUT.json says what was asked of it."""
    out, cache = tmp_path / "out.json", tmp_path / "replies.jsonl"
    files = ["--data", str(mini.data), "--audit", str(mini.audit), "--out", str(out), "--llm-cache", str(cache)]
    chosen = [
        argument for name in ("summary", "knowledge-graph", "dense-memories") for argument in ("--strategy", name)
    ]
    with serving(model) as server:
        asked = ["--model", "tiny", "--base-url", server.base_url, "--facts", "llm", "--answers", "--questions", "4"]
        with pytest.raises(SystemExit) as ended:
            main(["strategies", *files, *chosen, *asked, "--budget", "100"])
    assert ended.value.code == 0
    written = json.loads(out.read_text())
    found = {row["strategy"]: row for row in written["rows"]}
    assert set(found) == {"summary", "knowledge-graph", "dense-memories"}
    assert found["dense-memories"]["calls"] > found["knowledge-graph"]["calls"] > 0
    assert {row["judged"] for row in found.values()} == {4}
    assert {row["J"] for row in found.values()} == {100.0}
    assert written["facts"] == "llm"
    assert written["versions"]["model"] == "tiny"
    assert "answer.md" in " ".join(written["data_sha256"])


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--facts", "triples"], "no --triples given"),
        (["--answers"], "no --llm-cache given"),
        (["--strategy", "magic"], "unknown strategy 'magic'"),
        (["--strategy", "dense-memories"], "dense-memories needs a model"),
        (["--sample", "conv-0"], "no sample 'conv-0'"),
    ],
)
def test_a_mistake_is_one_line(
    mini: Mini, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    """Invalid options end with one line, a hint and exit code 1, and write nothing."""
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["strategies", "--data", str(mini.data), "--out", str(out), *arguments])
    assert ended.value.code == 1
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert problem in line
    assert hint.startswith("hint: ")
    assert not out.exists()
