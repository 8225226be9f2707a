"""Times as people give them, and what they mean."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g import times
from mem0g.errors import TimeError
from mem0g.times import Moment, Precision
from mem0g.transfer.jsonl import plain
from tests.making import ANN, AT, entity, fact

OSLO = ZoneInfo("Europe/Oslo")


@st.composite
def moments(draw: st.DrawFn) -> Moment:
    """Moments of every precision, from the year 1 to 9999."""
    start = draw(st.datetimes(timezones=st.just(UTC)))
    precision: Precision = draw(st.sampled_from(("year", "month", "day", "second")))
    midnight = start.replace(hour=0, minute=0, second=0, microsecond=0)
    first = {
        "year": midnight.replace(month=1, day=1),
        "month": midnight.replace(day=1),
        "day": midnight,
        "second": start,
    }
    return Moment(first[precision], precision)


@pytest.mark.parametrize(
    ("text", "start", "precision"),
    [
        ("2023", datetime(2023, 1, 1, tzinfo=UTC), "year"),
        ("2023-05", datetime(2023, 5, 1, tzinfo=UTC), "month"),
        ("2023-5", datetime(2023, 5, 1, tzinfo=UTC), "month"),
        ("2023-05-07", datetime(2023, 5, 7, tzinfo=UTC), "day"),
        ("2023-05-07T13:56", datetime(2023, 5, 7, 13, 56, tzinfo=UTC), "second"),
        ("2023-05-07 9:05", datetime(2023, 5, 7, 9, 5, tzinfo=UTC), "second"),
        ("2023-05-07T13:56:10Z", datetime(2023, 5, 7, 13, 56, 10, tzinfo=UTC), "second"),
        ("2023-05-07T13:56:10.25Z", datetime(2023, 5, 7, 13, 56, 10, 250_000, tzinfo=UTC), "second"),
        ("  2023-05-07\n", datetime(2023, 5, 7, tzinfo=UTC), "day"),
        ("2024-02-29", datetime(2024, 2, 29, tzinfo=UTC), "day"),
    ],
)
def test_parse_at_each_precision(text: str, start: datetime, precision: Precision) -> None:
    """A time is known as far as it was written."""
    assert Moment.parse(text) == Moment(start, precision)


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("2023-05-07T13:56", OSLO, "2023-05-07T11:56:00Z"),
        ("2023-01-07T00:30", OSLO, "2023-01-06T23:30:00Z"),
        ("2023-05-07T13:56Z", OSLO, "2023-05-07T13:56:00Z"),
        ("2023-05-07T13:56+05:30", OSLO, "2023-05-07T08:26:00Z"),
        ("2023-05-07T13:56 -0800", UTC, "2023-05-07T21:56:00Z"),
        ("2023-05-07", OSLO, "2023-05-07"),
        ("2023", timezone(timedelta(hours=-8)), "2023"),
    ],
)
def test_zones(text: str, zone: tzinfo, expected: str) -> None:
    """A stated zone is honoured, a clock time without one is in the given zone, a bare date stays that date."""
    assert str(Moment.parse(text, zone)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "23",
        "20233",
        "2023-",
        "2023-13",
        "2023-00",
        "2023-02-29",
        "2023-05-07T",
        "2023-05-07T25:00",
        "2023-05-07T13:61",
        "2023-05-07T13:56+99:00",
        "2023-05-07T13:56 CEST",
        "0000",
        "0001-01-01T00:00+05:00",
        "2023-05-07; DROP TABLE fact",
        "2023-05\x00",
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    """The error names what was given and says how to write it, or what is wrong."""
    with pytest.raises(TimeError) as caught:
        Moment.parse(text)
    assert repr(text) in str(caught.value)
    assert caught.value.hint


class NoOffset(tzinfo):
    """A zone that does not say how far from UTC it is."""

    def utcoffset(self, when: datetime | None) -> None:
        """Nothing."""

    dst = tzname = utcoffset


@pytest.mark.parametrize("naive", [datetime(2023, 5, 7), datetime(2023, 5, 7, tzinfo=NoOffset())])
def test_a_naive_time_is_refused(naive: datetime) -> None:
    """Times are aware; one without a zone means nothing, and the error names it."""
    for read in (Moment, times.utc, times.last_instant):
        with pytest.raises(TimeError, match=r"2023-05-07T00:00:00 has no time zone") as caught:
            read(naive)
        assert "tzinfo" in str(caught.value.hint)


@given(st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=st.timezones()))
def test_an_aware_time_becomes_utc(time: datetime) -> None:
    """Whatever its zone, it is the same instant in UTC."""
    found = times.utc(time)
    assert found.timestamp() == time.timestamp()  # == says no of an hour that the clocks show twice
    assert found.tzinfo is UTC
    assert times.last_instant(time) == Moment(time).start == found


def test_an_instant_that_utc_does_not_have() -> None:
    """Midnight of the first day, east of Greenwich, is before all time."""
    with pytest.raises(TimeError, match="0001-01-01"):
        times.utc(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))))


def test_a_day_in_another_zone_stays_that_day() -> None:
    """A moment of a day, a month or a year is of the calendar, not of an instant."""
    assert str(Moment(datetime(2023, 5, 7, tzinfo=OSLO), "day")) == "2023-05-07"
    assert Moment(datetime(2023, 5, 7, tzinfo=OSLO), "day") == Moment.parse("2023-05-07")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2023", datetime(2023, 12, 31, 23, 59, 59, 999_999, UTC)),
        ("2023-02", datetime(2023, 2, 28, 23, 59, 59, 999_999, UTC)),
        ("2023-05-07", datetime(2023, 5, 7, 23, 59, 59, 999_999, UTC)),
        (date(2023, 5, 7), datetime(2023, 5, 7, 23, 59, 59, 999_999, UTC)),
        ("2023-05-07T13:56+09:00", datetime(2023, 5, 7, 4, 56, tzinfo=UTC)),
        (datetime(2023, 5, 7, 13, 56, tzinfo=OSLO), datetime(2023, 5, 7, 11, 56, tzinfo=UTC)),
    ],
)
def test_the_last_instant(given: datetime | date | str, expected: datetime) -> None:
    """Of a day, a month and a year it is the last microsecond; a date is as its text."""
    assert times.last_instant(given) == expected


@pytest.mark.parametrize("text", ["2023", "2023-05", "2023-05-07", "2023-05-07T13:56Z"])
def test_a_moment_is_as_its_text(text: str) -> None:
    """What a fact has as a date can be asked about."""
    moment = Moment.parse(text)
    assert times.as_moment(text) == times.as_moment(moment) == moment
    assert times.last_instant(moment) == times.last_instant(text)
    assert times.first_instant(moment) == times.first_instant(text)


@pytest.mark.parametrize("given", [2023, 0, True, b"2023", 1.7e9, []])
def test_what_is_no_time_at_all(given: Any) -> None:
    """A number is no time: the error names it and its type."""
    with pytest.raises(TimeError) as caught:
        times.last_instant(given)
    assert repr(given) in str(caught.value)
    assert type(given).__name__ in str(caught.value)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("2023", "2024-01-01"),
        ("2023-05", "2023-06-01"),
        ("2023-12", "2024-01-01"),
        ("2024-02-28", "2024-02-29"),
        ("2023-12-31", "2024-01-01"),
        ("2023-05-07T23:59:59Z", "2023-05-08"),
    ],
)
def test_end_is_the_first_instant_after(text: str, end: str) -> None:
    """A year ends when the next begins, and so do months, days and seconds."""
    assert Moment.parse(text).end == Moment.parse(end).start


@pytest.mark.parametrize("text", ["9999", "9999-12", "9999-12-31", "9999-12-31T23:59:59.5Z"])
def test_the_last_moment_has_an_end(text: str) -> None:
    """Where the calendar ends, the end is the last instant there is."""
    assert Moment.parse(text).end == datetime.max.replace(tzinfo=UTC)


@given(moments())
def test_text_and_back(moment: Moment) -> None:
    """What a moment is written as reads as the same moment, whatever zone the reader is in."""
    assert Moment.parse(str(moment)) == moment
    assert Moment.parse(str(moment), OSLO) == moment


@given(moments())
def test_a_moment_lasts(moment: Moment) -> None:
    """The end comes after the start, a year's at most 366 days later."""
    assert timedelta(0) < moment.end - moment.start <= timedelta(days=366)


