"""The methods compared: mem0g over a chat, and three usual ways to rank messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from benchmarks.answers.systems import chunks
from benchmarks.beam.reading import BeamChat
from benchmarks.memories import AGENT
from benchmarks.recall.methods import bm25_orders, dense_orders
from benchmarks.recall.passages import Line, Passage, pack, turn_passage, window_passages
from benchmarks.recall.scoring import Returned, tokens
from benchmarks.report import note
from benchmarks.timing import QueryTimes
from mem0g import Context, Memory, Utterance
from mem0g.embed.protocol import Embedder
from mem0g.ingest.report import Report
from mem0g.llm.protocol import Completion, Prompt, Schema

USER = "alex"
"""The user of every chat: a name that no question has; each chat is a run of its own."""

PASSAGE_TOKENS = 150
"""Most tokens of a passage of the dense baseline, about 115 words."""


@dataclass(frozen=True, slots=True)
class Found:
    """A method's context for a question: its text, the ids of the chat's messages it covers, and whether it says that
    anything is known; None for a method that never says so. ``checkable`` is the text that a model would be given to
    check: that of the best hits where nothing is said to be known.
    """

    text: str
    messages: frozenset[str]
    known: bool | None = None
    checkable: str = ""


class Method(Protocol):
    """Protocol of a method to compare."""

    @property
    def name(self) -> str:
        """Its name in the rows."""
        ...

    def within(self, question: str, budget: int) -> Found:
        """Return the context within ``budget`` tokens."""
        ...


@dataclass(frozen=True, slots=True)
class Engine:
    """mem0g over one chat, and the chats around it, in one scope; ``ids`` maps its message ids to those of the chat."""

    memory: Memory
    run: str
    ids: Mapping[str, str]
    times: QueryTimes
    name: str = "mem0g"

    @classmethod
    def of(cls, memory: Memory, chat: BeamChat, noise: Sequence[BeamChat], times: QueryTimes) -> Engine:
        """Ingest a chat among others: the first half of ``noise`` before it, the rest after it."""
        run, report = f"beam-{chat.name}", Report()
        half = len(noise) // 2
        for each in (*noise[:half], chat, *noise[half:]):
            report += sum(memory.ingest(each.messages, user_id=USER, agent_id=AGENT, run_id=run), start=Report())
        note(f"chat {chat.name}: {report.messages} messages, {report.facts} facts")
        held = memory.messages(user_id=USER, agent_id=AGENT, run_id=run)
        return cls(memory, run, {each.id: str(each.source_id) for each in held if each.source == chat.name}, times)

    def within(self, question: str, budget: int) -> Found:
        """Return ``context`` for ``budget`` tokens. Raises ValueError when it exceeds the budget."""
        read = partial(self.memory.context, question, tokens=budget, user_id=USER, agent_id=AGENT, run_id=self.run)
        context: Context = self.times.time(read)
        if tokens(context.text) > budget:
            raise ValueError(f"{tokens(context.text)} tokens for a budget of {budget}: {question!r}")
        covered = (self.ids[cited] for hit in context.hits for cited in hit.evidence if cited in self.ids)
        known = is_known(context)
        text = context.text if known else read(check=True, model=_Doubting()).text
        return Found(context.text, frozenset(covered), known, text)


class _Doubting:
    """A model by which no context answers its question: what it is given is the text that any model would check."""

    name = "doubting"

    def complete(self, prompt: Prompt, schema: Schema) -> Completion:  # noqa: ARG002 - the signature of LanguageModel
        """Return the reply to every check."""
        return Completion(text=json.dumps({"found": "", "missing": "an answer", "known": False}))


def is_known(context: Context) -> bool:
    """Whether a context says that something of what was asked is known; an empty one says that nothing is."""
    return bool(context.text.strip()) and bool(getattr(context, "known", True))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A baseline: passages in an order for each question, of which the first that fit the budget are taken.

    ``chat`` is the name of the chat whose messages count; the ids in the passages are preceded by their chat's.
    """

    name: str
    chat: str
    passages: Sequence[Passage]
    orders: Mapping[str, Sequence[int]]

    def within(self, question: str, budget: int) -> Found:
        """Return the best passages that fit ``budget`` tokens."""
        packed: Returned = pack(self._ranked(question), budget)
        own = f"{self.chat}:"
        return Found(packed.text, frozenset(each.removeprefix(own) for each in packed.turns if each.startswith(own)))

    def _ranked(self, question: str) -> Iterator[Passage]:
        return (self.passages[place] for place in self.orders[question])


def baselines(chat: BeamChat, noise: Sequence[BeamChat], embedder: Embedder) -> list[Ranked]:
    """Return the baselines over a chat and the chats around it: windows of three messages, messages, and passages."""
    questions = [each.text for each in chat.questions]
    said = [_named(each) for one in (chat, *noise) for each in one.messages]
    windows, messages = window_passages(said), [turn_passage(each) for each in said]
    passages = list(_passages(said))
    orders = {
        "bm25-windows": (windows, bm25_orders(windows, questions)),
        "dense-messages": (messages, dense_orders(messages, questions, embedder)),
        "dense-passages": (passages, dense_orders(passages, questions, embedder)),
    }
    return [
        Ranked(name, chat.name, ranked, dict(zip(questions, order.tolist(), strict=True)))
        for name, (ranked, order) in orders.items()
    ]


def _named(message: Utterance) -> Utterance:
    """Return a message with its role as its speaker, and with an id that no message of another chat has."""
    named = f"{message.source}:{message.source_id}"
    return replace(message, speaker=message.speaker or message.role, source_id=named)


def _passages(messages: Iterable[Utterance]) -> Iterator[Passage]:
    """Yield the passages that messages are cut into, each covering its message."""
    for message in messages:
        for text in chunks(message.text, PASSAGE_TOKENS):
            line = Line(f"{message.speaker}: {text}", frozenset([str(message.source_id)]))
            yield Passage(text, (line,))
