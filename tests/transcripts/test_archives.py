"""Zip archives: what is in them, and those that were made to do harm."""

import json
import struct
import zipfile
from pathlib import Path

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import archives, read_files
from tests.transcripts.test_exports import slack_export

MESSAGE = '{"role": "user", "content": "hi"}\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chats.zip"


def pack(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def failing(path: Path) -> tuple[str, str]:
    with pytest.raises(TranscriptError) as caught:
        read_files([path])
    message, hint = str(caught.value), caught.value.hint or ""
    assert hint
    assert "\n" not in message + hint
    return message, hint


def test_the_files_in_an_archive(path: Path) -> None:
    """Their sources have the archive's name; media are counted, hidden files are not."""
    files: dict[str, str | bytes] = {
        "b/chat.jsonl": MESSAGE,
        "a.txt": "Ann: hi",
        "photo.jpg": b"\xff\xd8\0",
        "video.mp4": b"\0",
        "__MACOSX/._a.txt": "x",
        ".DS_Store": b"\0",
        "more.zip": b"PK\3\4\0",
        "settings.yaml": "version: 1",
    }
    read = read_files([pack(path, files)])
    assert [(each.source, each.text) for each in read.utterances] == [
        ("chats.zip/a.txt", "hi"),
        ("chats.zip/b/chat.jsonl", "hi"),
    ]
    reasons = {each.path.relative_to(path).as_posix(): each.reason for each in read.skipped}
    assert reasons == {
        "more.zip": "an archive within the archive: unpack it",
        ".": "2 of its files are empty or no text, such as photos",
        "settings.yaml": "chats.zip/settings.yaml is in no known format",
    }


def test_an_export_of_slack(tmp_path: Path, path: Path) -> None:
    """It is read as the folder is."""
    slack_export(tmp_path / "export")
    inside = {file.relative_to(tmp_path / "export").as_posix(): file for file in (tmp_path / "export").rglob("*.json")}
    pack(path, {name: file.read_text() for name, file in inside.items()})
    assert read_files([path]) == read_files([tmp_path / "export"])


def test_archives_in_a_folder(tmp_path: Path) -> None:
    """Two archives may have files of one name; one that is broken is skipped."""
    for name in ("a.zip", "b.zip"):
        pack(tmp_path / name, {"_chat.txt": "Ann: hi"})
    (tmp_path / "c.zip").write_bytes(b"PK\3\4rubbish")
    read = read_files([tmp_path])
    assert [each.source for each in read.utterances] == ["a.zip/_chat.txt", "b.zip/_chat.txt"]
    assert [each.path.name for each in read.skipped] == ["c.zip"]


@pytest.mark.parametrize("name", ["../../etc/chat.txt", "/etc/chat.txt", "a/../../chat.txt", "..\\chat.txt"])
def test_names_that_leave_the_archive(path: Path, name: str) -> None:
    """Such a file is skipped; nothing is ever written."""
    read = read_files([pack(path, {name: "Ann: hi", "good.txt": "Bob: ho"})])
    assert [each.speaker for each in read.utterances] == ["Bob"]
    assert [each.reason for each in read.skipped] == [f"{name.replace(chr(92), '/')!r} is no path within the archive"]
    message, _ = failing(pack(path, {name: "Ann: hi"}))
    assert message == "chats.zip has no text files"


def test_a_bomb(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large is not unpacked to the end, whatever size the archive states."""
    monkeypatch.setattr(archives, "MAX_MEMBER_SIZE", 1 << 20)
    pack(path, {"bomb.txt": "a" * (8 << 20)})
    assert failing(path)[0] == "chats.zip, bomb.txt: too large once unpacked"
    data = path.read_bytes()
    path.write_bytes(data.replace(struct.pack("<I", 8 << 20), struct.pack("<I", 10)))
    message, _ = failing(path)
    assert message.startswith(("chats.zip, bomb.txt: too large", "chats.zip is a broken archive", "chats.zip/bomb.txt"))


def test_many_files_that_are_too_large_together(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is on the sum too, and on the number of files."""
    monkeypatch.setattr(archives, "MAX_SIZE", 1 << 18)
    pack(path, {f"{n}.txt": "a" * (1 << 17) for n in range(4)})
    assert failing(path)[0] == "chats.zip, 2.txt: too large once unpacked"
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    assert failing(path)[0] == "chats.zip has 4 files"


def test_what_is_no_archive_of_transcripts(path: Path) -> None:
    """Broken, empty, encrypted, an office document: one line."""
    path.write_bytes(b"PK\3\4")
    assert failing(path)[0].startswith("chats.zip is a broken archive: ")
    pack(path, {"a.txt": "Ann: hi " * 1000})
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + b"\xff\xff" + whole[42:])
    assert failing(path)[0].startswith("chats.zip is a broken archive: ")
    assert failing(pack(path, {}))[0] == "chats.zip has no text files"
    assert failing(pack(path, {"[Content_Types].xml": "<x/>"}))[0] == "chats.zip is an office document"
    pack(path, {"a.txt": "Ann: hi"})
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag of an encrypted file, in its own head and in the directory
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(bytes(data))
    assert failing(path)[0] == "chats.zip is encrypted"


def test_a_broken_transcript_in_an_archive(path: Path) -> None:
    """The error names the archive, the file and the line."""
    pack(path, {"chat.jsonl": MESSAGE + "{broken\n" + MESSAGE, "conversations.json": json.dumps([])})
    assert failing(path)[0].startswith("chats.zip/chat.jsonl, line 2: broken JSON")
