"""Terms of identifiers in a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.text.identifiers import MOST_TERMS, identifier_terms
from mem0g.text.stemming import tokens


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("0.6.2", "Flask-Login 0.6.2 is pinned"),
        ("v0.6.2", "Flask-Login 0.6.2 is pinned"),
        ("0.6.2", "Flask-Login v0.6.2 is pinned"),
        ("max_retries", "I set max_retries to 5"),
        ("app/models.py", "the bug is in app/models.py, I think"),
        ("127.0.0.1:5000", "it listens on 127.0.0.1:5000 again"),
    ],
)
def test_whole_identifiers_are_phrases(asked: str, stored: str) -> None:
    """A whole identifier is among the stems of a text in one piece, a version with its v or without."""
    held = f" {' '.join(tokens(stored))} "
    assert any(" " in each and f" {each} " in held for each in identifier_terms(f"What about {asked}?"))


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("what does get user by id return", "getUserById"),
        ("a json decode error", "JSONDecodeError"),
        ("user_id", "userId"),
        ("the data base", "database"),
    ],
)
def test_words_in_a_row_are_one(asked: str, stored: str) -> None:
    """An identifier that is one stem is found by its words."""
    assert tokens(stored)[0] in identifier_terms(asked)


def test_camel_case_is_split() -> None:
    """The words of a name in camel case are terms of their own."""
    assert {"get", "user", "id"} <= set(identifier_terms("getUserById"))


@pytest.mark.parametrize("text", ["", " ", "?!", "Oslo", "in the", "北京在哪里", "...", "__", "-._/"])
def test_no_identifiers(text: str) -> None:
    """Texts without an identifier and without words in a row have none."""
    assert identifier_terms(text) == ()


@given(st.text(alphabet="aB1._-/ :字", max_size=300))
def test_terms_are_few_and_no_blank_ones(text: str) -> None:
    """Whatever the text: at most MOST_TERMS, each once, of stems with single spaces between."""
    found = identifier_terms(text)
    assert len(found) == len(set(found)) <= MOST_TERMS
    assert all(each and each == " ".join(each.split()) for each in found)


def test_a_pasted_text() -> None:
    """Of a long text no words are joined, and the terms stay few."""
    assert len(identifier_terms("File app/models.py fails in getUserById " * 2000)) < 10
    assert len(identifier_terms(" ".join(f"pkg{n}.mod{n}" for n in range(2000)))) == MOST_TERMS
