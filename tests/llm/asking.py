"""A request, a ledger, and a model on a scripted server, for the tests of this folder."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from mem0g.errors import UnusableReplyError
from mem0g.llm.cache import ReplyCache
from mem0g.llm.exchange import Exchange
from mem0g.llm.openai import OpenAIProvider
from mem0g.llm.openai_forms import ServerCapabilities
from mem0g.llm.protocol import Call, Request
from mem0g.model import Scope
from tests.llm.server import Server


class Place(BaseModel):
    """One place."""

    model_config = ConfigDict(strict=True, extra="forbid")

    name: str
    people: int | None = None


class Places(BaseModel):
    """The places of a question."""

    model_config = ConfigDict(strict=True, extra="forbid")

    places: list[Place] = Field(description="in the order in which they are named")
    sure: bool


GOOD: dict[str, Any] = {"places": [{"name": "Oslo", "people": None}], "sure": True}


def at_most_two(reply: Places) -> None:
    if len(reply.places) > 2:
        raise UnusableReplyError(f"{len(reply.places)} places where at most 2 can be")


def request(
    user: str = "Where does Ann live?", *, hints: str = "", check: Callable[[Places], None] = at_most_two
) -> Request[Places]:
    return Request(
        purpose="extract",
        system="Name the places.",
        user=user,
        hints=hints,
        function="answer",
        description="Give the places.",
        reply=Places,
        check=check,
        window="w1",
    )


class MemoryLedger:
    """A ledger that keeps all in memory."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.replies: dict[str, str] = {}
        self._lock = threading.Lock()

    def note(self, call: Call, reply: str | None) -> None:
        with self._lock:
            self.calls.append(call)
            if reply is not None:
                self.replies[call.key] = reply

    def reply(self, key: str, scope: Scope | None) -> str | None:
        del scope
        with self._lock:
            return self.replies.get(key)

    @property
    def problems(self) -> list[str]:
        return [call.problem for call in self.calls]


class OpenAIExchange(Exchange):
    """An exchange with a model behind the OpenAI protocol."""

    def __init__(self, name: str, *, retries: int = 4, cache: ReplyCache | None = None, **provider: Any) -> None:
        self.provider = OpenAIProvider(name, **provider)
        super().__init__(self.provider, retries=retries, cache=cache)


def model(server: Server, **given: Any) -> OpenAIExchange:
    """The model "tiny" on this server; nothing is sent again and nothing remembered, unless ``given``."""
    usual = {"base_url": server.base_url, "api_key": "a-key", "retries": 0, "capabilities": ServerCapabilities()}
    return OpenAIExchange("tiny", **{**usual, **given})
