"""Which messages leave a buffer, and what of it is shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.text.token_count import estimate_tokens
from mem0g.working.fitting import answered, fitted, message_tokens, shortened, total_tokens
from mem0g.working.overflow import Entry, leaving
from tests.working.chats import Chat, assistant, call, is_accepted, result, user, words


def entries(spec: str) -> list[Entry]:
    """Return entries of 10 tokens for letters: u(ser), a(ssistant), c(all), t(ool)."""
    made = []
    for place, letter in enumerate(spec):
        calls, answers = ((str(place),) if letter == "c" else (), str(spec.rfind("c", 0, place)))
        role = {"u": "user", "t": "tool"}.get(letter, "assistant")
        made.append(Entry(role, 10, calls, answers if letter == "t" else ""))
    return made


@pytest.mark.parametrize(
    ("spec", "limit", "flush", "left"),
    [
        ("uaua", 40, 1, ""),
        ("uaua", 39, 1, "ua"),
        ("uauaua", 50, 1, "ua"),
        ("uauaua", 50, 30, "uaua"),
        ("uauaua", 5, 1, "uaua"),  # the last turn stays
        ("uctauctaua", 90, 1, "ucta"),
        ("uctctct", 50, 1, "ct"),  # the oldest steps of a turn that is too long; the user's words stay
        ("uctctct", 10, 1, "ctct"),
        ("uctctct", 60, 40, "ctct"),
        ("ctctct", 40, 1, "ct"),  # without a user
        ("aaaa", 10, 1, "aaa"),
        ("u", 5, 1, ""),
        ("", 5, 1, ""),
    ],
)
def test_what_leaves(spec: str, limit: int, flush: int, left: str) -> None:
    """Whole turns, and of a turn that is too long itself whole steps."""
    assert "".join(spec[place] for place in leaving(entries(spec), limit, flush)) == left


@given(st.lists(st.sampled_from(["u", "a", "ct", "ctt", "cut"])), st.integers(1, 300), st.integers(1, 100))
def test_calls_and_results_leave_together(steps: list[str], limit: int, flush: int) -> None:
    """No result stays whose call left; the rest is within the limit, or one step and the user's words before it."""
    made = entries("".join(steps))
    left = set(leaving(made, limit, flush))
    kept = [each for place, each in enumerate(made) if place not in left]
    called = {call for each in kept for call in each.calls}
    assert not {each.answers for each in kept if each.answers} - called
    if sum(each.tokens for each in kept) > limit and "cut" not in steps:
        assert sum(each.role != "tool" for each in kept) <= 2


CHAT = [user("What is the weather in Oslo and in Rome?"), call("c1", "c2"), result("c1", "rain"), result("c2", "sun")]


def test_a_call_stands_with_its_result() -> None:
    """Calls that nothing answered and results that nothing asked for are left out: chat models refuse them."""
    assert answered(CHAT) == CHAT
    assert answered(CHAT[2:]) == []
    assert [each.get("tool_calls", [{}])[0].get("id") for each in answered(CHAT[:3])] == [None, "c1", None]
    assert answered([user("Hi."), call("c1"), user("Well?")]) == [user("Hi."), user("Well?")]
    assert answered([call("c1", content="Wait."), user("Well?")]) == [assistant("Wait."), user("Well?")]
    assert answered([call("c1"), user("Wait."), result("c1")]) == [user("Wait.")]
    assert answered([call("c1"), result("c1"), result("c1", "again")]) == [call("c1"), result("c1")]


def test_the_oldest_turns_are_left_out_first() -> None:
    """Then the oldest steps of the last turn, then text is cut."""
    long = [user("one two three"), assistant("four five"), *CHAT, call("c3"), result("c3", "x " * 50)]
    assert fitted(long, 1000, words) == long
    assert fitted(long, total_tokens(long, words) - 1, words) == long[2:]
    assert fitted(long, total_tokens(long[2:], words) - 1, words) == [CHAT[0], *long[-2:]]
    (asked, called, cut) = fitted(long, 60, words)
    assert (asked, called) == (CHAT[0], long[-2])
    assert cut["content"].startswith("x x")
    assert "characters left out" in cut["content"]


@given(
    st.lists(st.sampled_from([user("one two three"), assistant("yes " * 30), call("c1"), result("c1", "x " * 90)])),
    st.integers(0, 120),
)
def test_never_over_the_limit(messages: list[Chat], limit: int) -> None:
    """Whatever the messages and the limit; and a chat API takes them."""
    shown = fitted(messages, limit, words)
    assert total_tokens(shown, words) <= limit
    assert is_accepted(shown)


def test_long_arguments_stay_json() -> None:
    """The arguments of a call are shortened value by value."""
    (shown, _) = fitted([call("c1", path="a.py", text="word " * 20_000), result("c1")], 200, words)
    arguments = json.loads(shown["tool_calls"][0]["function"]["arguments"])
    assert arguments["path"] == "a.py"
    assert "characters left out" in arguments["text"]
    broken = {
        **call("c1"),
        "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": "{" + "word " * 500}}],
    }
    (shown, _) = fitted([broken, result("c1")], 100, words)
    assert "left out" in json.loads(shown["tool_calls"][0]["function"]["arguments"])["arguments"]


@given(st.text(max_size=300), st.integers(0, 60))
def test_a_shortened_text_fits(text: str, tokens: int) -> None:
    """By any count; a text that fits stays as it is."""
    for count in (words, len, estimate_tokens):
        made = shortened(text, tokens, count)
        assert count(made) <= tokens
        assert made == text or count(text) > tokens


def test_the_tokens_of_a_message() -> None:
    """Text, parts that are no text by their type, and the rest as JSON."""
    picture = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    assert message_tokens(user("one two"), words) == 2
    assert message_tokens({"role": "user", "content": [{"type": "text", "text": "one two"}, picture]}, words) == 258
    assert message_tokens(result("c1", "one"), words) == 3  # tool_call_id, c1
    assert message_tokens(call("c1"), words) == 9  # its names and values, in JSON
