"""Times as programs write them: ISO 8601, or seconds or milliseconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from typing import Any

from mem0g.errors import TimeError, TranscriptError
from mem0g.times import Moment
from mem0g.transcripts.protocol import unreadable

FIRST_MILLISECONDS = 1e11
"""From here a number is milliseconds: as seconds it would be the year 5138, as milliseconds it is 1973."""

_EPOCH = re.compile(r"\d{9,13}(?:\.\d+)?")


def stamp(given: Any, zone: tzinfo, source: str, place: int | str) -> datetime:
    """The time of a stamp, aware, UTC; one that states no zone is in ``zone``, a bare date is midnight in UTC.

    A program's messages may have a ``datetime``.
    Raises TranscriptError naming ``place`` for one that cannot be read.
    """
    try:
        if isinstance(given, datetime):
            return (given if given.tzinfo else given.replace(tzinfo=zone)).astimezone(UTC)
        if isinstance(given, str) and not _EPOCH.fullmatch(given.strip()):
            return Moment.parse(given, zone).start
        if isinstance(given, str | int | float) and not isinstance(given, bool):
            return _since_1970(float(given))
    except (TimeError, ValueError, OverflowError, OSError) as error:
        raise _cannot_read(given, source, place) from error
    raise _cannot_read(given, source, place)


def _since_1970(number: float) -> datetime:
    seconds = number / 1000 if abs(number) >= FIRST_MILLISECONDS else number
    return datetime.fromtimestamp(seconds, UTC)


def _cannot_read(given: Any, source: str, place: int | str) -> TranscriptError:
    hint = "write 2023-05-07T13:56Z, or seconds or milliseconds since 1970"
    return unreadable(source, place, f"cannot read the time {str(given)[:40]!r}", hint)
