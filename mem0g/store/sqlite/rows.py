"""Conversion of rows of the SQLite store to dataclasses and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from mem0g.metadata import metadata_of, metadata_text
from mem0g.model import Decision, Entity, Fact, Message, Role, Scope, Succession
from mem0g.times import Moment

Row = sqlite3.Row

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

FACT_COLUMNS = """
  fact.n, fact.scope, fact.id, fact.subject, fact.relation, fact.relation_given, fact.object, fact.text,
  fact.valid_from, fact.valid_to, fact.said_at, fact.recorded_at, fact.retired_at, fact.confidence,
  fact.brief, fact.observed, fact.planned_for, fact.metadata
"""

MESSAGE_COLUMNS = (
    "message.n, message.id, message.source, message.session, message.position, message.speaker, message.role, "
    "message.text, message.time, message.source_id, message.recorded_at, message.metadata"
)


class FactRow(NamedTuple):
    """A row of FACT_COLUMNS, names and types of its two ends, and its evidence: ids, and the rows of those stored."""

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


SUBJECT, OBJECT = FactRow._fields.index("subject_id"), FactRow._fields.index("object_id")
"""Places of the two ends in FACT_COLUMNS."""


class MessageRow(NamedTuple):
    """A row of MESSAGE_COLUMNS."""

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


def scope_parts(scope: Scope) -> tuple[str, str, str]:
    """Return the keys as stored: '' for a missing one."""
    return (scope.user_id or "", scope.agent_id or "", scope.run_id or "")


def scope_of(parts: Iterable[str]) -> Scope:
    """Return the scope of the stored keys."""
    user, agent, run = (part or None for part in parts)
    return Scope(user, agent, run)


def instant(value: datetime | None) -> int | None:
    """Return a time as stored: microseconds since 1970 in UTC."""
    if value is None:
        return None
    since = value - EPOCH
    return (86_400 * since.days + since.seconds) * 1_000_000 + since.microseconds


def time_of(value: int | None) -> datetime | None:
    """Return a stored time."""
    return None if value is None else _known_time(value)


@lru_cache(maxsize=16384)
def _known_time(value: int) -> datetime:
    return EPOCH + timedelta(microseconds=value)


def moment_text(value: Moment | None) -> str | None:
    """Return a moment as stored, at its precision."""
    return None if value is None else str(value)


@lru_cache(maxsize=65536)
def _moment(value: str | None) -> Moment | None:
    return None if value is None else Moment.parse(value)


def message_of(row: Row | Mapping[str, Any]) -> Message:
    """Return the message of a row of ``message``."""
    return Message(
        id=row["id"],
        source=row["source"],
        session=row["session"],
        position=row["position"],
        speaker=row["speaker"],
        role=row["role"],
        text=row["text"],
        time=time_of(row["time"]),
        source_id=row["source_id"],
        recorded_at=time_of(row["recorded_at"]),
        metadata=metadata_of(row["metadata"]),
    )


def entity_of(row: Row, scope: Scope) -> Entity:
    """Return the entity of a row of ``entity``."""
    return Entity(
        id=row["id"],
        scope=scope,
        name=row["name"],
        type=row["type"],
        aliases=tuple(json.loads(row["aliases"])),
        created_at=_known_time(row["created_at"]),
        updated_at=_known_time(row["updated_at"]),
        merged_into=row["merged_into"],
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
        recorded_at=_known_time(row.recorded_at),
        retired_at=time_of(row.retired_at),
        confidence=row.confidence,
        evidence=row.evidence,
        brief=row.brief,
        observed=_moment(row.observed),
        planned_for=_moment(row.planned_for),
        metadata=metadata_of(row.metadata),
    )


def fact_values(fact: Fact) -> tuple[object, ...]:
    """Return the columns of a fact from ``subject`` to ``metadata``, without its evidence."""
    starts = fact.valid_from.start if fact.valid_from else fact.said_at
    ends = fact.valid_to.start if fact.valid_to else None
    claim = (fact.subject_id, fact.relation, fact.relation_given, fact.object_id, fact.text)
    valid = (moment_text(fact.valid_from), moment_text(fact.valid_to), instant(starts), instant(ends))
    recorded = (instant(fact.said_at), instant(fact.recorded_at), instant(fact.retired_at))
    told = (fact.brief, moment_text(fact.observed), moment_text(fact.planned_for), metadata_text(fact.metadata))
    return (*claim, *valid, *recorded, fact.confidence, *told)


def succession_of(row: Row) -> Succession:
    """Return the succession of a row of ``succession``."""
    return Succession(
        fact_id=row["fact_id"],
        successor_id=row["successor_id"],
        reason=row["reason"],
        decided_by=row["decided_by"],
        at=_known_time(row["at"]),
    )


def decision_of(row: Row) -> Decision:
    """Return the decision of a row of ``decision``."""
    triple: dict[str, Any] = json.loads(row["triple"])
    return Decision(
        id=row["id"],
        operation=row["operation"],
        rule=row["rule"],
        reason=row["reason"],
        at=_known_time(row["at"]),
        decided_by=row["decided_by"],
        fact_id=row["fact_id"],
        targets=tuple(json.loads(row["targets"])),
        score=row["score"],
        evidence=tuple(json.loads(row["evidence"])),
        triple=triple,
        before=json.loads(row["before"]),
    )
