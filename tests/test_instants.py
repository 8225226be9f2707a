"""What is asked about a time depends on the instant alone, in whatever zone it is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mem0g.errors import InputError, TimeError
from mem0g.memory import Memory
from mem0g.model import Utterance
from tests.making import EMBEDDER

U: dict[str, Any] = {"user_id": "ann"}
ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
SAID = datetime(2024, 6, 1, 20, tzinfo=UTC)


def said(text: str, time: datetime, position: int = 0) -> Utterance:
    """An utterance of Ann's."""
    return Utterance(source="chat", session="1", position=position, speaker="Ann", role="user", text=text, time=time)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory that extracts by rules."""
    with Memory.open(tmp_path / "memory.db", embedder=EMBEDDER, extractor="rules") as opened:
        yield opened


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(-3000, 3000), st.integers(-3000, 3000), ZONES, ZONES)
def test_as_of_depends_on_the_instant(memory: Memory, spoken: int, asked: int, here: timezone, there: timezone) -> None:
    """A fact is seen as of an instant when it had been said by then, wherever both were written down."""
    time, at = SAID + timedelta(minutes=spoken), SAID + timedelta(minutes=asked)
    keys: dict[str, Any] = {"user_id": f"u{spoken}", "run_id": f"{here}"}
    memory.add([said("I live in Oslo.", time.astimezone(here))], **keys)
    (message,) = memory.messages(**keys)
    assert message.time == time
    expected = ["Oslo"] if time <= at else []
    for form in (at.astimezone(there), at, at.astimezone(there).isoformat()):
        assert [fact.object for fact in memory.facts(as_of=form, **keys)] == expected
        assert [hit.fact.object for hit in memory.search("Oslo", as_of=form, **keys) if hit.fact] == expected


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(-3000, 3000), ZONES)
def test_known_at_depends_on_the_instant(memory: Memory, asked: int, there: timezone) -> None:
    """Facts and messages are known from the instant of their recording on."""
    if not memory.messages(**U):
        memory.add([said("I live in Oslo.", SAID)], **U)
    (message,) = memory.messages(**U)
    assert message.recorded_at is not None
    at = (message.recorded_at + timedelta(seconds=asked)).astimezone(there)
    known = at >= message.recorded_at
    assert bool(memory.facts(known_at=at, **U)) == known
    assert bool(memory.search("Oslo", known_at=at, **U)) == known
    assert bool(memory.context("Oslo", known_at=at, **U).text) == known


def test_a_message_is_not_known_before_it_was_recorded(memory: Memory) -> None:
    """What was said in 2023 and recorded today was not known in 2024."""
    memory.add([said("I live in Oslo.", datetime(2023, 5, 7, tzinfo=UTC))], **U)
    assert memory.search("Where does Ann live?", **U)
    for then in ("2024", "2024-02-03", date(2024, 2, 3), datetime(2024, 2, 3, tzinfo=UTC)):
        assert memory.search("Where does Ann live?", known_at=then, **U) == []
        assert memory.context("Where does Ann live?", known_at=then, **U).text == ""


def test_a_message_of_an_older_version_is_known_since_it_was_said(tmp_path: Path) -> None:
    """A message that does not say when it was recorded counts as recorded when it was said."""
    path = tmp_path / "memory.db"
    with Memory.open(path, embedder=EMBEDDER, extractor="none") as memory:
        memory.add([said("I live in Oslo.", datetime(2023, 5, 7, tzinfo=UTC))], **U)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE message SET recorded_at = NULL")
        raw.commit()
    with Memory.open(path, embedder=EMBEDDER, extractor="none") as memory:
        assert memory.search("Oslo", known_at="2023-05-06", **U) == []
        assert [
            hit.message.recorded_at for hit in memory.search("Oslo", known_at="2023-05-07", **U) if hit.message
        ] == [None]


def test_a_date_is_its_whole_day(memory: Memory) -> None:
    """A date is as its text: what was said in the last second of the day counts, what was said after it does not."""
    memory.add([said("I live in Oslo.", datetime(2024, 6, 1, 23, 59, 59, tzinfo=UTC))], **U)
    memory.add([said("I work at Acme.", datetime(2024, 6, 2, tzinfo=UTC), 1)], **U)
    for day in (date(2024, 6, 1), "2024-06-01"):
        assert [fact.object for fact in memory.facts(as_of=day, **U)] == ["Oslo"]
    assert memory.facts(as_of=datetime(2024, 6, 1, tzinfo=UTC), **U) == ()


@pytest.mark.parametrize("given", [date(2024, 6, 1), datetime(2024, 6, 1, 2, tzinfo=timezone(timedelta(hours=2)))])
def test_a_timestamp_is_a_date_or_an_aware_datetime(memory: Memory, given: date) -> None:
    """A date is its text; a datetime has a zone, or nobody knows which instant it is."""
    memory.add([{"role": "user", "content": "I live in Oslo.", "timestamp": given}], **U)
    assert [each.time for each in memory.messages(**U)] == [datetime(2024, 6, 1, tzinfo=UTC)]
    with pytest.raises(InputError, match="message 1: 2024-06-01T00:00:00 has no time zone") as caught:
        memory.add([{"role": "user", "content": "I left.", "timestamp": datetime(2024, 6, 1)}], **U)
    assert caught.value.hint


@pytest.mark.parametrize("bad", [datetime(2024, 6, 1), 2024, b"2024", "soon"])
@pytest.mark.parametrize("which", ["as_of", "known_at"])
def test_no_other_time_is_taken(memory: Memory, which: str, bad: Any) -> None:
    """A naive datetime, a number, bytes and words are refused by every method, with a hint."""
    for ask in (memory.search, memory.context):
        with pytest.raises(TimeError) as caught:
            ask("Oslo", **{which: bad}, **U)
        assert caught.value.hint
    with pytest.raises(TimeError):
        memory.facts(**{which: bad}, **U)
