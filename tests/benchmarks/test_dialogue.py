"""The benchmark of Chinese dialogues, on small data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.dialogue.command import AMONG_ALL, AMONG_ITS_OWN, measure
from benchmarks.dialogue.ranking import BASELINES, bigrams, bm25, characters
from benchmarks.dialogue.reading import QUESTIONS, Dialogue, read_dialogues
from benchmarks.embedders import TimedEmbedder
from benchmarks.memories import memory_in
from benchmarks.timing import QueryTimes
from mem0g.testing import HashingEmbedder

TURNS = [
    "Speaker 1: 早上好！今天天气真不错。",
    "Speaker 2: 是啊。你看见林晓了吗？她说要来吃早饭。",
    "Speaker 1: 还没有。对了，林晓是我大学同学，你知道吗？",
    "Speaker 2: 不知道！我只听说她的丈夫开了一家面馆。",
    "Speaker 1: 没错，王强做的面条很好吃，同学们都爱去。",
]
RELATIONS = [
    {"x": "林晓", "y": "Speaker 1", "r": ["per:alumni"], "t": ["同学"]},
    {"x": "林晓", "y": "王强", "r": ["per:spouse", "per:alternate_names"], "t": ["丈夫", ""]},
    {"x": "Speaker 1", "y": "林晓", "r": ["per:alumni", "unanswerable"], "t": ["同学", "早饭"]},
    {"x": "王强", "y": "面馆", "r": ["per:place_of_work"], "t": ["厨房"]},
]
OTHER = ["Speaker 1: 火车几点开？", "Speaker 2, Speaker 3: 八点半，我们快走吧。"]


def write(folder: Path, content: object) -> Path:
    """``content`` as a file in ``folder``."""
    path = folder / "talk.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A file of two dialogues, of which one has relations."""
    return write(tmp_path, [[TURNS, RELATIONS], [OTHER, []]])


def read(talk: Path) -> list[Dialogue]:
    """The dialogues of the file."""
    return read_dialogues(talk)


def test_questions_and_their_turns(talk: Path) -> None:
    """A relation is asked of its subject; its turns have the trigger, and of several those with the relation's ends."""
    first, second = read(talk)
    gold = {question.text: (set(question.gold), question.named) for question in first.questions}
    assert gold == {
        "林晓的同学是谁？": ({"dialogue-1:2", "dialogue-1:4"}, True),
        QUESTIONS["per:spouse"].replace("{}", "林晓"): ({"dialogue-1:3"}, True),
        "Speaker 1的同学是谁？": ({"dialogue-1:2", "dialogue-1:4"}, False),
    }
    assert [turn.speaker for turn in second.turns] == ["Speaker 1", "Speaker 2, Speaker 3"]
    assert not second.questions


def test_terms_of_the_baselines() -> None:
    """Plain BM25 uses single characters, or bigrams within a run; punctuation is dropped."""
    assert characters("你好, AB！") == ["你", "好", "a", "b"]
    assert bigrams("你好吗, A！") == ["你好", "好吗", "a"]


def test_bm25_finds_the_turn(talk: Path) -> None:
    """The turn that shares the rare characters comes first; ties stay in order."""
    ranker = bm25(read(talk)[0].turns, characters)
    assert ranker("面条好吃")[0] == "dialogue-1:4"
    assert list(ranker("？？")) == [f"dialogue-1:{place}" for place in range(5)]


def test_rows_of_every_method(talk: Path) -> None:
    """Each method has rows among a dialogue's turns and among all, with shares in percent that rise with k."""
    embedder = TimedEmbedder(HashingEmbedder(512))
    times = QueryTimes(embedder)
    with memory_in("sqlite", embedder, "none") as memory:
        rows = measure(memory, read(talk), (1, 5), times)
    places = {(row["method"], row["among"], row["k"], row["n"]) for row in rows}
    methods = {"mem0g", *BASELINES}
    assert places == {(m, a, k, n) for m in methods for a, n in ((AMONG_ITS_OWN, 3), (AMONG_ALL, 2)) for k in (1, 5)}
    assert len(times.milliseconds) == 3 + 2
    for row in rows:
        assert 0 <= row["recall"] <= row["hit"] <= 100
        assert row["k"] == 1 or row["among"] == AMONG_ALL or row["recall"] == 100


def test_from_the_command_line(talk: Path, tmp_path: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints its tables and writes OUT.json with the checksum of what it read."""
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["dialogue", "--data", str(talk), "--k", "2", "--out", str(out)])
    assert ended.value.code == 0
    written = json.loads(out.read_text())
    assert {Path(name).name for name in written["data_sha256"]} == {"talk.json"}
    assert {row["k"] for row in written["rows"]} == {2}
    assert AMONG_ALL in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"data": []}, "is no DialogRE"),
        ([[TURNS]], "is no DialogRE"),
        ([[TURNS, [{"x": "林晓"}]]], "is no DialogRE"),
        ([[[1], []]], "is no DialogRE"),
        ([[TURNS, []]], "no question to ask"),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: object, problem: str
) -> None:
    """A file of another format or without questions ends with one line, a hint and exit code 1, and writes nothing."""
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["dialogue", "--data", str(write(tmp_path, content)), "--out", str(out)])
    assert ended.value.code == 1
    relation_, hint = capsys.readouterr().err.strip().splitlines()
    assert problem in relation_
    assert hint.startswith("hint: ")
    assert not out.exists()
