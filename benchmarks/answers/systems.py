"""The systems compared: ways to get from a question to the context it is answered from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from benchmarks.recall.passages import Line, Passage, pack
from mem0g import Fact, Hit, Memory, Scope, Utterance
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.lookup import scope_keys
from mem0g.retrieve.context import packing
from mem0g.retrieve.question.query import read_question
from mem0g.retrieve.ranking.keyword_scores import z
from mem0g.store.queries import SearchQuery
from mem0g.strategies import DenseMemories
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

if TYPE_CHECKING:
    from mem0g.model import Matrix, Vector

FACT_SYSTEMS = ("mem0g", "sentences", "facts", "entities", "triples")
"""The systems that need facts of the graph and take a token budget."""

MEM0, ALL_MEMORIES, ALL_FACTS = "mem0", "all-memories", "all-facts"
"""The base Mem0, whose memories a model makes for it; and all memories, or all facts, in every prompt, as the paper
evaluates ChatGPT's memory ("OpenAI")."""

DENSE_SYSTEMS = (MEM0, ALL_MEMORIES)
"""The systems that need dense memories."""

BUDGETED = (*FACT_SYSTEMS, MEM0)
"""The systems that take a token budget."""

HOPS, MAX_EDGES = 1, 10_000
"""The subgraph of an entity in the Mem0 paper (section 2.2): all its incoming and outgoing relations."""

_RAG = re.compile(r"rag-([1-9]\d*)(?:-k([1-9]\d*))?")

CHUNK_TOKENS = (128, 256, 512, 1024, 2048, 4096, 8192)
"""The sizes of chunks in the Mem0 paper's table 2."""

SETS = {
    "paper": (
        *(MEM0, "mem0g", ALL_MEMORIES),
        *(f"rag-{tokens}{chunks}" for chunks in ("", "-k2") for tokens in CHUNK_TOKENS),
        "full-context",
    )
}
"""Names that stand for several systems: "paper" is the Mem0 paper's tables."""

_WHOLE = (ALL_MEMORIES, ALL_FACTS, "full-context")

HINT = (
    f"use {', '.join((*BUDGETED, *_WHOLE))}, rag-256, rag-512-k2 (tokens of a chunk, chunks), or paper for its tables"
)

PIECE_TOKENS = 150
"""Tokens embedded at once: the default embedder reads 256 word pieces of a text and ignores the rest."""

CHUNK_SEPARATOR = "\n<->\n"
"""Separates chunks, as in the Mem0 paper's evaluation (evaluation/src/rag.py of mem0ai/mem0)."""

_WORD = re.compile(r"\S+\s*")


