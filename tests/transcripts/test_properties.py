"""What holds for any transcript."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.transcripts import FORMATS, read_text, recognise

texts = st.text(min_size=1, max_size=40).filter(lambda text: text.strip())
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": texts},
    optional={
        "name": st.text(max_size=8),
        "session": st.sampled_from(["", "a", "b", 3]),
        "timestamp": st.integers(0, 4_000_000_000) | st.datetimes().map(datetime.isoformat),
    },
)
conversations = st.lists(messages, min_size=1, max_size=8)
names = st.sampled_from(["Ann", "Bob", "李明", "Dr. Ada"])
words = st.text(st.characters(categories=["L", "N"], include_characters=" "), min_size=1, max_size=20).filter(str.strip)
spoken = st.lists(st.tuples(names, words), min_size=1, max_size=8)

KEYS = (
    "role content name timestamp session messages id title mapping current_node message author parts content_type "
    "parent create_time metadata sample_id conversation session_1 session_1_date_time speaker text dia_id "
    "batch_number turns time_anchor"
).split()


def _json_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)


def lines(given_messages: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(message) + "\n" for message in given_messages)


@given(conversations)
def test_reading_is_deterministic(conversation: list[dict[str, Any]]) -> None:
    """The same text is the same utterances."""
    text = lines(conversation)
    assert read_text(text, "x") == read_text(text, "x")


@given(conversations, messages)
def test_a_grown_file_keeps_what_it_had(conversation: list[dict[str, Any]], more: dict[str, Any]) -> None:
    """A message appended leaves the earlier utterances equal, in JSON Lines as in a list."""
    grown = [*conversation, more]
    before = read_text(lines(conversation), "x")
    assert read_text(lines(grown), "x")[:-1] == before
    assert read_text(json.dumps(grown), "x")[:-1] == before


@given(spoken, st.tuples(names, words))
def test_a_grown_chat_keeps_what_it_had(chat: list[tuple[str, str]], more: tuple[str, str]) -> None:
    """So it is in plain text and in WhatsApp's export, which writes "null" for a medium that is lost."""
    assume(all(text.strip().casefold() != "null" for _, text in [*chat, more]))
    written: list[tuple[str, Callable[[int, tuple[str, str]], str]]] = [
        ("text", lambda _, said: f"{said[0]}: {said[1]}"),
        ("whatsapp", lambda n, said: f"13/03/24, 14:{n:02} - {said[0]}: {said[1]}"),
    ]
    for form, write in written:
        turns = [write(n, said) for n, said in enumerate([*chat, more])]
        before = read_text("\n".join(turns[:-1]), "x", format=form)
        assert read_text("\n".join(turns), "x", format=form)[:-1] == before
        assert [(u.speaker, u.text) for u in before] == [(name, text.strip()) for name, text in chat]


@given(conversations)
def test_utterances_are_whole(conversation: list[dict[str, Any]]) -> None:
    """Positions count from 0 within each session, times are aware UTC, nothing is there that cannot be stored."""
    read = read_text(lines(conversation), "x")
    assert len(read) == len(conversation)
    for session in {u.session for u in read}:
        inside = [u.position for u in read if u.session == session]
        assert inside == list(range(len(inside)))
    assert all(_is_whole(utterance) for utterance in read)


@given(st.text(max_size=200), st.sampled_from(sorted(FORMATS)))
def test_any_text_is_read_or_refused(text: str, form: str) -> None:
    """Whatever a forced format is given, it answers with whole utterances or a TranscriptError."""
    try:
        read = read_text(text, "x", format=form)
    except TranscriptError:
        return
    assert all(_is_whole(utterance) for utterance in read)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), _json_of, max_leaves=20))
def test_any_json_is_read_or_refused(value: Any) -> None:
    """Keys that formats look at with values of any kind are read or refused, never a crash."""
    text = json.dumps(value)
    for form in FORMATS:
        try:
            read_text(text, "x", format=form)
        except TranscriptError:
            continue
    recognise(text)


def _is_whole(utterance: Utterance) -> bool:
    utterance.text.encode()
    utterance.speaker.encode()
    time = utterance.time
    return bool(utterance.text) and "\0" not in utterance.text and (time is None or time.tzinfo is UTC)
