"""The conflict benchmark on conversations whose triples invalidate earlier ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.conflict.candidates import Candidates, KnownTriples, most_similar, one_hop, same_subject
from benchmarks.conflict.references import Gold, read_gold, read_references
from benchmarks.conflict.retirements import Retirements, engine_retirements, measured, tables
from benchmarks.embedders import WordEmbedder
from benchmarks.report import Row
from mem0g.errors import InputError, TripleError
from mem0g.model import Triple

EMBEDDER = WordEmbedder()

SESSIONS = [
    ["Nora: I plan to visit Iceland, and I live in Leeds.", "Sam: I want a cat."],
    ["Nora: Iceland was great! By the way, my favorite color is red.", "Sam: Nice. I got a cat, Tom."],
    ["Nora: I moved to Bergen.", "Nora: And my favorite color is blue now."],
]


def ingested(number: str, subject: str, relation: str, obj: str, turn: str, *invalidates: str) -> dict[str, Any]:
    """A line of the reference triples."""
    sentence = f"{subject} {relation.replace('_', ' ')} {obj}."
    triple = {"subject": subject, "relation": relation, "object": obj, "fact": sentence}
    return {"id": number, **triple, "evidence": [turn], "invalidates": list(invalidates)}


LINES = [
    ingested("1", "Nora", "plans_to_visit", "Iceland", "D1:1"),
    ingested("2", "Nora", "lives_in", "Leeds", "D1:1"),
    ingested("3", "Sam", "wants", "a cat", "D1:2"),
    ingested("4", "Nora", "visited", "Iceland", "D2:1", "1"),
    ingested("5", "Nora", "favorite_color", "red", "D2:1"),
    ingested("6", "Sam", "has_pet", "Tom", "D2:2", "3"),
    ingested("7", "Nora", "moved_to", "Bergen", "D3:1", "2"),
    ingested("8", "Nora", "favorite_color", "blue", "D3:2"),
]
"""Of the three pairs the rules find the visit and the move; that a color was changed is not among the gold."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The conversation, and the folder of its triples."""
    conversation: dict[str, Any] = {"speaker_a": "Nora", "speaker_b": "Sam"}
    for number, session in enumerate(SESSIONS, start=1):
        conversation[f"session_{number}_date_time"] = f"1:56 pm on {number} May, 2023"
        conversation[f"session_{number}"] = [
            {"speaker": (said := line.split(": ", 1))[0], "dia_id": f"D{number}:{place}", "text": said[1]}
            for place, line in enumerate(session, start=1)
        ]
    asked = [{"question": "Where?", "answer": "…", "category": 4, "evidence": ["D1:1"]}]
    data = tmp_path / "talk.json"
    data.write_text(json.dumps([{"sample_id": "talk", "conversation": conversation, "qa": asked}]), encoding="utf-8")
    write(tmp_path, LINES)
    return data, tmp_path


