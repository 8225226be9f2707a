"""The BEAM benchmark on a small chat, through the real engine."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.beam.command import measure
from benchmarks.beam.examination import tau_b
from benchmarks.beam.figures import Asked, rows
from benchmarks.beam.methods import Found
from benchmarks.beam.reading import BeamQuestion, ids_in, read_chats
from benchmarks.beam.requests import answer_request, rubric_request
from benchmarks.embedders import TimedEmbedder
from benchmarks.memories import memory_in
from benchmarks.timing import QueryTimes
from mem0g.llm.prompts import Prompts
from mem0g.testing import HashingEmbedder
from tests.benchmarks.scripted import function, prompt
from tests.llm.server import Asked as Asked_
from tests.llm.server import Reply, Server, call, refused, serving

SAID = {
    "1": [
        "I am writing a budget tracker in Flask 2.3.1, and the first sprint ends on March 29.",
        "Great! Begin with the database schema, then add the login page.",
        "Password hashing with Werkzeug works now.",
        "Well done. Add an account lockout next.",
    ],
    "2": ["I bake sourdough bread every Sunday.", "Keep the starter at room temperature."],
    "3": ["My telescope shows the rings of Saturn.", "A filter helps against moonlight."],
}
QUESTIONS: dict[str, Any] = {
    "information_extraction": [
        {
            "question": "When does my first sprint end?",
            "answer": "March 29",
            "source_chat_ids": [0],
            "rubric": ["March 29"],
        }
    ],
    "event_ordering": [
        {
            "question": "In which order did I bring up sprints and hashing?",
            "answer": "…",
            "source_chat_ids": [[0], {"b": "2"}],
        }
    ],
    "summarization": [{"question": "What have we covered?", "ideal_summary": "…", "source_chat_ids": [99]}],
    "abstention": [{"question": "What is my dentist called?", "ideal_response": "no information", "rubric": ["none"]}],
}


def write_chat(folder: Path, name: str, questions: object = None) -> Path:
    """Write a chat of one batch, and its questions."""
    own = folder / name
    own.mkdir(parents=True)
    turns = [
        [{"role": ("user", "assistant")[place % 2], "id": place, "content": text}]
        for place, text in enumerate(SAID[name])
    ]
    batch = {"batch_number": 1, "time_anchor": "March-15-2024", "turns": turns}
    (own / "chat.json").write_text(json.dumps([batch]))
    (own / "probing_questions.json").write_text(json.dumps(QUESTIONS if questions is None else questions))
    return own


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three chats with the same questions."""
    for name in SAID:
        write_chat(tmp_path / "100K", name)
    return tmp_path / "100K"


def asked(data: Path, stretch: int = 0) -> list[Asked]:
    """Ask the questions of the first chat, with word vectors."""
    embedder = TimedEmbedder(HashingEmbedder(512))
    with memory_in("sqlite", embedder, "rules") as memory:
        return measure(memory, read_chats(data, ["1"]), read_chats(data), (20, 250), stretch, QueryTimes(embedder))


def test_evidence_in_any_shape() -> None:
    """Ids are numbers or text, in lists and objects at any depth; what is neither is ignored."""
    assert list(ids_in({"first": [1, [2, "3"]], "second": {"a": 4}})) == ["1", "2", "3", "4"]
    assert list(ids_in(7)) == ["7"]
    assert list(ids_in([None, True, 1.5, []])) == []


def test_questions_without_evidence_are_counted(data: Path) -> None:
    """A question whose evidence names no message is left out; one about what was never said has none to name."""
    (chat,) = read_chats(data, ["1"])
    assert [(each.ability, sorted(each.gold)) for each in chat.questions] == [
        ("information_extraction", ["0"]),
        ("event_ordering", ["0", "2"]),
        ("abstention", []),
    ]
    assert chat.unasked == 1
    assert {each.source for each in chat.messages} == {"1"}


