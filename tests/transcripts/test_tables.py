"""CSV and TSV."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_files, read_text

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def test_usual_names() -> None:
    """Columns are found by name in any case and spelling; rows without text are left out."""
    table = (
        "Message ID,Sender Name,created_at,Content,Thread,extra\n"
        'm1,Ann,2024-03-01T12:00:00Z,"hi, Bob\nand all",t1,x\n'
        "m2,Bob,2024-03-01 12:01,,t1,x\n"
        "\n"
        "m3,Bob,1709294400,ho,t2\n"
    )
    first, second = read_text(table, "x.csv")
    assert (first.speaker, first.text, first.time, first.session) == ("Ann", "hi, Bob\nand all", NOON, "t1")
    assert (first.source_id, first.source, first.position) == ("m1", "x.csv", 0)
    assert (second.speaker, second.text, second.time, second.session, second.position) == ("Bob", "ho", NOON, "t2", 0)


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_delimiters(delimiter: str) -> None:
    """The one that the header has most of."""
    table = "\n".join(delimiter.join(row) for row in [("time", "author", "body"), ("2024-03-01", "Ann", "hi")])
    (only,) = read_text("\ufeff" + table, "x")
    assert (only.speaker, only.text) == ("Ann", "hi")


def test_long_cells() -> None:
    """A text may be as long as a message may, and is then longer than Python's csv reads by itself."""
    text = "I live in Oslo. " * 20_000
    table = f'author,message\nAnn,"{text}"\nBob,Hello.\n'
    assert [each.text for each in read_text(table, "t.csv")] == [text.strip(), "Hello."]
    with pytest.raises(TranscriptError, match="no known format") as caught:
        read_text(table.replace("author,message", "a,b"), "t.csv")
    assert "--column" in str(caught.value.hint)


def test_named_columns(tmp_path: Path) -> None:
    """Names given come before the usual ones; a role or the author given takes the place of a speaker."""
    table = "when,text,what,kind\n2024-03-01,1,hi,user\n2024-03-01,2,ho,assistant\n"
    columns = {"text": "WHAT", "role": "kind", "id": "text"}
    utterances = read_text(table, "x", columns=columns, speaker="Ann")
    assert [(each.speaker, each.role, each.text, each.source_id) for each in utterances] == [
        ("Ann", "user", "hi", "1"),
        ("", "assistant", "ho", "2"),
    ]
    (tmp_path / "a.csv").write_text("a,b\nAnn,I moved to Oslo in March\n")
    (tmp_path / "b.txt").write_text("Bob: hey")
    for form in (None, "csv"):
        read = read_files([tmp_path], columns={"text": "b", "speaker": "a"}, format=form)
        assert next((each.speaker, each.source) for each in read.utterances) == ("Ann", "a.csv")
        assert len(read.skipped) == (form is not None)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (["01/03/2024 12:00", "31/03/2024 12:00"], NOON),
        (["03/01/2024 12:00", "03/31/2024 12:00"], NOON),
        (["03/01/2024 12:00 PM", "03/31/2024 12:00 PM"], NOON),
        (["01.03.2024 12:00"], NOON),
        (["1 March 2024, 12:00"], NOON),
        (["Mar 1st, 2024 12:00 pm"], NOON),
        ([""], None),
    ],
)
def test_times(times: list[str], expected: datetime | None) -> None:
    """Whether the day or the month comes first is decided by all times."""
    rows = "".join(f'"{time}",hi\n' for time in times)
    assert read_text(f"time,text\n{rows}", "x")[0].time == expected


@pytest.mark.parametrize(
    ("table", "message", "hint"),
    [
        ("time,text\n2024-03-01,a,b\n", "x, line 2: 3 cells, but the header has 2", "quotes"),
        ('time,text\n2024-03-01,"a\n', "x, line 2: broken table", "quotes"),
        ('time,text\n2024-03-01,"a"b\n', "x, line 2: broken table", "quotes"),
        ("time,text\n03/04/2024,hi\n", "x, line 2: '03/04/2024' has the day or the month first", "write 2024-03-01"),
        ("time,text\nnoon,hi\n", "x, line 2: cannot read the time 'noon'", "write"),
        ("time,text\n32.13.2024,hi\n", "x, line 2: ", ""),
        ("role,text\ncritic,hi\n", "x, line 2: unknown role 'critic'", "one of user"),
        ("time,text\n,\n", "x has no messages", "csv"),
        ("a,b\n1,2\n", "x is in no known format", "--column text=NAME"),
    ],
)
def test_broken_tables(table: str, message: str, hint: str) -> None:
    """The line is named."""
    with pytest.raises(TranscriptError) as caught:
        read_text(table, "x")
    assert str(caught.value).startswith(message)
    assert hint in (caught.value.hint or "")


def test_columns_that_are_not_there() -> None:
    """The hint lists those that are."""
    with pytest.raises(TranscriptError, match="x has no column 'words'") as caught:
        read_text("a,b\n1,2\n", "x", format="csv", columns={"text": "words"})
    assert caught.value.hint == "its columns are a, b"
    with pytest.raises(TranscriptError, match="x has no column of messages") as caught:
        read_text("a,b\n1,2\n", "x", format="csv")
    assert caught.value.hint == "name it: --column text=NAME; the columns are a, b"
    with pytest.raises(TranscriptError, match="unknown kind of column 'words'"):
        read_text("a,b\n1,2\n", "x", columns={"words": "a"})
