"""The seam to language models: what a provider implements, and what the stages ask through it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from mem0g.model import Scope

if TYPE_CHECKING:
    from pydantic import BaseModel

R = TypeVar("R", bound="BaseModel")

Schema: TypeAlias = Mapping[str, Any]
"""A JSON schema of an object: every property is required, no other is allowed; shared parts are in ``$defs``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is asked: rules (``system``), what they are about (``user``), and the function to reply with.

    The model is to reply with the arguments of one call of ``function``, whose purpose is ``description``. A prompt
    that asks to correct a reply has that reply in ``rejected``, and what is wrong with it in ``problem``.
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
        """Return the system prompt with the schema of the reply, for a model that is given no function to call."""
        return (
            f"{self.system}\n\nReply with one JSON object and nothing else, the arguments of {self.function}: "
            f"{self.description}\nIt has to fit this JSON schema:\n{json.dumps(schema, ensure_ascii=False)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model replied.

    ``text``: the arguments of the function call as JSON text; where the model made no call, what it wrote instead.
    ``prompt_tokens``, ``completion_tokens``: the server's figures; None where it gives none (they are estimated then).
    ``finish_reason``: "length" where the reply was cut off; anything else has no meaning here. ``problem``: what the
    provider knows to be wrong with the reply, such as that the model declined; it is asked once to correct it.
    ``ask_again``: the provider has changed how it asks, so that the same prompt may be answered after all.
    """

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish_reason: str = ""
    problem: str = ""
    ask_again: bool = False


class LanguageModel(Protocol):
    """A provider of a language model. May be used by several threads.

    Retries, the repair of bad replies, the reply cache and the ledger are around it (`mem0g.llm.exchange.Exchange`).
    """

    @property
    def name(self) -> str:
        """The model's name, as the ledger and ``decided_by`` have it; replies are cached by it."""
        ...

    def complete(self, prompt: Prompt, schema: Schema) -> Completion:
        """Send one request, and return the reply; ``schema`` is that of the arguments of ``prompt.function``.

        Raises UnreachableModelError where the same request may succeed later (it is sent again then, after its
        ``retry_after`` seconds if it has any), PromptTooLongError where the prompt is longer than the model reads
        (less is asked then), and another ModelError where asking again is of no use.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Generic[R]):
    """What a stage asks of a model: the parts of a prompt, and the type of the reply.

    ``purpose`` is what the ledger calls it ("extract", "decide", ...). ``hints`` are put before ``user`` and are no
    part of ``key``: what may be ready in one run and not yet in the next, such as a summary. ``reply`` is the type of
    the function's arguments; ``check`` raises UnusableReplyError for a reply that fits its type and still cannot be
    used. ``window`` is the id of the window, ``scope`` the scope of the memory that it is asked for, if any.
    """

    purpose: str
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
    def prompt(self) -> Prompt:
        """The prompt as it is sent; half of a surrogate pair, which no JSON can carry, becomes a question mark."""
        user = f"{self.hints}\n\n{self.user}" if self.hints else self.user
        return Prompt(
            system=encodable(self.system),
            user=encodable(user),
            function=self.function,
            description=self.description,
        )

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the reply, as OpenAI's strict mode wants it."""
        schema: dict[str, Any] = _strict(lean(self.reply.model_json_schema()))
        return schema

    def key(self, model: str) -> str:
        """Return a hash of what is asked (32 hex digits): the same question has the same key in every run."""
        schema = lean(self.reply.model_json_schema())
        asked = [model, self.purpose, self.system, self.user, self.function, self.description, schema]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]


def lean(schema: Any) -> Any:
    """Return a JSON schema without titles and docstrings, which pydantic adds: they cost tokens and say nothing new."""
    if isinstance(schema, list):
        return [lean(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    dropped = {"title", "description"}
    return {name: lean(each) for name, each in schema.items() if name not in dropped or not isinstance(each, str)}


def _strict(schema: Any) -> Any:
    """Return the schema with every property required, no other allowed, and no default."""
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {name: _strict(each) for name, each in schema.items() if name != "default" or isinstance(each, dict)}
    if isinstance(strict.get("properties"), dict):
        strict |= {"required": list(strict["properties"]), "additionalProperties": False}
    return strict


def encodable(text: str) -> str:
    """Return the text with a question mark for each half of a surrogate pair, so that it can be stored and sent."""
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a model, as the ledger keeps it.

    ``attempt`` counts from 1: the second is the repair of a bad reply. ``prompt_tokens`` and ``completion_tokens`` are
    the server's figures, or words × 1.3 where it gives none; both are 0 for a reply that was not asked for again
    (``cached``). ``seconds`` includes retries. ``problem`` is what was wrong with the reply, "" if nothing was.
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
    """Keeps every call, and the replies that were paid for and not used yet. May be used by several threads."""

    def note(self, call: Call, reply: str | None) -> None:
        """Keep ``call``; and ``reply``, the arguments as JSON text, where it is good and came from the model."""
        ...

    def reply(self, key: str) -> str | None:
        """Return the reply to the request with this key, if one is kept."""
        ...
