"""One answer of a language model to a question about a memory, from the facts and messages that a search finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from mem0g.errors import UnusableReplyError
from mem0g.ingest.ledger import StoreLedger
from mem0g.lines import times
from mem0g.llm.prompts import Prompts, quoted
from mem0g.llm.protocol import LanguageModel, R, Request
from mem0g.model import Hit, Scope
from mem0g.pipeline import open_exchange
from mem0g.settings import LLMSettings
from mem0g.store.change import Change
from mem0g.store.protocol import Store, commit

if TYPE_CHECKING:
    from mem0g.llm.exchange import Exchange

MAX_QUOTE = 1500
"""Characters of one fact or message that the model is shown."""

UNKNOWN = "Nothing is known about this."
"""The answer where a search finds nothing; no model is asked then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer: its ``text``, the ``sources`` it rests on, and whether they tell it (``known``).

    ``model`` is the name of the model, "" where none was asked. The text of an answer that is not known says so.
    """

    text: str
    sources: tuple[Hit, ...] = ()
    known: bool = False
    model: str = ""


class Reply(BaseModel):
    """What the model replies."""

    model_config = ConfigDict(strict=True, extra="forbid")

    answer: str = Field(min_length=1, max_length=10_000)
    sources: list[int]
    known: bool


def answer(
    question: str,
    hits: Sequence[Hit],
    *,
    scope: Scope,
    at: datetime,
    store: Store,
    settings: LLMSettings,
    model: LanguageModel | None = None,
) -> Answer:
    """Return the answer of ``model``, by default that of ``settings``, to a question from what a search found.

    ``at`` is the time that the question is about. The call is noted in the ledger of ``store``; the memory does not
    change. Raises a ModelError when the model cannot be used.
    """
    if not hits:
        return Answer(text=UNKNOWN)
    request = _request(question, hits, scope, at, Prompts(settings.prompts))
    exchange = open_exchange(settings, model)
    reply = ask_once(exchange, request, store, scope)
    sources = tuple(hits[number - 1] for number in dict.fromkeys(reply.sources))
    return Answer(text=reply.answer.strip(), sources=sources, known=reply.known, model=exchange.name)


def ask_once(exchange: Exchange, request: Request[R], store: Store, scope: Scope) -> R:
    """Return the reply; it is not kept in the store, as nothing is left to be done with it."""
    ledger = StoreLedger(store)
    reply = exchange.ask(request, ledger)
    commit(store, Change(scope=scope, done=ledger.spent(request.window)))
    return reply


def _request(question: str, hits: Sequence[Hit], scope: Scope, at: datetime, prompts: Prompts) -> Request[Reply]:
    lines = {number: source_line(hit, at) for number, hit in enumerate(hits, start=1)}
    words = {
        "today": f"{at:%A, %Y-%m-%d}",
        "sources": "\n".join(f"{number}. {line}" for number, line in lines.items()),
        "question": quoted(question),
    }
    rendered = prompts.render(__package__, "answer", words)
    return rendered.request(
        purpose="answer",
        function="answer",
        description="Answer the question.",
        reply=Reply,
        check=lambda reply: check(reply, lines),
        window="answer",
        scope=scope,
    )


def check(reply: Reply, lines: Mapping[int, str]) -> None:
    """Raise UnusableReplyError unless the sources were shown, and an answer that is known has one."""
    unknown = [number for number in reply.sources if number not in lines]
    if unknown:
        raise UnusableReplyError(f"there is no source {unknown[0]}; they are numbered from 1 to {len(lines)}")
    if reply.known and not reply.sources:
        raise UnusableReplyError("an answer that is known lists its sources")
    if not reply.answer.strip():
        raise UnusableReplyError("the answer is blank")


def source_line(hit: Hit, at: datetime) -> str:
    """Return a fact or a message on one line, as a quotation with its time."""
    words = quoted(hit.text[:MAX_QUOTE])
    if hit.fact:
        said = f"said on {hit.fact.said_at:%Y-%m-%d}" if hit.fact.said_at else ""
        notes = ", ".join(filter(None, (times(hit.fact, at).strip(), said)))
        return f"fact: {words}{f' ({notes})' if notes else ''}"
    message = hit.message
    assert message is not None
    when = f", {message.local_time:%A, %Y-%m-%d}" if message.local_time else ""
    return f"{quoted(message.speaker)}{when}: {words}"
