"""Parse times in transcripts, as programs write them and as people write them in headings.

Programs write ISO 8601, or seconds or milliseconds since 1970; people write "1 March 2024", "Mar 1st, 2024 14:30" or
"1:56 pm on 8 May, 2023".
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from mem0g.errors import TimeError, TranscriptError
from mem0g.text.english import MONTH, WEEKDAY_ABBREVIATIONS, WEEKDAYS, month_number
from mem0g.times import WrittenTime, as_moment, localized, utc
from mem0g.transcripts.protocol import unreadable

FIRST_MILLISECONDS = 1e11
"""Numbers from here on are milliseconds: as seconds this one would be the year 5138, as milliseconds it is 1973."""

_EPOCH = re.compile(r"\d{9,13}(?:\.\d+)?")


def read_timestamp(given: Any, zone: tzinfo, source: str, place: int | str) -> datetime:
    """Return the time of a timestamp, aware.

    It is in the zone that it states; one without a zone, or in UTC, is in ``zone``. A bare date is midnight in UTC.
    Messages of a program may have a ``date`` or an aware ``datetime``. Raises TranscriptError naming ``place`` for one
    that cannot be read.
    """
    try:
        if isinstance(given, datetime):
            return _aware(given, zone, source, place)
        if isinstance(given, date):
            return as_moment(given).start
        if isinstance(given, str) and not _EPOCH.fullmatch(given.strip()):
            return WrittenTime.read(given, zone).time
        if isinstance(given, str | int | float) and not isinstance(given, bool):
            return localized(_since_1970(float(given)), zone)
    except (TimeError, ValueError, OverflowError, OSError) as error:
        raise _cannot_read(given, source, place) from error
    raise _cannot_read(given, source, place)


def _aware(given: datetime, zone: tzinfo, source: str, place: int | str) -> datetime:
    """Return a time of a program, which knows its zone: a datetime without one is as likely local as it is UTC."""
    try:
        utc(given)
    except TimeError as error:
        raise unreadable(source, place, str(error), error.hint) from error
    return localized(given, zone)


def _since_1970(number: float) -> datetime:
    seconds = number / 1000 if abs(number) >= FIRST_MILLISECONDS else number
    return datetime.fromtimestamp(seconds, UTC)


def _cannot_read(given: Any, source: str, place: int | str) -> TranscriptError:
    hint = "write 2023-05-07T13:56Z, or seconds or milliseconds since 1970"
    return unreadable(source, place, f"cannot read the time {str(given)[:40]!r}", hint)


_MONTH = rf"(?P<month>{MONTH})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        rf"\b{_DAY}(?: of)? {_MONTH},? (?P<year>\d{{4}})\b",
        rf"\b{_MONTH} {_DAY},? (?P<year>\d{{4}})\b",
    )
)
_CLOCK = re.compile(
    r"(?<![\d:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?(?![\d:])"
    r"\s?(?:(?P<half>[ap])\.?\s?m\b\.?)?\s?(?P<zone>(?:Z|UTC|GMT)\b|[+-]\d{2}:?\d{2}(?!\d))?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_BESIDE_A_DATE = frozenset(
    ("session", "day", "part", "date", "on", "at", "the", "t", *WEEKDAYS, *WEEKDAY_ABBREVIATIONS)
)


def find_time(text: str, zone: tzinfo) -> WrittenTime | None:
    """Return the first date in ``text``, with the clock time beside it if there is one; None without a date.

    A clock time without a zone, or in UTC, is in ``zone``. Raises TimeError for a day or an hour that does not exist.
    """
    found = _find_date(text)
    if found is None:
        return None
    year, month, day = int(found["year"]), found["month"], int(found["day"])
    number = int(month) if month.isdigit() else month_number(month)
    iso = f"{year:04}-{number:02}-{day:02}"
    clock = _CLOCK.search(text[: found.start()]) or _CLOCK.search(text[found.end() :])
    return WrittenTime.read(f"{iso} {_iso_clock(clock)}" if clock else iso, zone)


def time_in(text: str, zone: tzinfo, source: str, place: int | str) -> WrittenTime | None:
    """As ``find_time``, but raises TranscriptError naming the source and the place."""
    try:
        return find_time(text, zone)
    except TimeError as error:
        raise unreadable(source, place, str(error), error.hint) from error
    except OverflowError as error:  # the last hours of the year 9999, the first of the year 1
        raise unreadable(source, place, f"cannot read the time {text[:40]!r}", "no such day or hour") from error


def is_date_line(text: str) -> bool:
    """Whether ``text`` is a date, alone or with a weekday, a clock time or words such as "Session 2"."""
    found = _find_date(text)
    if found is None:
        return False
    rest = _CLOCK.sub(" ", f"{text[: found.start()]} {text[found.end() :]}").lower()
    return all(word in _BESIDE_A_DATE or (word.isdigit() and len(word) <= 3) for word in _WORD.findall(rest))


def clock_24(hour: int, half: str | None) -> int:
    """Return an hour in 24-hour time; ``half`` is "a" or "p" for a 12-hour clock, None if it is 24-hour already."""
    return hour if half is None or hour > 12 else hour % 12 + (12 if half.lower() == "p" else 0)


def _find_date(text: str) -> re.Match[str] | None:
    return next((match for pattern in _DATES if (match := pattern.search(text))), None)


def _iso_clock(clock: re.Match[str]) -> str:
    hour = clock_24(int(clock["hour"]), clock["half"])
    zone = (clock["zone"] or "").upper()
    return f"{hour:02}:{clock['minute']}:{clock['second'] or '00'}{'Z' if zone in ('UTC', 'GMT') else zone}"
