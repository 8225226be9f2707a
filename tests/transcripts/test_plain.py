"""Plain text and Markdown."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_text
from mem0g.transcripts.labels import find_label


def said(text: str) -> list[tuple[str, str]]:
    return [(u.speaker, u.text) for u in read_text(text, "chat.md", format="text")]


def sessions(text: str) -> list[tuple[str, datetime | None, int]]:
    return [(u.session, u.time, u.position) for u in read_text(text, "chat.md", format="text")]


@pytest.mark.parametrize(
    "line",
    [
        "Ann: hi: there",
        "**Ann:** hi: there",
        "**Ann**: hi: there",
        "__Ann:__ hi: there",
        "- Ann: hi: there",
        "* **Ann:** hi: there",
        "  Ann: hi: there",
        "Ann : hi: there",
        "Ann：hi: there",
    ],
)
def test_a_label_may_be_written_in_several_ways(line: str) -> None:
    """Plain, bold, as a list, indented, with a wide colon."""
    assert said(f"{line}\n{line}") == [("Ann", "hi: there")] * 2


@pytest.mark.parametrize(
    "name",
    ["Ann", "ann", "Ann Lee", "Maria del Carmen Ruiz", "Dr. Ada", "小明", "Speaker 1", "SPEAKER_00", "@ann", "O’Neil"],
)
def test_these_are_names(name: str) -> None:
    """Up to four words with capitals, a handle, a number, any script."""
    label = find_label(f"{name}: hello")
    assert label is not None
    assert (label.name, label.words) == (name, "hello")


@pytest.mark.parametrize(
    "line",
    [
        "https://example.org/a",
        "at 14:05 we left",
        "Here is what I want: milk",
        "Note: bring a coat",
        "P.S.: I forgot",
        "We all went to the: sea",
        "- milk",
        ": hello",
        "A name that is much too long to be the name of anybody: hi",
        "",
    ],
)
def test_these_are_not_names(line: str) -> None:
    """Addresses, clocks, sentences and words that a colon usually follows."""
    assert find_label(line) is None


def test_lines_without_a_label_go_on() -> None:
    """They belong to the message above, paragraphs and lists too; what is written otherwise is no label."""
    text = "**Ann:** two things:\n\n- Milk: 2 l\nIngredients: eggs\n**Bob:** ok"
    assert said(text) == [("Ann", "two things:\n\n- Milk: 2 l\nIngredients: eggs"), ("Bob", "ok")]
    assert said("Ann: eggs\n  Milk: 2 l\nBob: ok") == [("Ann", "eggs\n  Milk: 2 l"), ("Bob", "ok")]


def test_a_label_may_have_its_own_line() -> None:
    """If the first does, all may; otherwise only a name that has spoken."""
    assert said("Ann:\nhello\n\nBob:\nhi") == [("Ann", "hello"), ("Bob", "hi")]
    assert said("Ann: I need:\nShopping:\nmilk\nBob: ok\nAnn:\nthanks") == [
        ("Ann", "I need:\nShopping:\nmilk"),
        ("Bob", "ok"),
        ("Ann", "thanks"),
    ]


def test_code_is_not_read_as_headings_or_labels() -> None:
    """Within a fence a # is a comment; only a name that has spoken ends a fence that was left open."""
    assert said("Ann: so:\n```\n# 2024-03-01\nKey: value\n```\nBob: ok") == [
        ("Ann", "so:\n```\n# 2024-03-01\nKey: value\n```"),
        ("Bob", "ok"),
    ]
    assert said("Ann: so:\n```\ncode\nAnn: done") == [("Ann", "so:\n```\ncode"), ("Ann", "done")]


def test_role_labels_are_roles() -> None:
    """User and Assistant are no names: the speaker is not known, the role is."""
    read = read_text("User: hi\n\nAssistant: hello\n\nAnn: hey", "x")
    assert [(u.speaker, u.role) for u in read] == [("", "user"), ("", "assistant"), ("Ann", "user")]


