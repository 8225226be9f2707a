"""The benchmark of chats, on a small invented one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.chats.asking import REPLY, Cosine
from benchmarks.chats.command import Extractor, measure
from benchmarks.chats.figures import BY_NAME, COUNTED, FIRST_PERSON, STORED, Answered, answered, means, rows
from benchmarks.chats.reading import Chat, DatedSentence, read_chats, read_dates
from benchmarks.embedders import TimedEmbedder
from benchmarks.timing import QueryTimes
from mem0g.errors import InputError
from mem0g.testing import HashingEmbedder

SAID = [
    ("user", "I play the cello in a quartet."),
    ("assistant", "Lovely!"),
    ("user", "My cello teacher is Mr Abara."),
    ("user", "My cello teacher is Ms Finch now."),
]
QUESTIONS: list[dict[str, str | None]] = [
    {
        "question": "Who is Juno's cello teacher?",
        "first_person": "Who is my cello teacher?",
        "answers": "Finch",
        "outdated": "teacher is Mr Abara",
    },
    {"question": "Which instrument does Juno play?", "answers": "play the cello", "outdated": None},
]
DATED: list[dict[str, str | None]] = [
    {"said": "I moved to Oslo on 3 May 2021.", "at": "2024-03-02T12:00:00Z", "from": "2021-05-03", "to": None},
    {"said": "Hm.", "at": "2024-03-02T12:00:00Z", "from": "2024-03-02|2024", "to": "2024-03-03"},
]


def write(file: Path, lines: Sequence[Mapping[str, object]]) -> Path:
    """Write ``lines`` to a file of JSON Lines."""
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a chat of messages, its questions, and dated sentences."""
    data = tmp_path / "chats"
    data.mkdir()
    write(data / "juno.jsonl", [{"role": role, "content": text, "session": "s"} for role, text in SAID])
    write(data / "juno.questions.jsonl", QUESTIONS)
    write(data / "dates.jsonl", DATED)
    return data


def test_chats_and_dates_are_read(folder: Path) -> None:
    """A chat has its messages and questions; a question without a first person is asked as it is."""
    (chat,), files = read_chats(folder)
    assert chat.name == "juno"
    assert [each.text for each in chat.messages] == [text for _, text in SAID]
    assert [each.first_person for each in chat.questions] == ["Who is my cello teacher?", QUESTIONS[1]["question"]]
    assert [file.name for file in files] == ["juno.jsonl", "juno.questions.jsonl"]
    sentences, _ = read_dates(folder)
    assert [each.begins for each in sentences] == [{"2021-05-03"}, {"2024-03-02", "2024"}]


def test_a_chat_of_any_format(folder: Path) -> None:
    """The transcript is recognised by its content, whatever the ending of its name."""
    (folder / "club.txt").write_text("Ada: I sing alto.\nBen: I sing bass.\n", encoding="utf-8")
    write(folder / "club.questions.jsonl", [{"question": "What does Ada sing?", "answers": "alto"}])
    chats, _ = read_chats(folder)
    assert [(chat.name, len(chat.messages)) for chat in chats] == [("club", 2), ("juno", len(SAID))]


def test_questions_without_a_chat(folder: Path) -> None:
    """Questions need exactly one file of messages."""
    write(folder / "lost.questions.jsonl", QUESTIONS)
    with pytest.raises(InputError, match="0 files have the messages"):
        read_chats(folder)


