"""The output of git log."""

import subprocess
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from mem0g.errors import TranscriptError
from mem0g.transcripts import read_text

LOG = """commit 2222222222222222222222222222222222222222 (HEAD -> main, tag: v1)
Author: Bob <bob@example.org>
Date:   Sat Mar 2 09:00:00 2024 +0100

    Search by words, too

    - vectors alone miss names

    Co-authored-by: Ann Lee <ann@example.org>

diff --git a/x b/x
+commit 9999999999999999999999999999999999999999

commit 3333333333333333333333333333333333333333
Merge: 2222222 1111111
Author: Bob <bob@example.org>
Date:   Fri Mar 1 12:00:00 2024 +0000

    Merge branch 'words'

commit 1111111111111111111111111111111111111111
Author: Ann Lee <ann@example.org>
Date:   Fri Mar 1 09:00:00 2024 +0000

    Search by vectors
"""


def test_commits_are_said_by_their_authors() -> None:
    """Oldest first, a day a session; merges, diffs and trailers are left out."""
    first, second = read_text(LOG, "log")
    assert (first.speaker, first.text, first.session, first.position) == (
        "Ann Lee",
        "Search by vectors",
        "2024-03-01",
        0,
    )
    assert first.time == datetime(2024, 3, 1, 9, tzinfo=UTC)
    assert first.source_id == "1" * 40
    assert (second.speaker, second.text) == ("Bob", "Search by words, too\n\n- vectors alone miss names")
    assert second.time == datetime(2024, 3, 2, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    "date",
    [
        "2024-03-01 11:00:00 +0200",
        "2024-03-01T11:00:00+02:00",
        "Fri, 1 Mar 2024 11:00:00 +0200",
        "Fri Mar 1 11:00:00 2024",
    ],
)
def test_the_forms_of_dates_that_git_writes(date: str) -> None:
    """The zone that is given, or else that of the reader."""
    log = f"commit 1234567\nAuthor: Ann <a@example.org>\nDate:   {date}\n\n    Fix\n"
    (commit,) = read_text(log, "log", zone=timezone(timedelta(hours=2)))
    assert commit.time == datetime(2024, 3, 1, 9, tzinfo=UTC)


def test_a_log_in_another_zone_is_the_same() -> None:
    """A commit around midnight has the session and the position that it has in any other zone."""
    logs = [
        f"commit 1234567\nAuthor: Ann <a@example.org>\nDate:   {date}\n\n    Fix\n"
        for date in ("2024-03-01 23:30:00 +0000", "2024-03-02 01:30:00 +0200")
    ]
    assert read_text(logs[0], "log") == read_text(logs[1], "log")


def test_a_date_that_cannot_be_read_names_the_commit() -> None:
    """As in a log with relative dates; the hint names the option of git."""
    log = "commit 1234567\nAuthor: Ann <a@example.org>\nDate:   2 days ago\n\n    Fix\n"
    with pytest.raises(TranscriptError, match="log, commit 1234567: '2 days ago' is not a date") as raised:
        read_text(log, "log")
    assert "--date=iso" in (raised.value.hint or "")


@pytest.mark.parametrize("date", [f"Fri Mar 1 09:00:00 2{'9' * 200}", f"Fri Mar 1 09:00:00 2024 +{'9' * 200}"])
def test_a_date_of_many_digits(date: str) -> None:
    """A year or a zone that no number of the machine holds is a date that cannot be read."""
    log = f"commit 1234567\nAuthor: Ann <a@example.org>\nDate:   {date}\n\n    Fix\n"
    with pytest.raises(TranscriptError, match="is not a date"):
        read_text(log, "log")


def test_a_log_without_messages_says_so() -> None:
    """Only a merge: there is nothing to remember."""
    log = "commit 1234567\nMerge: 1 2\nAuthor: Ann <a@example.org>\nDate:   2024-03-01 11:00:00 +0200\n\n    Merge\n"
    with pytest.raises(TranscriptError):
        read_text(log, "log")


@pytest.mark.parametrize("options", [(), ("--stat",), ("-p", "--reverse"), ("--format=fuller", "--date=iso-strict")])
def test_what_git_really_writes_is_read(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Two commits in a new repository, with some of the ways to show them."""

    def git(*arguments: str) -> str:
        as_ann = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", "-C", str(tmp_path), *as_ann, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout

    git("init", "--quiet")
    for day, words in enumerate(("Start", "Go on\n\nwith a body"), 1):
        (tmp_path / "file").write_text(words)
        git("add", "file")
        git("commit", "--quiet", f"--date=2024-03-0{day}T09:00:00+00:00", "-m", words)
    read = read_text(git("log", *options), "log")
    assert [(each.speaker, each.text) for each in read] == [("Ann", "Start"), ("Ann", "Go on\n\nwith a body")]