@given(st.lists(moments(), max_size=8))
def test_moments_order_by_their_start(given_moments: list[Moment]) -> None:
    """Sorting puts the earlier start first."""
    starts = [moment.start for moment in sorted(given_moments)]
    assert starts == sorted(starts)


def test_moments_of_one_start_are_told_apart() -> None:
    """1 January is not the year, and their order is always the same."""
    year, month, day = (Moment.parse(text) for text in ("2023", "2023-01", "2023-01-01"))
    assert len({year, month, day}) == 3
    assert sorted([year, day, month]) == sorted([month, year, day]) == [day, month, year]


def test_the_same_instant_in_two_zones_is_one_moment() -> None:
    """Equality and hash go by the instant; text is in UTC."""
    here = Moment(datetime(2023, 5, 7, 13, 56, tzinfo=OSLO))
    there = Moment(datetime(2023, 5, 7, 11, 56, tzinfo=UTC))
    assert {here} == {there}
    assert str(here) == "2023-05-07T11:56:00Z"


@given(moments())
def test_in_json_a_moment_is_its_text(moment: Moment) -> None:
    """A fact as plain data holds the moment as text at its precision."""
    made = fact(entity("Ann", ANN), "LIVES_IN", entity("Oslo", ANN), valid_from=moment)
    assert plain(made)["valid_from"] == str(moment)


@given(moments())
def test_json_and_back(moment: Moment) -> None:
    """Pydantic reads the text, and takes a moment as it is."""
    from pydantic import TypeAdapter

    adapter = TypeAdapter(Moment)
    assert adapter.validate_json(adapter.dump_json(moment)) == moment
    assert adapter.validate_python(moment) is moment


def test_iana_zones() -> None:
    """A zone's name gives the zone."""
    assert AT.astimezone(times.timezone("Asia/Kolkata")).utcoffset() == timedelta(hours=5, minutes=30)


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "Europe", "../etc/passwd", "/etc/localtime", "a\0b", "x" * 300])
def test_unknown_zones_are_named(name: str) -> None:
    """No name of a zone reaches the file system unchecked; the error names it."""
    with pytest.raises(TimeError, match="unknown time zone") as caught:
        times.timezone(name)
    assert repr(name) in str(caught.value)


def test_now_is_aware() -> None:
    """The clock is read in UTC."""
    assert times.now().tzinfo is UTC
