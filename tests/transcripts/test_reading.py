"""Files, folders and standard input."""

import codecs
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import Skipped, read_files, read_text

MESSAGE = '{"role": "user", "content": "hi"}\n'
LOCOMO = json.dumps(
    [
        {"sample_id": name, "conversation": {"session_1": [{"speaker": "Ann", "text": name, "dia_id": "D1:1"}]}}
        for name in ("conv-1", "conv-2")
    ]
)


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_file_is_read_as_its_text_is(tmp_path: Path) -> None:
    """Its source is its name, given as a path or as text."""
    file = write(tmp_path / "chat.jsonl", MESSAGE)
    expected = tuple(read_text(MESSAGE, "chat.jsonl"))
    assert read_files([file]).utterances == read_files([str(file)]).utterances == expected


def test_a_folder_is_read_in_order_and_depth(tmp_path: Path) -> None:
    """Sources are paths within the folder, sorted; hidden files and folders are passed over."""
    for name in ("b.txt", "a/z.jsonl", "a/y.txt", ".hidden.txt", ".git/x.txt"):
        write(tmp_path / name, MESSAGE if name.endswith("jsonl") else "Ann: hi\n")
    transcript = read_files([tmp_path])
    assert [u.source for u in transcript.utterances] == ["a/y.txt", "a/z.jsonl", "b.txt"]
    assert transcript.skipped == ()


def test_a_folders_other_files_are_reported(tmp_path: Path) -> None:
    """What is no transcript, empty, binary or without a message is left out with a reason, and the rest is read."""
    write(tmp_path / "chat.jsonl", MESSAGE)
    other: dict[str, tuple[str | bytes, str]] = {
        "empty.txt": (" \n", "empty.txt is empty"),
        "notes.md": ("version: 1", "notes.md is in no known format"),
        "photo.jpg": (b"\xff\xd8\x00\x01", "photo.jpg is binary, not text"),
        "silent.json": ('{"messages": []}', "silent.json has no messages"),
        "words.txt": (b"caf\xe9", "words.txt, line 1: not UTF-8"),
    }
    for name, (content, _) in other.items():
        write(tmp_path / name, content)
    transcript = read_files([tmp_path])
    assert [u.source for u in transcript.utterances] == ["chat.jsonl"]
    assert transcript.skipped == tuple(Skipped(tmp_path / name, reason) for name, (_, reason) in other.items())


def test_a_broken_transcript_in_a_folder_is_an_error(tmp_path: Path) -> None:
    """It is recognised, so what it holds must not be lost in silence."""
    write(tmp_path / "a.jsonl", MESSAGE)
    write(tmp_path / "b.jsonl", MESSAGE + '{"role": "user", ')
    with pytest.raises(TranscriptError, match=r"^b\.jsonl, line 2: broken JSON"):
        read_files([tmp_path])


def test_a_forced_format_chooses_within_a_folder(tmp_path: Path) -> None:
    """Files of another format are reported, not read as something they are not."""
    write(tmp_path / "a.jsonl", MESSAGE)
    write(tmp_path / "b.txt", "Ann: hi\n")
    transcript = read_files([tmp_path], format="text")
    assert [u.source for u in transcript.utterances] == ["b.txt"]
    assert transcript.skipped == (Skipped(tmp_path / "a.jsonl", "a.jsonl is not text"),)


def test_a_forced_format_reads_what_is_not_recognised(tmp_path: Path) -> None:
    """For a file named by itself the word of the user counts."""
    file = write(tmp_path / "chat.txt", "name: mem0g\nversion: 1\nlicense: Apache\n")
    assert [u.speaker for u in read_files([file], format="text").utterances] == ["name", "version", "license"]


def test_a_sample_is_looked_for_in_a_folder(tmp_path: Path) -> None:
    """Files without it are reported."""
    write(tmp_path / "a.json", LOCOMO)
    write(tmp_path / "b.txt", "Ann: hi\n")
    transcript = read_files([tmp_path], sample="conv-2")
    assert [u.source for u in transcript.utterances] == ["conv-2"]
    assert [one.reason for one in transcript.skipped] == ["b.txt has no sample 'conv-2'"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    """By the way it was named first, by itself or in its folder."""
    file = write(tmp_path / "a" / "chat.txt", "Ann: hi\n")
    assert [u.source for u in read_files([file, tmp_path, file]).utterances] == ["chat.txt"]
    assert [u.source for u in read_files([tmp_path, file]).utterances] == ["a/chat.txt"]


def test_standard_input_is_a_dash() -> None:
    """Its source is "-"; it may be text or have bytes beneath."""
    for stdin in (io.StringIO(MESSAGE), io.TextIOWrapper(io.BytesIO(MESSAGE.encode("utf-16")))):
        assert [u.source for u in read_files(["-"], stdin=stdin).utterances] == ["-"]


@pytest.mark.parametrize(
    "data",
    [
        "Åse: hei\r\nBo: hå\r\n".encode(),
        codecs.BOM_UTF8 + "Åse: hei\rBo: hå\r".encode(),
        "Åse: hei\nBo: hå\n".encode("utf-16"),
        codecs.BOM_UTF16_BE + "Åse: hei\nBo: hå\n".encode("utf-16-be"),
        "Åse: hei\nBo: hå\n".encode("utf-32"),
    ],
)
def test_marked_encodings_and_line_ends_are_understood(tmp_path: Path, data: bytes) -> None:
    """UTF-8 with and without a mark, UTF-16 and UTF-32 with one; Unix, Windows and old Mac lines."""
    read = read_files([write(tmp_path / "chat.txt", data)]).utterances
    assert [(u.speaker, u.text) for u in read] == [("Åse", "hei"), ("Bo", "hå")]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    """Permission denied is said with the path."""
    file = write(tmp_path / "chat.txt", "Ann: hi\n")
    file.chmod(0)
    with pytest.raises(TranscriptError, match="Permission denied"):
        read_files([file])


def test_importing_the_readers_is_light() -> None:
    """None of the heavy dependencies is loaded by it."""
    heavy = "numpy openai neo4j networkx dateparser tokenizers pydantic rich typer"
    code = f"import sys, mem0g.transcripts; print(*set(sys.modules) & set({heavy!r}.split()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
