"""Points in time with a precision: a year, a month, a day or a second."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from datetime import timezone as fixed_zone
from typing import TYPE_CHECKING, Literal, NamedTuple
from zoneinfo import ZoneInfo

from mem0g.errors import TimeError

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

Precision = Literal["year", "month", "day", "second"]

EASTERNMOST = timedelta(hours=14)
"""By how much the first zone of the Earth to begin a day is ahead of UTC."""

_AWARE = "give a datetime with a time zone, as datetime(2024, 5, 7, 13, 56, tzinfo=UTC)"

_ISO = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2})"
    r"(?:[T ](?P<clock>\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(?P<zone>Z|[+-]\d{2}:?\d{2})?)?)?)?"
)


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """A point in time, known to a precision.

    ``start`` is its first instant (aware, UTC): a second given in another zone becomes the same instant in UTC, a day,
    a month or a year stays that of the calendar. Moments order by ``start``, then by precision's name.

    Raises TimeError for a start without a time zone.
    """

    start: datetime
    precision: Precision = "second"

    def __post_init__(self) -> None:
        start = utc(self.start)
        if self.precision != "second":
            start = self.start.replace(tzinfo=UTC)
        object.__setattr__(self, "start", start)

    @property
    def end(self) -> datetime:
        """The first instant after it: for 2023-05, 1 June 2023 at 0:00."""
        start = self.start
        try:
            if self.precision == "year":
                return start.replace(year=start.year + 1)
            if self.precision == "month":
                return start.replace(year=start.year + start.month // 12, month=start.month % 12 + 1)
            return start + (timedelta(days=1) if self.precision == "day" else timedelta(seconds=1))
        except (ValueError, OverflowError):
            return datetime.max.replace(tzinfo=UTC)

    def __str__(self) -> str:
        """ISO 8601 at its precision: 2023, 2023-05, 2023-05-07 or 2023-05-07T13:56:00Z."""
        if self.precision == "second":
            return self.start.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return self.start.date().isoformat()[: {"year": 4, "month": 7, "day": 10}[self.precision]]

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: object) -> CoreSchema:
        """Return the schema: in JSON a moment is the text that ``parse`` reads."""
        from pydantic_core import core_schema

        text = core_schema.no_info_after_validator_function(cls.parse, core_schema.str_schema())
        return core_schema.union_schema(
            [core_schema.is_instance_schema(cls), text], serialization=core_schema.to_string_ser_schema()
        )

    def begins_after(self, time: datetime) -> bool:
        """Whether it begins after ``time``; a day, a month or a year is one of the calendar in the zone of ``time``."""
        return self.start > self._comparable(time)

    def lies_ahead(self, time: datetime) -> bool:
        """Whether it begins after ``time`` wherever one is: a day, a month or a year begins 14 hours before UTC's."""
        return self.begins_after(time if self.precision == "second" else time + EASTERNMOST)

    def is_over(self, time: datetime) -> bool:
        """Whether it has ended at ``time``; a day, a month or a year is one of the calendar in the zone of ``time``."""
        return self.end <= self._comparable(time)

    def _comparable(self, time: datetime) -> datetime:
        return time if self.precision == "second" else time.replace(tzinfo=UTC)

    @classmethod
    def parse(cls, text: str, zone: tzinfo = UTC) -> Moment:
        """Read an ISO 8601 date or time, whole or cut after the year or the month.

        A clock time without a zone is taken to be in ``zone``; a bare date stays that calendar date.

        Raises TimeError for any other text.
        """
        return cls(*WrittenTime.read(text, zone))


class WrittenTime(NamedTuple):
    """A time as it is written: aware, in its own zone, and known to a precision; a bare date is midnight in UTC."""

    time: datetime
    precision: Precision

    @classmethod
    def read(cls, text: str, zone: tzinfo) -> WrittenTime:
        """Read an ISO 8601 date or time as ``Moment.parse`` does; see ``localized`` for the zone.

        Raises TimeError for any other text.
        """
        match = _ISO.fullmatch(text.strip())
        if match is None:
            raise TimeError(
                f"cannot read the time {text!r}", hint="write 2023, 2023-05, 2023-05-07 or 2023-05-07T13:56Z"
            )
        try:
            return _written(match, zone)
        except (ValueError, OverflowError) as error:  # year 1 east of Greenwich is before all time
            raise TimeError(f"cannot read the time {text!r}: {error}", hint="no such day or hour") from error


