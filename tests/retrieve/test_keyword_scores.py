"""BM25, and the stems that it counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from mem0g.retrieve.ranking.keyword_scores import K1, B, Stems, bm25, z
from mem0g.text.stemming import tokens

if TYPE_CHECKING:
    from mem0g.retrieve.ranking.proximity import Scores

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


def scored(terms: Sequence[str], texts: Sequence[Sequence[str]]) -> Scores:
    """The scores of texts for a question, both as stems."""
    stems = Stems([" ".join(text) for text in texts])
    return bm25(stems.counts(terms), stems.lengths)


def best(question: str) -> str:
    """The text with the best score."""
    return TEXTS[int(np.argmax(scored(tokens(question), STEMS)))]


def test_counts() -> None:
    """A row a text, a column a term; a part of a stem is not the stem."""
    stems = Stems(["tea tea ann tea", "", "rain 北京", "steam teas te"])
    counts = stems.counts(["tea", "rain", "北京", "snow"])
    assert counts.tolist() == [[3, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    assert stems.lengths.tolist() == [4, 0, 2, 3]


def test_counts_of_phrases() -> None:
    """A term of several stems is counted where they follow each other, not from one text into the next."""
    stems = Stems(["0 6 2 and 0 6 2", "2 6 0", "0 6", "2 0 6 2", ""])
    assert stems.counts(["0 6 2", "6 0", "2 0", "9 9"]).T.tolist() == [
        [2, 0, 0, 1, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 0],
    ]


def test_as_a_well_known_implementation() -> None:
    """The scores are those of rank_bm25 where no word is in more than half of the texts."""
    terms = tokens("What tea does the shop sell, and who climbs?")
    expected = BM25Okapi(STEMS, k1=K1, b=B).get_scores(terms)
    assert scored(terms, STEMS).tolist() == pytest.approx(expected.tolist())


def test_the_text_with_the_words_wins() -> None:
    """Forms of a word meet, the rarer word counts more, repeating a word helps."""
    assert best("Who climbed a rock?") == "Cho climbs rocks."
    assert best("Ann and chess") == "Bob plays chess with Ann on Sundays."
    assert best("tea") == "The shop in Lisbon sells tea, tea pots and more tea."


def test_words_that_nobody_said_score_nothing() -> None:
    """All scores are 0, one a text."""
    assert scored(["zebra"], STEMS).tolist() == [0.0] * len(TEXTS)


@pytest.mark.parametrize(("terms", "texts"), [([], [["a"]]), (["a"], []), (["a"], [[], []]), ([], [])])
def test_nothing_to_compare(terms: list[str], texts: list[list[str]]) -> None:
    """No words, or no texts with words, score 0 and are no error."""
    assert scored(terms, texts).tolist() == [0.0] * len(texts)


def test_a_word_asked_twice_counts_once() -> None:
    """ "Tea, tea!" asks for what "tea" asks for."""
    assert scored(["tea", "tea"], STEMS).tolist() == scored(["tea"], STEMS).tolist()


def test_in_a_small_memory_words_do_not_count_against() -> None:
    """Of two or three texts, one that has a word is never below one that has none of the words."""
    assert min(scored(tokens("Ann"), [tokens("Ann sings."), tokens("Ann lives in Oslo by the sea.")])) >= 0
    scores = scored(tokens("Does Ann sing?"), [tokens("Ann sings."), tokens("Ann likes tea."), tokens("It rains.")])
    assert scores[0] >= scores[1] >= scores[2]


def test_measured_by_others() -> None:
    """Texts that are not measured have scores, and change no score of another, however many there are."""
    counts, lengths = Stems(["tea", "rain and wind", "tea and rain", "tea tea", "tea"]).counts(["tea"]), np.ones(5)
    measured = np.array([True, True, True, False, False])
    scores = bm25(counts, lengths, measured)
    assert scores[:3].tolist() == bm25(counts[:3], lengths[:3]).tolist()
    assert scores[3] >= scores[4] == scores[0]
    assert z(scores, measured)[:3].tolist() == z(scores[:3]).tolist()


def test_z_scores_of_what_is_not_measured_are_bounded() -> None:
    """A question like the one asked is no hundred spreads above two statements that hardly differ."""
    measured = np.array([True, True, False, False])
    assert z(np.array([0.30, 0.31, 1.0, -1.0]), measured).tolist() == pytest.approx([-1, 1, 1, -1])
    assert z(np.array([0.3, 0.3, 1.0]), np.array([True, True, False])).tolist() == [0, 0, 0]
    assert z(np.array([0.3, 1.0]), np.array([False, False])).tolist() == [0, 0]


@given(WORDS, st.lists(WORDS, max_size=8))
def test_scores(terms: list[str], texts: list[list[str]]) -> None:
    """One finite score a text, 0 or more, and 0 where no word is shared, whatever the texts are."""
    scores = scored(terms, texts)
    assert scores.shape == (len(texts),)
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    for text, score in zip(texts, scores, strict=True):
        if not set(terms) & set(text):
            assert score == 0
