"""Recognising code in messages."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.text.code import blocks, identifier_words, with_short_code, without_code

FENCED = """I use Flask 2.3.1.

```python
my_city = "Oslo"  # I live in Oslo
print(my_city)
```

My sister lives in Bergen."""

TRACE = """It fails again:
Traceback (most recent call last):
  File "app.py", line 12, in <module>
    connect()
sqlite3.OperationalError: no such table: users
What can I do?"""

BARE = """Here is what I have:

def total(rows):
    return sum(row["amount"] for row in rows)

x = total(rows);

My deadline is April 15."""


def test_fenced() -> None:
    """What stands between fences is code, whatever it says."""
    assert without_code(FENCED) == "I use Flask 2.3.1.\n\n\n\n\nMy sister lives in Bergen."


def test_a_fence_that_is_not_closed() -> None:
    """It goes on to the end."""
    assert without_code("See:\n```\nI live in Oslo.") == "See:\n\n"


def test_stack_traces() -> None:
    """The lines of a stack trace are code, with those indented among them."""
    assert without_code(TRACE).split("\n") == ["It fails again:", "", "", "What can I do?"]


def test_bare_code() -> None:
    """Lines with the symbols of code are a block, without fences; a blank line does not end it."""
    assert without_code(BARE).split() == ["Here", "is", "what", "I", "have:", "My", "deadline", "is", "April", "15."]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Oslo (since 2020), with my dog.\nMy sister, Ann, lives in Rome; she's a nurse.",
        "- Milk\n- Eggs (12)\n- Bread, 2 loaves",
        "Total: $250.00, of which $50 is for food.\nRent: $900/month; due on the 1st.",
        "See https://example.org/a_b?c=d for it.\nThanks!",
        "Are you at home? :)\nI'm not... ;)",
        "今天我在上海（浦东）。\n明天去北京。",
        "x = 5",
    ],
)
def test_prose(text: str) -> None:
    """Lists, amounts, an address and smileys are no code, and a single line is no block."""
    assert without_code(text) == text


def test_short_code() -> None:
    """The first lines stay, and the number of the others is told; a short block stays whole."""
    long = "See:\n```python\n" + "\n".join(f"x_{n} = {n}" for n in range(30)) + "\n```\nThanks."
    assert with_short_code(long) == "See:\n```python\nx_0 = 0\nx_1 = 1\n… (29 more lines of code)\nThanks."
    assert with_short_code(FENCED) == FENCED


@given(st.text(alphabet="`~ab (){};=\n\r\t.", max_size=300))
def test_blocks_are_in_order(text: str) -> None:
    """Blocks are parts of the text, one after the other."""
    last = 0
    for start, end in blocks(text):
        assert last <= start < end <= len(text)
        last = end


def test_hostile_texts_take_linear_time() -> None:
    """Fences, brackets and long lines."""
    for text in (
        "```\n" * 50_000,
        "aA" * 50_000 + "_",
        "A" * 100_000 + "_",
        "(" * 100_000,
        "at x" * 25_000,
        "import " * 15_000,
        "return " * 15_000 + "\n",
    ) * 2:
        begun = time.process_time()
        list(blocks(text))
        identifier_words(text)
        assert time.process_time() - begun < 2


def test_identifiers() -> None:
    """Names in camel case have words; other words have none."""
    assert identifier_words("Call getUserById or HTTPServer, not McDonald_s.") == [
        "get",
        "User",
        "By",
        "Id",
        "HTTP",
        "Server",
    ]
    assert identifier_words("I live in Oslo, NASA is in the USA, get_user_by_id, 2.3.1") == []
