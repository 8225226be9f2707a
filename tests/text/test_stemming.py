"""Words as keyword search sees them."""

from __future__ import annotations

import string
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.text.english import STOP_WORDS
from mem0g.text.stemming import _stem, tokens

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("", []),
        ("Where does she live now?", ["live", "now"]),
        ("The studies were studied", ["studi", "studi"]),
        ("Ann's cats, dogs; and BIRDS!", ["ann", "cat", "dog", "bird"]),
        ("snake_case", ["snake", "case"]),
        ("ＮＡＳＡ", ["nasa"]),
        ("room 101", ["room", "101"]),
        ("北京大学", ["北京", "京大", "大学", "北", "京", "大", "学"]),
        ("我爸爸的书", ["我爸", "爸爸", "爸的", "的书", "爸", "爸", "书"]),
        ("茶", ["茶"]),
        ("北京, 上海", ["北京", "北", "京", "上海", "海"]),
        ("Ann住在北京now", ["ann", "住在", "在北", "北京", "住", "北", "京", "now"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー", "東", "京"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("दिल्ली में", ["दिल्ली", "में"]),
        ("مدينة القاهرة", ["مدينة", "القاهرة"]),
        ("tea 🍵 ☕️", ["tea"]),
        ('"quoted" NEAR(a b) col:x*', ["quot", "near", "b", "col", "x"]),
        ("the of and", []),
    ],
)
def test_tokens(text: str, stems: list[str]) -> None:
    """Words are folded, stemmed and kept in order, stop words left out; CJK runs give pairs and ideographs."""
    assert tokens(text) == stems


def test_one_character_of_a_word_meets_it() -> None:
    """A Chinese word of one character is found in a word that has it, and function characters tie nothing."""
    assert set(tokens("他的爸")) & set(tokens("爸爸"))
    assert not set(tokens("我的书")) & set(tokens("他的爸爸"))


def test_forms_of_a_word_meet() -> None:
    """A question finds a word in another form of it."""
    assert tokens("hiking") == tokens("hikes") == tokens("HIKED")


@given(TEXT)
def test_no_token_needs_escaping(text: str) -> None:
    """Tokens hold no white space, no quote and no operator of a full-text query, and are never empty."""
    for token in tokens(text):
        assert token
        assert not set(token) & set(" \t\n\"'*^:()+-{}")


@given(TEXT, TEXT)
def test_texts_side_by_side(one: str, other: str) -> None:
    """The tokens of two texts with a space between are those of the one and then those of the other."""
    assert tokens(f"{one} {other}") == [*tokens(one), *tokens(other)]


def test_stop_words_are_folded() -> None:
    """No stop word could miss for its case or an apostrophe."""
    assert all(word.isalpha() and word == word.casefold() for word in STOP_WORDS)
    assert tokens(" ".join(sorted(STOP_WORDS))) == []


def test_threads_share_the_stemmer() -> None:
    """Stems are those of one thread, however many look for them at once."""
    said = [f"{word}{end}" for word in string.ascii_lowercase * 4 for end in ("ational", "ousness", "ing", "edly")]
    words = [
        f"{place:x}{word}".translate(str.maketrans(string.digits, "ghijklmnop")) for place, word in enumerate(said)
    ]
    expected = [tokens(word) for word in words]
    _stem.cache_clear()
    interval = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-6)
        for _ in range(5):
            with ThreadPoolExecutor(4) as pool:
                found = list(pool.map(lambda start: [tokens(word) for word in words[start:] + words[:start]], range(4)))
            assert found == [[*expected[start:], *expected[:start]] for start in range(4)]
            _stem.cache_clear()
    finally:
        sys.setswitchinterval(interval)
