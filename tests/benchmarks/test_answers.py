"""The answers benchmark on the small LOCOMO, with a model on a local server."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.answers.figures import bleu1, f1, wilson
from benchmarks.answers.systems import FACT_SYSTEMS
from mem0g import Memory
from mem0g.transcripts import read_files
from tests.benchmarks.mini import ASKED, Mini
from tests.benchmarks.scripted import ALWAYS, Reader, function, prompt
from tests.llm.server import Asked, Reply, Server, call, refused, serving

GOLD = {
    "Where did Nora move?": "Bergen",
    "What pet does Sam have, and who sends greetings?": "a cat, Pixel",
    "When did Sam lose his job?": "late May 2023",
    "Would Nora enjoy a clay museum?": "Yes, she takes pottery classes",
    "What did Uma adopt?": "a tortoise",
    "What did Raj buy?": "a telescope",
}
SAID = GOLD | {"What pet does Sam have, and who sends greetings?": "a dog"}
PARTLY = GOLD | {"When did Sam lose his job?": "May 2023", "Where did Nora move?": "Oslo"}
LATE = "When did Sam lose his job?"
NEVER = "Would Nora enjoy a clay museum?"
TWICE = "What did Raj buy?"


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Reach local servers without a proxy, and forget detected server capabilities."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for name in ("OPENAI_BASE_URL", "MEM0G_MODEL", "MEM0G_EMBEDDER", "MEM0G_STORE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def asked(mini: Mini, minilm: None) -> Mini:
    """The small LOCOMO with gold answers; one of them is correct only in the audit."""
    document = json.loads(mini.data.read_text())
    for sample in document:
        for question in sample["qa"]:
            question["answer"] = GOLD.get(question["question"], "…")
    document[0]["qa"][0]["answer"] = "Oslo"
    mini.data.write_text(json.dumps(document))
    errors = json.loads(mini.audit.read_text())
    errors[1]["correct_answer"] = "Bergen"
    mini.audit.write_text(json.dumps(errors))
    return mini


def run(mini: Mini, server: Server, *options: str, facts: Sequence[str] | None = None) -> tuple[int, dict[str, Any]]:
    """Return the command's exit code, and OUT.json."""
    folder = mini.data.parent
    out = folder / "out.json"
    files = ["--data", str(mini.data), "--audit", str(mini.audit), "--out", str(out)]
    model = ["--model", "tiny", "--base-url", server.base_url, "--llm-cache", str(folder / "replies.jsonl")]
    told = ["--triples", str(mini.triples)] if facts is None else list(facts)
    with pytest.raises(SystemExit) as ended:
        main(["answers", *files, *model, *told, *options])
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(out.read_text()) if out.exists() else {}


def row(written: dict[str, Any], method: str, name: str = "all") -> dict[str, Any]:
    """Return the only row of a system and slice."""
    (found,) = (each for each in written["rows"] if (each["method"], each["slice"]) == (method, name))
    return dict(found)


