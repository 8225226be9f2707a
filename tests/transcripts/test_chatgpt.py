"""ChatGPT's export, in small: a tree of messages of which one branch is current."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_text, recognise


def node(
    name: str, parent: str | None, role: str = "user", parts: list[Any] | None = None, **message: Any
) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [name] if parts is None else parts}
    return {
        "id": name,
        "parent": parent,
        "children": [],
        "message": {"id": name, "author": {"role": role}, "create_time": 1709301930.5, "content": content} | message,
    }


def export(*nodes: dict[str, Any], current: Any = None, **fields: Any) -> str:
    mapping = {"root": {"id": "root", "parent": None, "children": [], "message": None}} | {n["id"]: n for n in nodes}
    conversation = {"id": "c1", "title": "Trip", "create_time": 1709300000, "mapping": mapping}
    conversation["current_node"] = current or nodes[-1]["id"]
    return json.dumps([conversation | fields])


def test_the_current_branch_is_read() -> None:
    """From the root to the current node; what was written before an edit is not in it."""
    text = export(
        node("question", "root"),
        node("old answer", "question", "assistant"),
        node("new answer", "question", "assistant"),
        node("thanks", "new answer"),
        current="thanks",
    )
    read = read_text(text, "conversations.json")
    assert [(u.position, u.role, u.text) for u in read] == [
        (0, "user", "question"),
        (1, "assistant", "new answer"),
        (2, "user", "thanks"),
    ]
    first = read[0]
    assert (first.source, first.session, first.source_id, first.speaker) == ("chatgpt:c1", "Trip", "question", "")
    assert first.time == datetime(2024, 3, 1, 14, 5, 30, 500_000, tzinfo=UTC)


@pytest.mark.parametrize(
    "hidden",
    [
        node("x", "root", "system", [""]),
        node("x", "root", "user", metadata={"is_visually_hidden_from_conversation": True}),
        node("x", "root", "assistant", weight=0.0),
        node("x", "root", "assistant", recipient="python"),
        node("x", "root", "user", content={"content_type": "user_editable_context", "user_profile": "p"}),
        node("x", "root", "tool", content={"content_type": "execution_output", "text": "42"}),
        node("x", "root", "assistant", content={"content_type": "thoughts", "thoughts": []}),
    ],
)
def test_what_was_not_shown_is_left_out(hidden: dict[str, Any]) -> None:
    """Empty and hidden nodes, calls of tools, their output, thoughts and profiles take no position."""
    read = read_text(export(hidden, node("hello", "x")), "x")
    assert [(u.position, u.text) for u in read] == [(0, "hello")]


def test_the_words_of_mixed_parts_are_kept() -> None:
    """Pictures have no words; speech has its transcription."""
    parts = ["look", {"content_type": "image_asset_pointer"}, {"content_type": "audio_transcription", "text": "said"}]
    content = {"content_type": "multimodal_text", "parts": parts}
    [utterance] = read_text(export(node("n", "root", content=content)), "x")
    assert utterance.text == "look\nsaid"


def test_a_message_without_a_time_has_its_conversations() -> None:
    """``create_time`` may be null; a conversation without a title has the session ""."""
    [utterance] = read_text(export(node("n", "root", create_time=None), title=None), "x")
    assert utterance.time == datetime.fromtimestamp(1709300000, UTC)
    assert utterance.session == ""


def test_an_export_is_not_taken_for_plain_messages() -> None:
    """Its nodes have roles, but it is the export that is recognised."""
    form = recognise(export(node("n", "root")))
    assert form is not None
    assert form.name == "chatgpt"


def test_a_circle_of_parents_ends() -> None:
    """A damaged tree is read once around."""
    assert len(read_text(export(node("a", "b"), node("b", "a")), "x")) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (export(node("n", "root"), current="gone"), "x, conversation c1: its current node 'gone' is not in it"),
        (export(node("n", "root"), current=["n"]), "x, conversation c1: its current node ['n'] is not in it"),
        (export(node("n", "root"), id=None), "x, conversation 1: it has no id"),
        (export(node("n", "root", "critic")), "x, conversation c1: unknown role 'critic'"),
        (export(node("n", "root", create_time="noon")), "x, conversation c1: cannot read the time 'noon'"),
        (export(node("n", "root"))[:-9], "x, line 1: broken JSON"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    """A damaged conversation is an error that names it."""
    with pytest.raises(TranscriptError) as caught:
        read_text(text, "x")
    assert str(caught.value).startswith(message)
    assert caught.value.hint
