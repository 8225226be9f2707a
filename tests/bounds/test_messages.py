"""Messages have a maximum length: those added by a program are refused, those of a transcript are split."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory
from mem0g.errors import InputError, NotFoundError
from mem0g.model import Triple, Utterance
from mem0g.settings import MAX_MESSAGE_LENGTH, Settings
from mem0g.transcripts import read_text
from tests.making import EMBEDDER


def test_a_message_over_the_limit_is_refused(tmp_path: Path) -> None:
    """The error names the place and the length, and nothing was written."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, settings=Settings(longest_message=100)) as memory:
        said = [{"role": "user", "content": "x" * 100}, {"role": "user", "content": "x" * 101}]
        with pytest.raises(InputError, match=r"message 2 \(position 1 of 'added'\) has 101 characters") as caught:
            memory.add(said, user_id="ann")
        assert "longest_message" in str(caught.value.hint)
        assert memory.messages(user_id="ann") == ()
        assert memory.add(said[:1], user_id="ann").messages == 1


def test_a_triple_over_the_limit_is_refused(tmp_path: Path) -> None:
    """As a fact of that text is that is added by hand."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, settings=Settings(longest_message=100)) as memory:
        long = Triple(subject="Ann", relation="likes", object="x", text="x" * 101)
        with pytest.raises(InputError, match="the text of a triple has 101 characters"):
            memory.add_triples([long], user_id="ann")
        assert memory.facts(user_id="ann") == ()


def test_a_speaker_has_a_name_and_no_text(tmp_path: Path) -> None:
    """A speaker's name is limited to the length of an entity's name."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER) as memory:
        with pytest.raises(InputError, match=r"the speaker of message 1 .* has 1,001 characters"):
            memory.add([{"role": "user", "content": "Hi", "name": "x" * 1001}], user_id="ann")
        assert memory.messages(user_id="ann") == ()


def test_a_message_of_a_transcript_is_cut() -> None:
    """Its pieces follow each other in their session, split after a sentence; later positions move on."""
    sentence = "I live in Oslo with my dog. "
    text = (sentence * (2 * MAX_MESSAGE_LENGTH // len(sentence) + 10)).strip()
    lines = [{"role": "user", "content": each, "id": f"i{n}"} for n, each in enumerate(["Hi!", text, "Bye!"])]
    read = read_text("\n".join(map(json.dumps, lines)), "chat.jsonl")
    assert [each.position for each in read] == [0, 1, 2, 3, 4]
    assert [each.source_id for each in read] == ["i0", "i1", "i1#2", "i1#3", "i2"]
    assert "".join(each.text for each in read[1:4]) == text
    assert all(len(each.text) <= MAX_MESSAGE_LENGTH for each in read)
    assert all(each.text.endswith("dog. ") for each in read[1:3])


def test_the_longest_message_is_remembered(tmp_path: Path) -> None:
    """A message of the maximum length is stored, extracted by rules, and found again."""
    text = ("My sister Anna lives in Bergen. " + "x" * 5000 + " ?" * 2000) * 11
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, settings=Settings(longest_message=90_000)) as memory:
        report = memory.add(text[:90_000], user_id="ann")
        assert (report.messages, report.facts > 0) == (1, True)
        context = memory.context("Where does Anna live?", user_id="ann", tokens=100)
    assert "Bergen" in context.text
    assert len(context.text) <= 2000


@pytest.mark.parametrize("field", ["source", "session", "speaker", "text", "source_id"])
def test_an_utterance_with_half_a_character_is_refused(tmp_path: Path, field: str) -> None:
    """A lone surrogate is an error that names the field, and nothing is written."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="none") as memory:
        given: dict[str, Any] = {"source": "s", "session": "1", "speaker": "Ann", "text": "Hello.", "source_id": "1"}
        said = [Utterance(position=0, role="user", **given), Utterance(position=1, role="user", **given)]
        said[1] = replace(said[1], **{field: "a\ud800b"})  # type: ignore[arg-type]
        with pytest.raises(InputError, match=f"the {field} of utterance 2"):
            memory.add(said, user_id="ann")
        assert memory.messages(user_id="ann") == ()


def test_a_name_that_is_none_is_looked_for_at_once(tmp_path: Path) -> None:
    """A text of a million characters names no entity, and no name is like it: it is not compared with any."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER) as memory:
        memory.add_fact(subject="word", relation="likes", object="tea", user_id="ann")
        with pytest.raises(NotFoundError) as caught:
            memory.entity("word " * 200_000, user_id="ann")
    assert "did you mean" not in str(caught.value.hint)
