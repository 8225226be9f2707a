"""Relative dates are counted from the speaker's own day, wherever the message was read and whenever it is extracted."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from mem0g.memory import Memory
from mem0g.model import Utterance
from mem0g.transcripts import read_text
from tests.making import EMBEDDER
from tests.pipeline.telling import Place

WORDS = "I moved to Denver yesterday. My flight is tomorrow. I bought a car today."
DENVER = ZoneInfo("America/Denver")


def opened(place: Place) -> Memory:
    """A memory that extracts by rules."""
    return Memory.open(place.address, extractor="rules", embedder=EMBEDDER, credentials=place.credentials)


def dates(memory: Memory) -> list[str]:
    """The dates of what Joe told, each once, in order."""
    return sorted({str(fact.date) for fact in memory.facts(user_id="joe", include_retired=True)})


@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        ("2024-05-06T20:00:00-06:00", ["2024-05-05", "2024-05-06", "2024-05-07"]),
        ("2024-05-07T08:00:00+12:00", ["2024-05-06", "2024-05-07", "2024-05-08"]),
        ("2024-05-07T02:00:00Z", ["2024-05-06", "2024-05-07", "2024-05-08"]),
        ("2024-05-07", ["2024-05-06", "2024-05-07", "2024-05-08"]),
    ],
)
def test_the_day_is_that_of_the_zone_stated(place: Place, timestamp: str, expected: list[str], wait: bool) -> None:
    """The offset of a timestamp says what day it was, also for a message that is read back from the store."""
    said = [{"role": "user", "name": "Joe", "content": WORDS, "timestamp": timestamp}]
    with opened(place) as memory:
        memory.add(said, user_id="joe", wait=wait)
        memory.flush()
        assert dates(memory) == expected
        assert expected[1] in memory.context("What car did Joe buy?", user_id="joe").text


@pytest.mark.parametrize(
    "text",
    [
        f"[5/6/24, 11:58:12\u202fPM] Joe: {WORDS}\n[5/31/24, 9:00:00\u202fAM] Ann: Hi",
        f"From: Joe <joe@example.org>\nDate: Mon, 06 May 2024 21:00:00 -0700\nSubject: News\n\n{WORDS}",
        f"From: Joe <joe@example.org>\nDate: Tue, 07 May 2024 04:00:00 GMT\nSubject: News\n\n{WORDS}",
        f'{{"role": "user", "name": "Joe", "content": "{WORDS}", "timestamp": "2024-05-07T05:30:00Z"}}',
        f'{{"role": "user", "name": "Joe", "content": "{WORDS}", "timestamp": 1715059800}}',
        f"# Monday, 6 May 2024, 23:30\n\nJoe: {WORDS}\nAnn: Hi\nJoe: Bye",
        f"# 6 May 2024\n\nJoe: {WORDS}\nAnn: Hi\nJoe: Bye",
        f"WEBVTT - 2024-05-06 23:30\n\n00:00:05.000 --> 00:00:09.000\n<v Joe>{WORDS}",
        f"commit 0123456789abcdef\nAuthor: Joe <joe@example.org>\nDate: Mon May 6 23:30:00 2024 -0600\n\n    {WORDS}\n",
    ],
)
def test_transcripts_know_the_day(tmp_path: Path, text: str) -> None:
    """A stated offset counts; the zone given is that of times without one, and of times in UTC."""
    with Memory.open(tmp_path / "memory.db", extractor="rules", embedder=EMBEDDER) as memory:
        memory.add(read_text(text, "talk", zone=DENVER), user_id="joe")
        assert dates(memory) == ["2024-05-05", "2024-05-06", "2024-05-07"]


def test_a_morning_ahead_of_utc(tmp_path: Path) -> None:
    """What is said an hour after "today" is not taken for earlier, although in UTC that day has not begun."""
    with Memory.open(tmp_path / "memory.db", extractor="rules", embedder=EMBEDDER) as memory:
        for hour, words in ((8, "I moved to Oslo today."), (9, "I live in Bergen.")):
            time = f"2024-05-07T{hour:02}:00:00+12:00"
            memory.add([{"role": "user", "name": "Joe", "content": words, "timestamp": time}], user_id="joe")
        assert [fact.object for fact in memory.facts(user_id="joe")] == ["Bergen"]


def test_what_lasts_until_today_holds_today(place: Place) -> None:
    """A home until the speaker's own day takes the place of the last one, although that day is over in UTC."""
    with opened(place) as memory:
        for words, home in (("I live in Rome.", "Rome"), ("I live in Oslo until today.", "Oslo")):
            said = {"role": "user", "name": "Joe", "content": words, "timestamp": "2024-05-06T20:00:00-06:00"}
            memory.add([said], user_id="joe")
            assert [fact.object for fact in memory.facts(user_id="joe")] == [home]


def test_an_utterance_keeps_its_offset() -> None:
    """The time is in UTC, the offset beside it; two that differ by it alone are equal."""
    (said,) = read_text("[05/06/2024, 23:58:12] Joe: Hi", "talk", zone=DENVER)
    assert (said.time and said.time.isoformat(), said.utc_offset) == ("2024-06-06T05:58:12+00:00", -6 * 3600)
    assert said.local_time
    assert said.local_time.isoformat() == "2024-06-05T23:58:12-06:00"
    here = Utterance(source="talk", session="", position=0, speaker="Joe", role="user", text="Hi", time=said.time)
    assert (here, here.utc_offset) == (said, 0)
