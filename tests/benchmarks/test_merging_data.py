"""The four kinds of gold for node matching, each from a small file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.merge.characters import read_people, shares
from benchmarks.merge.datasets import read_conversations, read_dialogues, read_documents
from benchmarks.merge.scenes import Data
from mem0g.errors import InputError

TRIPLES = [
    ("1-1", 1, "Nora", "person", "visited", "her friends", "person"),
    ("1-2", 1, "Nora", "person", "opened", "studio", "business"),
    ("2-1", 2, "Nora's friends", "person", "love", "Nora's studio", "business"),
    ("2-2", 2, "Sam", "person", "visited", "his friends", "person"),
]
CLUSTERS = [
    {"name": "Nora", "type": "person", "mentions": [["1-1", "subject"], ["1-2", "subject"]]},
    {"name": "Nora's friends", "type": "person", "mentions": [["1-1", "object"], ["2-1", "subject"]]},
    {"name": "studio", "type": "business", "mentions": [["1-2", "object"], ["2-1", "object"]]},
]
DOCUMENT = {
    "title": "Nora Berg",
    "sents": [["Nora", "Berg", "of", "Norway", "sang", "."], ["Berg", "is", "Norwegian", "."]],
    "vertexSet": [
        [
            {"name": "Berg", "type": "PER", "sent_id": 1, "pos": [0, 1]},
            {"name": "Nora Berg", "type": "PER", "sent_id": 0, "pos": [0, 2]},
        ],
        [
            {"name": "Norway", "type": "LOC", "sent_id": 0, "pos": [3, 4]},
            {"name": "Norwegian", "type": "LOC", "sent_id": 1, "pos": [2, 3]},
        ],
    ],
    "labels": [],
}
DIALOGUE: list[Any] = [
    ["Speaker 1: Hi Nora! Hi, Uma Lund!", "Speaker 2: Hi, dear.", "Speaker 3: Uma, dear, this is Bergen."],
    [
        {"x": "Speaker 2", "y": "Nora", "r": ["per:alternate_names"], "x_type": "PER", "y_type": "PER"},
        {"x": "Speaker 3", "y": "Uma", "r": ["per:alternate_names"], "x_type": "PER", "y_type": "PER"},
        {"x": "Speaker 3", "y": "Uma Lund", "r": ["per:alternate_names"]},
        {"x": "Speaker 1", "y": "dear", "r": ["per:alternate_names"]},
        {"x": "Speaker 3", "y": "dear", "r": ["per:alternate_names"]},
        {"x": "Bergen", "y": "Nora", "r": ["gpe:visitors_of_place"]},
    ],
]


def utterance(speaker: str, text: str, *mentions: list[Any]) -> dict[str, Any]:
    """An utterance, its words as tokens, with mentions in it."""
    return {
        "speakers": [speaker],
        "transcript": text,
        "tokens": [text.split()],
        "character_entities": [list(mentions)],
    }


NORA, IDA = "Nora Berg", "Ida Berg"
SEASON = {
    "episodes": [
        {
            "episode_id": "e1",
            "scenes": [
                {
                    "utterances": [
                        utterance(NORA, "I called my sister .", [0, 1, NORA], [3, 4, IDA]),
                        utterance(IDA, "You know me , Nora .", [0, 1, NORA], [2, 3, IDA], [4, 5, NORA]),
                        utterance(NORA, "We and his sister and some guys .", [0, 1, NORA, IDA], [3, 4, IDA]),
                        utterance(NORA, "Guys !", [0, 1, "#GENERAL#"]),
                        {"speakers": [], "transcript": "", "tokens": None, "character_entities": None},
                    ]
                }
            ],
        }
    ]
}


def write(path: Path, document: object) -> Path:
    """The document as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def write_lines(path: Path, *documents: object) -> Path:
    """The documents as lines of a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, documents)) + "\n\n", encoding="utf-8")
    return path


def write_conversation(folder: Path) -> tuple[Path, Path]:
    """The folders of triples and gold of one conversation."""
    keys = ("id", "session", "subject", "subject_type", "relation", "object", "object_type")
    told = [dict(zip(keys, each, strict=True)) for each in TRIPLES]
    triples = [{**each, "fact": f"{each['subject']} {each['relation']} {each['object']}."} for each in told]
    write_lines(folder / "triples" / "c-1.jsonl", *triples)
    write_lines(folder / "entities" / "c-1.jsonl", *CLUSTERS)
    return folder / "triples", folder / "entities"


def ends(data: Data) -> list[tuple[str, str, str]]:
    """Return name, type and label of each judged end of the first scene."""
    return [(end.name, end.type, end.label) for end in data.scenes[0].ends if end.label]


def test_a_conversation(tmp_path: Path) -> None:
    """A session is a window; ends of one cluster share a label, and one in no cluster has its own."""
    data = read_conversations(*write_conversation(tmp_path))
    assert [[triple.object for triple in window.triples] for window in data.scenes[0].windows] == [
        ["her friends", "studio"],
        ["Nora's studio", "his friends"],
    ]
    labels = {(name, place): label for place, (name, _, label) in enumerate(ends(data))}
    assert labels["her friends", 1] == labels["Nora's friends", 4]
    assert labels["studio", 3] == labels["Nora's studio", 5]
    assert len(set(labels.values())) == 5
    assert len(data.files) == 2


def test_a_document(tmp_path: Path) -> None:
    """Names in the order of the text, in pairs within their sentences, which are the triples' texts."""
    data = read_documents(write(tmp_path / "dev.json", [DOCUMENT]))
    assert ends(data) == [
        ("Nora Berg", "PER", "0"),
        ("Norway", "LOC", "1"),
        ("Berg", "PER", "0"),
        ("Norwegian", "LOC", "1"),
    ]
    (window,) = data.scenes[0].windows
    assert window.triples[1].text == "Berg is Norwegian ."


