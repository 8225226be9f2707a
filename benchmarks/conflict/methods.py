"""The methods compared on FactConsolidation: mem0g, given triples or text, and the usual ways to rank statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.conflict.factconsolidation import FactFile, Statement
from benchmarks.conflict.outcomes import BUDGET, HITS, Shown
from benchmarks.memories import AGENT
from benchmarks.recall.methods import bm25_orders
from benchmarks.recall.passages import fact_passage
from benchmarks.recall.scoring import TOKENS_PER_WORD
from benchmarks.timing import QueryTimes
from mem0g import Hit, Memory, Utterance
from mem0g.embed.protocol import Embedder

if TYPE_CHECKING:
    from mem0g.model import Matrix

NEW_VERSION_COSINE = 0.85
"""Cosine from which "last write wins" takes a statement for a new version of the nearest one."""


@dataclass(frozen=True, slots=True)
class Mem0gMethod:
    """A memory that ingested a file under a user of its own; the statements by text and by message id."""

    name: str
    memory: Memory
    user: str
    by_text: Mapping[str, Statement]
    by_message: Mapping[str, Statement]
    times: QueryTimes

    def first(self, question: str) -> Shown:
        """See Method."""
        hits: list[Hit] = self.times.time(self.memory.search, question, limit=HITS, user_id=self.user, agent_id=AGENT)
        return self._shown("\n".join(hit.text for hit in hits), hits)

    def within(self, question: str) -> Shown:
        """See Method."""
        context = self.times.time(self.memory.context, question, tokens=BUDGET, user_id=self.user, agent_id=AGENT)
        return self._shown(context.text, context.hits)

    def _shown(self, text: str, hits: Iterable[Hit]) -> Shown:
        return Shown(text, [self._statements(hit) for hit in hits])

    def _statements(self, hit: Hit) -> list[Statement]:
        """Return the statements that a hit cites; for a triple, which cites nothing, the one with its text."""
        if hit.evidence:
            return [self.by_message[each] for each in hit.evidence if each in self.by_message]
        return [self.by_text[hit.text]] if hit.text in self.by_text else []


def add_as_triples(memory: Memory, file: FactFile, times: QueryTimes, name: str) -> Mem0gMethod:
    """Add the statements of a file to a memory as triples."""
    user = f"{name} {file.name}"
    memory.add_triples([each.triple for each in file.statements], user_id=user, agent_id=AGENT)
    return Mem0gMethod(name, memory, user, {each.text: each for each in file.statements}, {}, times)


def add_as_text(memory: Memory, file: FactFile, times: QueryTimes, name: str) -> Mem0gMethod:
    """Add the statements of a file to a memory as text, one message each."""
    user = f"{name} {file.name}"
    memory.add([_utterance(file, each) for each in file.statements], user_id=user, agent_id=AGENT)
    messages = memory.messages(user_id=user, agent_id=AGENT)
    return Mem0gMethod(name, memory, user, {}, {each.id: file.statements[each.position] for each in messages}, times)


def declare_cardinality(memory: Memory, file: FactFile, user: str) -> None:
    """Declare the file's own rule to a memory: a subject has one object at a time of each relation."""
    for relation in file.relations:
        memory.define_relation(relation, one_object=True, user_id=user)


def _utterance(file: FactFile, statement: Statement) -> Utterance:
    return Utterance(
        source=file.name, session="", position=statement.place, speaker="", role="user", text=statement.text
    )


@dataclass(frozen=True, slots=True)
class Ranking:
    """Statements ranked by a method, per question; at most ``most`` of them in a context."""

    name: str
    orders: dict[str, Sequence[Statement]]
    most: int | None = None

    def first(self, question: str) -> Shown:
        """See Method."""
        return _shown(self.orders[question][:HITS])

    def within(self, question: str) -> Shown:
        """See Method; at most ``most`` statements if it is set, else as many as fit."""
        return _shown(list(_fitting(self.orders[question][: self.most])))


def rankings(file: FactFile, embedder: Embedder) -> list[Ranking]:
    """Return the baselines: ten by cosine, and as many as fit by cosine, by BM25 and by cosine with last write wins."""
    questions = [question.text for question in file.questions]
    vectors = embedder.embed([statement.text for statement in file.statements])
    cosines = embedder.embed(questions) @ vectors.T
    dense = np.argsort(-cosines, axis=1, kind="stable").tolist()
    passages = [fact_passage(each.triple, ()) for each in file.statements]
    kept = last_written(vectors)
    orders: dict[str, list[list[int]]] = {
        "dense top 10": dense,
        "dense": dense,
        "bm25": bm25_orders(passages, questions).tolist(),
        "last write wins": [[place for place in order if place in kept] for order in dense],
    }
    return [
        Ranking(
            name,
            {
                question: [file.statements[place] for place in order]
                for question, order in zip(questions, ordered, strict=True)
            },
            most=HITS if name == "dense top 10" else None,
        )
        for name, ordered in orders.items()
    ]


def last_written(vectors: Matrix, like: float = NEW_VERSION_COSINE) -> set[int]:
    """Return the positions left when each text replaces the nearest earlier one of a cosine of at least ``like``."""
    cosines = vectors @ vectors.T
    gone = np.zeros(len(vectors), dtype=bool)
    for place in range(1, len(vectors)):
        before = np.where(gone[:place], -1, cosines[place, :place])
        nearest = int(before.argmax())
        gone[nearest] |= bool(before[nearest] >= like)
    return set(np.flatnonzero(~gone).tolist())


def _fitting(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the first statements that together fit the budget."""
    left = BUDGET / TOKENS_PER_WORD
    for statement in statements:
        left -= len(statement.text.split())
        if left < 0:
            return
        yield statement


def _shown(statements: Sequence[Statement]) -> Shown:
    return Shown("\n".join(each.text for each in statements), [[each] for each in statements])
