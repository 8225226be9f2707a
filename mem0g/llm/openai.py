"""A language model on a server that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from mem0g.errors import (
    ModelAccessError,
    ModelError,
    PromptTooLongError,
    UnknownModelError,
    UnreachableModelError,
    UnusableReplyError,
)
from mem0g.llm.openai_forms import Capability, RequestForm, ServerCapabilities, about_the_form, shared_capabilities
from mem0g.llm.openai_replies import Refusal, Reply, completion_of, is_astray, parsed_json, read_reply
from mem0g.llm.protocol import Completion, Prompt, Schema
from mem0g.text.token_count import estimate_tokens
from mem0g.times import now
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

MAX_RESPONSE_BYTES = 10_000_000
"""Bytes of a response, decompressed: a hundred times the longest reply of a model."""

LIST_TIMEOUT = 10.0
"""Seconds to wait for the names of the server's models, which are only used for a hint."""

MAX_NAMES = 5
"""Names of models in that hint."""


class OpenAIProvider:
    """See LanguageModel: the model of that name on a server that speaks OpenAI's chat completions.

    ``base_url`` and ``api_key`` default to OPENAI_BASE_URL and OPENAI_API_KEY; a server other than OpenAI's own needs
    no key. ``timeout``: seconds from the beginning of a request to the end of the response. Parts of the API that the
    server lacks are detected and kept in ``capabilities``, by default a file in the user's cache folder. Nothing is
    sent before the first ``complete``.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        capabilities: ServerCapabilities | None = None,
    ) -> None:
        self.name = model
        self._given_url = base_url
        self._given_key = api_key
        self._timeout = timeout
        self._given_capabilities = capabilities
        self._lock = threading.Lock()
        self._opened: OpenAI | None = None
        self._trial: tuple[RequestForm | None, RequestForm] = (None, RequestForm())

    @property
    def address(self) -> str:
        """The server's URL without secrets. Raises InputError if it is invalid."""
        return address_of(self._url or OPENAI)

    @property
    def capability(self) -> Capability | None:
        """The form of request that the server accepts for this model, if known."""
        return self._capabilities.get(self.address, self.name)

    def complete(self, prompt: Prompt, schema: Schema) -> Completion:
        """See LanguageModel: asks by function calling, or in a simpler form if the server does not support it.

        Raises UnreachableModelError, ModelAccessError, UnknownModelError, PromptTooLongError, UnusableReplyError
        if the server's content filter stops the prompt or the response is too large, InputError if the address is
        invalid, and ModelError if the server refuses for another reason, redirects, or is not OpenAI-compatible.
        """
        found = self.capability
        known = found.form if found else None
        form = first = self._form(known)
        while True:
            body = form.body(prompt, schema)
            answer = self._post(body)
            if isinstance(answer, Reply):
                break
            simpler = form.after(answer)
            if simpler is None:
                raise self._error(answer)
            form = simpler
        if form != first:
            self._trial = (known, form)
        completion = replace(
            completion_of(answer, prompt.function),
            prompt_tokens=_estimated(body) if answer.prompt_tokens is None else answer.prompt_tokens,
            completion_tokens=estimate_tokens(answer.raw)
            if answer.completion_tokens is None
            else answer.completion_tokens,
        )
        if not completion.problem:
            if form != known:
                self._capabilities.remember(self.address, self.name, form)
            return completion
        return replace(completion, ask_again=known is None and self._simplified(form, answer, prompt))

    def _form(self, known: RequestForm | None) -> RequestForm:
        """Return the form of the next request: the one that is being tried, otherwise the one ``known``."""
        before, form = self._trial
        return form if before == known else known or RequestForm()

    def _simplified(self, form: RequestForm, reply: Reply, prompt: Prompt) -> bool:
        """Simplify the form of later requests after an unusable reply; return whether there is a simpler one.

        A server not known to support the form may ignore it: this is assumed if even the correction of a reply is
        unlike what was asked for. After the last form, the first one is tried again.
        """
        if prompt.rejected is None or not is_astray(reply, prompt.function):
            return False
        simpler = form.simpler()
        self._trial = (None, simpler or RequestForm())
        return simpler is not None

    def _post(self, body: Mapping[str, Any]) -> Reply | Refusal:
        """Send a chat completion, and return the model's reply or the server's refusal."""
        from openai import APIConnectionError, APIStatusError

        try:
            answer = self._client().chat.completions.with_raw_response.create(model=self.name, **body)
        except APIStatusError as error:
            if place := redirected_to(error.response):
                message = f"{self.address} redirects requests for {self.name!r} to {place}, which is not followed"
                hint = f"if that server may read the conversation, set {ADDRESS_VARIABLE} to it"
                raise ModelError(message, hint=hint) from error
            refusal = Refusal.of(error.status_code, error.response.text, self.name, error.response.headers)
            if refusal.kind == "botched":  # a reply that the server itself could not parse as the call
                return Reply(content=refusal.generated or refusal.message, problem=refusal.message)
            return refusal
        except APIConnectionError as error:
            raise self._unreachable(error) from error
        if is_too_large(answer.http_response):
            message = f"{self.address} sent more than {MAX_RESPONSE_BYTES:,} bytes as the reply of {self.name!r}"
            raise UnusableReplyError(message, hint="try again, or another model (--model)")
        reply = read_reply(answer.content, self.name)
        if reply is None:
            message = f"{self.address} sent something other than a chat completion for {self.name!r}"
            raise ModelError(message, hint=f"is it the API of an OpenAI-compatible server? ({ADDRESS_VARIABLE})")
        return reply

    def _error(self, refusal: Refusal) -> ModelError:
        """Return the error for a refusal, with a hint."""
        message = f"{self.address} refused {self.name!r} ({refusal.status}): {refusal.message}"
        match refusal.kind:
            case "too long":
                return PromptTooLongError(message, hint="ask about less at once, or use a model that reads more")
            case "unpaid":
                return ModelAccessError(message, hint="there is no credit left: see the account's billing page")
            case "access":
                return ModelAccessError(message, hint=f"check the key ({KEY_VARIABLE})")
            case "unknown model":
                return UnknownModelError(message, hint=self._model_hint())
            case "filtered":
                return UnusableReplyError(message, hint="the server's content filter stopped it", reply=refusal.message)
            case "overloaded":
                return self._overloaded(refusal)
            case _:
                return ModelError(message, hint="does the server speak OpenAI's chat completions? Try another model")

    def _overloaded(self, refusal: Refusal) -> UnreachableModelError:
        message = f"{self.address} answered {refusal.status} for {self.name!r}: {refusal.message}"
        busy = "too many requests: try again later, or with a lower --llm-concurrency"
        hint = busy if refusal.status == 429 else "the server has a problem: try again later"
        error = UnreachableModelError(message, hint=hint, retry_after=_retry_after(refusal.headers))
        # a refusal of the request's form would only be repeated
        error.retry = refusal.headers.get("x-should-retry") != "false" and not about_the_form(refusal)
        return error

    def _unreachable(self, error: APIConnectionError) -> UnreachableModelError:
        from openai import APITimeoutError

        if isinstance(error, APITimeoutError):
            message = f"{self.address} gave no answer for {self.name!r} within {self._timeout:g} s"
            return UnreachableModelError(message, hint="try again later, or give it more time (--llm-timeout)")
        cause = str(error.__cause__ or error).strip() or type(error.__cause__).__name__
        message = f"{self.address} cannot be reached for {self.name!r}: {cause}"
        return UnreachableModelError(message, hint=f"check the server's address ({ADDRESS_VARIABLE}) and the network")

    def _model_hint(self) -> str:
        names = self.models()
        some = ", ".join(names[:MAX_NAMES]) + (", …" if len(names) > MAX_NAMES else "")
        has = f"; the server has {some}" if names else f", and check the server's address ({ADDRESS_VARIABLE})"
        return f"name a model with --model or MEM0G_MODEL{has}"

    def models(self) -> list[str]:
        """Return the names of the server's models, the most similar to ``name`` first; [] if it lists none."""
        from openai import OpenAIError

        quick = self._client().with_options(timeout=min(self._timeout, LIST_TIMEOUT))
        try:
            listed = parsed_json(quick.models.with_raw_response.list().content)
        except (OpenAIError, ValueError):  # only used for a hint
            return []
        found = listed.get("data") if isinstance(listed, dict) else None
        names = [str(each["id"]) for each in found or () if isinstance(each, dict) and each.get("id")]
        return get_close_matches(self.name, names, n=len(names) or 1, cutoff=0)

    @property
    def _capabilities(self) -> ServerCapabilities:
        return self._given_capabilities or shared_capabilities()

    @property
    def _url(self) -> str | None:
        return given_server(self._given_url, None)[0]

    def _client(self) -> OpenAI:
        with self._lock:
            if self._opened is None:
                server = Server(self._url or OPENAI, self._key())
                # retries are made by the exchange, not by the library
                self._opened = server.client(timeout=self._timeout, retries=0, max_bytes=MAX_RESPONSE_BYTES)
                weakref.finalize(self, self._opened.close)
            return self._opened

    def _key(self) -> str:
        """Return the API key; "" for a server of the user's own that needs none."""
        url, key = given_server(self._given_url, self._given_key)
        if key and not (key.isascii() and key.isprintable()):
            raise ModelAccessError("the API key has an invalid character", hint=f"check the key ({KEY_VARIABLE})")
        if not key and not url:
            raise no_key(self.name)
        return key


def no_key(model: str) -> ModelAccessError:
    """Return the error for a model without a key or a server."""
    hint = f"set {KEY_VARIABLE}, or {ADDRESS_VARIABLE} for a server of your own"
    return ModelAccessError(f"no key for the model {model!r}", hint=hint)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait from the headers retry-after-ms or Retry-After, if there is one."""
    for header, divisor in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers[header]) / divisor
        except (KeyError, ValueError):
            continue
        return seconds if isfinite(seconds) else None
    try:
        return (parsedate_to_datetime(headers["retry-after"]) - now()).total_seconds()
    except (KeyError, ValueError, TypeError):  # TypeError: a date without a time zone
        return None


def _estimated(body: Mapping[str, Any]) -> int:
    return estimate_tokens(json.dumps(body, ensure_ascii=False))
