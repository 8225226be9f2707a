"""What cannot be read is a one-line error that names it, with a hint."""

import json
from pathlib import Path

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_files, read_text

GOOD = '{"role": "user", "content": "hi"}'
SAMPLES = json.dumps(
    [
        {"sample_id": name, "conversation": {"session_1": [{"speaker": "Ann", "text": "hi", "dia_id": "D1:1"}]}}
        for name in ("conv-1", "conv-2")
    ]
)


def caught(paths: list[Path], format: str | None = None, sample: str | None = None) -> tuple[str, str]:  # noqa: A002
    """The error's message and hint, each of which is one line."""
    with pytest.raises(TranscriptError) as error:
        read_files(paths, format=format, sample=sample)
    message, hint = str(error.value), error.value.hint or ""
    assert hint
    assert "\n" not in message + hint
    return message, hint


def failing(path: Path, content: str | bytes, sample: str | None = None) -> tuple[str, str]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return caught([path], sample=sample)


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return tmp_path / "chat.jsonl"


def test_no_such_file(chat: Path) -> None:
    """The path is named."""
    assert caught([chat])[0] == f"no such file: {chat}"


def test_a_path_that_can_be_none(tmp_path: Path) -> None:
    """A text given in place of a path, or a file taken for a folder, is no crash."""
    assert "File name too long" in caught([Path("I moved to Oslo. " * 100)])[0]
    assert "null" in caught([Path("a\0b")])[0]
    file = tmp_path / "chat.txt"
    file.write_text("Ann: hi")
    assert "Not a directory" in caught([file / "x"])[0]


def test_a_folder_without_files(tmp_path: Path) -> None:
    """Hidden files do not count."""
    (tmp_path / ".hidden").write_text(GOOD)
    assert caught([tmp_path])[0] == f"{tmp_path} has no files"


