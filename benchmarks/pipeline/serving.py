"""A model behind a local server that speaks the OpenAI protocol with function calling, with delayed replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter, sleep
from typing import Any

from benchmarks.serving import answering
from mem0g.errors import InputError

Replying = Callable[[str, str], str]
"""Returns the arguments, as JSON, of a function call in reply to a prompt; InputError if it cannot."""


@dataclass(slots=True)
class Chat:
    """A model behind a server: each reply is sent ``seconds`` after its request was read, many in parallel.

    ``refused`` are the errors of the requests that it could not answer, which got status 400.
    """

    reply: Replying
    seconds: float
    address: str = ""
    refused: list[InputError] = field(default_factory=list)

    def answer(self, _path: str, body: Mapping[str, Any]) -> tuple[int, bytes]:
        """Return the status and the body that answer a request; no usage is reported."""
        started = perf_counter()
        try:
            completion = self._completion(body)
        except InputError as error:
            self.refused.append(error)
            return 400, json.dumps({"error": {"message": str(error), "type": "invalid_request_error"}}).encode()
        sleep(max(0.0, self.seconds - (perf_counter() - started)))
        return 200, json.dumps(completion).encode()

    def _completion(self, body: Mapping[str, Any]) -> dict[str, Any]:
        if not body.get("tools"):
            raise InputError("a request names no function to call", hint="this server knows function calling only")
        function = body["tools"][0]["function"]["name"]
        prompt = next(each["content"] for each in body["messages"] if each["role"] == "user")
        called = {"name": function, "arguments": self.reply(function, prompt)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": called}],
        }
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}


@contextmanager
def serving(reply: Replying, seconds: float) -> Iterator[Chat]:
    """Serve a model on a free port until the block ends; ``address`` is its base URL, reached without a proxy."""
    chat = Chat(reply, seconds)
    with answering(chat.answer) as chat.address:
        yield chat
