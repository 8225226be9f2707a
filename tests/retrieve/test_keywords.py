"""BM25 over the candidates at hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.lexical import tokens
from mem0g.retrieve.keywords import bm25

TEXTS = [
    "Ann lives in Oslo.",
    "Ann likes green tea.",
    "Bob plays chess with Ann on Sundays.",
    "The shop in Lisbon sells tea, tea pots and more tea.",
    "Cho climbs rocks.",
    "Dev sings.",
]
STEMS = [tokens(text) for text in TEXTS]
WORDS = st.lists(st.sampled_from("abcdefg"), max_size=6)


def best(question: str) -> str:
    """The text with the best score."""
    return TEXTS[int(np.argmax(bm25(tokens(question), STEMS)))]


def test_the_text_with_the_words_wins() -> None:
    """Forms of a word meet, the rarer word counts more, repeating a word helps."""
    assert best("Who climbed a rock?") == "Cho climbs rocks."
    assert best("Ann and chess") == "Bob plays chess with Ann on Sundays."
    assert best("tea") == "The shop in Lisbon sells tea, tea pots and more tea."


def test_words_that_nobody_said_score_nothing() -> None:
    """All scores are 0, one a text."""
    assert bm25(["zebra"], STEMS).tolist() == [0.0] * len(TEXTS)


@pytest.mark.parametrize(("terms", "texts"), [([], [["a"]]), (["a"], []), (["a"], [[], []]), ([], [])])
def test_nothing_to_compare(terms: list[str], texts: list[list[str]]) -> None:
    """No words, or no texts with words, score 0 and are no error."""
    assert bm25(terms, texts).tolist() == [0.0] * len(texts)


def test_a_word_asked_twice_counts_once() -> None:
    """ "Tea, tea!" asks for what "tea" asks for."""
    assert bm25(["tea", "tea"], STEMS).tolist() == bm25(["tea"], STEMS).tolist()


def test_in_a_small_memory_words_do_not_count_against() -> None:
    """Of two or three texts, one that has a word is never below one that has none of the words."""
    assert min(bm25(tokens("Ann"), [tokens("Ann sings."), tokens("Ann lives in Oslo by the sea.")])) >= 0
    scores = bm25(tokens("Does Ann sing?"), [tokens("Ann sings."), tokens("Ann likes tea."), tokens("It rains.")])
    assert scores[0] >= scores[1] >= scores[2]


@given(WORDS, st.lists(WORDS, max_size=8))
def test_scores(terms: list[str], texts: list[list[str]]) -> None:
    """One finite score a text, 0 or more, and 0 where no word is shared, whatever the texts are."""
    scores = bm25(terms, texts)
    assert scores.shape == (len(texts),)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    for text, score in zip(texts, scores, strict=True):
        if not set(terms) & set(text):
            assert score == 0
