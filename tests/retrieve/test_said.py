"""What statements say: their words and numbers, and what they say of a change."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.retrieve.ranking.said import (
    CHANGES,
    CONTENT,
    ENDS,
    NAME,
    NUMBER,
    TERM,
    TOPIC,
    Readings,
    Said,
    Statement,
    current_readings,
)
from mem0g.retrieve.ranking.wording import ASKS, MARKED, SAYS, STATES, WISHING, WITHIN, wording

READER = Readings()
LETTERS = st.text(st.sampled_from(string.ascii_letters + string.digits + " -.,\n"), max_size=60)
TEXTS = st.lists(LETTERS, max_size=4).map(" ".join) | st.sampled_from(
    ["Ida moved to Vaasa", "Das hat er nicht", "What? I don't", "小王喜欢茶", "sold the kayak 2nd", "x" * 2100]
)


def said_by(said: Said, place: int, kind: int) -> set[str]:
    """The words of a kind in the statement at a place."""
    names = {number: word for word, number in said.words.items()}
    of, words, kinds = said.pairs
    chosen = (of == place) & (kinds & kind > 0)
    return {names[word] for word in words[chosen].tolist()}


def test_words_of_a_message() -> None:
    """Content words without the speaker's name; the topic has no numbers, and has the words of the question before."""
    said = READER.read([("Ann's key hangs on the 2nd hook at 7", "Ann", "Where is my coat?")])
    assert said_by(said, 0, TERM) == {"key", "hang", "2nd", "hook", "7"}
    assert said_by(said, 0, TOPIC) == {"key", "hang", "hook", "coat"}
    assert said_by(said, 0, NUMBER) == {"2", "7"}
    assert said_by(said, 0, CONTENT) == said_by(said, 0, TERM) | {"ann"}
    assert said_by(said, 0, NAME) == {"ann"}
    assert said.revising.tolist() == [0]


def test_what_a_message_revises() -> None:
    """A change has the topic without the words that say so; what ended is a clause by itself."""
    said = READER.read([("Ida moved to Vaasa", "Uma", ""), ("I took the bus, the kayak is sold", "Uma", "")])
    assert said.revising.tolist() == [CHANGES, ENDS]
    assert said_by(said, 0, TOPIC) == {"ida", "vaasa"}
    assert [list(each) for each in said.ended(1)] == [[said.words["kayak"]]]
    assert not said.ended(0)


def test_who_says_it() -> None:
    """A message in the first person is its speaker's own."""
    said = READER.read([("I have a key", "Ann", ""), ("Bo has a key", "Ann", "")])
    assert [said.is_own(place) for place in range(2)] == [True, False]


def test_statements_behind_others() -> None:
    """What follows keeps its words, at places behind the first; content words of some places come in their order."""
    more = READER.read([("two parrots", "Bo", ""), ("the mill", "Bo", "")])
    said = READER.read([("a red kayak", "Bo", "")]).followed_by(more)
    assert len(said) == 3
    assert said_by(said, 1, TERM) == {"two", "parrot"}
    of, words = READER.read([("a red kayak", "Bo", ""), ("the mill", "Bo", "")]).words_of(np.array([1, 0, 1]))
    assert of.tolist() == [0, 1, 1, 2]
    assert words[0] == words[3] == said.words["mill"]


def test_nothing_said() -> None:
    """No statement, and one without a word, have no words."""
    assert len(READER.read([]).pairs.of) == 0
    assert len(READER.read([("", "", ""), ("?!", "", "")]).pairs.of) == 0


@given(st.lists(st.tuples(TEXTS, LETTERS.map(lambda text: text[:5]), st.sampled_from(["", "Which key?"])), max_size=6))
def test_many_at_once_are_read_as_one_by_one(statements: list[Statement]) -> None:
    """What is read word by word, many texts at once, is what reading one text as a whole finds."""
    said = Readings().read(statements)
    for place, each in enumerate(statements):
        alone = Readings()
        alone._append_one(each)
        one = alone.read([each])
        assert said.revising[place] == one.revising[0]
        for kind in (TOPIC, NUMBER, TERM, CONTENT):
            assert said_by(said, place, kind) == said_by(one, 0, kind)
        assert said_by(said, place, NAME) & said_by(said, place, CONTENT) == said_by(one, 0, NAME) & said_by(
            one, 0, CONTENT
        )


@given(st.lists(st.tuples(TEXTS, LETTERS.map(lambda text: text[:5]), st.just("")), max_size=6))
def test_wordings_of_many_messages(messages: list[Statement]) -> None:
    """The wording of a message among others is that of its text and speaker."""
    wordings, _ = READER.wordings(READER.read(messages), "")
    assert wordings.flags.tolist() == [wording(text, speaker) for text, speaker, _ in messages]


def test_wordings() -> None:
    """A question, a statement, a wish, a question without its mark; both questions have one normal text."""
    texts = ["Where is the blue key?", "Bo has the blue key", "I wish I had a dog", "ok", "where is the BLUE key"]
    said = READER.read([(text, "Uma", "") for text in texts])
    wordings, asked = READER.wordings(said, "Where is the blue key?")
    assert wordings.flags.tolist() == [ASKS | MARKED | WITHIN, STATES | SAYS, STATES | SAYS | WISHING, 0, ASKS]
    assert (wordings.normals == asked).tolist() == [True, False, False, False, True]
    assert wordings.sizes.tolist() == [5, 5, 6, 1, 5]


def test_too_much_is_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """One search has the same readings to its end; the next one has empty ones if what is kept is too large."""
    monkeypatch.setattr("mem0g.retrieve.ranking.said.MOST_BYTES", current_readings().size_in_bytes + 100_000)
    readings = current_readings()
    assert current_readings() is readings
    said = readings.read([("the red kayak", "Uma", "")])
    readings.read([(f"the {number}th parrot", "Uma", "") for number in range(20)])
    assert current_readings() is readings
    readings.read([("the parrot " * 10_000, "Uma", "")])
    assert current_readings().statements == []
    assert said_by(said, 0, TERM) == {"red", "kayak"}


def test_what_is_noted_of_texts() -> None:
    """It is found out once for each text, whoever says it again, and kept with the readings."""
    said = READER.read([(text, "Uma", "") for text in ("two", "kayaks", "two")])
    for _ in range(2):
        assert said.noted("length", len).tolist() == [3, 6, 3]
    assert READER.read([("kayaks", "Uma", "")]).noted("length", lambda text: 0).tolist() == [6]


def test_statements_that_have_a_word() -> None:
    """By their content words; names that nobody mentioned are found nowhere."""
    said = READER.read([("Rose paints", "Uma", ""), ("we paint roses, don't we", "Uma", ""), ("it rose?", "Uma", "")])
    assert said.having({"rose"}).tolist() == [True, True, True]
    assert said.having({"paint", "zylph"}).tolist() == [True, True, False]
    assert said.having(()).tolist() == [False, False, False]
