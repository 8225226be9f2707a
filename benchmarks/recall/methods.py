"""The methods compared: mem0g, through its public API only, and the usual ways to rank turns or facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from rank_bm25 import BM25Okapi

from benchmarks.locomo import Conversation, Question
from benchmarks.memories import AGENT
from benchmarks.recall.passages import Passage, fact_passage, first, pack, turn_passage, window_passages
from benchmarks.recall.scoring import Returned, tokens
from benchmarks.timing import QueryTimes
from mem0g import Context, Hit, Memory, Triple, Utterance
from mem0g.embed.protocol import Embedder
from mem0g.text.stemming import tokens as stems

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Orders = NDArray[np.intp]
    """For each question (row) the indices of all passages, best first; ties by position."""


RRF_K = 60
"""Reciprocal rank fusion's constant (Cormack, Clarke and Büttcher, SIGIR 2009)."""

RANKED = 300
"""Hits of a ranking that are packed: more than fit 2000 tokens."""

K1, B = 1.5, 0.75
"""BM25's parameters: the defaults of rank_bm25; 1.2 changes no figure on LOCOMO by more than 0.3."""


class Method(Protocol):
    """Protocol of a method to compare."""

    @property
    def name(self) -> str:
        """Its name in the rows."""
        ...

    def within(self, question: Question, budget: int) -> Returned:
        """Return the results within ``budget`` tokens."""
        ...

    def first(self, question: Question, k: int) -> Returned:
        """Return the first ``k`` hits."""
        ...


@dataclass(frozen=True, slots=True)
class Engine:
    """mem0g over one conversation in a scope of its own; ``turns`` maps message ids to turn ids."""

    memory: Memory
    user: str
    turns: Mapping[str, str]
    times: QueryTimes
    fill: bool = False

    @property
    def name(self) -> str:
        """Its name in the rows; with ``fill`` every context is filled up to its budget."""
        return "mem0g-fill" if self.fill else "mem0g"

    @classmethod
    def of(
        cls, memory: Memory, user: str, turns: Sequence[Utterance], triples: Sequence[Triple], times: QueryTimes
    ) -> Engine:
        """Ingest a conversation and its prepared triples, if any."""
        memory.add(turns, user_id=user, agent_id=AGENT)
        if triples:
            memory.add_triples(triples, user_id=user, agent_id=AGENT)
        messages = memory.messages(user_id=user, agent_id=AGENT)
        return cls(memory, user, {each.id: each.source_id for each in messages if each.source_id}, times)

    def within(self, question: Question, budget: int) -> Returned:
        """Return ``context`` for ``budget`` tokens. Raises ValueError when it exceeds the budget."""
        context: Context = self.times.time(
            self.memory.context, question.text, tokens=budget, fill=self.fill, user_id=self.user, agent_id=AGENT
        )
        if tokens(context.text) > budget:
            raise ValueError(f"{tokens(context.text)} tokens for a budget of {budget}: {question.text!r}")
        return Returned(context.text, self._covered(context.hits))

    def first(self, question: Question, k: int) -> Returned:
        """Return the first ``k`` hits of ``search``."""
        hits: list[Hit] = self.times.time(self.memory.search, question.text, limit=k, user_id=self.user, agent_id=AGENT)
        return Returned("\n".join(hit.text for hit in hits), self._covered(hits))

    def facts(self) -> list[Passage]:
        """Return the facts that mem0g holds, retired ones too, for baselines to rank."""
        held = self.memory.facts(user_id=self.user, agent_id=AGENT, include_retired=True)
        return [fact_passage(fact, self.turns_of(fact.evidence)) for fact in held]

    def _covered(self, hits: Iterable[Hit]) -> frozenset[str]:
        return self.turns_of(cited for hit in hits for cited in hit.evidence)

    def turns_of(self, messages: Iterable[str]) -> frozenset[str]:
        """Return the ids of the turns that are these messages."""
        return frozenset(self.turns[each] for each in messages if each in self.turns)


