"""The one server of all systems: the scripted model and the embeddings, each call counted and timed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter, sleep
from typing import Any

from benchmarks.embedders import CachedEmbedder
from benchmarks.peers.replies import ScriptedModel
from benchmarks.serving import answering
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.text.token_count import estimate_tokens

QUIET = 0.3
"""Seconds without a call after which what goes on in the background is over."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A chat completion: when it came and was answered, by ``perf_counter``, and the tokens of its request.

    Tokens are estimated for all systems alike: words × 1.3 of the messages and of the JSON of functions or schema.
    """

    start: float
    end: float
    prompt_tokens: int


@dataclass(slots=True)
class Calls:
    """The calls since the counts were last reset."""

    model: list[ModelCall] = field(default_factory=list)
    embeddings: int = 0
    texts: int = 0


class Endpoint:
    """Answers after ``seconds`` a chat completion; ``refused`` are the errors of what it could not answer.

    While ``keeping`` vectors, a text is embedded once for all systems; else each call pays for its own.
    """

    def __init__(self, model: ScriptedModel, embedder: Embedder) -> None:
        self.seconds = 0.0
        self.keeping = False
        self.calls = Calls()
        self.refused: list[InputError] = []
        self.dimensions = embedder.dimensions
        self._model, self._embedder, self._kept = model, embedder, CachedEmbedder(embedder)
        self._lock = threading.Lock()
        self._open, self._last = 0, perf_counter()

    def counted(self) -> Calls:
        """Wait until nothing has been asked for a while; return the calls until then, and count anew."""
        while True:
            with self._lock:
                if not self._open and perf_counter() - self._last > QUIET:
                    calls, self.calls = self.calls, Calls()
                    return calls
            sleep(0.02)

    def answer(self, path: str, body: Mapping[str, Any]) -> tuple[int, bytes]:
        """Return the status and the JSON that answer a request."""
        start = perf_counter()
        with self._lock:
            self._open += 1
        try:
            answered = self._embedded(body) if path.endswith("/embeddings") else self._completed(body, start)
        except InputError as error:
            self.refused.append(error)
            return 400, json.dumps({"error": {"message": str(error), "type": "invalid_request_error"}}).encode()
        finally:
            with self._lock:
                self._open, self._last = self._open - 1, perf_counter()
        return 200, json.dumps(answered).encode()

    def _embedded(self, body: Mapping[str, Any]) -> dict[str, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else list(body["input"])
        vectors = (self._kept if self.keeping else self._embedder).embed(texts)
        with self._lock:
            self.calls.embeddings += 1
            self.calls.texts += len(texts)
        data = [{"object": "embedding", "index": n, "embedding": v.tolist()} for n, v in enumerate(vectors)]
        return {
            "object": "list",
            "model": body["model"],
            "data": data,
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }

    def _completed(self, body: Mapping[str, Any], start: float) -> dict[str, Any]:
        message, tokens = self._model.reply(body), prompt_tokens(body)
        sleep(max(0.0, self.seconds - (perf_counter() - start)))
        with self._lock:
            self.calls.model.append(ModelCall(start, perf_counter(), tokens))
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}
        usage = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
        named = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
        return named | {"choices": [choice], "usage": usage}


@contextmanager
def serving(endpoint: Endpoint) -> Iterator[str]:
    """Serve the endpoint until the block ends; yield its base URL."""
    with answering(endpoint.answer) as url:
        yield url


def prompt_tokens(body: Mapping[str, Any]) -> int:
    """Return the estimated tokens of a request: its messages, functions and reply schema."""
    texts = [str(message.get("content") or "") for message in body["messages"]]
    texts += [json.dumps(body[name]) for name in ("tools", "response_format") if body.get(name)]
    return sum(map(estimate_tokens, texts))


def sequential(calls: Sequence[ModelCall]) -> int:
    """Return how many calls were made one after the other: the most of them of which no two overlap in time.

    Replies have to take longer than what a system does between two calls, else those side by side count as well.
    """
    count, end = 0, float("-inf")
    for call in sorted(calls, key=lambda call: call.end):
        if call.start >= end:
            count, end = count + 1, call.end
    return count