@pytest.mark.slow
def test_right_wrong_and_failing(asked: Mini, capsys: pytest.CaptureFixture[str]) -> None:
    """A failed question is retried at the end; one that fails again is reported, in no figure, with exit code 3."""
    script = Reader(SAID, bad={LATE: 2, NEVER: ALWAYS}, unjudged={TWICE: 2})
    with serving(script) as server:
        code, written = run(asked, server, "--systems", "mem0g", "--budget", "250")
    assert code == 3
    found = row(written, "mem0g")
    low, high = (round(100 * share, 1) for share in wilson(4, 5))
    assert (found["n"], found["failed"], found["J"]) == (5, 1, 80.0)
    assert (found["low"], found["high"]) == (low, high) == (37.6, 96.4)
    assert (found["strict"], found["strict_low"], found["strict_high"]) == (80.0, low, high)
    # "a dog" shares "a" of "a cat, pixel": F1 2 * 1/2 * 1/3 / (1/2 + 1/3), BLEU-1 exp(1 - 4/2) * 1/2
    assert found["f1"] == round(100 * (4 + 0.4) / 5, 1)
    assert found["bleu1"] == round(100 * (4 + 0.36788 / 2) / 5, 1)
    assert (row(written, "mem0g", "3")["n"], row(written, "mem0g", "3")["J"]) == (0, None)
    assert row(written, "mem0g", "4")["J"] == 100
    assert {each["question"]: each["label"] for each in written["questions"]} == {
        question: None if question == NEVER else "CORRECT" if SAID[question] == GOLD[question] else "WRONG"
        for question in GOLD
    }
    (failed,) = (each for each in written["questions"] if "problem" in each)
    assert failed["question"] == NEVER
    assert "the answer is empty" in failed["problem"]
    printed = capsys.readouterr()
    assert f"failed: mini-1, {NEVER!r}, mem0g at 250: answer:" in printed.err
    assert "data_sha256: " in printed.out
    # each question once, what failed once more; a bad reply is followed by its repair
    assert script.seen["answer", "Where did Nora move?"] == 1
    assert script.seen["answer", LATE] == 3
    assert script.seen["answer", NEVER] == 4
    assert (script.seen["answer", TWICE], script.seen["label", TWICE]) == (1, 3)


@pytest.mark.slow
def test_a_run_again_asks_only_what_is_missing(asked: Mini) -> None:
    """A second run asks only what failed, a third nothing; figures and answer times cover all questions."""
    options = ("--systems", "mem0g,rag-64", "--budget", "100")
    with serving(Reader(SAID, bad={NEVER: ALWAYS})) as server:
        code, first = run(asked, server, *options)
    with serving(Reader(SAID)) as server:
        again, second = run(asked, server, *options)
        asked_again = Counter(map(function, server.requests))
        assert asked_again["give_answer"] == 2
        assert asked_again["give_labels"] == 1  # one sheet for both systems
    with serving([refused(500, "nobody is at home")]) as server:
        third_code, third = run(asked, server, *options)
        assert server.requests == []
    assert (code, again, third_code) == (3, 0, 0)
    assert row(second, "mem0g")["n"] == row(third, "mem0g")["n"] == ASKED
    kept = [each["seconds"] for each in third["questions"]]
    assert kept == [each["seconds"] for each in second["questions"]]
    assert None not in kept
    assert kept[0] == first["questions"][0]["seconds"]
    assert row(third, "rag-64")["total_p95"] > row(third, "rag-64")["search_p95"]


def test_the_judge_sees_no_context(asked: Mini) -> None:
    """The judge is another model, shown question, gold and answer, but not the context."""
    with serving(Reader(SAID)) as server, serving(Reader(SAID)) as judge:
        options = ("--judge-model", "strict", "--judge-base-url", judge.base_url)
        run(asked, server, "--systems", "full-context", *options)
        assert {function(each) for each in server.requests} == {"give_answer"}
        assert {function(each) for each in judge.requests} == {"give_labels"}
        assert {each.json["model"] for each in judge.requests} == {"strict"}
        assert sum("lopsided clay mug" in prompt(each) for each in server.requests) == 4
        assert not any("lopsided clay mug" in text for each in judge.requests for _, text in each.texts)


@pytest.mark.slow
def test_rows_of_every_system(asked: Mini) -> None:
    """Every system has rows; those with a budget have one for each, and keep within it; others do not."""
    systems = "mem0g,sentences,facts,entities,triples,rag-128,rag-64-k2,full-context"
    with serving(Reader(SAID)) as server:
        code, written = run(asked, server, "--systems", systems, "--budget", "40", "--budget", "250")
    assert code == 0
    found = {(each["method"], each.get("budget")): each for each in written["rows"] if each["slice"] == "all"}
    budgeted = {(name, budget) for name in FACT_SYSTEMS for budget in (40, 250)}
    assert set(found) == budgeted | {("rag-128", None), ("rag-64-k2", None), ("full-context", None)}
    assert all(each["tokens"] <= budget for (_, budget), each in found.items() if budget)
    assert found["rag-64-k2", None]["tokens"] <= 2 * 64 + 2
    assert all(each["n"] == ASKED and each["J"] == each["strict"] == 83.3 for each in found.values())
    assert written["versions"]["model"] == written["versions"]["judge_model"] == "tiny"
    names = {Path(name).name for name in written["data_sha256"]}
    assert names == {"mini.json", "audit.json", "mini-1.jsonl", "mini-2.jsonl", "answer.md", "judge.md"}