def test_rows_of_every_method_budget_and_ability(data: Path) -> None:
    """All methods are measured within the same budgets; abstention has no evidence and is not part of all."""
    found = rows(asked(data))
    methods = {"mem0g", "bm25-windows", "dense-messages", "dense-passages"}
    slices = {"all", "information_extraction", "event_ordering", "abstention"}
    assert {(row["method"], row["budget"], row["slice"]) for row in found} == {
        (method, budget, name) for method in methods for budget in (20, 250) for name in slices
    }
    assert all(row["tokens"] <= row["budget"] for row in found)
    assert all(row["n"] == (2 if row["slice"] == "all" else 1) for row in found)
    assert all((row["evidence"] is None) == (row["slice"] == "abstention") for row in found)
    assert all((row["unknown"] is None) == (row["method"] != "mem0g") for row in found)
    assert all(row["evidence"] == 100 for row in found if row["budget"] == 250 and row["slice"] == "all")


@pytest.mark.parametrize("stretch", [1, 2])
def test_chats_around_it_are_noise(data: Path, stretch: int) -> None:
    """Messages of other chats have the same ids, and count for nothing."""
    (first, *_) = (each for each in asked(data, stretch) if each.method == "mem0g" and each.budget == 250)
    assert first.covered == 1
    assert first.found.messages <= {"0", "1", "2", "3"}
    whole = [each for each in asked(data, stretch) if each.budget == 250 and each.method != "mem0g"]
    assert all("Flask" in each.found.text for each in whole)
    assert all("sourdough" in each.found.text for each in whole)


def test_what_is_unknown_is_counted_apart() -> None:
    """A context that says that nothing is known is right for abstention, and wrong for other questions."""
    found = [
        Asked(
            chat="1",
            question=BeamQuestion("?", ability, gold),
            method="mem0g",
            budget=9,
            found=Found("", frozenset(), known),
        )
        for ability, gold, known in [
            ("abstention", frozenset[str](), False),
            ("summarization", frozenset(["1"]), False),
            ("summarization", frozenset(["1"]), True),
        ]
    ]
    assert {row["slice"]: row["unknown"] for row in rows(found)} == {"all": 50, "abstention": 100, "summarization": 50}


def test_the_command_writes_rows_and_misses(data: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """OUT.json has the rows, and for each question of mem0g what was missed."""
    out = data.parent / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["beam", "--data", str(data), "--chat", "1", "--budget", "60", "--out", str(out), "--no-baselines"])
    assert ended.value.code == 0
    written = json.loads(out.read_text())
    assert {row["method"] for row in written["rows"]} == {"mem0g"}
    assert (written["facts"], written["stretch"]) == ("rules", 0)
    assert {(each["ability"], each["budget"]) for each in written["questions"]} == {
        (ability, 60) for ability in ("information_extraction", "event_ordering", "abstention")
    }
    assert all({*each["covered"], *each["missed"]} <= {"0", "2"} for each in written["questions"])
    assert "1 questions without evidence are left out" in capsys.readouterr().err


def scripted(bad: str = "") -> Callable[[Asked_], Reply]:
    """A model that knows when the sprint ends, and judges by words; it never answers the question ``bad``."""

    def reply(request: Asked_) -> Reply:
        if function(request) == "give_answer":
            question = prompt(request).rsplit("Request: ", 1)[1]
            known = "March 29" if "March 29" in prompt(request) else "nothing"
            said = " " if question == bad else f"1. hashing 2. sprints, {known}"
            return call({"reasoning": "it says so", "answer": said}, "give_answer")
        answer, items = prompt(request).split("Response:\n")[1].split("\n\nCriteria:\n")
        scores = [
            {"number": number, "reason": "-", "score": float(item in answer), "place": 3 - number}
            for number, item in re.findall(r"\[(\d+)\] (.*)", items)
            for number in [int(number)]
        ]
        return call({"scores": scores}, "give_scores")

    return reply


