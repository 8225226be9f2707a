"""A request of a stage to a language model: cache lookup, retries, repair of a bad reply, and the ledger."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import partial
from random import random
from time import perf_counter, sleep
from typing import Generic

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from mem0g.errors import InputError, ReplyTooLongError, UnreachableModelError, UnusableReplyError
from mem0g.llm.cache import ReplyCache
from mem0g.llm.protocol import Call, Completion, LanguageModel, Ledger, Prompt, R, Request, Schema, encodable
from mem0g.text.token_count import estimate_tokens
from mem0g.times import now

FIRST_PAUSE, MAX_PAUSE, MAX_WAIT = 0.5, 8.0, 120.0
"""Seconds before the first retry, which double for each further one up to the second figure; and the longest time that
a server may ask to wait: if it asks for more, the request is not retried."""

MAX_PROBLEM, MAX_REJECTED = 2_000, 100_000
"""Characters of the description of a problem, and of the bad reply itself, that are kept and shown to the model."""

MAX_ERRORS = 8
"""Errors of one reply that are shown to the model."""

MAX_VALUE = 60
"""Characters of an invalid value that are shown."""

_FENCED = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)


class Exchange:
    """Sends the requests of stages to a language model. Thread-safe.

    A reply is looked up in ``cache`` and in the ledger first. A request that fails with UnreachableModelError is sent
    up to ``retries`` more times. A bad reply is shown to the model once, with what is wrong with it.
    """

    def __init__(self, model: LanguageModel, *, retries: int = 4, cache: ReplyCache | None = None) -> None:
        self.model = model
        self.retries = retries
        self.cache = cache

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.name

    def ask(self, request: Request[R], ledger: Ledger) -> R:
        """Return the reply to ``request``, validated; every call is noted in ``ledger``.

        Raises what the model raises (see LanguageModel), ReplyTooLongError if the reply was cut off, UnusableReplyError
        if it was bad twice, and InputError if the cache cannot be written.
        """
        key = request.key(self.name)
        reading = self._cached(request, key, ledger) or self._from_model(request, key, ledger)
        if self.cache is not None:
            self.cache.keep(key, request.purpose, self.name, reading.text, now())
        assert reading.reply is not None
        return reading.reply

    def _cached(self, request: Request[R], key: str, ledger: Ledger) -> Reading[R] | None:
        """Return the reply in the cache or the ledger, if there is one that is still valid."""
        lookups = [partial(ledger.reply, key, request.scope)]
        if self.cache is not None:
            lookups.insert(0, partial(self.cache.reply, key))
        for lookup in lookups:
            text = lookup()
            reading = read_text(text, request) if text is not None else None
            if reading and reading.reply is not None:
                ledger.note(replace(_call(request, self.name, key), cached=True), None)
                return reading
        return None

    def _from_model(self, request: Request[R], key: str, ledger: Ledger) -> Reading[R]:
        """Return a valid reply of the model: the first one, or its correction."""
        schema, attempt = request.schema, 0
        prompt = request.prompt
        while True:
            attempt += 1
            started = perf_counter()
            completion = self._completion(prompt, schema)
            reading = read(completion, request)
            call = replace(
                _call(request, self.name, key),
                attempt=attempt,
                prompt_tokens=_prompt_tokens(completion, prompt, schema),
                completion_tokens=_completion_tokens(completion),
                seconds=perf_counter() - started,
                problem=reading.problem,
            )
            ledger.note(call, reading.text if reading.reply is not None else None)
            if completion.finish_reason == "length":
                raise ReplyTooLongError(
                    f"{call.model} was cut off in its reply to {call.purpose!r} after {call.completion_tokens} tokens",
                    hint="ask about less at once, or let the server write more",
                )
            if reading.reply is not None:
                return reading
            if prompt.rejected is None:
                prompt = replace(prompt, rejected=encodable(reading.text), problem=encodable(reading.problem))
            elif completion.ask_again:
                prompt = request.prompt
            else:
                message = f"{self.name} gave no usable reply to {request.purpose!r}: {reading.problem}"
                raise UnusableReplyError(message, hint="try again, or another model (--model)", reply=reading.text)

    def _completion(self, prompt: Prompt, schema: Schema) -> Completion:
        """Return the model's completion; where it cannot be reached, after some more attempts."""
        attempt = 1
        while True:
            try:
                return self.model.complete(prompt, schema)
            except UnreachableModelError as error:
                asked = error.retry_after
                if attempt > self.retries or not error.retry or (asked or 0) > MAX_WAIT:
                    if attempt > 1:
                        error.args = (f"{error} ({attempt} attempts)",)
                    raise
                # jitter, so that the clients of a busy server do not all retry at once
                pause = min(FIRST_PAUSE * 2 ** min(attempt - 1, 10), MAX_PAUSE) * (1 - random() / 4)  # noqa: S311
            sleep(asked if asked and asked > 0 else pause)
            attempt += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[R]):
    """A reply as it was read: ``reply`` is None, and ``problem`` says why, when it is bad.

    ``text`` is the reply as JSON text, or its raw text when it is bad.
    """

    reply: R | None
    text: str
    problem: str = ""


