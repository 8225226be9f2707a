"""Messages as in the OpenAI API: JSON Lines, a list, an object around a list."""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.transcripts import read_text

AT = datetime(2024, 3, 1, 14, 5, 30, tzinfo=UTC)


def lines(*messages: object) -> str:
    return "".join(json.dumps(message, ensure_ascii=False) + "\n" for message in messages)


def read_one(**fields: Any) -> Utterance:
    [utterance] = read_text(lines({"role": "user", "content": "hi", **fields}), "chat.jsonl")
    return utterance


def test_a_message_keeps_all_it_states() -> None:
    """Role, name, text, time, session and id are the message's; its source is the file's name."""
    given = {"role": "user", "name": "Ann", "content": "hi", "timestamp": "2024-03-01T14:05:30Z", "session": "s1"}
    assert read_text(lines(given | {"id": "m7"}), "chat.jsonl") == [
        Utterance(
            source="chat.jsonl",
            session="s1",
            position=0,
            speaker="Ann",
            role="user",
            text="hi",
            time=AT,
            source_id="m7",
        )
    ]


def test_only_a_role_leaves_the_rest_open() -> None:
    """Without a name, a time and a session there is no speaker, no time and the session ""."""
    utterance = read_one()
    assert (utterance.speaker, utterance.time, utterance.session, utterance.source_id) == ("", None, "", None)


@pytest.mark.parametrize(
    "stamp",
    [
        "2024-03-01T14:05:30Z",
        "2024-03-01 15:05:30+01:00",
        1709301930,
        1709301930.0,
        1709301930000,
        "1709301930",
        "1709301930000",
    ],
)
def test_times_are_iso_or_since_1970(stamp: object) -> None:
    """ISO strings, epoch seconds and epoch milliseconds, as numbers or strings, are the same aware UTC time."""
    assert read_one(timestamp=stamp).time == AT


@pytest.mark.parametrize("field", ["created_at", "time"])
def test_other_fields_of_a_time(field: str) -> None:
    """A time may be called as in OpenAI's threads; a timestamp goes before it."""
    assert read_one(**{field: "2024-03-01T14:05:30Z"}).time == AT
    assert read_one(**{field: "2023-03-01T14:05:30Z", "timestamp": "2024-03-01T14:05:30Z"}).time == AT


@pytest.mark.parametrize("field", ["created_at", "time"])
def test_how_long_something_took_is_no_time(field: str) -> None:
    """A message that took 1.5 seconds was not written in 1970."""
    assert read_one(**{field: 1.5}).time is None
    assert read_one(**{field: AT.timestamp()}).time == AT


def test_the_time_of_a_message_goes_before_that_of_all() -> None:
    """The timestamp around the messages is for those without a time, whatever the field of theirs is called."""
    messages = [
        {"role": "user", "content": "a", "created_at": "2024-03-01T14:05:30Z"},
        {"role": "user", "content": "b"},
    ]
    document = {"messages": messages, "timestamp": "2023-01-01T00:00:00Z"}
    first, second = read_text(json.dumps(document), "x")
    assert (first.time, second.time) == (AT, datetime(2023, 1, 1, tzinfo=UTC))


def test_a_naive_time_is_in_the_zone_given() -> None:
    """A time without a zone is taken to be in the zone of the options, one with a zone is not."""
    text = lines(
        {"role": "user", "content": "a", "timestamp": "2024-03-01T15:05:30"},
        {"role": "user", "content": "b", "timestamp": "2024-03-01T14:05:30Z"},
    )
    assert [u.time for u in read_text(text, "x", zone=ZoneInfo("Europe/Oslo"))] == [AT, AT]


def test_a_bare_date_is_midnight_in_utc() -> None:
    """A date without a clock stays that calendar day whatever the zone."""
    text = lines({"role": "user", "content": "a", "timestamp": "2024-03-01"})
    [utterance] = read_text(text, "x", zone=ZoneInfo("America/New_York"))
    assert utterance.time == datetime(2024, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("  hi \n", "hi"),
        ([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "x"}}, "b"], "a\nb"),
        ([{"type": "input_text", "text": "a"}, {"type": "output_text", "text": "b"}], "a\nb"),
        ([{"type": "input_audio", "transcript": "spoken"}], "spoken"),
        ([{"type": "refusal", "refusal": "I can't."}], "I can't."),
        ("a\u2028b", "a\u2028b"),
    ],
)
def test_content_is_text_or_parts(content: object, text: str) -> None:
    """Parts are joined by lines, pictures have no words; a line separator does not break a line of JSON."""
    assert read_one(content=content).text == text


@pytest.mark.parametrize(
    ("role", "expected"),
    [("user", "user"), ("assistant", "assistant"), ("system", "system"), ("tool", "tool"), ("developer", "system")],
)
def test_roles_are_kept(role: str, expected: str) -> None:
    """Each role of the API is kept; developer is the newer name of system."""
    assert read_one(role=role).role == expected


def test_what_has_no_words_is_left_out() -> None:
    """Tool calls, empty tool results and pictures alone are no utterances and take no position."""
    text = lines(
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        {"role": "tool", "content": ""},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "user", "content": "hi"},
    )
    assert [(u.position, u.text) for u in read_text(text, "x")] == [(0, "hi")]


def test_positions_count_within_each_session() -> None:
    """Interleaved sessions are each counted from 0; a session may be a number."""
    text = lines(*({"role": "user", "content": f"m{n}", "session": n % 2} for n in range(4)))
    assert [(u.session, u.position) for u in read_text(text, "x")] == [("0", 0), ("1", 0), ("0", 1), ("1", 1)]


def test_a_list_and_an_object_read_as_lines_do() -> None:
    """The same messages in the three forms, also written over several lines, are the same utterances."""
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "session": "s"}]
    expected = read_text(lines(*messages), "x")
    for document in (messages, {"messages": messages}, {"title": "t", "messages": messages}):
        for indent in (None, 2):
            assert read_text(json.dumps(document, indent=indent), "x") == expected


def test_the_object_may_state_session_and_time_for_all() -> None:
    """Session and timestamp beside ``messages`` hold for messages that do not state their own, or state null."""
    messages = [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b", "session": "own", "timestamp": None},
    ]
    document = {"messages": messages, "session": "s", "timestamp": "2024-03-01T14:05:30Z"}
    assert [(u.session, u.time) for u in read_text(json.dumps(document), "x")] == [("s", AT), ("own", AT)]


def test_blank_lines_between_messages_are_nothing() -> None:
    """Blank lines and Windows line ends do not matter, but count as lines."""
    text = lines({"role": "user", "content": "a"}, {"role": "user", "content": "b"}).replace("\n", "\r\n\r\n")
    assert [u.text for u in read_text(text, "x")] == ["a", "b"]
    with pytest.raises(TranscriptError, match=r"^x, line 5: broken JSON"):
        read_text(text + '{"role": ', "x")


def test_what_no_database_keeps_is_replaced() -> None:
    """A NUL and half a surrogate pair, which JSON can write, become U+FFFD; a whole pair stays."""
    text = '{"role": "user", "name": "A\\u0000", "content": "a\\ud83d b \\ud83d\\ude00"}'
    [utterance] = read_text(text, "x")
    assert (utterance.speaker, utterance.text) == ("A\ufffd", "a\ufffd b 😀")
