"""The way to a model's server: one request out, its answer back, and in words what went wrong on the way."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

from mem0g.errors import (
    ModelAccessError,
    ModelError,
    PromptTooLongError,
    UnknownModelError,
    UnreachableModelError,
    UnusableReplyError,
)
from mem0g.llm.answers import Answer, parse
from mem0g.llm.modes import about_the_form
from mem0g.llm.refusals import Refusal, parsed_json
from mem0g.transport import (
    ADDRESS_VARIABLE,
    KEY_VARIABLE,
    OPENAI,
    Server,
    address_of,
    given_server,
    is_too_large,
    redirected_to,
)

if TYPE_CHECKING:
    from openai import APIConnectionError, OpenAI

LARGEST_ANSWER = 10_000_000
"""Bytes of an answer, decompressed: a hundred times what a model writes at its greatest length."""

_MOST_NAMES = 5
_QUICK = 10.0
_RETRY_HEADER = "x-stainless-retry-count"


class Connection:
    """One model on one server, which is not spoken to before it is asked something. For several threads.

    ``base_url`` and ``api_key`` default to OPENAI_BASE_URL and OPENAI_API_KEY; a server other than OpenAI's own needs
    no key. ``timeout`` is in seconds, for each of the 1 + ``retries`` times that a request is sent when the server
    cannot be reached, is slow or is overloaded: from the beginning of the request to the end of the answer.
    """

    def __init__(self, model: str, base_url: str | None, api_key: str | None, timeout: float, retries: int) -> None:
        self.model = model
        self._given = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._lock = threading.Lock()
        self._opened: OpenAI | None = None

    @property
    def address(self) -> str:
        """The server's address, without what is secret in it. Raises InputError if it is none."""
        return address_of(self._url or OPENAI)

    def post(self, body: Mapping[str, Any]) -> Answer | Refusal:
        """What the server answers to a chat completion: the model's answer, or the server's refusal.

        Raises UnreachableModelError if it does not answer, ModelAccessError if there is no key, InputError if the
        address is none, UnusableReplyError if the answer is too large, ModelError if it is a redirect, or if something
        else than such a server answers.
        """
        from openai import APIConnectionError, APIStatusError

        try:
            reply = self._client().chat.completions.with_raw_response.create(model=self.model, **body)
        except APIStatusError as error:
            self._refuse_redirect(error.response)
            attempts = _attempts(error.request.headers)
            refusal = Refusal.of(error.status_code, error.response.text, self.model, attempts)
            return _botched(refusal) if refusal.kind == "botched" else refusal
        except APIConnectionError as error:
            raise self._unreachable(error) from error
        if is_too_large(reply.http_response):
            message = f"{self.address} sent more than {LARGEST_ANSWER:,} bytes as the reply of {self.model!r}"
            raise UnusableReplyError(message, hint="try again, or another model (--model)")
        answer = parse(reply.content, self.model, _attempts(reply.http_request.headers))
        if answer is None:
            message = f"{self.address} gave something else than a chat completion for {self.model!r}"
            raise ModelError(message, hint=f"is it the API of an OpenAI-compatible server? ({ADDRESS_VARIABLE})")
        return answer

    def models(self) -> list[str]:
        """The names of the server's models, those most like ours first; none where it does not say."""
        from openai import OpenAIError

        quick = self._client().with_options(timeout=min(self._timeout, _QUICK), max_retries=0)
        try:
            listed = parsed_json(quick.models.with_raw_response.list().content)
        except (OpenAIError, ValueError):  # only a hint is made of it
            return []
        found = listed.get("data") if isinstance(listed, dict) else None
        names = [str(each["id"]) for each in found or () if isinstance(each, dict) and each.get("id")]
        return get_close_matches(self.model, names, n=len(names) or 1, cutoff=0)

    def error(self, refusal: Refusal) -> ModelError:
        """The error that a refusal is, with what to do about it."""
        message = f"{self.address} refused {self.model!r} ({refusal.status}): {refusal.message}"
        match refusal.kind:
            case "too long":
                return PromptTooLongError(message, hint="ask about less at once, or use a model that reads more")
            case "unpaid":
                return ModelAccessError(message, hint="there is no credit left: see the account's billing page")
            case "access":
                return ModelAccessError(message, hint=f"check the key ({KEY_VARIABLE})")
            case "unknown model":
                return UnknownModelError(message, hint=self._other_names())
            case "filtered":
                return UnusableReplyError(message, hint="the server's content filter stopped it", reply=refusal.message)
            case "overloaded":
                return self._overloaded(refusal)
            case _:
                return ModelError(message, hint="does the server speak OpenAI's chat completions? Try another model")

    def _overloaded(self, refusal: Refusal) -> UnreachableModelError:
        said = f"{self.address} answered {refusal.status} for {self.model!r}{_after(refusal.attempts)}"
        busy = "too many requests: try again later, or with a lower --llm-concurrency"
        hint = busy if refusal.status == 429 else "the server has a problem: try again later"
        return UnreachableModelError(f"{said}: {refusal.message}", hint=hint)

    def _unreachable(self, error: APIConnectionError) -> UnreachableModelError:
        from openai import APITimeoutError

        attempts = _after(_attempts(error.request.headers))
        if isinstance(error, APITimeoutError):
            message = f"{self.address} gave no answer for {self.model!r} within {self._timeout:g} s{attempts}"
            return UnreachableModelError(message, hint="try again later, or give it more time (--llm-timeout)")
        cause = str(error.__cause__ or error).strip() or type(error.__cause__).__name__
        message = f"{self.address} cannot be reached for {self.model!r}{attempts}: {cause}"
        return UnreachableModelError(message, hint=f"check the server's address ({ADDRESS_VARIABLE}) and the network")

    def _refuse_redirect(self, response: Any) -> None:
        if place := redirected_to(response):
            message = f"{self.address} sends requests for {self.model!r} on to {place}, which is not followed"
            raise ModelError(message, hint=f"if that server may read the conversation, set {ADDRESS_VARIABLE} to it")

    def _other_names(self) -> str:
        names = self.models()
        some = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
        has = f"; the server has {some}" if names else f", and check the server's address ({ADDRESS_VARIABLE})"
        return f"name a model with --model or MEM0G_MODEL{has}"

    @property
    def _url(self) -> str | None:
        return given_server(self._given, None)[0]

    def _client(self) -> OpenAI:
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
                weakref.finalize(self, self._opened.close)
            return self._opened

    def _open(self) -> OpenAI:
        return Server(self._url or OPENAI, self._key()).client(
            timeout=self._timeout,
            retries=self._retries,
            most=LARGEST_ANSWER,
            on_response=partial(_spare_retries, self.model),
        )

    def _key(self) -> str:
        """The key; "" for a server of one's own that needs none."""
        url, key = given_server(self._given, self._api_key)
        if key and not (key.isascii() and key.isprintable()):
            raise ModelAccessError("the key has a character that no key has", hint=f"check it ({KEY_VARIABLE})")
        if not key and not url:
            hint = f"set {KEY_VARIABLE}, or {ADDRESS_VARIABLE} for a server of your own"
            raise ModelAccessError(f"no key for the model {self.model!r}", hint=hint)
        return key


def _spare_retries(model: str, response: Any) -> None:
    """Tell the SDK not to send again what will be refused again: its own retries go by the status alone."""
    if response.status_code != 429 and response.status_code < 500:
        return
    response.read()
    refusal = Refusal.of(response.status_code, response.text, model)
    if refusal.kind != "overloaded" or about_the_form(refusal):
        response.headers["x-should-retry"] = "false"


def _botched(refusal: Refusal) -> Answer:
    """A reply that the server itself could not read as the call that was asked for."""
    return Answer(content=refusal.generated or refusal.message, problem=refusal.message)


def _attempts(headers: Mapping[str, str]) -> int:
    return int(headers.get(_RETRY_HEADER, 0)) + 1


def _after(attempts: int) -> str:
    return f" after {attempts} attempts" if attempts > 1 else ""