@pytest.mark.parametrize(
    ("heading", "session", "time"),
    [
        ("# 2024-03-01", "2024-03-01", datetime(2024, 3, 1, tzinfo=UTC)),
        ("## Session 2 — 1 March 2024", "Session 2 — 1 March 2024", datetime(2024, 3, 1, tzinfo=UTC)),
        ("# 2024-03-01 18:30", "2024-03-01 18:30", datetime(2024, 3, 1, 18, 30, tzinfo=UTC)),
        ("2024-03-01T18:30+01:00", "2024-03-01T18:30+01:00", datetime(2024, 3, 1, 17, 30, tzinfo=UTC)),
        (
            "Friday, March 1st, 2024, 6:30 PM",
            "Friday, March 1st, 2024, 6:30 PM",
            datetime(2024, 3, 1, 18, 30, tzinfo=UTC),
        ),
        ("--- 1 Mar 2024 ---", "1 Mar 2024", datetime(2024, 3, 1, tzinfo=UTC)),
        ("Session 2: 2024-03-01", "Session 2: 2024-03-01", datetime(2024, 3, 1, tzinfo=UTC)),
        ("Date: 2024-03-01", "Date: 2024-03-01", datetime(2024, 3, 1, tzinfo=UTC)),
        ("**2024/03/01**", "2024/03/01", datetime(2024, 3, 1, tzinfo=UTC)),
        ("# The trip #", "The trip", None),
    ],
)
def test_headings_and_date_lines_start_sessions(heading: str, session: str, time: datetime | None) -> None:
    """The session is called what the line says, and has its date; a bare date is midnight in UTC."""
    text = f"Ann: before\n\n{heading}\n\nAnn: one\nBob: two\n"
    assert sessions(text) == [("", None, 0), (session, time, 0), (session, time, 1)]


def test_a_naive_clock_is_in_the_zone_given() -> None:
    """Not so a bare date, which stays its day."""
    read = read_text("# 2024-03-01 18:30\nAnn: a\n# 2024-03-02\nAnn: b", "x", zone=ZoneInfo("America/New_York"))
    assert [u.time for u in read] == [datetime(2024, 3, 1, 23, 30, tzinfo=UTC), datetime(2024, 3, 2, tzinfo=UTC)]


def test_a_heading_without_a_date_has_that_of_the_one_above() -> None:
    """A heading of a higher or the same level does not pass its date on."""
    text = "# 2024-03-01\n## Morning\nAnn: a\n## Evening\nAnn: b\n# Some day\nAnn: c"
    day = datetime(2024, 3, 1, tzinfo=UTC)
    assert sessions(text) == [("Morning", day, 0), ("Evening", day, 0), ("Some day", None, 0)]


def test_what_somebody_says_about_a_date_starts_nothing() -> None:
    """A date within words is words."""
    assert sessions("Ann: we met\non 1 March 2024 in Oslo\nBob: yes") == [("", None, 0), ("", None, 1)]


def test_front_matter_and_rules_are_no_words() -> None:
    """YAML before the text and horizontal rules are passed over, and count as lines."""
    text = "---\ntitle: Trip\n---\nAnn: hi\n\n---\n\nBob: ho\n"
    assert said(text) == [("Ann", "hi"), ("Bob", "ho")]
    with pytest.raises(TranscriptError, match=r"^chat\.md, line 4: no speaker"):
        said("---\ntitle: Trip\n---\nonce upon a time")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("once upon a time\nAnn: hi", "chat.md, line 1: no speaker has been named yet"),
        ("Ann: hi\nAnn:\n\nBob: ho", "chat.md, line 2: a message without text"),
        ("Ann: hi\n# 2024-02-31\nBob: ho", "chat.md, line 2: cannot read the time"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    """The line is named."""
    with pytest.raises(TranscriptError) as caught:
        said(text)
    assert str(caught.value).startswith(message)
    assert caught.value.hint
