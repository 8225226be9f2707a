"""Reply types of the answering and the judging model: the arguments of their one function call."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Answered(BaseModel):
    """An answer, preceded by its reasoning."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reasoning: str
    answer: str


class Judged(BaseModel):
    """The label of an answer, preceded by its reasoning."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reason: str
    label: Literal["CORRECT", "WRONG"]