def test_partly_right_is_not_strict(asked: Mini, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer with a part of the gold one is right by the paper's rule alone; both figures are in all tables."""
    with serving(Reader(PARTLY)) as server:
        _, written = run(asked, server, "--systems", "full-context")
    found = row(written, "full-context")
    assert (found["J"], found["strict"]) == (83.3, 66.7)
    assert (row(written, "full-context", "2")["J"], row(written, "full-context", "2")["strict"]) == (100, 0)
    labels = {each["question"]: (each["label"], each["strict"]) for each in written["questions"]}
    assert labels["When did Sam lose his job?"] == ("CORRECT", False)
    assert labels["Where did Nora move?"] == ("WRONG", False)
    printed = capsys.readouterr()
    assert "strictly right by category" in printed.out
    assert "tiny judges its own answers" in printed.err


def test_one_sheet_a_question(asked: Mini) -> None:
    """The judge sees the answers of all systems together, equal ones once: each has the same labels."""

    def wavering(request: Asked) -> Reply:
        whole = function(request) == "give_answer" and "13:56 | Nora" in prompt(request)
        return (other if whole else reader)(request)

    reader, other = Reader(GOLD), Reader(PARTLY)
    with serving(wavering) as server:
        _, written = run(asked, server, "--systems", "rag-64,rag-128,full-context", "--seed", "3")
    assert len(reader.sheets) == ASKED
    for question in GOLD:
        rows = [each for each in written["questions"] if each["question"] == question]
        assert len(rows) == 3
        by_answer = {(each["answer"].casefold(), each["label"], each["strict"]) for each in rows}
        assert len(by_answer) == len({each["answer"].casefold() for each in rows})
    assert {len(each) for each in reader.sheets} <= {1, 2}


def test_a_sheet_that_stays_bad(asked: Mini) -> None:
    """All answers to its question are left without labels, and reported."""
    with serving(Reader(GOLD, unjudged={TWICE: ALWAYS})) as server:
        code, written = run(asked, server, "--systems", "rag-64,full-context")
    failed = [each for each in written["questions"] if "problem" in each]
    assert (code, [each["question"] for each in failed]) == (3, [TWICE, TWICE])
    assert all(each["problem"].startswith("judge: ") and each["label"] is each["strict"] is None for each in failed)


def test_a_draw_of_one_sample(asked: Mini) -> None:
    """Only the questions drawn of the samples named are asked."""
    with serving(Reader(SAID)) as server:
        _, written = run(asked, server, "--systems", "full-context", "--sample", "mini-2", "--questions", "1")
    (question,) = written["questions"]
    assert question["sample"] == "mini-2"


def test_facts_of_a_model(asked: Mini) -> None:
    """With --facts llm the model extracts first; a conversation without facts is accepted."""

    reader = Reader(SAID)

    def extracting(request: Asked) -> Reply:
        nothing: dict[str, list[str]] = {"entities": [], "facts": []}
        return call(nothing, "remember") if function(request) == "remember" else reader(request)

    with serving(extracting) as server:
        code, written = run(asked, server, "--systems", "mem0g", "--budget", "100", facts=["--facts", "llm"])
        assert sum(function(each) == "remember" for each in server.requests) == 3
    assert code == 0
    assert written["facts"] == "llm"


def test_a_memory_that_is_there_already(asked: Mini, tmp_path: Path) -> None:
    """--user asks about a conversation in a store, which is left unchanged."""
    store = tmp_path / "kept.db"
    with Memory.open(store, extractor="rules") as memory:
        memory.add(read_files([asked.data], format="locomo", sample="mini-1").utterances, user_id="pair")
        before = memory.stats(all_scopes=True)
    mine = ["--store", str(store), "--user", "pair", "--sample", "mini-1"]
    with serving(Reader(SAID)) as server:
        code, written = run(asked, server, "--systems", "mem0g,rag-64", "--budget", "100", facts=mine)
        assert any("Bergen" in prompt(each) for each in server.requests)
    with Memory.open(store, extractor="none") as memory:
        assert memory.stats(all_scopes=True) == before
    assert (code, row(written, "mem0g")["n"]) == (0, 4)
    assert written["facts"] == f"of pair in {store}"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--systems", "mem0g,oracle"], "unknown system 'oracle'"),
        (["--systems", " , "], "no system is named"),
        (["--systems", "rag-0"], "unknown system 'rag-0'"),
        (["--sample", "mini-9"], "no sample 'mini-9'"),
        ([], "no source of facts is given"),
        (["--facts", "triples"], "no --triples given"),
        (["--user", "pair"], "--user pair names a memory that exists already"),
        (["--user", "pair", "--store", "{folder}/a.db"], "--user pair has one sample, and 2 are asked about"),
        (["--user", "pair", "--store", "{folder}/a.db", "--sample", "mini-1"], "{folder}/a.db"),
    ],
)
def test_a_mistake_is_one_line(
    asked: Mini, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], problem: str
) -> None:
    """Invalid options end with one line, a hint and exit code 1, before any model is asked."""
    with serving([]) as server:
        code, written = run(asked, server, *(each.format(folder=tmp_path) for each in options), facts=[])
        assert server.requests == []
    line, hint = capsys.readouterr().err.strip().splitlines()[-2:]
    assert (code, written) == (1, {})
    assert problem.format(folder=tmp_path) in line
    assert hint.startswith("hint: ")


