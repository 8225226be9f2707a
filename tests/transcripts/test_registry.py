"""Formats of other packages: found by entry points, tried after mem0g's own, and named when they are broken."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import format_names, read_files, read_text, recognise, registry

PACKAGE = """
from mem0g import ReadOptions, TranscriptFormat, Utterance

def read(text, source, options):
    for position, line in enumerate(text.splitlines()[1:]):
        name, _, words = line.partition(": ")
        yield Utterance(source=source, session="", position=position, speaker=name, role="user", text=words)

FORMAT = TranscriptFormat(
    name="parrot", about="Lines under a parrot", recognises=lambda text: text.startswith("PARROT"), read=read
)
OTHER = "no format"
"""
TALK = "PARROT\nAnn: hi\nBob: ho\nAnn: hm"


@pytest.fixture
def parrot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with one good format and two broken ones."""
    (tmp_path / "parrot_chat.py").write_text(PACKAGE)
    info = tmp_path / "parrot_chat-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: parrot-chat\nVersion: 1.0\n")
    names = "[mem0g.formats]\nlost = parrot_gone:FORMAT\nparrot = parrot_chat:FORMAT\nodd = parrot_chat:OTHER\n"
    (info / "entry_points.txt").write_text(names)
    monkeypatch.syspath_prepend(str(tmp_path))
    caches = (registry._entry_points, registry._loaded)
    for cache in caches:
        cache.cache_clear()
    yield tmp_path
    for cache in caches:
        cache.cache_clear()
    sys.modules.pop("parrot_chat", None)


def test_a_format_of_another_package_is_read(parrot: Path) -> None:
    """By its content, which plain text would take too, and by its name; broken formats beside it are no hindrance."""
    form = recognise(TALK)
    assert form is not None
    assert form.name == "parrot"
    file = parrot / "talk.txt"
    file.write_text(TALK)
    assert [each.text for each in read_files([file]).utterances] == ["hi", "ho", "hm"]
    assert [each.text for each in read_text(TALK, "talk", format="parrot")] == ["hi", "ho", "hm"]
    assert [each.text for each in read_text(TALK, "talk", format=form)] == ["hi", "ho", "hm"]
    assert {"parrot", "lost", "odd", "text"} < set(format_names())


@pytest.mark.parametrize(("name", "problem"), [("lost", "ModuleNotFoundError"), ("odd", "of type str")])
def test_a_broken_package_is_named(parrot: Path, name: str, problem: str) -> None:
    """Asked for by name it is an error with the package in it."""
    with pytest.raises(TranscriptError, match=problem) as refused:
        read_text(TALK, "talk", format=name)
    assert f"the format {name!r} of the package parrot-chat" in str(refused.value)
    assert refused.value.hint == "upgrade or uninstall parrot-chat"


def test_a_broken_package_is_a_warning_for_others(parrot: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Other texts are read all the same, and the log names the package."""
    with caplog.at_level(logging.WARNING, "mem0g"):
        assert [each.text for each in read_text("Ann: hi\nBob: ho", "talk")] == ["hi", "ho"]
    assert "parrot-chat cannot be loaded" in caplog.text
