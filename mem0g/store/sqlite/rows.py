"""Conversion of rows of the SQLite store to dataclasses and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from mem0g.metadata import metadata_text
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.store.in_memory.rows import FactRow, MessageRow, instant, known_time
from mem0g.store.in_memory.rows import message_of as held_message
from mem0g.times import Moment

Row = sqlite3.Row

FACT_COLUMNS = """
  fact.n, fact.scope, fact.id, fact.subject, fact.relation, fact.relation_given, fact.object, fact.text,
  fact.valid_from, fact.valid_to, fact.said_at, fact.recorded_at, fact.retired_at, fact.confidence,
  fact.brief, fact.observed, fact.planned_for, fact.metadata
"""

MESSAGE_COLUMNS = (
    "message.n, message.id, message.source, message.session, message.position, message.speaker, message.role, "
    "message.text, message.time, message.source_id, message.recorded_at, message.metadata, message.utc_offset"
)


SUBJECT, OBJECT = FactRow._fields.index("subject_id"), FactRow._fields.index("object_id")
"""Places of the two ends in FACT_COLUMNS."""


def scope_parts(scope: Scope) -> tuple[str, str, str]:
    """Return the keys as stored: '' for a missing one."""
    return (scope.user_id or "", scope.agent_id or "", scope.run_id or "")


def scope_of(parts: Iterable[str]) -> Scope:
    """Return the scope of the stored keys."""
    user, agent, run = (part or None for part in parts)
    return Scope(user, agent, run)


def moment_text(value: Moment | None) -> str | None:
    """Return a moment as stored, at its precision."""
    return None if value is None else str(value)


def message_of(row: Row) -> Message:
    """Return the message of a row of ``message``."""
    return held_message(MessageRow._make(row[name] for name in MessageRow._fields))


def entity_of(row: Row, scope: Scope) -> Entity:
    """Return the entity of a row of ``entity``."""
    return Entity(
        id=row["id"],
        scope=scope,
        name=row["name"],
        type=row["type"],
        aliases=tuple(json.loads(row["aliases"])),
        created_at=known_time(row["created_at"]),
        updated_at=known_time(row["updated_at"]),
        merged_into=row["merged_into"],
    )


def message_values(message: Message) -> tuple[object, ...]:
    """Return the columns of a message from ``source`` to ``utc_offset``."""
    place = (message.source, message.session, message.position)
    said = (message.speaker, message.role, message.text, instant(message.time), message.source_id)
    noted = (instant(message.recorded_at), metadata_text(message.metadata), message.utc_offset or None)
    return (*place, *said, *noted)


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
        at=known_time(row["at"]),
    )


def decision_of(row: Row) -> Decision:
    """Return the decision of a row of ``decision``."""
    triple: dict[str, Any] = json.loads(row["triple"])
    return Decision(
        id=row["id"],
        operation=row["operation"],
        rule=row["rule"],
        reason=row["reason"],
        at=known_time(row["at"]),
        decided_by=row["decided_by"],
        fact_id=row["fact_id"],
        targets=tuple(json.loads(row["targets"])),
        score=row["score"],
        evidence=tuple(json.loads(row["evidence"])),
        triple=triple,
        before=json.loads(row["before"]),
    )
