"""Points in time with a precision: a year, a month, a day or a second."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Literal
from zoneinfo import ZoneInfo

from mem0g.errors import TimeError

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

Precision = Literal["year", "month", "day", "second"]

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

    @classmethod
    def parse(cls, text: str, zone: tzinfo = UTC) -> Moment:
        """Read an ISO 8601 date or time, whole or cut after the year or the month.

        A clock time without a zone is taken to be in ``zone``; a bare date stays that calendar date.

        Raises TimeError for any other text.
        """
        match = _ISO.fullmatch(text.strip())
        if match is None:
            raise TimeError(
                f"cannot read the time {text!r}", hint="write 2023, 2023-05, 2023-05-07 or 2023-05-07T13:56Z"
            )
        try:
            return _moment(match, zone)
        except (ValueError, OverflowError) as error:  # year 1 east of Greenwich is before all time
            raise TimeError(f"cannot read the time {text!r}: {error}", hint="no such day or hour") from error


def _moment(match: re.Match[str], zone: tzinfo) -> Moment:
    year, month, day = (int(match[part] or 1) for part in ("year", "month", "day"))
    if not match["clock"]:
        precision: Precision = "day" if match["day"] else "month" if match["month"] else "year"
        return Moment(datetime(year, month, day, tzinfo=UTC), precision)
    clock = match["clock"].zfill(5) if match["clock"].index(":") == 2 else "0" + match["clock"]
    local = datetime.fromisoformat(f"{year:04}-{month:02}-{day:02}T{clock}{match['zone'] or ''}")
    if local.tzinfo is None:
        local = local.replace(tzinfo=zone)
    return Moment(local.astimezone(UTC))


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


def last_instant(time: datetime | date | str) -> datetime:
    """Return a time as an instant; of a day, a month or a year the last microsecond in UTC, so that it is included.

    ``time`` is an aware datetime, a date, or text that ``Moment.parse`` reads. Raises TimeError for anything else.
    """
    if isinstance(time, datetime):
        return utc(time)
    if isinstance(time, date):
        time = time.isoformat()
    if not isinstance(time, str):
        raise TimeError(f"{time!r} is of type {type(time).__name__}, not a time", hint=_AWARE)
    moment = Moment.parse(time)
    return moment.start if moment.precision == "second" else moment.end - timedelta(microseconds=1)


def first_instant(time: datetime | date | str) -> datetime:
    """Return a time as an instant in UTC; of a day, a month or a year the first.

    Raises TimeError for a datetime without a time zone and for text that is not a time.
    """
    if isinstance(time, datetime):
        return utc(time)
    if not isinstance(time, str | date):
        raise TimeError(f"{time!r} is of type {type(time).__name__}, not a time", hint=_AWARE)
    return Moment.parse(time if isinstance(time, str) else time.isoformat()).start


def timezone(name: str) -> tzinfo:
    """Return the time zone of an IANA name such as Europe/Oslo. Raises TimeError for an unknown one."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise TimeError(f"unknown time zone {name!r}", hint="use an IANA name such as Europe/Oslo") from error


def now() -> datetime:
    """Return the current time, aware, in UTC. The facade calls it; stages take the time as an argument."""
    return datetime.now(UTC)
