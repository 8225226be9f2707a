"""Ask the questions of a chat: of mem0g, and of plain cosine similarity over the messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from benchmarks.chats.reading import Chat, DatedSentence
from benchmarks.memories import AGENT
from benchmarks.recall.methods import dense_orders
from benchmarks.recall.passages import Line, Passage, pack
from benchmarks.timing import QueryTimes
from mem0g import Memory
from mem0g.embed.protocol import Embedder
from mem0g.model import Utterance

LOOKED_AT = 10
"""First hits that are looked at."""

TOKENS = 300
"""Token budget of a context: that of a chat program which adds it to every request."""

REPLY = "Let me think about that..."
"""The assistant's reply to each question that is stored as a turn."""


class Answering(Protocol):
    """Protocol of a method to compare: it holds the messages of one chat."""

    @property
    def name(self) -> str:
        """Its name in the rows."""
        ...

    def store(self, questions: Sequence[str]) -> None:
        """Store the questions as turns of the user, each with an empty reply."""
        ...

    def hits(self, question: str) -> Sequence[str]:
        """Return the texts of the first hits, best first."""
        ...

    def context(self, question: str) -> str:
        """Return a context of TOKENS, "" where nothing counts as known about the question."""
        ...


@dataclass(frozen=True, slots=True)
class Engine:
    """mem0g over one chat in a scope of its own, whose user has the chat's name."""

    name: str
    memory: Memory
    user: str
    times: QueryTimes

    @classmethod
    def of(cls, name: str, memory: Memory, chat: Chat, times: QueryTimes) -> Engine:
        """Ingest the messages of the chat."""
        for _ in memory.ingest(chat.messages, user_id=chat.name, agent_id=AGENT):
            pass
        return cls(name, memory, chat.name, times)

    def store(self, questions: Sequence[str]) -> None:
        """See Answering."""
        for question in questions:
            turns = [{"role": "user", "content": question}, {"role": "assistant", "content": REPLY}]
            self.memory.add(turns, user_id=self.user, agent_id=AGENT)

    def hits(self, question: str) -> list[str]:
        """See Answering."""
        found = self.times.time(self.memory.search, question, limit=LOOKED_AT, user_id=self.user, agent_id=AGENT)
        return [hit.text for hit in found]

    def context(self, question: str) -> str:
        """See Answering."""
        found = self.times.time(self.memory.context, question, tokens=TOKENS, user_id=self.user, agent_id=AGENT)
        return found.text if found.known else ""


class Cosine:
    """The messages of a chat by the cosine of their text and the question."""

    name = "cosine over messages"

    def __init__(self, messages: Sequence[Utterance], embedder: Embedder) -> None:
        self._said = [(each.speaker or each.role, each.text) for each in messages]
        self._embedder = embedder

    def store(self, questions: Sequence[str]) -> None:
        """See Answering."""
        self._said += [turn for question in questions for turn in (("user", question), ("assistant", REPLY))]

    def hits(self, question: str) -> list[str]:
        """See Answering."""
        return [passage.text for passage in self._ranked(question)[:LOOKED_AT]]

    def context(self, question: str) -> str:
        """See Answering."""
        return pack(self._ranked(question), TOKENS).text

    def _ranked(self, question: str) -> list[Passage]:
        passages = [Passage(text, (Line(f"{speaker}: {text}", frozenset()),)) for speaker, text in self._said]
        order = dense_orders(passages, [question], self._embedder)[0]
        return [passages[place] for place in order]


def dates_of(memory: Memory, sentence: DatedSentence) -> list[tuple[str, str]]:
    """Return begin, or the day planned for, and end of each fact found in the sentence, "" where unknown.

    The sentence is added to a scope of its own.
    """
    user = f"said {sentence.text[:200]}"
    said = {"role": "user", "content": sentence.text, "timestamp": sentence.at.isoformat()}
    memory.add([said], user_id=user, agent_id=AGENT)
    facts = memory.facts(user_id=user, agent_id=AGENT, include_retired=True)
    return [(str(fact.valid_from or fact.planned_for or ""), str(fact.valid_to or "")) for fact in facts]
