"""Chat messages survive the store as they were."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from mem0g.errors import InputError, TranscriptError
from mem0g.model import Message
from mem0g.working.chat_messages import chat_message, is_worded, read_chat_messages
from tests.making import ANN, AT
from tests.working.chats import Chat, assistant, call, result, user

PICTURE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}


def read(*messages: object) -> list[Message]:
    """Return messages of a session as they would be stored."""
    return read_chat_messages(messages, ANN, "s", AT, 1000)


@pytest.mark.parametrize(
    "message",
    [
        user("I live in Oslo.\n\n  Really. "),
        user("Hi.", name="Ann"),
        assistant("Noted."),
        call("c1", city="Oslo", lines="a\nb"),
        call("c1", "c2", content="Let me look.\n"),
        call("c1", content=""),
        result("c1", "12 degrees\n"),
        result("c1", ""),
        {"role": "developer", "content": "Be brief."},
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "What is this?\n"}, PICTURE]},
        {"role": "user", "content": [PICTURE]},
        {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
        {"role": "assistant", "content": None, "refusal": "I cannot."},
    ],
)
def test_a_message_comes_back_as_it_was(message: Chat) -> None:
    """Its text, parts, calls and names."""
    if message.get("refusal"):
        message = {"role": "assistant", "content": "I cannot.", "refusal": "I cannot."}
    (made,) = read(message)
    assert chat_message(made) == message


@given(st.text(min_size=1, max_size=60), st.text(max_size=60))
def test_any_text_comes_back(text: str, value: str) -> None:
    """Whatever is in the content and the arguments, as far as a store can hold it."""
    sent = call("c1", content=text, value=value)
    try:
        (made,) = read(sent)
    except InputError:
        assert {"\0"} & set(text) or any("\ud800" <= each <= "\udfff" for each in text)
        return
    assert chat_message(made) == sent


def test_all_words_are_in_the_text() -> None:
    """So that they are searched: the content, and the arguments of a call."""
    (made,) = read(call("c1", content="Let me look.", name="weather", city="Oslo"))
    assert made.text == 'Let me look.\nweather({"city": "Oslo"})'


def test_what_is_extracted() -> None:
    """Words of users and assistants; no mere call, no result of a tool, no instruction of a program."""
    spoken = [user("Hi."), assistant("Yes."), call("c1", content="Wait."), {"role": "user", "content": [PICTURE]}]
    others = [call("c2"), result("c2"), {"role": "system", "content": "Be brief."}]
    assert [is_worded(each) for each in read(*spoken, *others)] == [True, True, True, False, False, False, False]


def test_objects_of_the_openai_library() -> None:
    """They are dumped, without what they leave empty."""

    class Reply(BaseModel):
        role: str = "assistant"
        content: str = "Noted."
        refusal: str | None = None
        annotations: list[str] = []

    (made,) = read_chat_messages(Reply(), ANN, "s", AT, 1000)
    assert chat_message(made) == assistant("Noted.")


def test_times_of_other_zones() -> None:
    """A message may say when it was said; text without a zone is UTC."""
    times = ["2024-05-01T23:30:00-05:00", "2024-05-01T10:00:00+09:00", "2024-05-01T10:00:00", 1_714_557_600]
    read_times = [each.time for each in read(*(user("Hi.", timestamp=each) for each in times), user("Hi."))]
    written = [f"{each:%d %H:%M}" for each in read_times if each]
    assert written == ["02 04:30", "01 01:00", "01 10:00", "01 10:00", f"{AT:%d %H:%M}"]


def test_messages_with_ids() -> None:
    """Equal ids are one message; without ids equal words are two."""
    assert len(read(user("Hi.", id="1"), user("Hi.", id="1"))) == 1
    assert len(read(user("Hi."), user("Hi."))) == 2
    assert len(read_chat_messages("Hi.", ANN, "s", AT, 1000)) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (7, "int is not a message"),
        ([7], "message 1 is of type int"),
        ([{"content": "Hi."}], "unknown role None"),
        ([{"role": "judge", "content": "Hi."}], "unknown role 'judge'"),
        ([{"role": "user", "content": ""}], "message 1 is without text"),
        ([user("Hi.", timestamp=datetime(2024, 5, 1))], "2024-05-01T00:00:00 has no time zone"),
        ([user("Hi."), {"role": "user", "content": 7}], "message 2: cannot read the content '7'"),
        ([{"role": "user", "content": [{"type": "text", "text": 7}]}], "the text of a part is not text"),
        ([{"role": "assistant", "tool_calls": [{"id": "1"}]}], "cannot read the tool call"),
        ([user("x" * 1001)], "message 1 has 1,001 characters"),
        ([user("a\0b")], "holds a NUL"),
        ([user("Hi.", session="other")], "belongs to the session 'other', not 's'"),
        ([user("Hi.", metadata=7)], "the metadata of message 1"),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x" * 20_000}}]}],
            "parts that are too",
        ),
    ],
)
def test_what_cannot_be_read(given: Any, says: str) -> None:
    """The error names the message, and what is wrong with it."""
    with pytest.raises(InputError, match=says):
        read_chat_messages(given, ANN, "s", AT, 1000)


def test_an_unreadable_time() -> None:
    """It is refused."""
    with pytest.raises(TranscriptError, match="cannot read the time"):
        read(user("Hi.", timestamp="soon"))


def test_arguments_that_are_an_object() -> None:
    """Some libraries give them so; a model is shown JSON text."""
    sent: Chat = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "look", "arguments": {"n": 1}}}]}
    (made,) = read(sent)
    assert json.loads(chat_message(made)["tool_calls"][0]["function"]["arguments"]) == {"n": 1}
