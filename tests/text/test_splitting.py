"""Long texts are split at the best place."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mem0g.text.passages import split_text


@given(text=st.text(max_size=300), size=st.integers(1, 50))
def test_pieces_are_the_text(text: str, size: int) -> None:
    """Nothing is lost, nothing twice, and none is longer than allowed."""
    found = list(split_text(text, size))
    assert "".join(found) == text
    assert all(len(each) <= size for each in found)
    assert all(found[:-1])


def test_where_texts_are_cut() -> None:
    """After a paragraph, else a sentence, else a word, in the last half of what a piece may have; else anywhere."""
    assert list(split_text("One two.\n\nThree. Four five", 16)) == ["One two.\n\n", "Three. Four five"]
    assert list(split_text("One two. Three four five six", 16)) == ["One two. ", "Three four five ", "six"]
    assert list(split_text("One two three four", 9)) == ["One two ", "three ", "four"]
    assert list(split_text("一二三。四五六七八九", 5)) == ["一二三。", "四五六七八", "九"]
    assert list(split_text("x" * 7, 3)) == ["xxx", "xxx", "x"]