def read(completion: Completion, request: Request[R]) -> Reading[R]:
    """Return the reply in a completion: its text, or the inside of the one code fence in it, as JSON."""
    problem = "cut off at its maximum length" if completion.finish_reason == "length" else completion.problem
    if problem:
        return _bad(completion.text, problem)
    found = read_text(completion.text, request)
    if found.reply is None:
        inside = unfenced(completion.text)
        found = read_text(inside, request) if inside != completion.text else found
    return found if found.reply is not None else _bad(found.text, found.problem)


def _bad(text: str, problem: str) -> Reading[R]:
    return Reading(reply=None, text=text[:MAX_REJECTED], problem=problem[:MAX_PROBLEM])


def read_text(text: str, request: Request[R]) -> Reading[R]:
    """Return the reply that JSON text is, validated by its type and by the check of ``request``.

    A date or a triple that mem0g itself cannot read makes a bad reply too.
    """
    try:
        reply = request.reply.model_validate_json(text)
        request.check(reply)
    except ValidationError as error:
        return Reading(reply=None, text=text, problem=explained(error))
    except (UnusableReplyError, InputError) as error:
        return Reading(reply=None, text=text, problem=str(error))
    return Reading(reply=reply, text=text)


def unfenced(text: str) -> str:
    """Return the inside of the one code fence in ``text`` if there is exactly one, else ``text``, stripped."""
    found = _FENCED.findall(text)
    return (found[0] if len(found) == 1 else text).strip()


def explained(error: ValidationError) -> str:
    """Return what is wrong with a reply, for people and models to read: where, what was expected, what was given."""
    errors = error.errors(include_url=False, include_context=False)
    lines = [_explained(each) for each in errors[:MAX_ERRORS]]
    more = [f"and {len(errors) - MAX_ERRORS} more"] if len(errors) > MAX_ERRORS else []
    return "; ".join(lines + more)


def _explained(error: ErrorDetails) -> str:
    if error["type"] == "json_invalid":
        return f"broken JSON ({error['msg'].removeprefix('Invalid JSON: ')})"
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"]).lstrip(".")
    if error["type"] == "missing":
        return f"{where} is missing"
    given = json.dumps(error["input"], ensure_ascii=False, default=str)
    given = given if len(given) <= MAX_VALUE else given[: MAX_VALUE - 1] + "…"
    if error["type"] == "extra_forbidden":
        return f"{where} is no field of the schema (given: {given})"
    return f"{where or 'the reply'}: {error['msg']} (given: {given})"


def _call(request: Request[R], model: str, key: str) -> Call:
    """Return a call at the present time with no tokens and no duration."""
    return Call(
        purpose=request.purpose,
        model=model,
        scope=request.scope,
        window=request.window,
        key=key,
        attempt=1,
        prompt_tokens=0,
        completion_tokens=0,
        seconds=0.0,
        at=now(),
    )


def _prompt_tokens(completion: Completion, prompt: Prompt, schema: Schema) -> int:
    if completion.prompt_tokens is not None:
        return completion.prompt_tokens
    return estimate_tokens(
        json.dumps([prompt.system, prompt.messages(), prompt.description, schema], ensure_ascii=False)
    )


def _completion_tokens(completion: Completion) -> int:
    return estimate_tokens(completion.text) if completion.completion_tokens is None else completion.completion_tokens
