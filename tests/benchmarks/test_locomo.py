"""LOCOMO's questions: which are asked, and how their evidence is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.locomo import read_conversations, turn_ids
from mem0g.errors import InputError, TranscriptError
from tests.benchmarks.mini import ASKED, Mini, sample


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (["D1:3"], ["D1:3"]),
        (["D8:6; D9:17"], ["D8:6", "D9:17"]),
        (["D1:18 D1:20"], ["D1:18", "D1:20"]),
        (["D:11:26"], ["D11:26"]),
        (["D30:05"], ["D30:5"]),
        (["D10:10", "D010:010"], ["D10:10"]),
        (["D"], []),
        (["D3"], []),
        ([""], []),
        ([], []),
    ],
)
def test_evidence_is_normalised(evidence: list[str], expected: list[str]) -> None:
    """The typos of the official file still resolve to their turns, each once and in order."""
    assert turn_ids(evidence) == expected


def test_questions_that_are_asked(mini: Mini) -> None:
    """Categories 1 to 4 with evidence that names a turn are asked; the rest is skipped."""
    conversations = read_conversations(mini.data, mini.audit)
    assert [conversation.id for conversation in conversations] == ["mini-1", "mini-2"]
    questions = [question for conversation in conversations for question in conversation.questions]
    assert len(questions) == ASKED
    assert {question.category for question in questions} == {1, 2, 3, 4}


def test_gold_of_each_question(mini: Mini) -> None:
    """Gold has only existing turns, with typos repaired, and the audit's where it corrects the official evidence."""
    questions = read_conversations(mini.data, mini.audit)[0].questions
    assert [sorted(question.gold) for question in questions] == [["D1:1"], ["D1:2", "D2:3"], ["D2:1"], ["D1:3"]]


def test_without_the_audit(mini: Mini) -> None:
    """Without an audit the official evidence stands."""
    questions = read_conversations(mini.data)[0].questions
    assert questions[3].gold == {"D1:2"}


def test_turns(mini: Mini) -> None:
    """Turns come in order with their ids, and a photo's caption stays with its turn."""
    turns = read_conversations(mini.data)[0].turns
    assert [turn.source_id for turn in turns] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2", "D2:3"]
    assert "lopsided clay mug" in turns[2].text


def test_one_sample_by_itself(tmp_path: Path) -> None:
    """A file may hold one sample instead of a list."""
    path = tmp_path / "one.json"
    path.write_text(json.dumps(sample("mini-2")), encoding="utf-8")
    assert [conversation.id for conversation in read_conversations(path)] == ["mini-2"]


def test_a_conversation_without_questions_is_left_out(tmp_path: Path) -> None:
    """A sample without questions is left out, as it needs no ingest."""
    path = tmp_path / "two.json"
    path.write_text(json.dumps([sample("mini-1") | {"qa": []}, sample("mini-2")]), encoding="utf-8")
    assert [conversation.id for conversation in read_conversations(path)] == ["mini-2"]


def test_no_question_at_all(tmp_path: Path) -> None:
    """A file without questions is an error."""
    path = tmp_path / "none.json"
    path.write_text(json.dumps([sample("mini-1") | {"qa": []}]), encoding="utf-8")
    with pytest.raises(InputError, match="no question"):
        read_conversations(path)


def test_a_sample_without_qa(tmp_path: Path) -> None:
    """The error of a sample without a field of the schema names the field."""
    path = tmp_path / "short.json"
    path.write_text(json.dumps([{key: value for key, value in sample("mini-1").items() if key != "qa"}]))
    with pytest.raises(InputError, match="no 'qa'"):
        read_conversations(path)


def test_another_kind_of_file(tmp_path: Path) -> None:
    """A file of another format gets the error of the transcript readers."""
    path = tmp_path / "note.txt"
    path.write_text("Ann: hello")
    with pytest.raises(TranscriptError):
        read_conversations(path)
