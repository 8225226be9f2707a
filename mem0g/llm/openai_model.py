"""A language model behind the OpenAI protocol: asked by function calling, repaired once, every call in the ledger."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Generic

from mem0g.errors import ReplyTooLongError, UnusableReplyError
from mem0g.llm.abilities import Abilities, Ability, usual
from mem0g.llm.answers import Answer
from mem0g.llm.cache import ReplyCache
from mem0g.llm.connection import Connection
from mem0g.llm.modes import ChatMessage, Form
from mem0g.llm.replies import Reading, read, read_text
from mem0g.llm.request import Call, Ledger, R, Request
from mem0g.text.token_count import estimate_tokens
from mem0g.times import now


class OpenAIModel:
    """The language model of that name on a server that speaks OpenAI's chat completions.

    ``base_url`` and ``api_key`` default to OPENAI_BASE_URL and OPENAI_API_KEY; a server of one's own needs no key.
    ``timeout`` is in seconds, for each of the 1 + ``retries`` times that a request is sent when the server cannot be
    reached, is slow or is overloaded. Replies are looked up in ``cache`` and written to it. ``abilities`` remember what
    the server lacks; by default those in the user's cache folder. No server and no key are needed before a reply is
    in neither cache nor ledger.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        retries: int = 4,
        cache: ReplyCache | None = None,
        abilities: Abilities | None = None,
    ) -> None:
        self.name = model
        self._connection = Connection(model, base_url, api_key, timeout, retries)
        self._cache = cache
        self._abilities = abilities

    @property
    def address(self) -> str:
        """The server's address, without what is secret in it. Raises InputError if it is none."""
        return self._connection.address

    @property
    def ability(self) -> Ability | None:
        """How the server takes requests for this model, if that has been found out."""
        return (self._abilities or usual()).ability(self.address, self.name)

    def ask(self, request: Request[R], ledger: Ledger) -> R:
        """The reply, read and checked: from the cache, else from the ledger, else from the server.

        Raises UnreachableModelError, ModelAccessError, UnknownModelError, PromptTooLongError, ReplyTooLongError, and
        UnusableReplyError when the reply was bad twice; ModelError when the server refuses for another reason;
        InputError when its address is none or the cache cannot be written.
        """
        key = request.key(self.name)
        reading = self._kept(request, key, ledger)
        if reading is None:
            exchange = _Exchange(self._connection, self._abilities or usual(), request, key, ledger)
            reading = exchange.run()
        if self._cache is not None:
            self._cache.keep(key, request.purpose, self.name, reading.text, now())
        assert reading.reply is not None
        return reading.reply

    def _kept(self, request: Request[R], key: str, ledger: Ledger) -> Reading[R] | None:
        """The reply that cache or ledger keep; one that fits the request no more is as if it were not there."""
        for keeper in (self._cache, ledger):
            text = keeper.reply(key) if keeper is not None else None
            reading = read_text(text, request) if text is not None else None
            if reading and reading.reply is not None:
                ledger.note(replace(_call(request, self.name, key), cached=True), None)
                return reading
        return None


class _Exchange(Generic[R]):
    """One request put to a server: asked, repaired once, and asked more simply where the server cannot be asked so."""

    def __init__(
        self, connection: Connection, abilities: Abilities, request: Request[R], key: str, ledger: Ledger
    ) -> None:
        self._connection = connection
        self._abilities = abilities
        self._request = request
        self._key = key
        self._ledger = ledger
        ability = abilities.ability(connection.address, connection.model)
        self._known = ability.form if ability else None
        self._form = self._known or Form()
        self._attempt = 0

    def run(self) -> Reading[R]:
        """A good reply."""
        while True:
            reading = self._asked_twice()
            if reading.reply is not None:
                if self._form != self._known:
                    self._abilities.remember(self._connection.address, self._connection.model, self._form)
                return reading
            # a server never seen to take this form may only pass over it; one that does has a model that went astray
            simpler = self._form.simpler() if reading.astray and self._known is None else None
            if simpler is None:
                raise self._unusable(reading)
            self._form = simpler

    def _asked_twice(self) -> Reading[R]:
        """The reply to the request, or to the repair if the first is bad."""
        reading = self._asked()
        if reading.reply is not None:
            return reading
        return self._asked(self._form.follow_up(self._request, reading.text, reading.problem))

    def _asked(self, follow_up: Sequence[ChatMessage] = ()) -> Reading[R]:
        started = perf_counter()
        answer, body = self._answer(follow_up)
        reading = read(answer, self._request)
        call = self._note(answer, body, reading, perf_counter() - started)
        if answer.finish == "length":
            raise ReplyTooLongError(
                f"{call.model} was cut off in its reply to {call.purpose!r} after {call.completion_tokens} tokens",
                hint="ask about less at once, or let the server write more",
            )
        return reading

    def _note(self, answer: Answer, body: dict[str, Any], reading: Reading[R], seconds: float) -> Call:
        """Tell the ledger what was asked and what came back."""
        self._attempt += 1
        prompt, completion = answer.prompt_tokens, answer.completion_tokens
        call = replace(
            _call(self._request, self._connection.model, self._key),
            attempt=self._attempt,
            prompt_tokens=_tokens(body) if prompt is None else prompt,
            completion_tokens=_tokens(answer.raw) if completion is None else completion,
            seconds=seconds,
            problem=reading.problem,
        )
        self._ledger.note(call, reading.text if reading.reply is not None else None)
        return call

    def _answer(self, follow_up: Sequence[ChatMessage]) -> tuple[Answer, dict[str, Any]]:
        """The model's answer in the first form that the server does not refuse, and what it was asked."""
        while True:
            body = self._form.body(self._request, follow_up)
            answer = self._connection.post(body)
            if isinstance(answer, Answer):
                return answer, body
            form = self._form.after(answer)
            if form is None:
                raise self._connection.error(answer)
            self._form = form

    def _unusable(self, reading: Reading[R]) -> UnusableReplyError:
        model, purpose = self._connection.model, self._request.purpose
        message = f"{model} gave no usable reply to {purpose!r}: {reading.problem}"
        return UnusableReplyError(message, hint="try again, or another model (--model)", reply=reading.text)


def _call(request: Request[R], model: str, key: str) -> Call:
    """A call that cost nothing, now."""
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


def _tokens(said: Any) -> int:
    """Words × 1.3 of text, or of what is not text as JSON."""
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    return estimate_tokens(text)
