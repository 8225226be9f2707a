"""The BEAM benchmark on a small chat, through the real engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main
from benchmarks.beam.command import measure
from benchmarks.beam.figures import Asked, rows
from benchmarks.beam.methods import Found
from benchmarks.beam.reading import BeamQuestion, ids_in, read_chats
from benchmarks.embedders import TimedEmbedder
from benchmarks.memories import memory_in
from benchmarks.timing import QueryTimes
from mem0g.testing import HashingEmbedder

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


@pytest.mark.parametrize(
    ("breaks", "options", "problem"),
    [
        ("", ["--chat", "9"], "no chat '9'"),
        ("", ["--stretch", "3"], "--stretch 3 needs 4 chats"),
        ("", ["--facts", "llm"], "no --llm-cache given"),
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
