"""A conversation of one user with a language model: before each reply it remembers, after it it learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from mem0g.answer.answering import ask_once, source_line
from mem0g.errors import UnusableReplyError
from mem0g.ingest.report import Report
from mem0g.llm.prompts import Prompts, quoted
from mem0g.llm.protocol import LanguageModel, Request
from mem0g.lookup import scope_keys
from mem0g.memory import Memory
from mem0g.model import Hit, Scope
from mem0g.pipeline import open_exchange

if TYPE_CHECKING:
    from mem0g.llm.exchange import Exchange

TOKENS = 1000
"""Tokens of facts and messages that are remembered for a reply."""

RECENT = 20
"""Messages of the conversation that the model is shown; what came before them is in the memory."""


class Reply(BaseModel):
    """What the model replies."""

    model_config = ConfigDict(strict=True, extra="forbid")

    reply: str = Field(min_length=1, max_length=50_000)


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the conversation."""

    role: str
    text: str
    at: datetime


class Chat:
    """A conversation, a session of its own in the memory. For each message: ``recall``, ``reply``, ``learn``."""

    def __init__(
        self, memory: Memory, scope: Scope, began: datetime, *, tokens: int = TOKENS, model: LanguageModel | None = None
    ) -> None:
        """``began`` names the session; ``model`` replaces the language model of the memory's settings."""
        self._memory, self._scope, self._tokens = memory, scope, tokens
        self._session = f"chat {began:%Y-%m-%d %H:%M:%S}"
        self._exchange: Exchange = open_exchange(memory.settings.llm, model)
        self._prompts = Prompts(memory.settings.llm.prompts)
        self._said: list[Said] = []
        self._unlearnt: list[dict[str, Any]] = []

    @property
    def user(self) -> str:
        """What the user is called."""
        return self._scope.user_id or "the user"

    def recall(self, text: str) -> tuple[Hit, ...]:
        """Return the facts and messages that are remembered for a message, but for those that the model is shown."""
        hits = self._memory.context(text, tokens=self._tokens, **scope_keys(self._scope)).hits
        shown = {each.text for each in self._said[-RECENT:]}

        def is_shown(hit: Hit) -> bool:
            return hit.message is not None and hit.message.session == self._session and hit.message.text in shown

        return tuple(hit for hit in hits if not is_shown(hit))

    def reply(self, text: str, remembered: Sequence[Hit], at: datetime) -> str:
        """Return what the model says to a message; ``learn`` then learns from both.

        Raises a ModelError when the model cannot be used; then the message is not part of the conversation.
        """
        request = self._request(text, remembered, at)
        answer = ask_once(self._exchange, request, self._memory.store, self._scope).reply.strip()
        for said in (Said("user", text, at), Said("assistant", answer, at)):
            self._said.append(said)
            made = {"role": said.role, "content": said.text, "timestamp": at.isoformat(), "session": self._session}
            self._unlearnt.append({**made, "id": uuid4().hex})
        return answer

    def learn(self) -> Report:
        """Remember what was said since the last time, and return what came of it.

        Raises what ``Memory.add`` raises. After a ModelError the messages are stored, and wait.
        """
        report = self._memory.add(self._unlearnt, **scope_keys(self._scope))
        self._unlearnt = []
        return report

    def leave(self) -> None:
        """Store what was not learnt, as when ``learn`` was interrupted; closing the memory waits for its facts."""
        if self._unlearnt:
            self._memory.add(self._unlearnt, wait=False, **scope_keys(self._scope))
            self._unlearnt = []

    def _request(self, text: str, remembered: Sequence[Hit], at: datetime) -> Request[Reply]:
        names = {"user": self.user, "assistant": "you"}
        words = {
            "user": self.user,
            "today": f"{at:%A, %Y-%m-%d}",
            "memory": "\n".join(f"- {source_line(hit, at)}" for hit in remembered),
            "conversation": "\n".join(f"{names[each.role]}: {quoted(each.text)}" for each in self._said[-RECENT:]),
            "message": quoted(text),
        }
        rendered = self._prompts.render(__package__, "chat", words)
        return rendered.request(
            purpose="chat",
            function="say",
            description="Say something to the user.",
            reply=Reply,
            check=_check,
            window="chat",
            scope=self._scope,
        )


def _check(reply: Reply) -> None:
    """Raise UnusableReplyError for a blank reply."""
    if not reply.reply.strip():
        raise UnusableReplyError("the reply is blank")
