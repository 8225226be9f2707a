"""Scopes, views, messages, passages and entities as parameters of the Neo4j store's queries, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from mem0g.metadata import metadata_of, metadata_text
from mem0g.model import Entity, Message, Passage, Scope, content_id
from mem0g.relations.relation_type import RelationType, to_json
from mem0g.store.neo4j.fulltext import tokens_of
from mem0g.store.neo4j.server.queries import SCOPE_KEYS
from mem0g.store.queries import NO_METADATA, Selection, View, scope_text
from mem0g.text.names import fold, name_tokens, normal_label
from mem0g.text.stemming import tokens
from mem0g.times import utc

if TYPE_CHECKING:
    from neo4j.vector import Vector as Native

    from mem0g.model import Vector

Row = dict[str, Any]

FAR = datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)
"""Represents an open end: filters of vector indexes and comparisons cannot match null."""

EARLY = datetime(1, 1, 1, tzinfo=UTC)
"""Represents an unknown beginning: neither the start of the fact nor the time it was said is known."""

OWN_TYPES = frozenset({"SUBJECT", "OBJECT", "EVIDENCE", "IN", "SUPERSEDED_BY", "MERGED_INTO", "ABOUT"})
OWN_LABELS = frozenset(
    {
        "Entity",
        "Literal",
        "Fact",
        "Retired",
        "Message",
        "Passage",
        "Session",
        "Decision",
        "Mem0g",
        "Mem0gScope",
        "Mem0gTenant",
        "Mem0gRelation",
        "Mem0gNote",
        "Mem0gRecord",
        "Mem0gPendingWindow",
        "Mem0gModelCall",
        "Mem0gModelReply",
        "Mem0gSummary",
        "Mem0gReview",
        "Mem0gReceipt",
    }
)
"""Relationship types and labels of mem0g itself; a ``_`` is appended to an equal one from a conversation."""


def edge_type(relation: str) -> str:
    """Return the relationship type of the edges of a relation."""
    return f"{relation}_" if relation in OWN_TYPES else relation


def type_label(kind: str) -> str:
    """Return the label of an entity's type; empty without one."""
    label = normal_label(kind)
    return f"{label}_" if label in OWN_LABELS else label


def scope_keys(scope: Scope | None) -> Row:
    """Return the keys as parameters: None for a missing one."""
    return {name: getattr(scope, name, None) for name in SCOPE_KEYS}


def scope_row(scope: Scope) -> Row:
    """Return the scope properties of every node: '' for a missing key, and ``scope_text``."""
    keys = {"user_id": scope.user_id or "", "agent_id": scope.agent_id or "", "run_id": scope.run_id or ""}
    return {"scope": scope_text(scope), **keys}


def scope_of(row: Mapping[str, Any]) -> Scope:
    """Return the scope of a node."""
    return _scope(row["user_id"], row["agent_id"], row["run_id"])


@lru_cache(maxsize=1024)
def _scope(*keys: str) -> Scope:
    return Scope(*(key or None for key in keys))


def view_row(view: View) -> Row:
    """Return the parameters of a view, in UTC: Neo4j orders equal instants by their time zones."""
    return {
        "as_of": utc(view.as_of or FAR),
        "known_at": utc(view.known_at or FAR),
        "include_retired": view.include_retired,
    }


def selection_row(selection: Selection) -> Row:
    """Return the parameters of a selection; a null is no condition."""
    periods = {"valid": selection.valid, "said": selection.said, "recorded": selection.recorded}
    return {
        "selected_relations": selection.relations,
        "types": selection.types,
        "not_types": selection.not_types,
        **{f"{name}_since": period and period.since for name, period in periods.items()},
        **{f"{name}_until": period and period.until for name, period in periods.items()},
        "roles": selection.roles,
        "speakers": selection.speakers,
        "metadata": selection.metadata,
        "by_message": selection.by_message,
        "by_own_metadata": selection.by_own_metadata,
        "by_none": NO_METADATA in (selection.metadata or ()),
    }


def session_id(scope: Scope, source: str, session: str) -> str:
    """Return the id of a session."""
    return content_id("s", scope_text(scope), source, session)


def session_row(scope: Scope, message: Message, n: int) -> Row:
    """Return the row of the session of a message."""
    place = {"source": message.source, "name": message.session}
    return {"id": session_id(scope, message.source, message.session), "n": n, **scope_row(scope), **place}


def message_row(scope: Scope, message: Message, n: int, embedding: Any, passages: Sequence[Row] = ()) -> Row:
    """Return the row of a message with those of its passages; full text finds these in its place."""
    return {
        "embedding": embedding,
        "passages": list(passages),
        "properties": {
            "id": message.id,
            "n": n,
            **scope_row(scope),
            "session_id": session_id(scope, message.source, message.session),
            "source": message.source,
            "session": message.session,
            "position": message.position,
            "speaker": message.speaker,
            "role": message.role,
            "text": message.text,
            "time": message.time,
            "source_id": message.source_id,
            "recorded_at": utc(message.recorded_at) if message.recorded_at else None,
            "metadata": metadata_text(message.metadata),
            "utc_offset": message.utc_offset or None,
            "keys": "" if passages else tokens_of(scope),
            "terms": " ".join(tokens(f"{message.speaker} {message.text}")),
        },
    }