def _written(match: re.Match[str], zone: tzinfo) -> WrittenTime:
    year, month, day = (int(match[part] or 1) for part in ("year", "month", "day"))
    if not match["clock"]:
        precision: Precision = "day" if match["day"] else "month" if match["month"] else "year"
        return WrittenTime(datetime(year, month, day, tzinfo=UTC), precision)
    clock = match["clock"].zfill(5) if match["clock"].index(":") == 2 else "0" + match["clock"]
    written = datetime.fromisoformat(f"{year:04}-{month:02}-{day:02}T{clock}{match['zone'] or ''}")
    return WrittenTime(localized(written, zone), "second")


def localized(time: datetime, zone: tzinfo) -> datetime:
    """Return a time in the zone that it states; one that states none in ``zone``, and so is one in UTC.

    Programs write UTC wherever people are: where their zone is known, it says what day it was for them. Raises
    OverflowError for a time that is before the year 1 or after 9999 in either zone.
    """
    local = time.replace(tzinfo=zone) if time.tzinfo is None else time if time.utcoffset() else time.astimezone(zone)
    local.astimezone(UTC)
    return local


def check_interval(begin: Moment | None, end: Moment | None, what: str = "the fact") -> None:
    """Raise TimeError, which says ``what``, for an interval that ends before it begins; an open one never does."""
    if begin and end and end.end <= begin.start:
        raise TimeError(
            f"the end of {what}, {end}, is before its beginning, {begin}",
            hint="valid_from is when it became true, valid_to when it stopped being true",
        )


def utc(time: datetime) -> datetime:
    """Return the same instant in UTC. Raises TimeError for a time without a time zone."""
    if not isinstance(time, datetime):
        raise TimeError(f"{time!r} is of type {type(time).__name__}, not datetime", hint=_AWARE)
    if time.tzinfo is UTC:
        return time
    if time.utcoffset() is None:
        raise TimeError(f"{time.isoformat()} has no time zone", hint=_AWARE)
    try:
        return time.astimezone(UTC)
    except OverflowError as error:
        raise TimeError(f"{time.isoformat()} is before the year 1 or after 9999 in UTC", hint=_AWARE) from error


def offset_of(time: datetime) -> int:
    """Return by how many seconds the zone of an aware time is ahead of UTC."""
    offset = None if time.tzinfo is UTC else time.utcoffset()
    return round(offset.total_seconds()) if offset else 0


def in_zone(time: datetime, offset: int) -> datetime:
    """Return the same instant in the zone that is ``offset`` seconds ahead of UTC.

    Raises TimeError for an offset of a day or more, and for a time before the year 1 or after 9999 in that zone.
    """
    try:
        return time.astimezone(fixed_zone(timedelta(seconds=offset)))
    except (ValueError, OverflowError) as error:
        raise TimeError(f"{time.isoformat()} has no time {offset} seconds ahead of UTC", hint=_AWARE) from error


def as_moment(time: Moment | datetime | date | str) -> Moment:
    """Return a time as a moment: an aware datetime is known to the second, a date to the day, text as it is written.

    Raises TimeError for a datetime without a time zone, text that is not a time, and anything else.
    """
    if isinstance(time, Moment):
        return time
    if isinstance(time, datetime):
        return Moment(time)
    if isinstance(time, date):
        return Moment(datetime(time.year, time.month, time.day, tzinfo=UTC), "day")
    if not isinstance(time, str):
        raise TimeError(f"{time!r} is of type {type(time).__name__}, not a time", hint=_AWARE)
    return Moment.parse(time)


def last_instant(time: Moment | datetime | date | str) -> datetime:
    """Return a time as an instant; of a day, a month or a year the last microsecond in UTC, so that it is included.

    ``time`` and errors are as for ``as_moment``.
    """
    moment = as_moment(time)
    return moment.start if moment.precision == "second" else moment.end - timedelta(microseconds=1)


def first_instant(time: Moment | datetime | date | str) -> datetime:
    """Return a time as an instant in UTC; of a day, a month or a year the first.

    ``time`` and errors are as for ``as_moment``.
    """
    return as_moment(time).start


def timezone(name: str) -> tzinfo:
    """Return the time zone of an IANA name such as Europe/Oslo. Raises TimeError for an unknown one."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise TimeError(f"unknown time zone {name!r}", hint="use an IANA name such as Europe/Oslo") from error


def now() -> datetime:
    """Return the current time, aware, in UTC. The facade calls it; stages take the time as an argument."""
    return datetime.now(UTC)
