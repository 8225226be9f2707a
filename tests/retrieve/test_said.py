"""What a statement says: its words and numbers, and what it says of a change."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from mem0g.retrieve.ranking.said import Said, _kinds_read, _kinds_written
from mem0g.text.names import fold, words
from mem0g.text.stemming import are_english, content


def test_words_of_a_message() -> None:
    """Content words without the speaker's name; the topic has no numbers, and has the words of the question before."""
    said = Said("Ann's key hangs on the 2nd hook at 7", "Ann", "Where is my coat?")
    assert said.terms == {"key", "hang", "2nd", "hook", "7"}
    assert said.topic == {"key", "hang", "hook", "coat"}
    assert said.numbers == {"2", "7"}
    assert not said.revises


def test_what_a_message_revises() -> None:
    """A change has the topic without the words that say so; what ended is a clause by itself."""
    moved = Said("Ida moved to Vaasa", "Uma")
    assert moved.changes
    assert moved.topic == {"ida", "vaasa"}
    sold = Said("I took the bus, the kayak is sold", "Uma")
    assert sold.revises
    assert sold.ended == (frozenset({"kayak"}),)


def test_who_says_it() -> None:
    """A message in the first person is its speaker's own, and so is a fact about a speaker."""
    assert Said("I have a key", "Ann").own
    assert not Said("Bo has a key", "Ann").own
    assert Said("Bo has a key", "Bo", of_speaker=True).own


@given(st.text(st.sampled_from(string.ascii_letters + string.digits + " -.,\n"), max_size=60), st.text(max_size=5))
def test_words_as_written_are_words_read(text: str, speaker: str) -> None:
    """Reading the words of an English text as they are written finds the same."""
    said = words(text.lower())
    if are_english(said):
        written, terms = _kinds_written(said, speaker), content(text) - content(speaker)
        assert {word: kind for word, kind in written.items() if kind} == _kinds_read(fold(text), terms, terms)
