"""Cutting long texts into passages."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.text.passages import BEGINNING, LONGEST, MAX_OUTLINED, cut, is_data, outlined, size

ANSWER = """To add a login form you need three things.

## 1. Install the package

Run this in your environment:

```bash
# this is no heading
pip install flask-login==0.6.2
```

## 2. Create the user model

- `UserMixin` gives you the methods.
- The loader returns a user by its id.

**Next steps**

Write a test for each route.
"""

LINES = st.sampled_from(
    [
        "# A",
        "## B c",
        "**D**",
        "- item",
        "1. one",
        "```",
        "```py",
        "~~~",
        "| a | b |",
        "x = 1",
        "",
        "   ",
        "word " * 40,
        "Ein Satz. " * 200,
        "字" * 900,
        "\t- deep",
        "a\rb",
        "\x0b",
        "`" * 90,
        "- " * 500,
        "#" * 300,
        "x" * 5000,
    ]
)
TEXTS = st.lists(LINES | st.text(max_size=50), max_size=40).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n"]).map(lambda end: end.join(lines))
)


def test_sections() -> None:
    """A heading begins a passage, unless the one before is short; code is no heading."""
    long = ANSWER.replace("three things.", "three things." + " They are easy to do in any order." * 7)
    assert [(span.heading, long[span.start : span.end].split("\n")[0][:24]) for span in cut(long)] == [
        ("", "To add a login form you "),
        ("1. Install the package", "## 1. Install the packag"),
    ]
    assert "# this is no heading\npip install flask-login==0.6.2\n```" in long[slice(*_ends(cut(long)[1]))]


def _ends(span: object) -> tuple[int, int]:
    return span.start, span.end  # type: ignore[attr-defined]


def test_items_and_paragraphs_stay_whole() -> None:
    """A passage ends before an item or a paragraph, not within one."""
    items = "\n".join(f"- Item {n} is a line of a list, and it says something of its own." for n in range(40))
    assert all(items[span.start : span.end].startswith("- Item") for span in cut(items))
    said = "\n\n".join(f"Paragraph {n}. " + "It has a few sentences more. " * 5 for n in range(12))
    assert all(said[span.start : span.end].startswith("Paragraph") for span in cut(said))


def test_sentences() -> None:
    """A long paragraph is cut between its sentences."""
    text = "The quick brown fox jumps over the lazy dog near the river. " * 40
    assert all(text[span.start : span.end].endswith("river.") for span in cut(text))


def test_chinese() -> None:
    """Text without spaces is cut after its sentences, at a third of the characters."""
    text = "我昨天在上海的图书馆里读了一本关于河流的书。" * 40
    spans = cut(text)
    assert all(text[span.start : span.end].endswith("。") for span in spans)
    assert all(span.end - span.start <= LONGEST // 3 for span in spans)


@given(TEXTS)
def test_all_is_covered_in_order(text: str) -> None:
    """Every character but white space is in exactly one passage, and no passage is longer than allowed or blank."""
    last = 0
    for span in cut(text):
        assert text[last : span.start].strip() == ""
        assert text[span.start : span.end].strip()
        assert (
            size(text[span.start : span.end])
            <= LONGEST
            + text[span.start : span.end].count("\n")
            + len(re.findall(r"\s{2,}", text[span.start : span.end])) * LONGEST
        )
        last = span.end
    assert text[last:].strip() == ""


@given(TEXTS)
def test_the_same_text_has_the_same_passages(text: str) -> None:
    """Passages are a function of the text."""
    assert cut(text) == cut(text)


def test_hostile_texts_take_linear_time() -> None:
    """100 kB in one line, 100,000 headings, unclosed fences, deep lists, blank lines."""
    for text in (
        "x" * 100_000,
        "word " * 20_000,
        "# h\n" * 100_000,
        "```\n" * 100_001,
        "\n".join(" " * (n % 500) + "- x" for n in range(2000)),
        "\n" * 100_000,
        "*" * 100_000,
        "**" * 50_000,
        "[" * 100_000,
        "字" * 100_000,
        "- " * 50_000,
    ):
        begun = time.process_time()
        cut(text)
        assert time.process_time() - begun < 3


def test_an_outline() -> None:
    """A long text is shown by the beginnings of its passages."""
    assert outlined(ANSWER[:100]) == ANSWER[:100]
    lines = outlined("\n\n".join(f"## Part {n}\n\n{'All there is to say. ' * 20}" for n in range(3))).splitlines()
    assert [line[:9] for line in lines] == ["## Part 0", "## Part 1", "## Part 2"]
    assert all(len(line) <= BEGINNING + 2 and line.endswith(" …") for line in lines)


def test_the_outline_of_a_huge_text() -> None:
    """It is bounded, and tells how much is left out; a word without end is cut."""
    lines = outlined("\n\n".join(f"{n} {'word ' * 140}" for n in range(200))).splitlines()
    assert len(lines) == MAX_OUTLINED + 1
    assert lines[-1] == f"… ({200 - MAX_OUTLINED} more parts)"
    assert max(map(len, outlined("x" * 100_000).splitlines())) <= BEGINNING + 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps([{"id": number, "state": "open"} for number in range(20)], separators=(",", ":")), True),
        ("iVBORw0KGgoAAAANSUhEUgAA" * 20, True),
        (json.dumps([{"id": number, "state": "open"} for number in range(20)], indent=1), False),
        ("She moved to Lisbon on 6 April and works at the port. " * 8, False),
        ("我住在一个小公寓里" * 40, False),
        ("ฉันย้ายไปกรุงเทพเมื่อปีที่แล้วและทำงานที่ท่าเรือ" * 8, False),
        ("See https://example.org/" + "a" * 90 + " for what we found about the flat in Lisbon. " * 4, False),
        ("", False),
    ],
)
def test_data_is_told_from_language(text: str, expected: bool) -> None:
    """Long runs of ASCII without white space are data; languages that are written without spaces are not."""
    assert is_data(text) is expected
