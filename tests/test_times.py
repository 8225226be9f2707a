"""Times as people give them, and what they mean."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g import times
from mem0g.errors import TimeError
from mem0g.exchange import plain
from mem0g.times import Moment, Precision
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


def test_a_naive_time_is_refused() -> None:
    """Times are aware; one without a zone means nothing."""
    with pytest.raises(TimeError, match="no time zone"):
        Moment(datetime(2023, 5, 7))


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
