"""What is compared: ways to get from a question to the text that it is answered from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from benchmarks.answering.chunks import Chunks, Whole, history
from benchmarks.passages import Line, Passage, pack
from mem0g import Fact, Hit, Memory, Scope, Utterance
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.retrieve import context_builder
from mem0g.retrieve.query import read_question
from mem0g.retrieve.signals import z
from mem0g.store.queries import SearchQuery

if TYPE_CHECKING:
    from mem0g.model import Matrix

OF_FACTS = ("mem0g", "facts", "entities", "triples")
"""The systems that need facts, and that are asked within budgets."""

HOPS, MOST_EDGES = 1, 10_000
"""The subgraph of an entity in the Mem0 paper (section 2.2): its in- and outgoing relations, all of them."""

_RAG = re.compile(r"rag-([1-9]\d*)(?:-k([1-9]\d*))?")

HINT = f"use {', '.join(OF_FACTS)}, full-context, rag-256, rag-512-k2 (tokens of a chunk, chunks)"


class System(Protocol):
    """What is compared."""

    @property
    def name(self) -> str:
        """As the rows call it."""
        ...

    def context(self, question: str, budget: int | None) -> str:
        """The text to answer from; within ``budget`` tokens where the system has budgets."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """A conversation that is held in a memory."""

    memory: Memory
    scope: Scope
    turns: Sequence[Utterance]


def names_of(systems: str) -> list[str]:
    """The names in a list with commas, each once. Raises InputError for an unknown one, or for none."""
    names = list(dict.fromkeys(name.strip() for name in systems.split(",") if name.strip()))
    if not names:
        raise InputError("no system is named", hint=HINT)
    for name in names:
        if name not in (*OF_FACTS, "full-context") and not _RAG.fullmatch(name):
            raise InputError(f"unknown system {name!r}", hint=HINT)
    return names


def systems_of(names: Sequence[str], held: Held) -> list[System]:
    """The systems of these names over a conversation; what they look things up in is made here, once."""
    made: dict[str, System] = {
        "mem0g": Engine(held),
        "entities": Entities(held),
        "full-context": Whole("full-context", history(held.turns).strip()),
    }
    if {"facts", "triples"}.intersection(names):
        sentences = Sentences.of(held)
        made |= {"facts": Facts(sentences), "triples": Triples(sentences)}
    return [made.get(name) or _rag(name, held) for name in names]


def _rag(name: str, held: Held) -> Chunks:
    """The chunks of a name that ``names_of`` let pass."""
    tokens, k = _RAG.fullmatch(name).groups()  # type: ignore[union-attr]
    return Chunks.of(name, held.turns, held.memory.embedder, int(tokens), int(k or 1))


@dataclass(frozen=True, slots=True)
class Engine:
    """mem0g as it is: both retrieval modes, and keywords, fused."""

    held: Held
    name: str = "mem0g"

    def context(self, question: str, budget: int | None) -> str:
        """What ``Memory.context`` gives."""
        assert budget is not None
        memory, scope = self.held.memory, self.held.scope
        return memory.context(question, tokens=budget, user_id=scope.user_id, agent_id=scope.agent_id).text


@dataclass(frozen=True, slots=True)
class Entities:
    """The first retrieval mode of the paper's Mem0g alone: the edges of the entities that the question names, or, where
    it names none, of those whose names are near it; by the cosine of sentence and question, packed as mem0g does.
    """

    held: Held
    name: str = "entities"

    def context(self, question: str, budget: int | None) -> str:
        """The subgraph as text; empty when no entity is found."""
        assert budget is not None
        memory, scope = self.held.memory, self.held.scope
        read = read_question(question, scope, memory.store, memory.embedder)
        anchors = tuple(anchor.id for anchor in read.anchors)
        probe = SearchQuery(
            vectors=read.vectors, terms=(), anchors=anchors, hops=HOPS, budget=MOST_EDGES, facts=1, messages=1
        )
        walked = [found for found in memory.store.find(scope, probe).facts if found.path]
        cosines = np.array([found.similarities[0] for found in walked])
        return _packed([found.fact for found in walked], cosines, budget)


@dataclass(frozen=True, slots=True)
class Sentences:
    """The current facts of a conversation and the vectors of their sentences, as of the base Mem0: what is no longer
    true is gone.
    """

    facts: Sequence[Fact]
    vectors: Matrix
    embedder: Embedder

    @classmethod
    def of(cls, held: Held) -> Sentences:
        """Those that the memory holds."""
        facts = held.memory.facts(user_id=held.scope.user_id, agent_id=held.scope.agent_id)
        embedder = held.memory.embedder
        return cls(facts, embedder.embed([fact.text for fact in facts]), embedder)

    def cosines(self, question: str) -> Matrix:
        """Of each fact with the question, shape (facts,)."""
        cosines: Matrix = self.vectors @ self.embedder.embed([question])[0]
        return cosines


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts without the graph, as the base Mem0: the sentences nearest to the question, each with its date."""

    sentences: Sentences
    name: str = "facts"

    def context(self, question: str, budget: int | None) -> str:
        """A sentence a line, best first; one that does not fit is passed over."""
        assert budget is not None
        order = np.argsort(-self.sentences.cosines(question), kind="stable")
        return pack((_dated(self.sentences.facts[place]) for place in order), budget).text


@dataclass(frozen=True, slots=True)
class Triples:
    """The second retrieval mode of the paper's Mem0g alone: the triples nearest to the question by the cosine of
    their sentence, packed as mem0g does.
    """

    sentences: Sentences
    name: str = "triples"

    def context(self, question: str, budget: int | None) -> str:
        """The triples under the names of their subjects."""
        assert budget is not None
        return _packed(self.sentences.facts, self.sentences.cosines(question), budget)


def _packed(facts: Sequence[Fact], cosines: Matrix, budget: int) -> str:
    """Facts by cosine, on the scale that mem0g packs by."""
    if not facts:
        return ""
    scores = z(cosines.astype(float))
    order = np.argsort(-scores, kind="stable")
    hits = [Hit(score=float(scores[place]), reasons=(), fact=facts[place]) for place in order]
    return context_builder.pack(hits, (), budget).text


def _dated(fact: Fact) -> Passage:
    """A fact's sentence as a line, after when it holds, else when it was said."""
    said = f"(said {fact.said_at:%Y-%m-%d}) " if fact.said_at else ""
    line = f"({fact.valid_from}) {fact.text}" if fact.valid_from else f"{said}{fact.text}"
    return Passage(fact.text, (Line(line, frozenset()),))
