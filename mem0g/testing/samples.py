"""Sample records for tests, with defaults for every field that a test does not set."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from mem0g.model import Entity, Fact, Message, Scope, Triple, Utterance, content_id
from mem0g.store.candidates import Turns
from mem0g.store.change import Change
from mem0g.store.protocol import Store
from mem0g.testing import HashingEmbedder
from mem0g.text.stemming import tokens
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector

ANN = Scope(user_id="ann")
BOB = Scope(user_id="bob")
AT = datetime(2024, 6, 1, 12, tzinfo=UTC)
EMBEDDER = HashingEmbedder(384)


def day(text: str) -> datetime:
    """Return an ISO date or time as a UTC datetime."""
    return Moment.parse(text).start


def vector(text: str) -> Vector:
    """Return the vector of a text, of 384 dimensions."""
    made: Vector = EMBEDDER.embed([text])[0]
    return made


def message(text: str, position: int = 0, scope: Scope = ANN, **given: Any) -> Message:
    """Return a message by Ann."""
    fields: dict[str, Any] = {"source": "chat", "session": "1", "speaker": "Ann", "role": "user", "time": AT, **given}
    return Message.of(Utterance(position=position, text=text, **fields), scope)


def entity(name: str, scope: Scope = ANN, **given: Any) -> Entity:
    """Return an entity with an id derived from its name."""
    fields: dict[str, Any] = {"created_at": AT, "updated_at": AT, **given}
    return Entity(id=content_id("e", str(scope), name), scope=scope, name=name, **fields)


def fact(subject: Entity, relation: str, obj: Entity, text: str = "", **given: Any) -> Fact:
    """Return a fact between two entities, by default current and undated."""
    text = text or f"{subject.name} {relation.lower().replace('_', ' ')} {obj.name}."
    fields: dict[str, Any] = {
        "valid_from": None,
        "valid_to": None,
        "said_at": AT,
        "recorded_at": AT,
        "relation_given": relation.lower(),
        **given,
    }
    return Fact(
        id=content_id("f", str(subject.scope), subject.id, relation, obj.id, text),
        scope=subject.scope,
        subject_id=subject.id,
        subject=subject.name,
        subject_type=subject.type,
        relation=relation,
        object_id=obj.id,
        object=obj.name,
        object_type=obj.type,
        text=text,
        **fields,
    )


def triple(subject: str, relation: str, obj: str, text: str = "", **given: Any) -> Triple:
    """Return a triple; dates are given as text."""
    for name in ("valid_from", "valid_to", "observed", "planned_for"):
        if isinstance(given.get(name), str):
            given[name] = Moment.parse(given[name])
    text = text or f"{subject} {relation.replace('_', ' ')} {obj}."
    return Triple(subject=subject, relation=relation, object=obj, text=text, **given)


def change(
    scope: Scope = ANN,
    messages: Sequence[Message] = (),
    entities: Sequence[Entity] = (),
    facts: Sequence[Fact] = (),
    **given: Any,
) -> Change:
    """Return a change with vectors for its messages, entities and facts."""
    vectors = {each.id: vector(each.text) for each in messages}
    vectors |= {each.id: vector(each.text) for each in facts}
    vectors |= {each.id: vector(each.name) for each in entities}
    return Change(
        scope=scope,
        messages=tuple(messages),
        entities=tuple(entities),
        facts=tuple(facts),
        vectors=vectors,
        **given,
    )


def dumped(store: Store, scope: Scope | None = None) -> list[Change]:
    """Return all changes of a snapshot."""
    with store.snapshot(scope) as snapshot:
        return list(snapshot.changes)


def turns(*said: Message) -> Turns:
    """Return messages as the turns that a store returns, ordered by source, session and position."""
    ordered = sorted(said, key=lambda each: (each.source, each.session, each.position))
    sessions = [(each.source, each.session) for each in ordered]
    return Turns(
        ids=tuple(each.id for each in ordered),
        sessions=tuple(sessions.index(session) for session in sessions),
        positions=tuple(each.position for each in ordered),
        terms=tuple(" ".join(tokens(each.text)) for each in ordered),
    )