class System(Protocol):
    """Protocol of a system to compare."""

    @property
    def name(self) -> str:
        """Its name in the rows."""
        ...

    def context(self, question: str, budget: int | None) -> str:
        """Return the context for a question, within ``budget`` tokens for systems that take a budget."""
        ...


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation stored in a memory."""

    memory: Memory
    scope: Scope
    turns: Sequence[Utterance]
    dense: DenseConversation | None = None


@dataclass(frozen=True, slots=True)
class DenseConversation:
    """A conversation as dense memories, in a memory of their own."""

    memory: Memory
    scope: Scope


def names_of(systems: str) -> list[str]:
    """Parse a comma-separated list of system names, dropping repeats. Raises InputError for an unknown name or none."""
    given = [name.strip() for name in systems.split(",") if name.strip()]
    names = list(dict.fromkeys(each for name in given for each in SETS.get(name, (name,))))
    if not names:
        raise InputError("no system is named", hint=HINT)
    for name in names:
        if name not in (*BUDGETED, *_WHOLE) and not _RAG.fullmatch(name):
            raise InputError(f"unknown system {name!r}", hint=HINT)
    return names


def systems_of(names: Sequence[str], stored: StoredConversation) -> list[System]:
    """Build the named systems over a conversation; their indexes are built here, once."""
    built: dict[str, System] = {
        "mem0g": Engine(stored),
        "sentences": WholeSentences(stored),
        "entities": Entities(stored),
        "full-context": Whole("full-context", history(stored.turns).strip()),
    }
    if {"facts", "triples", ALL_FACTS}.intersection(names):
        sentences = Sentences.of(stored)
        built |= {"facts": Facts(sentences), "triples": Triples(sentences)}
        built[ALL_FACTS] = Whole(ALL_FACTS, _told(sentences.facts))
    if stored.dense:
        memory, scope = stored.dense.memory, stored.dense.scope
        built[MEM0] = DenseSearch(DenseMemories(memory, **scope_keys(scope)))
        built[ALL_MEMORIES] = Whole(ALL_MEMORIES, _told(memory.facts(**scope_keys(scope))))
    return [built.get(name) or _rag(name, stored) for name in names]


def _rag(name: str, stored: StoredConversation) -> Chunks:
    """Build the chunk system of a name that ``names_of`` accepted."""
    tokens, k = _RAG.fullmatch(name).groups()  # type: ignore[union-attr]
    return Chunks.of(name, stored.turns, stored.memory.embedder, int(tokens), int(k or 1))


@dataclass(frozen=True, slots=True)
class Engine:
    """mem0g with its defaults: both retrieval modes and keywords, fused."""

    stored: StoredConversation
    name: str = "mem0g"

    def context(self, question: str, budget: int | None) -> str:
        """Return the text of ``Memory.context``."""
        assert budget is not None
        memory, scope = self.stored.memory, self.stored.scope
        return memory.context(question, tokens=budget, user_id=scope.user_id, agent_id=scope.agent_id).text


@dataclass(frozen=True, slots=True)
class DenseSearch:
    """The base Mem0: the dense memories nearest to the question."""

    memories: DenseMemories
    name: str = MEM0

    def context(self, question: str, budget: int | None) -> str:
        """Return one memory a line, best first, within the budget."""
        assert budget is not None
        return self.memories.context(question, budget).text


@dataclass(frozen=True, slots=True)
class WholeSentences:
    """mem0g's ranking without its short forms: the sentence of each fact with its date, and each message in full."""

    stored: StoredConversation
    name: str = "sentences"

    def context(self, question: str, budget: int | None) -> str:
        """Return one hit a line, best first, skipping those that do not fit the budget."""
        assert budget is not None
        memory, scope = self.stored.memory, self.stored.scope
        hits = memory.search(question, limit=budget, user_id=scope.user_id, agent_id=scope.agent_id)
        return pack((_line(hit) for hit in hits), budget).text


@dataclass(frozen=True, slots=True)
class Entities:
    """The first retrieval mode of the paper's Mem0g alone.

    Takes the edges of the entities that the question names or, if it names none, of those with similar names; ranked by
    the cosine of sentence and question, packed as mem0g packs a context.
    """

    stored: StoredConversation
    name: str = "entities"

    def context(self, question: str, budget: int | None) -> str:
        """Return the subgraph as text; empty when no entity is found."""
        assert budget is not None
        memory, scope = self.stored.memory, self.stored.scope
        read = read_question(question, scope, memory.store, memory.embedder)
        anchors = tuple(anchor.id for anchor in read.anchors)
        probe = SearchQuery(
            vectors=read.vectors, terms=(), anchors=anchors, hops=HOPS, budget=MAX_EDGES, facts=1, messages=1
        )
        walked = [found for found in memory.store.find(scope, probe).facts if found.path]
        cosines = np.array([found.similarities[0] for found in walked])
        return _packed([found.fact for found in walked], cosines, budget)


@dataclass(frozen=True, slots=True)
class Sentences:
    """The current facts of a conversation with their sentence vectors, as in the base Mem0: retired facts are gone."""

    facts: Sequence[Fact]
    vectors: Matrix
    embedder: Embedder

    @classmethod
    def of(cls, stored: StoredConversation) -> Sentences:
        """Load the facts that the memory holds."""
        facts = stored.memory.facts(user_id=stored.scope.user_id, agent_id=stored.scope.agent_id)
        embedder = stored.memory.embedder
        return cls(facts, embedder.embed([fact.text for fact in facts]), embedder)

    def cosines(self, question: str) -> Matrix:
        """Return the cosine of each fact with the question, shape (facts,)."""
        cosines: Matrix = self.vectors @ self.embedder.embed([question])[0]
        return cosines


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts without the graph, as in the base Mem0: the sentences nearest to the question, each with its date."""

    sentences: Sentences
    name: str = "facts"

    def context(self, question: str, budget: int | None) -> str:
        """Return one sentence a line, best first, skipping those that do not fit the budget."""
        assert budget is not None
        order = np.argsort(-self.sentences.cosines(question), kind="stable")
        return pack((_dated(self.sentences.facts[place]) for place in order), budget).text


@dataclass(frozen=True, slots=True)
class Triples:
    """The second retrieval mode of the paper's Mem0g alone.

    Takes the triples nearest to the question by the cosine of their sentence, packed as mem0g packs a context.
    """

    sentences: Sentences
    name: str = "triples"

    def context(self, question: str, budget: int | None) -> str:
        """Return the triples, grouped under their subjects."""
        assert budget is not None
        return _packed(self.sentences.facts, self.sentences.cosines(question), budget)


def _packed(facts: Sequence[Fact], cosines: Matrix, budget: int) -> str:
    """Pack facts by cosine, on the scale of scores that mem0g's packing uses."""
    if not facts:
        return ""
    scores = z(cosines.astype(float))
    order = np.argsort(-scores, kind="stable")
    hits = [Hit(score=float(scores[place]), reasons=(), fact=facts[place]) for place in order]
    return packing.pack(hits, (), budget).text