def test_a_model_that_is_not_there(asked: Mini, capsys: pytest.CaptureFixture[str]) -> None:
    """A rejected key would fail every question: it ends the run at once."""
    with serving([refused(401, "Incorrect API key provided")]) as server:
        code, written = run(asked, server, "--systems", "full-context", "--llm-concurrency", "1")
        assert len(server.requests) <= ASKED  # none a second time
    assert (code, written) == (1, {})
    assert "key" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("the red Fox, jumps", "The fox jumped", 4 / 7),  # 2 of 4, 2 of 3
        ("Bergen", "bergen.", 1),
        ("ha ha ha", "ha", 1),  # sets
        ("in Oslo", "Bergen", 0),
        ("", "Bergen", 0),
        ("yes", "?!", 0),
    ],
)
def test_f1(answer: str, gold: str, expected: float) -> None:
    """F1 is the harmonic mean of the shares of common words, as sets, without case and . , ! ?"""
    assert f1(answer, gold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("the the cat", "the cat sat", 2 / 3),  # "the" counts once
        ("Bergen", "in Bergen, Norway", 0.049787),  # exp(1 - 4)
        ("it was in Bergen", "Bergen", 0.25),
        ("Nora's sister", "nora's sister", 1),
        ("in Oslo", "Bergen", 0),
        ("", "Bergen", 0),
    ],
)
def test_bleu1(answer: str, gold: str, expected: float) -> None:
    """BLEU-1 is the clipped share of the answer's words, less for an answer shorter than the gold one."""
    assert bleu1(answer, gold) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("right", "n", "expected"),
    [(8, 10, (0.4902, 0.9433)), (0, 5, (0.0, 0.4345)), (5, 5, (0.5655, 1.0)), (54, 60, (0.7985, 0.9534))],
)
def test_wilson(right: int, n: int, expected: tuple[float, float]) -> None:
    """The interval is Wilson's with 95%: not symmetric, within 0 and 1, and never empty."""
    assert wilson(right, n) == pytest.approx(expected, abs=5e-5)