def answered(data: Path, server: Server, *options: str, asking: bool = True) -> tuple[int, dict[str, Any]]:
    """Return the command's exit code, and OUT.json; with ``asking`` the questions are answered and judged."""
    out = data.parent / "out.json"
    model = ["--model", "tiny", "--base-url", server.base_url, "--llm-cache", str(data.parent / "replies.jsonl")]
    run = ["beam", "--data", str(data), "--chat", "1", "--budget", "250", "--no-baselines", "--out", str(out)]
    with pytest.raises(SystemExit) as ended:
        main([*run, *(["--answers"] if asking else []), *model, *options])
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(out.read_text())


@pytest.fixture
def direct(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, minilm: None) -> None:
    """Reach local servers without a proxy, and forget detected server capabilities."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def test_answers_are_scored_item_by_item(data: Path, direct: None) -> None:
    """The mean of the rubric's items, from the context and from the whole conversation; orders have one more figure."""
    questions = json.loads((data / "1" / "probing_questions.json").read_text())
    questions["event_ordering"][0]["rubric"] = ["sprints", "hashing", "tests"]
    (data / "1" / "probing_questions.json").write_text(json.dumps(questions))
    with serving(scripted()) as server:
        code, written = answered(data, server)
        kinds = [function(each) for each in server.requests]
        assert kinds.count("give_answer") == 6
        assert 3 <= kinds.count("give_scores") <= 6  # equal answers to a question are judged once
        whole = [prompt(each) for each in server.requests if "Begin with the database schema" in prompt(each)]
        assert len(whole) >= 3
    found = {(row["method"], row["slice"]): row for row in written["answers"]}
    assert code == 0
    for method in ("mem0g", "full-conversation"):
        assert found[method, "information_extraction"]["rubric"] == 100
        assert found[method, "event_ordering"]["rubric"] == pytest.approx(66.67)
        assert found[method, "event_ordering"]["order"] == pytest.approx(66.67)
        assert found[method, "abstention"]["rubric"] == 0
        assert found[method, "all"]["rubric"] == pytest.approx(55.56)
        assert (found[method, "all"]["n"], found[method, "all"]["calls"]) == (3, 2)
        assert found[method, "all"]["tokens"] > found[method, "all"]["context"] > 0
    assert written["versions"]["judge_model"] == "tiny"
    assert {Path(name).name for name in written["data_sha256"]} >= {"answer.md", "rubric.md"}
    with serving([refused(500, "nobody is at home")]) as server:
        again, second = answered(data, server)
        assert server.requests == []
    assert (again, second["answered"]) == (0, written["answered"])


def test_what_fails_is_told(data: Path, direct: None, capsys: pytest.CaptureFixture[str]) -> None:
    """A question without an answer is retried, then reported; it counts in no figure."""
    with serving(scripted(bad="When does my first sprint end?")) as server:
        code, written = answered(data, server)
    (row,) = (row for row in written["answers"] if (row["method"], row["slice"]) == ("mem0g", "all"))
    assert (code, row["n"], row["failed"]) == (3, 2, 1)
    printed = capsys.readouterr().err
    assert "failed: chat 1, 'When does my first sprint end?', mem0g at 250:" in printed


def sceptical(unusable: str = "") -> Callable[[Asked_], Reply]:
    """A model that does not know of hashing; its replies about ``unusable`` cannot be used."""

    def reply(request: Asked_) -> Reply:
        context, question = prompt(request).split("The question:\n")
        if unusable and unusable in question:
            return call({"found": "", "missing": "", "known": True}, "check")
        if "dentist" in question:
            return call({"found": "", "missing": "the dentist", "known": False}, "check")
        if "hashing" in question:
            return call({"found": "", "missing": "the order", "known": False}, "check")
        assert "March 29" in context
        return call({"found": "March 29", "missing": "", "known": True}, "check")

    return reply


