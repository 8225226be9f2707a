"""Notes and documents."""

from datetime import UTC, datetime

import pytest

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.transcripts import read_text

JOURNAL = """---
title: Journal
date: 2024-02-01
---
I keep this since I moved to Oslo.

Plans
=====

- learn to ski
- see [the fjords](https://x.org) with [[people/Bob|Bob]] ![Bob on a boat](b.jpg)
<!-- not for others -->

## Work

I start at Acme.

## Empty

# 2024

## 1 March 2024

I saw Bob today.

```
# no heading
Ann: no speaker
```

2 March 2024

He left.
"""


def read(text: str, speaker: str = "Ann") -> list[Utterance]:
    return read_text(text, "notes.md", speaker=speaker)


def day(month: int, number: int) -> datetime:
    return datetime(2024, month, number, tzinfo=UTC)


def test_sections_are_messages() -> None:
    """Each under its headings, by the author, with the date of the nearest heading above or the front matter."""
    found = [(each.session, each.time, each.text) for each in read(JOURNAL)]
    assert found == [
        ("", day(2, 1), "I keep this since I moved to Oslo."),
        ("Plans", day(2, 1), "# Plans\n\n- learn to ski\n- see the fjords with Bob [photo: Bob on a boat]"),
        ("Plans / Work", day(2, 1), "# Plans / Work\n\nI start at Acme."),
        (
            "2024 / 1 March 2024",
            day(3, 1),
            "# 2024 / 1 March 2024\n\nI saw Bob today.\n\n```\n# no heading\nAnn: no speaker\n```",
        ),
        ("2024 / 1 March 2024 / 2 March 2024", day(3, 2), "# 2024 / 1 March 2024 / 2 March 2024\n\nHe left."),
    ]
    assert {(each.speaker, each.role) for each in read(JOURNAL)} == {("Ann", "user")}
    assert read("I moved to Oslo in March.", speaker="")[0].speaker == ""


def test_days_follow_each_other() -> None:
    """Lines that are dates stand beside each other under the heading above, and headings below them under them."""
    text = "# Diary\n2024-03-01\nI saw Bob in Oslo.\n### Evening\nWe went out for dinner.\n2024-03-02\nHe left again.\n"
    assert [(each.session, each.time) for each in read(text)] == [
        ("Diary / 2024-03-01", day(3, 1)),
        ("Diary / 2024-03-01 / Evening", day(3, 1)),
        ("Diary / 2024-03-02", day(3, 2)),
    ]


def test_an_edit_leaves_the_other_sections() -> None:
    """A section added above, or one that is changed, leaves the others as they were."""
    before = read("# A\nI like tea very much.\n# B\nBob likes coffee very much.\n")
    after = read("# New\nIt rains here every day.\n# A\nI like tea no more.\n# B\nBob likes coffee very much.\n")
    assert after[-1] == before[-1]


def test_long_sections_are_cut() -> None:
    """At paragraphs, each piece under the headings."""
    pieces = read("# A\n" + "I like tea very much indeed.\n\n" * 400)
    assert len(pieces) > 1
    assert all(each.text.startswith("# A\n\nI like") and len(each.text) < 4100 for each in pieces)
    assert [each.position for each in pieces] == list(range(len(pieces)))
    assert len(read("tea and coffee " * 100_000)) > 300


def test_days_that_do_not_exist() -> None:
    """A line that is a date is an error, a title may be anything."""
    with pytest.raises(TranscriptError, match=r"notes\.md, line 1: "):
        read("2024-02-31\n\nI moved to Oslo in March.\n")
    assert read("# Notes of 2024-02-31\n\nI moved to Oslo in March.\n")[0].time is None


@pytest.mark.parametrize("part", ["[[", "![", "[a](", "<!--", "[a|", "# a\n"])
def test_hostile_marks_take_linear_time(part: str) -> None:
    """Links and comments that are never closed are read as text; 30,000 of them within a second or two."""
    assert read("I moved to Oslo in March.\n" + part * 30_000)
