"""Rows of facts and messages held in memory, of which the records are made when they are first read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from mem0g.metadata import metadata_of
from mem0g.model import Fact, Message, Role, Scope
from mem0g.times import Moment

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class FactRow(NamedTuple):
    """The columns of a fact, then names and types of its two ends, its evidence, and the rows of the messages in it.

    ``n`` and ``scope`` are row numbers; times are microseconds since 1970, and moments are text at their precision.
    """

    n: int
    scope: int
    id: str
    subject_id: str
    relation: str
    relation_given: str
    object_id: str
    text: str
    valid_from: str | None
    valid_to: str | None
    said_at: int | None
    recorded_at: int
    retired_at: int | None
    confidence: float
    brief: str | None
    observed: str | None
    planned_for: str | None
    metadata: str | None
    subject: str
    subject_type: str
    object: str
    object_type: str
    evidence: tuple[str, ...]
    cited: tuple[int, ...]


class MessageRow(NamedTuple):
    """The columns of a message; times are microseconds since 1970, the offset is seconds, None for 0."""

    n: int
    id: str
    source: str
    session: str
    position: int
    speaker: str
    role: Role
    text: str
    time: int | None
    source_id: str | None
    recorded_at: int | None
    metadata: str | None
    utc_offset: int | None


def instant(value: datetime | None) -> int | None:
    """Return a time as stored: microseconds since 1970 in UTC."""
    if value is None:
        return None
    since = value - EPOCH
    return (86_400 * since.days + since.seconds) * 1_000_000 + since.microseconds


def time_of(value: int | None) -> datetime | None:
    """Return a stored time."""
    return None if value is None else known_time(value)


@lru_cache(maxsize=16384)
def known_time(value: int) -> datetime:
    """Return a stored time, which must not be None."""
    return EPOCH + timedelta(microseconds=value)


@lru_cache(maxsize=65536)
def _moment(value: str | None) -> Moment | None:
    return None if value is None else Moment.parse(value)


def message_of(row: MessageRow) -> Message:
    """Return the message of a row."""
    return Message(
        id=row.id,
        source=row.source,
        session=row.session,
        position=row.position,
        speaker=row.speaker,
        role=row.role,
        text=row.text,
        time=time_of(row.time),
        source_id=row.source_id,
        recorded_at=time_of(row.recorded_at),
        metadata=metadata_of(row.metadata),
        utc_offset=row.utc_offset or 0,
    )


def fact_of(row: FactRow, scope: Scope) -> Fact:
    """Return the fact of a row."""
    return Fact(
        id=row.id,
        scope=scope,
        subject_id=row.subject_id,
        subject=row.subject,
        subject_type=row.subject_type,
        relation=row.relation,
        relation_given=row.relation_given,
        object_id=row.object_id,
        object=row.object,
        object_type=row.object_type,
        text=row.text,
        valid_from=_moment(row.valid_from),
        valid_to=_moment(row.valid_to),
        said_at=time_of(row.said_at),
        recorded_at=known_time(row.recorded_at),
        retired_at=time_of(row.retired_at),
        confidence=row.confidence,
        evidence=row.evidence,
        brief=row.brief,
        observed=_moment(row.observed),
        planned_for=_moment(row.planned_for),
        metadata=metadata_of(row.metadata),
    )