def test_contexts_are_checked(data: Path, direct: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The share that the model does not know, of abstention and of the others; what fails is reported."""
    with serving(sceptical()) as server:
        code, written = answered(data, server, "--check", asking=False)
        assert {"Today is Friday, 2024-03-15." in prompt(each) for each in server.requests} == {True}
    found = {row["slice"]: row for row in written["checks"]}
    assert (code, "answers" in written, written["versions"]["model"]) == (0, False, "tiny")
    assert (found["abstention"]["checked"], found["abstention"]["n"], found["abstention"]["covered"]) == (100, 1, None)
    assert (found["all"]["checked"], found["all"]["covered"], found["all"]["n"]) == (50, 50, 2)
    assert found["all"]["tokens"] > 0
    assert {each["missing"] for each in written["checked"] if not each["known"]} == {"the dentist", "the order"}
    (dentist,) = (each for each in written["checked"] if each["ability"] == "abstention")
    assert dentist["context"]  # the best hits, of which the context without a check says that nothing is known
    assert found["abstention"]["unknown"] == 100
    assert "check.md" in {Path(name).name for name in written["data_sha256"]}
    (data.parent / "replies.jsonl").unlink()
    with serving(sceptical(unusable="first sprint")) as server:
        code, written = answered(data, server, "--check", asking=False)
    (row,) = (row for row in written["checks"] if row["slice"] == "all")
    assert (code, row["n"], row["failed"]) == (3, 1, 1)
    assert "failed: chat 1, 'When does my first sprint end?', mem0g at 250:" in capsys.readouterr().err


@pytest.mark.parametrize(("places", "tau"), [([1, 2, 3], 1), ([3, 2, 1], -1), ([2, 2], 0), ([5], 0), ([], 0)])
def test_tau(places: list[int], tau: float) -> None:
    """1 for the same order, -1 for the opposite one, 0 where nothing is ordered."""
    assert tau_b(places) == tau


def test_an_item_that_is_not_named_comes_last() -> None:
    """Items that the answer does not name share the last place: here after both others."""
    assert round(tau_b([1, 2, 4, 4]), 3) == round(5 / 30**0.5, 3)


def test_prompts_as_they_are_sent() -> None:
    """The whole prompts, as a model reads them."""
    asked = answer_request(Prompts(), "When does it end?", "Said:\n  alex: It ends on March 29.")
    judged = rubric_request(Prompts(), "When does it end?", "On March 29.", ["says March 29", "names the\nyear"])
    sheets = {"beam-answer": (asked.system, asked.prompt), "beam-rubric": (judged.system, judged.prompt)}
    for name, (system, sheet) in sheets.items():
        sent = f"{system}\n\n---\n\n{sheet.user}\n"
        assert sent == (Path(__file__).parent / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("breaks", "options", "problem"),
    [
        ("", ["--chat", "9"], "no chat '9'"),
        ("", ["--stretch", "3"], "--stretch 3 needs 4 chats"),
        ("", ["--facts", "llm"], "no --llm-cache given"),
        ("", ["--answers"], "no --llm-cache given"),
        ("", ["--check"], "no --llm-cache given"),
        ("chats", [], "has no chats"),
        ("questions", [], "has no questions"),
        ("evidence", [], "has no question to ask"),
        ("json", [], "cannot be read"),
        ("ids", [], "has 2 messages of id 0"),
    ],
)
def test_a_mistake_is_one_line(
    data: Path, capsys: pytest.CaptureFixture[str], breaks: str, options: list[str], problem: str
) -> None:
    """Bad data and options end with one line, a hint and exit code 1, and write nothing."""
    _break(data, breaks)
    out = data.parent / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["beam", "--data", str(data), "--out", str(out), *options])
    assert ended.value.code == 1
    line, hint = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("benchmarks: ")
    assert problem in line
    assert hint.startswith("hint: ")
    assert not out.exists()


def _break(data: Path, what: str) -> None:
    chat, questions = data / "1" / "chat.json", data / "1" / "probing_questions.json"
    if what == "chats":
        for each in data.glob("*/chat.json"):
            each.unlink()
    if what == "questions":
        questions.unlink()
    if what == "evidence":
        questions.write_text(json.dumps({"summarization": QUESTIONS["summarization"]}))
    if what == "json":
        questions.write_text("{")
    if what == "ids":
        document = json.loads(chat.read_text())
        document[0]["turns"][1][0]["id"] = 0
        chat.write_text(json.dumps(document))
