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
from mem0g.ingest.input_messages import check_text
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
    """A conversation, a session of its own in the memory. For each message: ``hear``, ``recall``, ``reply``, ``learn``.

    Whatever is raised by one of them, what the user said is part of the conversation: ``store`` keeps it.
    """

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

    def hear(self, text: str, at: datetime) -> None:
        """Take a message of the user. Raises InputError for a text that cannot be stored."""
        check_text(text, "the message", self._memory.settings.longest_message)
        self._note(Said("user", text, at))

    def recall(self) -> tuple[Hit, ...]:
        """Return what is remembered for the user's last message, but for messages that the model is shown."""
        *before, heard = self._said[-RECENT - 1 :]
        hits = self._memory.context(heard.text, tokens=self._tokens, **scope_keys(self._scope)).hits
        shown = {each.text for each in before}

        def is_shown(hit: Hit) -> bool:
            return hit.message is not None and hit.message.session == self._session and hit.message.text in shown

        return tuple(hit for hit in hits if not is_shown(hit))

    def reply(self, remembered: Sequence[Hit]) -> str:
        """Return what the model says to the user's last message; ``learn`` then learns from both.

        Raises a ModelError when the model cannot be used.
        """
        request = self._request(remembered)
        answer = ask_once(self._exchange, request, self._memory.store, self._scope).reply.strip()
        self._note(Said("assistant", answer, self._said[-1].at))
        return answer

    def learn(self) -> Report:
        """Remember what was said since the last time, and return what came of it.

        Raises what ``Memory.add`` raises. After a ModelError the messages are stored, and wait.
        """
        report = self._memory.add(self._unlearnt, **scope_keys(self._scope))
        self._unlearnt = []
        return report

    def store(self) -> None:
        """Store what was not learnt, as after an error; it is learnt in the background, and closing the memory waits.

        Raises a StoreError when it cannot be stored.
        """
        if self._unlearnt:
            self._memory.add(self._unlearnt, wait=False, **scope_keys(self._scope))
            self._unlearnt = []

    def _note(self, said: Said) -> None:
        self._said.append(said)
        made = {"role": said.role, "content": said.text, "timestamp": said.at.isoformat(), "session": self._session}
        self._unlearnt.append({**made, "id": uuid4().hex})

    def _request(self, remembered: Sequence[Hit]) -> Request[Reply]:
        *before, heard = self._said[-RECENT - 1 :]
        names = {"user": self.user, "assistant": "you"}
        words = {
            "user": self.user,
            "today": f"{heard.at:%A, %Y-%m-%d}",
            "memory": "\n".join(f"- {source_line(hit, heard.at)}" for hit in remembered),
            "conversation": "\n".join(f"{names[each.role]}: {quoted(each.text)}" for each in before),
            "message": quoted(heard.text),
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
