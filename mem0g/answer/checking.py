"""Ask a language model whether a context answers the question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from mem0g.answer.answering import ask_once
from mem0g.errors import InputError, UnusableReplyError
from mem0g.llm.prompts import Prompts, quoted
from mem0g.llm.protocol import LanguageModel, Request
from mem0g.model import Context, Scope
from mem0g.pipeline import open_exchange
from mem0g.retrieve.context.rendering import one_line
from mem0g.settings import API_KEY_VARIABLE, BASE_URL_VARIABLE, LLMSettings
from mem0g.store.protocol import Store

PROMPT = "check"
"""The name of the prompt's file, of the purpose in the ledger, and of the function."""


class CheckReply(BaseModel):
    """The reply of the model: the words that answer the question, what is missing, and whether the answer is known."""

    model_config = ConfigDict(strict=True, extra="forbid")

    found: str = Field(max_length=5_000)
    missing: str = Field(max_length=5_000)
    known: bool


def checked(
    read: Callable[[], Context],
    question: str,
    *,
    scope: Scope,
    at: datetime,
    store: Store,
    settings: LLMSettings,
    model: LanguageModel | None = None,
) -> Context:
    """Return the context that ``read`` returns, with ``known`` and ``missing`` set by a model.

    It is ``model``, by default that of ``settings``. ``at`` is the time that the question is about. A context without
    text is unknown, and no model is asked. The call is noted in the ledger of ``store``; the memory does not change.
    Raises InputError when no model is configured, before anything is read; a ModelError when it cannot be used.
    """
    if model is None and not settings.configured:
        hint = f"set {API_KEY_VARIABLE}, or {BASE_URL_VARIABLE} for a server of your own"
        raise InputError("a check of the context needs a language model", hint=hint)
    context = read()
    if not context.text:
        return replace(context, known=False)
    request = check_request(question, context.text, at=at, prompts=Prompts(settings.prompts), scope=scope)
    reply = ask_once(open_exchange(settings, model), request, store, scope)
    return replace(context, known=reply.known, missing="" if reply.known else one_line(reply.missing))


def check_request(
    question: str, context: str, *, at: datetime, prompts: Prompts, scope: Scope | None = None
) -> Request[CheckReply]:
    """Return the request that asks whether the text of a context answers the question."""
    words = {"today": f"{at:%A, %Y-%m-%d}", "context": context, "question": quoted(question)}
    rendered = prompts.render(__package__, PROMPT, words)
    return rendered.request(
        purpose=PROMPT,
        function=PROMPT,
        description="Say whether the context tells what is asked.",
        reply=CheckReply,
        check=check,
        window=PROMPT,
        scope=scope,
    )


def check(reply: CheckReply) -> None:
    """Raise UnusableReplyError if the reply is "known" without words found, or "not known" without what is missing."""
    if reply.known and not reply.found.strip():
        raise UnusableReplyError("`known` is true and `found` is empty: copy the words that tell it")
    if not reply.known and not reply.missing.strip():
        raise UnusableReplyError("`known` is false and `missing` is empty: name what is not told")
