"""What the model answers when it is asked to decide: the arguments of its one function call."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Judgement(BaseModel):
    """The decision about one new fact: ``number`` is its own, ``facts`` are the numbers of those it touches."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    number: int
    operation: Literal["ADD", "UPDATE", "DELETE", "NOOP"]
    facts: list[int]
    sentence: str | None
    since: str | None
    reason: str


class Judgements(BaseModel):
    """The decisions about a window's new facts."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    decisions: list[Judgement]


class JudgementsAndNames(Judgements):
    """The same, and the numbers of the pairs of names that mean one thing."""

    same: list[int]
