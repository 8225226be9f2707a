from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mem0g.embed.openai import MAX_TEXT_BYTES, OpenAIEmbedder
from mem0g.errors import EmbedderError
from tests.embed.server import Reply, Request, Server, serving


def vector(text: str) -> list[float]:
    return [3.0, 4.0, float(len(text))]


def items(texts: list[str]) -> list[dict[str, Any]]:
    """As the API has them, but last first: the index counts, not the order."""
    found = [{"object": "embedding", "index": i, "embedding": vector(text)} for i, text in enumerate(texts)]
    return found[::-1]


def embeddings(request: Request) -> Reply:
    return Reply.of({"object": "list", "model": request.json["model"], "data": items(request.json["input"])})


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(embeddings) as running:
        yield running


def embedder(url: str, **given: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder("tiny", f"{url}/v1", "a-key", retries=0, **given)


def test_request(server: Server) -> None:
    """One request goes out, with model, texts, number format and key as the protocol has them."""
    embedder(server.url).embed(["one", "two"])
    first, *others = server.requests
    assert (first.method, first.path) == ("POST", "/v1/embeddings")
    assert first.headers["authorization"] == "Bearer a-key"
    assert first.json == {"model": "tiny", "input": ["one", "two"], "encoding_format": "float"}
    assert [request.json["input"] for request in others] == [[" "]]  # asked for its dimensions


def test_vectors(server: Server) -> None:
    """Vectors come in the order of the texts, as float32 rows of length 1."""
    vectors = embedder(server.url).embed(["", "four"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[3, 4, 1], [3, 4, 4]]) / np.sqrt([[26], [41]]), abs=1e-6)


def test_no_texts(server: Server) -> None:
    """No texts give no rows of the model's width."""
    assert embedder(server.url).embed([]).shape == (0, 3)


def test_known_dimensions() -> None:
    """The dimensions of OpenAI's own models are known without asking."""
    assert OpenAIEmbedder().dimensions == 1536
    assert OpenAIEmbedder("text-embedding-3-large").dimensions == 3072


def test_many_texts(server: Server) -> None:
    """Many texts go out in several requests, none with too many or too long ones, and come back in order."""
    texts = ["x" * (i % 7 + 1) for i in range(1000)] + ["y" * 8000] * 60
    vectors = embedder(server.url).embed(texts)
    sizes = [(len(r.json["input"]), sum(map(len, r.json["input"]))) for r in server.requests]
    assert all(count <= 512 and size <= 300_000 for count, size in sizes)
    assert vectors[:, 2] / vectors[:, 0] * 3 == pytest.approx([len(text) for text in texts], rel=1e-5)


def test_texts_that_the_api_refuses(server: Server) -> None:
    """An empty text, one with half an emoji, and an overlong one are made fit before they are sent."""
    embedder(server.url).embed(["", "hi \ud83d", "汉" * 5000])
    empty, broken, long = server.requests[0].json["input"]
    assert (empty, broken) == (" ", "hi ?")
    assert long == "汉" * (MAX_TEXT_BYTES // 3)


def test_server_without_a_key(server: Server) -> None:
    """A server of one's own needs no key."""
    assert OpenAIEmbedder("tiny", server.url).embed(["one"]).shape == (1, 3)


def test_no_key() -> None:
    """Without a key and a server, the error says what to set, and only when vectors are asked for."""
    keyless = OpenAIEmbedder("text-embedding-3-small")
    with pytest.raises(EmbedderError, match="no key for the embedder 'openai:text-embedding-3-small'") as caught:
        keyless.embed(["one"])
    assert caught.value.hint == "set OPENAI_API_KEY"


@pytest.mark.parametrize(
    ("status", "hint"),
    [(400, "embedding model"), (401, "key"), (403, "key"), (404, "name"), (429, "later"), (503, "later")],
)
def test_refusal(status: int, hint: str) -> None:
    """A refusal is an error with the server's words and what to do."""
    refusal = Reply.of({"error": {"message": "not like this"}}, status)
    with serving(lambda request: refusal) as server, pytest.raises(EmbedderError, match="not like this") as caught:
        embedder(server.url).embed(["one"])
    assert server.url in str(caught.value)
    assert hint in str(caught.value.hint)


def test_not_reached(nowhere: str) -> None:
    """A server that does not answer is named."""
    with pytest.raises(EmbedderError, match=nowhere) as caught:
        embedder(nowhere).embed(["one"])
    assert caught.value.hint == "check the server's address and the network"


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"<html>", content_type="text/html"),
        Reply(b"", content_type="application/json"),
        Reply.of([]),
        Reply.of({"data": None}),
        Reply.of({"data": []}),
        Reply.of({"data": [{"index": 1, "embedding": [1.0, 2.0]}]}),
        Reply.of({"data": [{"index": 0, "embedding": "AAAA"}]}),
        Reply.of({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}),
        Reply.of({"data": [{"index": 0, "embedding": [math.nan, 1.0]}]}),
        Reply.of({"data": [{"index": 0, "embedding": []}]}),
    ],
    ids=["html", "nothing", "list", "null", "no data", "index", "text", "zero", "nan", "empty vector"],
)
def test_reply_of_another_shape(reply: Reply) -> None:
    """A reply that is not one vector for each text is an error that names server and model."""
    with serving(lambda request: reply) as server, pytest.raises(EmbedderError, match="'openai:tiny'") as caught:
        embedder(server.url).embed(["one"])
    assert server.url in str(caught.value)


def test_vectors_of_another_width(server: Server) -> None:
    """A vector of another width than the model's is an error, not a row."""
    with pytest.raises(EmbedderError, match="3 numbers instead of 1536"):
        OpenAIEmbedder("text-embedding-3-small", server.url).embed(["one"])