def passage_row(scope: Scope, message: Message, passage: Passage, n: int, embedding: Any) -> Row:
    """Return the row of a passage; ``recorded_at`` is when its message was recorded or, if unknown, said."""
    since = message.recorded_at or message.time
    return {
        "embedding": embedding,
        "properties": {
            "id": passage.id,
            "n": n,
            **scope_row(scope),
            "message_id": passage.message_id,
            "start": passage.start,
            "stop": passage.end,
            "heading": passage.heading,
            "recorded_at": utc(since) if since else None,
            "keys": tokens_of(scope),
            "terms": " ".join(tokens(f"{message.speaker} {passage.searched_text(message.text)}")),
        },
    }


def spelled(row: Row) -> Row:
    """Return the row with the times of its properties apart, as text in ``times``.

    The driver takes 40 µs to send a time, most of what a large change takes on this side; the server reads a text in 2.
    """
    properties = dict(row["properties"])
    times = {name: value.isoformat() for name, value in properties.items() if isinstance(value, datetime)}
    for name in times:
        del properties[name]
    return {**row, "properties": properties, "times": times}


def passage_of(row: Mapping[str, Any]) -> Passage:
    """Return the passage of a node."""
    return Passage(row["id"], row["message_id"], row["start"], row["stop"], row["heading"])


def message_of(row: Mapping[str, Any]) -> Message:
    """Return the message of a node."""
    return Message(
        id=row["id"],
        source=row["source"],
        session=row["session"],
        position=row["position"],
        speaker=row["speaker"],
        role=row["role"],
        text=row["text"],
        time=time_of(row.get("time")),
        source_id=row.get("source_id"),
        recorded_at=time_of(row.get("recorded_at")),
        metadata=metadata_of(row.get("metadata")),
        utc_offset=row.get("utc_offset") or 0,
    )


def entity_row(entity: Entity, n: int, embedding: Any) -> Row:
    """Return the row of an entity; a merged one has no searchable names and no embedding."""
    label = type_label(entity.type)
    found_by = entity.merged_into is None
    return {
        "n": n,
        "created_at": entity.created_at.isoformat(),
        "labels": [label] if label else [],
        "embedding": embedding if found_by else None,
        "properties": {
            "id": entity.id,
            **scope_row(entity.scope),
            "name": entity.name,
            "type": entity.type,
            "label": label,
            "aliases": list(entity.aliases),
            "updated_at": entity.updated_at,
            "merged_into": entity.merged_into,
            "keys": tokens_of(entity.scope),
            "names": sorted({fold(name) for name in entity.names}) if found_by else None,
            "tokens": sorted({token for name in entity.names for token in name_tokens(name)}) if found_by else None,
            **({} if found_by else {"embedding": None}),
        },
    }


def literal_row(literal: Entity, n: int) -> Row:
    """Return the row of a literal, which has nothing to be found by."""
    return {
        "properties": {
            "id": literal.id,
            "n": n,
            **scope_row(literal.scope),
            "name": literal.name,
            "type": literal.type,
            "aliases": list(literal.aliases),
            "created_at": literal.created_at,
            "updated_at": literal.updated_at,
        }
    }


def entity_of(row: Mapping[str, Any]) -> Entity:
    """Return the entity of a node."""
    return Entity(
        id=row["id"],
        scope=scope_of(row),
        name=row["name"],
        type=row["type"],
        aliases=tuple(row["aliases"]),
        created_at=known_time(row["created_at"]),
        updated_at=known_time(row["updated_at"]),
        merged_into=row.get("merged_into"),
    )


def named(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Row]:
    """Return rows that are lists with the names of their columns."""
    return [dict(zip(columns, row, strict=True)) for row in rows]


def vector_of(values: list[float] | Native) -> Vector:
    """Return the vector of an embedding, which is a list or a vector of the driver's."""
    import numpy as np

    if isinstance(values, list):
        return np.asarray(values, dtype=np.float32)
    return np.frombuffer(values.raw(), dtype=">f4").astype(np.float32)


def time_of(value: Any) -> datetime | None:
    """Return a time of the database in UTC; queries return times as text, which is ten times as fast to read."""
    return None if value is None else known_time(value)


def known_time(value: Any) -> datetime:
    """Return a time of the database, which must not be null, in UTC."""
    native: datetime = datetime.fromisoformat(value) if isinstance(value, str) else value.to_native()
    return native.astimezone(UTC)


def relation_rows(types: Iterable[RelationType]) -> list[Row]:
    """Return relation types as stored."""
    return [{"name": each.name, "definition": to_json(each)} for each in types]


def new_version() -> str:
    """Return a new, unique version of relation types."""
    return uuid4().hex[:16]