def write(folder: Path, lines: list[dict[str, Any]]) -> None:
    """Write the triples of the conversation."""
    (folder / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


def row(rows: list[Row], part: str, method: str, data: str = "locomo") -> Row:
    """Return the only row of a part, a method and data."""
    (found,) = (each for each in rows if (each["part"], each["method"], each["data"]) == (part, method, data))
    return found


def test_the_rows(files: tuple[Path, Path]) -> None:
    """The engine and the baselines have a row for all conversations, the engine one for each as well."""
    rows = measured(*files, EMBEDDER)
    candidates = ["mem0g", "similar-5", "similar-10", "similar-20", "same-subject", "mem0-one-hop", "mem0g"]
    assert [each["method"] for each in rows if each["part"] == "candidates"] == candidates
    outcomes = ["mem0g-rules", "later-of-relation", "similar-0.8-of-subject", "mem0g-rules"]
    assert [each["method"] for each in rows if each["part"] == "retirements"] == outcomes
    assert {each["n"] for each in rows} == {3}
    assert {part: len(some) for part, some in tables(rows).items()} == {"candidates": 7, "retirements": 4}
    found = row(rows, "retirements", "mem0g-rules")
    assert (found["retired"], found["precision"], found["recall"], found["false_per_1000"]) == (3, 66.67, 66.67, 125.0)
    assert row(rows, "retirements", "mem0g-rules", "talk") == found | {"data": "talk"}
    shown = row(rows, "candidates", "mem0g")
    assert shown["shown"] >= 66.67
    assert shown["calls"] > 0
    assert shown["prompt_tokens"] > 100
    assert row(rows, "candidates", "similar-20")["shown"] == 100.0
    assert row(rows, "candidates", "similar-20")["mean"] == 3.5
    assert row(rows, "candidates", "same-subject")["shown"] == 100.0


def test_what_the_baselines_show(files: tuple[Path, Path]) -> None:
    """All earlier ones, the most similar first; those of its subject; those at a node of a similar name."""
    (gold,) = read_gold(*files)
    known = KnownTriples(gold, EMBEDDER)
    assert known.shown(most_similar(1)).facts["8"] == ["5"]
    assert known.shown(same_subject).facts["6"] == ["3"]
    assert known.shown(one_hop).facts["4"] == ["1", "2"]
    assert known.shown(same_subject).counts == [0, 1, 0, 2, 3, 1, 4, 5]


def test_gold_pairs_on_merged_facts(files: tuple[Path, Path]) -> None:
    """Triples that became one fact share its retirement; a pair whose ends are one fact is lost."""
    (gold,) = read_gold(*files)
    assert gold.pairs == [("4", "1"), ("6", "3"), ("7", "2")]
    fact_of = {"1": "plan", "2": "home", "3": "cat", "4": "visit", "6": "cat", "7": "move"}
    outcomes = Retirements(gold, fact_of, frozenset({("visit", "plan"), ("visit", "home")}))
    assert (outcomes.right, outcomes.found, outcomes.facts) == (frozenset({("visit", "plan")}), 1, 5)
    again = replace(gold, references=(*gold.references, replace(gold.references[3], id="9")))
    outcomes = Retirements(again, fact_of | {"9": "visit"}, frozenset({("visit", "plan")}))
    assert (len(outcomes.right), outcomes.found) == (1, 2), "one retirement, two gold pairs"


def test_the_gold_is_not_told_to_the_engine(files: tuple[Path, Path]) -> None:
    """The engine retires the same facts whatever the gold says."""
    data, folder = files
    (gold,) = read_gold(data, folder)
    before = engine_retirements(gold, EMBEDDER)
    write(folder, [line | {"invalidates": ["3"] if line["id"] == "8" else []} for line in LINES])
    (other,) = read_gold(data, folder)
    assert other.pairs == [("8", "3")]
    assert engine_retirements(other, EMBEDDER).pairs == before.pairs


def test_a_triple_without_a_turn_is_not_told(files: tuple[Path, Path]) -> None:
    """It has no position in the conversation; its pairs stay in the gold."""
    data, folder = files
    write(folder, [line | {"evidence": ["D9:9"]} if line["id"] == "1" else line for line in LINES])
    (gold,) = read_gold(data, folder)
    assert "1" not in gold.triples
    assert len(gold.pairs) == 3
    assert Candidates(gold, {"4": ["2"], "6": ["3"]}).found == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (LINES[0] | {"id": None}, "talk.jsonl, triple 2: the id is None"),
        (LINES[0] | {"id": "2"}, "triple 2: the id is '2'"),
        (LINES[0] | {"id": "8", "invalidates": ["9"]}, r"triple 2: invalidates \['9'\]"),
        (LINES[0] | {"id": "8", "invalidates": "2"}, "triple 2: invalidates '2'"),
    ],
)
def test_bad_gold(tmp_path: Path, line: dict[str, Any], problem: str) -> None:
    """The error names a line without an id of its own, or one that invalidates a triple that is not before it."""
    write(tmp_path, [LINES[1], line])
    with pytest.raises(InputError, match=problem):
        read_references(tmp_path / "talk.jsonl")


def test_no_gold(files: tuple[Path, Path]) -> None:
    """Without a triple that invalidates another, or without a file, there is nothing to measure."""
    data, folder = files
    write(folder, [line | {"invalidates": []} for line in LINES])
    with pytest.raises(InputError, match="invalidates another"):
        measured(data, folder, EMBEDDER)
    with pytest.raises(TripleError, match="no such file"):
        measured(data, folder / "elsewhere", EMBEDDER)


def test_the_triples_as_they_are_told(files: tuple[Path, Path]) -> None:
    """Evidence is named as in a memory, the rest is unchanged."""
    (gold,) = read_gold(*files)
    triple = gold.triples["4"]
    assert isinstance(triple, Triple)
    assert triple.evidence[0].startswith("m_")
    assert replace(triple, evidence=("D2:1",)) == gold.references[3].triple
    assert isinstance(gold, Gold)
