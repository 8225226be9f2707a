"""Embeddings of OpenAI, or of any OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from mem0g.errors import EmbedderError
from mem0g.transport import KEY_VARIABLE, OPENAI, Server, address_of, given_server, is_too_large, redirected_to

if TYPE_CHECKING:
    from openai import OpenAI

    from mem0g.model import Matrix

MAX_TEXT_BYTES = 8191
"""Bytes of a text that are sent: OpenAI accepts 8,191 tokens, and a token has at least one byte."""

MAX_RESPONSE_BYTES = 100_000_000
"""Bytes of a response, decompressed: 512 vectors of 4,096 numbers of 20 characters are 42 million."""

_DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
_MAX_TEXTS = 512
_MAX_BYTES = 300_000  # a request may have 300,000 tokens in all
_HINTS = {
    400: "is it an embedding model?",
    401: "check the key (OPENAI_API_KEY)",
    403: "the key may not use this model",
    404: "check the model's name and the server's address",
    429: "too many requests, or no credit left: try again later",
}


class _Item(BaseModel):
    index: int
    embedding: list[float]


class _Reply(BaseModel):
    data: list[_Item]


class OpenAIEmbedder:
    """See Embedder; an embedding model of OpenAI or an OpenAI-compatible server.

    ``base_url`` and ``api_key`` default to OPENAI_BASE_URL and OPENAI_API_KEY; a server other than OpenAI's own may
    need no key. ``timeout`` is in seconds, for each of the 1 + ``retries`` attempts that are made if the server cannot
    be reached, is slow or is overloaded. ``dimensions`` of a model that is not OpenAI's are found by a request when
    first needed.
    """

    def __init__(
        self,
        model: str = "text-embedding-3-small",
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 120.0,
        retries: int = 2,
    ) -> None:
        self.model = model
        self.name = f"openai:{model}"
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries

    @property
    def address(self) -> str:
        """The server's URL without secrets. Raises InputError if it is invalid."""
        return address_of(self._url or OPENAI)

    @cached_property
    def dimensions(self) -> int:
        """The length of the vectors."""
        return _DIMENSIONS.get(self.model) or len(self._ask([" "])[0])

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of ``texts``, in order: float32, shape (len(texts), dimensions), rows of length 1.

        Only the first 8,191 bytes of a text are sent; an empty text is sent as a space, since the API refuses it.

        Raises EmbedderError if there is no key, if the server cannot be reached, is too slow, refuses, or does not
        return one vector of ``dimensions`` numbers for each text; InputError if its address is invalid.
        """
        import numpy as np

        rows = [row for batch in _batches([_readable(text) for text in texts]) for row in self._ask(batch)]
        for row in rows:
            if len(row) != self.dimensions:
                raise self._wrong(f"a vector of {len(row)} numbers instead of {self.dimensions}")
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._wrong("a vector of length 0, or with numbers that are not finite")
        vectors /= lengths
        return vectors

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            reply = _Reply.model_validate_json(self._post(texts))
        except ValidationError as error:
            raise self._wrong("something other than embeddings") from error
        if sorted(item.index for item in reply.data) != list(range(len(texts))):
            raise self._wrong(f"{len(reply.data)} vectors for {len(texts)} texts")
        return [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]

    def _post(self, texts: Sequence[str]) -> bytes:
        from openai import APIConnectionError, APIStatusError, APITimeoutError

        try:
            reply = self._client.embeddings.with_raw_response.create(
                model=self.model, input=list(texts), encoding_format="float"
            )
        except APIStatusError as error:
            if place := redirected_to(error.response):
                message = f"{self.address} redirects requests for {self.name!r} to {place}, which is not followed"
                raise EmbedderError(message, hint="if that server may read the texts, give its address") from None
            hint = _HINTS.get(error.status_code, "the server has a problem: try again later")
            message = f"{self.address} refused {self.name!r} ({error.status_code}): {_first_line(error)}"
            raise EmbedderError(message, hint=hint) from error
        except APITimeoutError as error:
            message = f"{self.address} gave no answer for {self.name!r} within {self._timeout:g} s"
            raise EmbedderError(message, hint="try again later") from error
        except APIConnectionError as error:
            message = f"{self.address} cannot be reached for {self.name!r}: {_first_line(error.__cause__ or error)}"
            raise EmbedderError(message, hint="check the server's address and the network") from error
        if is_too_large(reply.http_response):
            raise self._wrong(f"more than {MAX_RESPONSE_BYTES:,} bytes")
        return reply.content

    @property
    def _url(self) -> str | None:
        return given_server(self._base_url, None)[0]

    @cached_property
    def _client(self) -> OpenAI:
        url, key = given_server(self._base_url, self._api_key)
        if key and not (key.isascii() and key.isprintable()):
            raise EmbedderError("the API key has an invalid character", hint=f"check the key ({KEY_VARIABLE})")
        if not key and not url:
            raise EmbedderError(f"no key for the embedder {self.name!r}", hint=f"set {KEY_VARIABLE}")
        return Server(url or OPENAI, key).client(
            timeout=self._timeout, retries=self._retries, max_bytes=MAX_RESPONSE_BYTES
        )

    def _wrong(self, what: str) -> EmbedderError:
        message = f"{self.address} sent {what} for {self.name!r}"
        return EmbedderError(message, hint="is it the embeddings API of an OpenAI-compatible server?")


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace")[:MAX_TEXT_BYTES].decode("utf-8", "ignore") or " "


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the texts, in order, in batches that fit a request."""
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if len(batch) == _MAX_TEXTS or size + length > _MAX_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0][:200]
