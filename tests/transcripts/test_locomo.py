"""LOCOMO's files, in small."""

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_text


def sample(name: str = "conv-1", **conversation: Any) -> dict[str, Any]:
    turns = {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_10": [{"speaker": "Bob", "dia_id": "D10:1", "text": "Happy new year!"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ann", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a photo of a dog"},
            {"speaker": "Bob", "dia_id": "D2:2", "text": "", "blip_caption": "a cat"},
        ],
        "session_3_date_time": "9:00 am on 9 May, 2023",
    }
    return {"sample_id": name, "qa": [{"question": "?"}], "conversation": turns | conversation}


def test_sessions_come_in_order_with_their_time() -> None:
    """Session 2 comes before session 10, each turn has its session's time; a date without a session is nothing."""
    read = read_text(json.dumps([sample()]), "locomo.json")
    assert [(u.session, u.position, u.speaker, u.source_id, u.time) for u in read] == [
        ("session_2", 0, "Ann", "D2:1", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("session_2", 1, "Bob", "D2:2", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("session_10", 0, "Bob", "D10:1", datetime(2024, 1, 1, 0, 5, tzinfo=UTC)),
    ]
    assert {u.role for u in read} == {"user"}


def test_photo_captions_stay_with_the_turn() -> None:
    """A caption follows the words, or stands alone where there are none."""
    texts = [u.text for u in read_text(json.dumps(sample()), "x")]
    assert texts[:2] == ["Look! [photo: a photo of a dog]", "[photo: a cat]"]


def test_the_source_is_the_sample() -> None:
    """Each sample is a source of its own, in a list as alone; without an id it has the file's name."""
    both = read_text(json.dumps([sample("conv-1"), sample("conv-2")]), "locomo.json")
    assert list(dict.fromkeys(u.source for u in both)) == ["conv-1", "conv-2"]
    assert read_text(json.dumps(sample("conv-1")), "locomo.json") == [u for u in both if u.source == "conv-1"]
    nameless = sample()
    del nameless["sample_id"]
    assert {u.source for u in read_text(json.dumps(nameless), "one.json")} == {"one.json"}
    assert {u.source for u in read_text(json.dumps([nameless]), "one.json")} == {"one.json#1"}


def test_one_sample_can_be_picked() -> None:
    """``sample`` reads that conversation only."""
    text = json.dumps([sample("conv-1"), sample("conv-2")])
    assert {u.source for u in read_text(text, "x", sample="conv-2")} == {"conv-2"}


def test_times_are_in_the_zone_given() -> None:
    """LOCOMO states no zone, so the option's holds."""
    first = read_text(json.dumps(sample()), "x", zone=ZoneInfo("Asia/Tokyo"))[0]
    assert first.time == datetime(2023, 5, 8, 4, 56, tzinfo=UTC)


def test_a_session_without_a_date_has_no_time() -> None:
    """Its turns have no time rather than another session's."""
    read = read_text(json.dumps(sample(session_10_date_time=None)), "x")
    assert read[-1].time is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"session_2_date_time": "some day"}, "x, conv-1, session_2: cannot read the time 'some day'"),
        ({"session_2_date_time": "1:56 pm on 31 June, 2023"}, "x, conv-1, session_2: cannot read the time"),
        ({"session_2": [{"speaker": "Ann", "text": " "}]}, "x, conv-1, session_2, turn 1: a message without text"),
        ({"session_2": [{"text": "hi"}]}, "x, conv-1, session_2, turn 1: a turn without a speaker"),
        ({"session_2": ["hi"]}, "x, conv-1, session_2, turn 1: expected an object, not 'hi'"),
        ({"session_2": "hi"}, "x, conv-1, session_2: expected a list of turns"),
    ],
)
def test_what_cannot_be_read_is_named(change: dict[str, Any], message: str) -> None:
    """A bad time, text, speaker or turn is an error that names sample, session and turn."""
    with pytest.raises(TranscriptError) as caught:
        read_text(json.dumps(sample(**change)), "x", format="locomo")
    assert str(caught.value).startswith(message)
