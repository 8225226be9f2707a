"""What the model answers when it is asked to extract: the arguments of its one function call."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Reply(BaseModel):
    """A part of a reply: nothing missing, nothing besides, no type bent."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NamedEntity(Reply):
    """An entity of the conversation."""

    name: str
    type: str
    aliases: list[str]


class StatedFact(Reply):
    """A fact between two entities, and where and when it is told."""

    subject: str
    relation: str
    object: str
    sentence: str
    valid_from: str | None
    valid_until: str | None
    messages: list[int]
    retracts: bool


class Entities(Reply):
    """The reply of the entity extractor."""

    entities: list[NamedEntity]


class Facts(Reply):
    """The reply of the relation generator."""

    facts: list[StatedFact]


class Extraction(Reply):
    """The reply of both in one call: entities first."""

    entities: list[NamedEntity]
    facts: list[StatedFact]


class Summary(Reply):
    """The reply of the summariser."""

    summary: str
