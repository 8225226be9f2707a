"""What a language model is asked, and the seam between the stages that ask and the one that answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar

from mem0g.model import Scope

if TYPE_CHECKING:
    from pydantic import BaseModel

Purpose = Literal["extract", "entities", "relations", "decide", "summary", "answer", "judge"]

R = TypeVar("R", bound="BaseModel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Generic[R]):
    """A prompt, and the one function that the model is to call with its reply.

    ``system`` are the rules, ``user`` is what they are about. ``hints`` stand before ``user`` and are no part of
    ``key``: what may be ready in one run and not yet in the next, such as a summary. ``reply`` is the type of the
    function's arguments; ``check`` raises UnusableReplyError for a reply that fits its type and still cannot be.
    ``window`` is the id of the window it is asked for, ``scope`` whose memory it is for, if any.
    """

    purpose: Purpose
    system: str
    user: str
    hints: str = ""
    function: str
    description: str
    reply: type[R]
    check: Callable[[R], None]
    window: str = ""
    scope: Scope | None = None

    @property
    def prompt(self) -> str:
        """The user's message as it is sent."""
        return f"{self.hints}\n\n{self.user}" if self.hints else self.user

    def key(self, model: str) -> str:
        """What was asked as a hash (32 hex digits): the same question has the same key, in every run."""
        schema = lean(self.reply.model_json_schema())
        asked = [model, self.purpose, self.system, self.user, self.function, self.description, schema]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]


def lean(schema: Any) -> Any:
    """A JSON schema without the titles and docstrings that pydantic puts in: they cost tokens, and say nothing new."""
    if isinstance(schema, list):
        return [lean(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    told = {"title", "description"}
    return {name: lean(each) for name, each in schema.items() if name not in told or not isinstance(each, str)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a model, as the ledger keeps it.

    ``attempt`` counts from 1: the second is the repair of a bad reply. ``prompt_tokens`` and ``completion_tokens`` are
    the server's figures, or words × 1.3 where it gives none; both are 0 for a reply that was not asked for again
    (``cached``). ``seconds`` includes retries. ``problem`` is what was wrong with the reply, "" when nothing was.
    """

    purpose: Purpose
    model: str
    scope: Scope | None
    window: str
    key: str
    attempt: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    at: datetime
    cached: bool = False
    problem: str = ""


class Ledger(Protocol):
    """Keeps every call, and the replies that were paid for and not used yet. May be used by several threads."""

    def note(self, call: Call, reply: str | None) -> None:
        """Keep ``call``; and ``reply``, the arguments as JSON text, where it is good and came from the model."""
        ...

    def reply(self, key: str) -> str | None:
        """The reply to what has this key, if one is kept."""
        ...


class LanguageModel(Protocol):
    """Answers requests. May be used by several threads."""

    @property
    def name(self) -> str:
        """As the ledger and ``decided_by`` name it."""
        ...

    def ask(self, request: Request[R], ledger: Ledger) -> R:
        """The reply, read and checked; ``ledger`` is told of every call.

        Raises ModelError's children; UnusableReplyError when the reply was bad twice.
        """
        ...
