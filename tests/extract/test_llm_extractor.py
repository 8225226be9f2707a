"""Windows that a model cannot read at once, in parts."""

from __future__ import annotations

from mem0g.extract.llm.extractor import MAX_MESSAGE_TOKENS, halved, parts
from mem0g.text.token_count import estimate_tokens
from tests.extract.windows import window


def test_most_windows_are_one_part() -> None:
    """Windows of several messages, and of one that is not very long, are read at once."""
    for made in (window(["Hi!"], ["Ho!"]), window(["word " * 1000, "word " * 1000])):
        assert list(parts(made)) == [made]


def test_a_very_long_message() -> None:
    """It is read in pieces of bearable length, each with the same id and the piece before it as context."""
    made = window(["A sentence of some words. " * 1000], ["Hi!", "Ho!"])
    found = list(parts(made))
    assert len(found) > 1
    assert "".join(each.messages[0].text for each in found) == made.messages[0].text
    assert {each.messages[0].id for each in found} == {made.messages[0].id}
    assert {each.id for each in found} == {made.id}
    assert all(estimate_tokens(each.messages[0].text) <= MAX_MESSAGE_TOKENS * 1.1 for each in found)
    assert [each.text for each in found[0].context] == ["Hi!", "Ho!"]
    assert [each.text for each in found[1].context] == ["Ho!", found[0].messages[0].text]
    alone = list(parts(window(["x" * 100_000])))
    assert [len(each.context) for each in alone] == [0] + [1] * (len(alone) - 1)


def test_a_window_in_two() -> None:
    """The first half is among what the second is understood by; the context gets shorter."""
    made = window([f"new {n}" for n in range(5)], [f"old {n}" for n in range(10)])
    first, second = halved(made)
    assert [each.text for each in first.messages] == ["new 0", "new 1"]
    assert [each.text for each in first.context] == [f"old {n}" for n in range(5, 10)]
    assert [each.text for each in second.messages] == ["new 2", "new 3", "new 4"]
    assert [each.text for each in second.context] == ["old 7", "old 8", "old 9", "new 0", "new 1"]
    assert first.speakers == second.speakers == ("Ann",)


def test_a_message_in_two() -> None:
    """One message is halved while it is long, with less and less context."""
    made = window(["A sentence of some words. " * 20], ["Hi!", "Ho!", "Ha!"])
    first, second, *_ = halved(made)
    assert [each.text for each in first.context] == ["Ha!"]
    assert second.context[-1].text == first.messages[0].text


def test_the_end_of_it() -> None:
    """A short message is asked about alone at last, and then not at all; halving comes to an end."""
    (alone,) = halved(window(["Hi!"], ["Ho!"]))
    assert (len(alone.messages), alone.context) == (1, ())
    assert halved(alone) == ()
    waiting, asked = [window(["A sentence of some words. " * 50] * 8, ["Ho!"] * 10)], 0
    while waiting:
        asked += 1
        waiting += halved(waiting.pop())
    assert asked < 400