def test_a_dialogue(tmp_path: Path) -> None:
    """Names of one speaker are one person; the speaker's label is no name, and a name of two people is not judged."""
    data = read_dialogues(write(tmp_path / "en.json", [DIALOGUE]))
    assert data.name == "dialogre en"
    labels = {name: label for name, _, label in ends(data)}
    assert list(labels) == ["Nora", "Uma Lund", "Uma", "Bergen"]
    assert labels["Uma"] == labels["Uma Lund"] != labels["Nora"] != labels["Bergen"]
    assert {name: kind for name, kind, _ in ends(data)} == {
        "Nora": "PER",
        "Uma Lund": "per",
        "Uma": "PER",
        "Bergen": "gpe",
    }
    assert data.scenes[0].windows[0].speakers == ("Speaker 1", "Speaker 2", "Speaker 3")


def test_people(tmp_path: Path) -> None:
    """The mentions of each speaker that refer to one person: "I", names, and the speaker's relatives."""
    data = read_people(write(tmp_path / "dev.json", SEASON))
    told = [(each.subject, each.object) for window in data.scenes[0].windows for each in window.triples]
    assert told == [(NORA, "I"), (NORA, "my sister"), (IDA, "me"), (IDA, "Nora")]
    assert [window.speakers for window in data.scenes[0].windows] == [(NORA,), (IDA,)]


def test_shares_of_people(tmp_path: Path) -> None:
    """A mention is right in the node with most of its person's mentions, if most of that node's are the person's."""
    data = read_people(write(tmp_path / "dev.json", SEASON))
    all_right = ["n", "n", "n", "i", "i", "i", "i", "n"]
    assert shares(data, [all_right]) == {"first_person": 100.0, "named": 100.0, "kin": 100.0}
    somewhere = ["n", "x", "n", "s", "i", "i", "i", "n"]
    assert shares(data, [somewhere]) == {"first_person": 50.0, "named": 100.0, "kin": 0.0}
    everyone = ["n"] * 8
    assert shares(data, [everyone]) == {"first_person": 50.0, "named": 100.0, "kin": 0.0}


@pytest.mark.parametrize("read", [read_documents, read_dialogues, read_people])
def test_another_file(read: Any, tmp_path: Path) -> None:
    """A file of another format, or an empty one, is refused with its name and a hint."""
    documents: list[Any] = [{"a": 1}, [{"a": 1}], [], {"episodes": []}]
    for document in documents:
        with pytest.raises(InputError, match=r"other\.json") as refused:
            read(write(tmp_path / "other.json", document))
        assert refused.value.hint


def test_gold_that_does_not_fit(tmp_path: Path) -> None:
    """Gold without triples, of other triples, or malformed is refused."""
    triples, entities = write_conversation(tmp_path)
    write_lines(entities / "c-1.jsonl", {"name": "x", "mentions": [["9-9", "subject"]]})
    with pytest.raises(InputError, match="9-9"):
        read_conversations(triples, entities)
    write_lines(entities / "c-1.jsonl", {"name": "x", "mentions": [["1-1", "middle"]]})
    with pytest.raises(InputError, match="line 1"):
        read_conversations(triples, entities)
    with pytest.raises(InputError, match="no such file"):
        read_conversations(tmp_path, entities)
    with pytest.raises(InputError, match="has no"):
        read_conversations(triples, tmp_path)
