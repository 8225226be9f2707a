"""BEAM's chats, in small."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_text


def said(number: int, content: str, role: str = "user", **more: Any) -> dict[str, Any]:
    return {"role": role, "id": number, "content": content, **more}


def batch(number: int, *turns: list[Any], **more: Any) -> dict[str, Any]:
    return {"batch_number": number, "turns": list(turns), "time_anchor": None, **more}


CHAT = [
    batch(
        1,
        [
            said(0, "I use Flask 2.3.1 ->-> 1,1", time_anchor="March-15-2024", index="1,1"),
            said(1, "Good. ->-> 1,1", "assistant"),
        ],
        [said(2, "It ends on May 3. ->-> 1,14)"), said(3, "Noted.", "assistant")],
    ),
    batch(2, [said(4, "def f() -> int:\n    return 1  # a -> b")]),
]


def test_a_batch_is_a_session_with_the_time_of_its_first_anchor() -> None:
    """Messages keep their ids; a batch without an anchor has no time, rather than another one's."""
    read = read_text(json.dumps(CHAT), "chat.json")
    march = datetime(2024, 3, 15, tzinfo=UTC)
    assert [(u.source, u.session, u.position, u.role, u.source_id, u.time) for u in read] == [
        ("chat.json", "batch 1", 0, "user", "0", march),
        ("chat.json", "batch 1", 1, "assistant", "1", march),
        ("chat.json", "batch 1", 2, "user", "2", march),
        ("chat.json", "batch 1", 3, "assistant", "3", march),
        ("chat.json", "batch 2", 0, "user", "4", None),
    ]


def test_the_marker_of_a_users_message_is_no_word_of_it() -> None:
    """What the generator left at the end of a user's message is stripped; code and an assistant's words stay."""
    texts = [u.text for u in read_text(json.dumps(CHAT), "chat.json")]
    assert texts[:3] == ["I use Flask 2.3.1", "Good. ->-> 1,1", "It ends on May 3."]
    assert texts[-1] == "def f() -> int:\n    return 1  # a -> b"


def test_an_id_that_comes_twice_is_numbered() -> None:
    """Both messages are kept, and told apart."""
    twice = [batch(1, [said(7, "One"), said(7, "Two"), {"role": "user", "content": "Three"}])]
    assert [u.source_id for u in read_text(json.dumps(twice), "x")] == ["7", "7#2", None]


def test_plans_of_batches() -> None:
    """The largest chats are lists of plans: their batches are told apart by the plan's name."""
    plans = [{"plan-1": [batch(1, [said(0, "One")])]}, {"plan-2": [batch(1, [said(0, "Two")])]}]
    read = read_text(json.dumps(plans), "x")
    assert [(u.session, u.position, u.source_id) for u in read] == [
        ("plan-1, batch 1", 0, "0"),
        ("plan-2, batch 1", 0, "0#2"),
    ]


def test_a_very_long_message_is_whole() -> None:
    """100 kB of code in place of words is one message; one of white space and a marker is none."""
    code = "x = {'a': [1, 2]}\n" * 6_000
    read = read_text(json.dumps([batch(1, [said(0, code), said(1, "  ->-> 1,2")])]), "x")
    assert [u.text for u in read] == [code.strip()]


@pytest.mark.parametrize(
    ("turn", "problem"),
    [
        ([said(0, "hi", "wizard")], "x, batch 1, turn 1, message 1: unknown role 'wizard'"),
        ([said(0, "hi", time_anchor="Smarch-13-2024")], "cannot read the time 'Smarch-13-2024'"),
        ([said(0, "hi", time_anchor="June-31-2024")], "x, batch 1, turn 1, message 1: cannot read the time"),
        ([{"role": "user", "content": ["hi"]}], "the content is not text"),
        (["hi"], "expected an object, not 'hi'"),
        ("hi", "expected a list, not 'hi'"),
    ],
)
def test_what_cannot_be_read_is_named(turn: Any, problem: str) -> None:
    """One line, with the batch, the turn and the message."""
    with pytest.raises(TranscriptError) as error:
        read_text(json.dumps([batch(1, turn)]), "x", format="beam")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("document", [{"plan-1": 3}, [[]], [{}], [{"plan-1": [{"plan-2": []}]}], 3])
def test_what_is_no_chat_is_an_error(document: Any) -> None:
    """Whatever stands in place of batches."""
    with pytest.raises(TranscriptError):
        read_text(json.dumps(document), "x", format="beam")