def _dated(fact: Fact) -> Passage:
    """Format a fact's sentence as a line, preceded by its valid time or else the time it was said."""
    said = f"(said {fact.said_at:%Y-%m-%d}) " if fact.said_at else ""
    line = f"({fact.valid_from}) {fact.text}" if fact.valid_from else f"{said}{fact.text}"
    return Passage(fact.text, (Line(line, frozenset()),))


def _told(facts: Sequence[Fact]) -> str:
    """Return all facts, one a line, in the order in which they were recorded."""
    return "\n".join(line.text for fact in facts for line in _dated(fact).lines)


def _line(hit: Hit) -> Passage:
    """Format a hit as a line: a fact as ``_dated`` does, a message as in the whole conversation."""
    if hit.fact:
        return _dated(hit.fact)
    assert hit.message is not None
    message = hit.message
    said = f"{message.time:%Y-%m-%d %H:%M} | " if message.time else ""
    return Passage(message.text, (Line(" ".join(f"{said}{message.speaker}: {message.text}".split()), frozenset()),))


def history(turns: Sequence[Utterance]) -> str:
    """Return the whole conversation, one turn a line: "2023-05-08 13:56 | Nora: Hi Sam!"."""
    return "".join(f"{_when(turn)}{turn.speaker}: {turn.text}\n" for turn in turns)


def chunks(text: str, tokens: int) -> list[str]:
    """Split ``text`` anywhere into parts of at most ``tokens`` tokens (words × 1.3), but of at least one word."""
    most = tokens / TOKENS_PER_WORD
    parts: list[str] = []
    have = 0
    for word in _WORD.findall(text):
        cost = count_words(word)
        if not parts or have + cost > most:
            parts.append("")
            have = 0
        parts[-1] += word
        have += cost
    return [part.strip() for part in parts]


@dataclass(frozen=True, slots=True)
class Chunks:
    """Retrieval-augmented generation over raw chunks: the ``k`` chunks of the highest cosine with the question."""

    name: str
    embedder: Embedder
    texts: Sequence[str]
    vectors: Matrix
    k: int

    @classmethod
    def of(cls, name: str, turns: Sequence[Utterance], embedder: Embedder, tokens: int, k: int) -> Chunks:
        """Split the conversation into chunks of ``tokens`` tokens and embed them."""
        texts = chunks(history(turns), tokens)
        return cls(name, embedder, texts, np.stack([embedded(text, embedder) for text in texts]), k)

    def context(self, question: str, budget: int | None) -> str:  # noqa: ARG002 - a chunk has its own size
        """Return the nearest chunks, best first, ties by position."""
        cosines = self.vectors @ self.embedder.embed([question])[0]
        best = np.argsort(-cosines, kind="stable")[: self.k]
        return CHUNK_SEPARATOR.join(self.texts[place] for place in best)


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole conversation as the context of every question."""

    name: str
    text: str

    def context(self, question: str, budget: int | None) -> str:  # noqa: ARG002 - always the same
        """Return the whole conversation."""
        return self.text


def embedded(text: str, embedder: Embedder) -> Vector:
    """Embed a text of any length: the mean of its pieces' vectors, weighted by words and normalized to length 1."""
    pieces = chunks(text, PIECE_TOKENS)
    mean: Vector = np.average(embedder.embed(pieces), axis=0, weights=[count_words(piece) for piece in pieces])
    length = float(np.linalg.norm(mean))
    return mean / length if length else mean


def _when(turn: Utterance) -> str:
    return f"{turn.time:%Y-%m-%d %H:%M} | " if turn.time else ""
