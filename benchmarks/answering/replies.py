"""What a model replies when it answers, and when it judges: the arguments of its one function call."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Answered(BaseModel):
    """An answer, after why."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reasoning: str
    answer: str


class Judged(BaseModel):
    """The label of an answer, after why."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reason: str
    label: Literal["CORRECT", "WRONG"]