@dataclass(frozen=True, slots=True)
class WholeSentences:
    """The hits of mem0g's ranking, packed in order as whole sentences and messages: what the form of a context adds."""

    engine: Engine
    name: str = "same-ranking"

    def within(self, question: Question, budget: int) -> Returned:
        """Return the best hits that fit ``budget`` tokens."""
        return pack(self._ranked(question, RANKED), budget)

    def first(self, question: Question, k: int) -> Returned:
        """Return the first ``k`` hits."""
        return first(self._ranked(question, k), k)

    def _ranked(self, question: Question, limit: int) -> Iterator[Passage]:
        engine = self.engine
        for hit in engine.memory.search(question.text, limit=limit, user_id=engine.user, agent_id=AGENT):
            if hit.fact:
                yield fact_passage(hit.fact, engine.turns_of(hit.evidence))
            elif hit.message:
                yield turn_passage(hit.message)


def full_conversation(conversation: Conversation) -> Returned:
    """Return all turns, whatever they cost: what a context can have of the answers' words."""
    passages = [turn_passage(turn) for turn in conversation.turns]
    return first(passages, len(passages))


@dataclass(frozen=True, slots=True)
class Baseline:
    """A method that ranks passages and returns the first that fit a budget, or the first k."""

    name: str
    passages: Sequence[Passage]
    orders: dict[str, Sequence[int]]

    def within(self, question: Question, budget: int) -> Returned:
        """Return the best passages that fit ``budget`` tokens."""
        return pack(self._ranked(question), budget)

    def first(self, question: Question, k: int) -> Returned:
        """Return the first ``k`` passages."""
        return first(self._ranked(question), k)

    def _ranked(self, question: Question) -> Iterator[Passage]:
        return (self.passages[place] for place in self.orders[question.text])


def baselines(conversation: Conversation, facts: Sequence[Passage] | None, embedder: Embedder) -> list[Baseline]:
    """Return the three baselines over a conversation's turns and ``facts``; without facts only the one over turns."""
    questions = [question.text for question in conversation.questions]
    windows = window_passages(conversation.turns)
    made = [_baseline("bm25-windows", windows, questions, bm25_orders(windows, questions))]
    if facts is not None:
        dense = dense_orders(facts, questions, embedder)
        fused = fused_orders([dense, bm25_orders(facts, questions)])
        made += [_baseline("dense-facts", facts, questions, dense), _baseline("rrf-facts", facts, questions, fused)]
    return made


def bm25_orders(passages: Sequence[Passage], questions: Sequence[str]) -> Orders:
    """Rank passages by BM25 of their stems, without stop words."""
    texts = [stems(passage.text) for passage in passages]
    if not any(texts):  # rank_bm25 divides by the mean length
        return _by_falling(np.zeros((len(questions), len(passages))))
    index = BM25Okapi(texts, k1=K1, b=B)
    return _by_falling(np.array([index.get_scores(stems(question)) for question in questions]))


def dense_orders(passages: Sequence[Passage], questions: Sequence[str], embedder: Embedder) -> Orders:
    """Rank passages by the cosine of their text and the question."""
    return _by_falling(embedder.embed(questions) @ embedder.embed([passage.text for passage in passages]).T)


def fused_orders(rankings: Sequence[Orders], k: int = RRF_K) -> Orders:
    """Rank passages by the sum over the rankings of 1 / (k + rank), ranks from 1."""
    ranks = [np.argsort(orders, axis=1) + 1 for orders in rankings]
    return _by_falling(sum((1 / (k + rank) for rank in ranks), start=np.zeros(rankings[0].shape)))


def _by_falling(scores: NDArray[np.floating]) -> Orders:
    return np.argsort(-scores, axis=1, kind="stable")


def _baseline(name: str, passages: Sequence[Passage], questions: Sequence[str], orders: Orders) -> Baseline:
    return Baseline(name, passages, dict(zip(questions, orders.tolist(), strict=True)))
