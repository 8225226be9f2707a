"""The protocol of language model providers, and the requests and calls that pass through it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from mem0g.model import Scope

if TYPE_CHECKING:
    from pydantic import BaseModel

R = TypeVar("R", bound="BaseModel")

Schema: TypeAlias = Mapping[str, Any]
"""A JSON schema of an object: every property is required, no other is allowed; shared parts are in ``$defs``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt: the rules (``system``), the input (``user``), and the function to reply with.

    The model should reply with one call of ``function``, which ``description`` describes. A prompt that asks for the
    correction of a reply has that reply in ``rejected``, and what is wrong with it in ``problem``.
    """

    system: str
    user: str
    function: str
    description: str
    rejected: str | None = None
    problem: str = ""

    def messages(self, *, as_json: bool = False) -> list[dict[str, str]]:
        """Return the chat messages after the system prompt, each with ``role`` ("user", "assistant") and ``content``.

        ``as_json``: the reply is wanted as JSON text, not as a call of the function.
        """
        messages = [{"role": "user", "content": self.user}]
        if self.rejected is None:
            return messages
        wanted = "as one JSON object" if as_json else f"as one call of the function {self.function}"
        ask = f"That reply cannot be used: {self.problem}\nReply again in full, corrected, {wanted} and nothing else."
        # text in every mode: a rejected call would need a tool's answer, which not all servers read
        return [
            *messages,
            {"role": "assistant", "content": self.rejected or "(nothing)"},
            {"role": "user", "content": ask},
        ]

    def system_with(self, schema: Schema) -> str:
        """Return the system prompt with the schema of the reply, for a request without function calling."""
        return (
            f"{self.system}\n\nReply with one JSON object and nothing else, the arguments of {self.function}: "
            f"{self.description}\nIt has to fit this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model replied.

    ``text``: the arguments of the function call as JSON text; if it made no call, its text.
    ``prompt_tokens``, ``completion_tokens``: the server's figures; None if it gives none (they are estimated then).
    ``finish_reason``: "length" if the reply was cut off; other values are ignored. ``problem``: what the
    provider knows to be wrong with the reply, such as that the model declined; it is asked once to correct it.
    ``ask_again``: the provider has changed the form of its requests, so the same prompt should be sent again.
    """

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish_reason: str = ""
    problem: str = ""
    ask_again: bool = False


class LanguageModel(Protocol):
    """A provider of a language model. Thread-safe.

    Retries, the repair of bad replies, the reply cache and the ledger are not its task (see `mem0g.llm.exchange`).
    """

    @property
    def name(self) -> str:
        """The model's name, as shown in the ledger and ``decided_by``, and part of the cache keys."""
        ...

    def complete(self, prompt: Prompt, schema: Schema) -> Completion:
        """Send one request, and return the reply; ``schema`` is that of the arguments of ``prompt.function``.

        Raises UnreachableModelError if the same request may succeed later (it is retried, after ``retry_after`` seconds
        if that is set), PromptTooLongError if the prompt exceeds the context window (it is split then), and another
        ModelError if a retry is of no use.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Generic[R]):
    """A request to a model: the parts of a prompt, and the type of the reply.

    ``purpose`` is its name in the ledger ("extract", "decide", ...). ``system`` are the rules and ``user`` the input.
    ``hints`` are put before ``user`` and are not part of ``key``: context that may be available in one run and not in
    another, such as a summary. The model replies with a call of ``function``, which ``description`` describes;
    ``reply`` is the type of its arguments, and ``check`` raises UnusableReplyError for a reply that has this type but
    cannot be used. ``window`` is the id of the window and ``scope`` the scope of the memory that the request is for, if
    any.
    """

    purpose: str
    system: str
    user: str
    hints: str = ""
    function: str = "reply"
    description: str = "Reply."
    reply: type[R]
    check: Callable[[R], None] = lambda _reply: None
    window: str = ""
    scope: Scope | None = None

    @property
    def prompt(self) -> Prompt:
        """The prompt as it is sent, with a question mark for each lone surrogate, which cannot be encoded."""
        user = f"{self.hints}\n\n{self.user}" if self.hints else self.user
        return Prompt(
            system=encodable(self.system),
            user=encodable(user),
            function=self.function,
            description=self.description,
        )

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the reply, as OpenAI's strict mode requires it."""
        schema: dict[str, Any] = _strict(_lean_schema(self.reply))
        return schema

    def key(self, model: str) -> str:
        """Return the hash of the request (32 hex digits), which is the same in every run."""
        schema = _lean_schema(self.reply)
        asked = [model, self.purpose, self.system, self.user, self.function, self.description, schema]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]


@lru_cache(maxsize=64)  # pydantic takes ten milliseconds of processor time for the schema of an extraction
def _lean_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """Return the lean JSON schema of a type, which callers must not change."""
    schema: dict[str, Any] = lean(reply.model_json_schema())
    return schema


def lean(schema: Any) -> Any:
    """Return a JSON schema without the titles and descriptions that pydantic adds, which only cost tokens."""
    if isinstance(schema, list):
        return [lean(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    dropped = {"title", "description"}
    return {name: lean(each) for name, each in schema.items() if name not in dropped or not isinstance(each, str)}


def _strict(schema: Any) -> Any:
    """Return the schema with every property required, no additional ones allowed, and no defaults."""
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: _strict(each) for name, each in schema.items() if name != "default" or isinstance(each, dict)}
    if isinstance(strict.get("properties"), dict):
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


def encodable(text: str) -> str:
    """Return the text with a question mark for each lone surrogate, so that it can be stored and sent."""
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a model, as the ledger keeps it.

    ``attempt`` counts from 1: the second is the repair of a bad reply. ``prompt_tokens`` and ``completion_tokens`` are
    the server's figures, or words × 1.3 if it gives none; both are 0 for a reply from the cache (``cached``).
    ``seconds`` includes retries. ``problem`` is what was wrong with the reply, "" if nothing was.
    """

    purpose: str
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
    """Records every call, and the replies that are paid for but not used yet. Thread-safe."""

    def note(self, call: Call, reply: str | None) -> None:
        """Record ``call``, and ``reply``, the arguments as JSON text, if it is valid and came from the model."""
        ...

    def reply(self, key: str, scope: Scope | None) -> str | None:
        """Return the recorded reply to the request with this key for this scope, or None."""
        ...