@pytest.mark.parametrize("line", ["{", '{"question": "Who?"}', '{"question": "Who?", "answers": "("}', "[]"])
def test_questions_that_cannot_be_read(folder: Path, line: str) -> None:
    """The error names the file and the line."""
    (folder / "juno.questions.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"juno.questions.jsonl, line 2 cannot be read"):
        read_chats(folder)


class Fixed:
    """A method that finds the same texts for every question, and after the questions are stored those first."""

    name = "fixed"

    def __init__(self, *found: str) -> None:
        self.found = list(found)

    def store(self, questions: Sequence[str]) -> None:
        """Find the questions first."""
        self.found = [*questions, REPLY, *self.found]

    def hits(self, question: str) -> list[str]:
        """Return the texts."""
        return self.found

    def context(self, question: str) -> str:
        """Return the texts as one."""
        return "\n".join(self.found)


def ask(chat: Chat, *found: str) -> dict[str, Answered]:
    """Ask the first question of the chat of a method that finds ``found``; return the answers by way of asking."""
    only = Chat(chat.name, chat.messages, chat.questions[:1])
    return {each.asked: each for each in answered(Fixed(*found), only)}


def marks(answer: Answered) -> set[str]:
    """What counts for or against the answer."""
    return {name for name in COUNTED if getattr(answer, name)}


def test_what_counts_as_answered(folder: Path) -> None:
    """The current statement answers; an outdated one above it counts against it; stored questions answer nothing."""
    (chat,), _ = read_chats(folder)
    fine = ask(chat, "The teacher is Ms Finch.", "The teacher is Mr Abara.")
    assert marks(fine[BY_NAME]) == {"top1", "top3", "context"}
    assert marks(fine[STORED]) == {"top3", "context", "asks"}
    late = ask(chat, "The teacher is Mr Abara.", "Is it Ms Finch?")
    assert marks(late[FIRST_PERSON]) == {"top3", "context", "outdated"}
    assert marks(ask(chat, "Who is it? ")[BY_NAME]) == {"asks"}
    assert marks(ask(chat)[BY_NAME]) == {"unknown"}


def test_rows_of_several_chats(folder: Path) -> None:
    """Each chat has a row for each method and way of asking; several chats have rows for all of them too."""
    (chat,), _ = read_chats(folder)
    one = list(answered(Fixed("Ms Finch"), chat))
    assert [(row["chat"], row["asked"], row["n"], row["top1"]) for row in rows(one)] == [
        ("juno", BY_NAME, 2, 1),
        ("juno", FIRST_PERSON, 2, 1),
        ("juno", STORED, 2, 0),
    ]
    two = [*one, *answered(Fixed("Ms Finch"), Chat("copy", chat.messages, chat.questions))]
    assert [(row["chat"], row["n"]) for row in rows(two)][-1] == ("all", 4)
    assert len(rows(two)) == 9


def test_cosine_over_messages() -> None:
    """The baseline finds the message with the question's words, and packs lines with their speakers."""
    method = Cosine([], HashingEmbedder(512))
    method.store(["Who bakes bread?", "Who is late?"])
    assert method.hits("bakes bread")[0] == "Who bakes bread?"
    assert method.context("bakes bread").startswith("user: Who bakes bread?")


def test_dates_that_a_sentence_means(folder: Path) -> None:
    """One of the dates found has to be a beginning, and an end where the sentence has one."""
    sentences, _ = read_dates(folder)
    assert means(sentences[0], [("2020", ""), ("2021-05-03", "")])
    assert not means(sentences[1], [("2024", "")])
    assert means(sentences[1], [("2024", "2024-03-03")])
    assert not means(DatedSentence("", sentences[0].at, frozenset({"2024"}), frozenset()), [])


def test_measured(folder: Path) -> None:
    """Every method has a row for each way of asking, and the rules one on dates."""
    chats, _ = read_chats(folder)
    sentences, _ = read_dates(folder)
    embedder = TimedEmbedder(HashingEmbedder(512))
    given, dates = measure(chats, sentences, "sqlite", embedder, QueryTimes(embedder))
    assert {(row["method"], row["n"]) for row in rows(given)} == {
        ("mem0g, rules", 2),
        ("mem0g, none", 2),
        ("cosine over messages", 2),
    }
    assert dates == [{"method": "mem0g, rules", "n": 2, "right": 1}]
    _, dates = measure(chats, sentences, "sqlite", embedder, QueryTimes(embedder), Extractor.none)
    assert dates == []


def test_command(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints the table and writes OUT.json; a folder without questions is an error."""
    out = tmp_path / "chats.json"
    with pytest.raises(SystemExit) as done:
        main(["chats", "--data", str(folder), "--out", str(out), "--extractor", "none", "--verbose"])
    assert done.value.code == 0
    written = json.loads(out.read_text("utf-8"))
    assert written["benchmark"] == "chats"
    assert set(written["data_sha256"]) == {"chats/juno.jsonl", "chats/juno.questions.jsonl", "chats/dates.jsonl"}
    assert "questions answered" in capsys.readouterr().out
    with pytest.raises(SystemExit) as failed:
        main(["chats", "--data", str(tmp_path)])
    assert failed.value.code == 1
    assert "has no chats" in capsys.readouterr().err