def test_a_folder_with_nothing_readable(tmp_path: Path) -> None:
    """The hint says what is wrong with the files in it, also when another path could be read."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in "abcd":
        (folder / name).write_text("")
    good = tmp_path / "good.jsonl"
    good.write_text(GOOD)
    expected = (f"{folder} has no transcripts", "a is empty; b is empty; c is empty; ...")
    assert caught([folder]) == caught([good, folder]) == expected


@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file(chat: Path, content: bytes) -> None:
    """Nothing, blanks, or a byte order mark alone."""
    assert failing(chat, content)[0] == "chat.jsonl is empty"


@pytest.mark.parametrize("content", [b"Ann: \0", b"\x89PNG\r\n\x1a\n\0", "Ann: \0".encode("utf-16")])
def test_a_binary_file(chat: Path, content: bytes) -> None:
    """A NUL tells."""
    assert failing(chat, content)[0] == "chat.jsonl is binary, not text"


def test_another_encoding(chat: Path) -> None:
    """The first line that is not UTF-8 is named; so is a cut UTF-16."""
    assert failing(chat, b"Ann: hi\nAnn: caf\xe9\n")[0] == "chat.jsonl, line 2: not UTF-8"
    assert failing(chat, b"\xff\xfeA\0n")[0] == "chat.jsonl, line 1: not UTF-16"


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("broken", ["garbage", '{"role": "user", "content": "h', '{"role": "user" "content"}', "{}}"])
def test_a_broken_line_is_named(chat: Path, number: int, broken: str) -> None:
    """Wherever it stands and however it is broken, the rest tells that these are JSON Lines."""
    lines = [GOOD, GOOD, GOOD]
    lines[number - 1] = broken
    message, hint = failing(chat, "\n".join(lines))
    assert message.startswith(f"chat.jsonl, line {number}: broken JSON: ")
    assert hint == "repair or remove it"


def test_a_line_that_is_no_message_is_named(chat: Path) -> None:
    """JSON, but not an object; an object, but without a role; a number that cannot be loaded."""
    assert failing(chat, f"{GOOD}\n[1]")[0] == "chat.jsonl, line 2: expected an object, not '[1]'"
    assert failing(chat, f'{GOOD}\n{{"content": "hi"}}')[0] == "chat.jsonl, line 2: a message without a role"
    number = '{"role": "user", "content": "hi", "x": ' + "1" * 5000 + "}"
    assert failing(chat, f"{GOOD}\n{number}")[0].startswith("chat.jsonl, line 2: JSON that cannot be loaded")
    deep = '{"role": "user", "content": ' + "[" * 200_000 + "}"
    assert failing(chat, f"{GOOD}\n{deep}")[0].startswith("chat.jsonl, line 2: ")


def test_a_broken_document_is_named(chat: Path) -> None:
    """With the line on which it breaks."""
    assert failing(chat, f"[\n{GOOD},\n{GOOD}\n")[0].startswith("chat.jsonl, line 4: broken JSON: ")


def test_an_unknown_format(chat: Path) -> None:
    """The hint lists the formats; nothing is read before."""
    message, hint = caught([chat], format="word")
    assert message == "unknown format 'word'"
    assert hint.startswith("one of locomo, ")


def test_unrecognised_content(chat: Path) -> None:
    """The hint says how to force a format."""
    message, hint = failing(chat, "version: 1")
    assert message == "chat.jsonl is in no known format"
    assert hint.startswith("--format takes one of locomo, ")


@pytest.mark.parametrize("content", [None, "", " ", [], [{"type": "text", "text": ""}], 5])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_message_without_text(chat: Path, content: object, role: str) -> None:
    """The line is named; in a document, the message."""
    message = json.dumps({"role": role, "content": content})
    assert failing(chat, f"{GOOD}\n{message}")[0] == "chat.jsonl, line 2: a message without text"
    assert failing(chat, f"[{GOOD}, {message}]")[0] == "chat.jsonl, message 2: a message without text"


@pytest.mark.parametrize("role", ["critic", "", None, ["user"]])
def test_an_unknown_role(chat: Path, role: object) -> None:
    """It is named, and the hint lists those that are known."""
    message, hint = failing(chat, f"{GOOD}\n" + json.dumps({"role": role, "content": "hi"}))
    assert message == f"chat.jsonl, line 2: unknown role {role!r}"
    assert hint.startswith("one of user, assistant, system")


@pytest.mark.parametrize(
    "stamp", ["yesterday", "2024-02-31", "", True, [1], float("nan"), 1e30, -1e30, "0001-01-01T00:00+05:00"]
)
def test_an_unreadable_time(chat: Path, stamp: object) -> None:
    """It is named."""
    message, _ = failing(chat, f"{GOOD}\n" + json.dumps({"role": "user", "content": "hi", "timestamp": stamp}))
    assert message == f"chat.jsonl, line 2: cannot read the time {str(stamp)!r}"


def test_a_session_that_is_no_text(chat: Path) -> None:
    """The field is named."""
    message, _ = failing(chat, f"{GOOD}\n" + json.dumps({"role": "user", "content": "hi", "session": {"id": 1}}))
    assert message == "chat.jsonl, line 2: the session is not text: {'id': 1}"


def test_a_sample_that_is_not_there(chat: Path) -> None:
    """The hint lists those that are."""
    message, hint = failing(chat, SAMPLES, sample="conv-9")
    assert (message, hint) == ("chat.jsonl has no sample 'conv-9'", "it has conv-1, conv-2")


def test_a_sample_of_what_has_none(chat: Path) -> None:
    """The option is not passed over."""
    message, hint = failing(chat, GOOD, sample="conv-1")
    assert (message, hint) == ("chat.jsonl has no sample 'conv-1'", "it is openai-jsonl, which has no samples")


def test_nothing_but_tool_calls(chat: Path) -> None:
    """A transcript in which nobody says anything is an error, as file and as text."""
    text = '{"role": "assistant", "content": null, "tool_calls": [{}]}'
    assert failing(chat, text)[0] == "chat.jsonl has no messages"
    with pytest.raises(TranscriptError, match="has no messages"):
        read_text(text, "x")


def test_two_files_of_one_name(tmp_path: Path) -> None:
    """Their messages would be taken for one conversation's."""
    files = [tmp_path / folder / "chat.jsonl" for folder in "ab"]
    for file in files:
        file.parent.mkdir()
        file.write_text(GOOD)
    assert caught(files)[0] == f"{files[0]} and {files[1]} have the same name"
    assert len(read_files([tmp_path]).utterances) == 2
