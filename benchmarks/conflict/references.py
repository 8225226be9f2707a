"""Reference triples with what each invalidates, and a memory that ingests them window by window."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.locomo import Conversation, read_conversations, turn_ids
from benchmarks.memories import AGENT
from mem0g import Memory, Message, Scope, Triple
from mem0g.conflict.llm_judge import LLMJudge
from mem0g.conflict.protocol import ResolvedTriple
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.extract.protocol import Window
from mem0g.lookup import scope_keys
from mem0g.model import Decision
from mem0g.pipeline import Pipeline
from mem0g.settings import Credentials
from mem0g.store.address import open_store
from mem0g.transfer.triples import read_triples

HINT = "each line needs an id of its own, and invalidates: a list of ids of lines before it"


@dataclass(frozen=True, slots=True)
class Reference:
    """A triple, and the ids of the earlier ones that it invalidates."""

    id: str
    triple: Triple
    invalidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    """A conversation and its reference triples, in order.

    ``triples`` are those that cite one of its turns, by id, with their evidence named as in a memory.
    """

    conversation: Conversation
    references: tuple[Reference, ...]
    triples: Mapping[str, Triple]

    @classmethod
    def of(cls, conversation: Conversation, references: Sequence[Reference]) -> Gold:
        """Select the triples that cite a turn of the conversation."""
        scope = scope_of(conversation)
        messages = {turn.source_id: Message.of(turn, scope).id for turn in conversation.turns}
        cited = {
            each.id: tuple(messages[turn] for turn in turn_ids(each.triple.evidence) if turn in messages)
            for each in references
        }
        triples = {each.id: replace(each.triple, evidence=cited[each.id]) for each in references if cited[each.id]}
        return cls(conversation, tuple(references), triples)

    @property
    def scope(self) -> Scope:
        """The scope that the conversation is ingested into."""
        return scope_of(self.conversation)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The gold: pairs of a triple's id and the id of an earlier one that it invalidates."""
        return [(each.id, old) for each in self.references for old in each.invalidates]

    @property
    def ids_by_decision(self) -> dict[str, str]:
        """The ids of triples, by the id of the memory's decision about each."""
        return {ResolvedTriple.decision_id(self.scope, triple): id_ for id_, triple in self.triples.items()}


@dataclass(frozen=True, slots=True)
class ReferenceExtractor:
    """An extractor that knows a conversation's triples: each is extracted with its last evidence message."""

    triples: Sequence[Triple]
    order: Mapping[str, int]
    name: str = "reference"

    @classmethod
    def of(cls, gold: Gold) -> ReferenceExtractor:
        """Build the extractor for a conversation."""
        messages = (Message.of(turn, gold.scope).id for turn in gold.conversation.turns)
        return cls(list(gold.triples.values()), {each: place for place, each in enumerate(messages)})

    def extract(self, window: Window) -> list[Triple]:
        """See mem0g.extract.protocol.Extractor."""
        new = {message.id for message in window.messages}
        return [each for each in self.triples if max(each.evidence, key=self.order.__getitem__) in new]


def read_gold(data: Path, triples: Path) -> list[Gold]:
    """Read the conversations of a LOCOMO file with the triples of ``triples``/SAMPLE.jsonl.

    Raises InputError and TripleError for files that are missing or malformed.
    """
    return [Gold.of(each, read_references(triples / f"{each.id}.jsonl")) for each in read_conversations(data)]


def read_references(path: Path) -> list[Reference]:
    """Read the triples of a JSON Lines file, with their ids and what they invalidate.

    Raises TripleError for an invalid triple, InputError for a line without an id, or one that invalidates a triple that
    does not come before it.
    """
    triples = read_triples(path)
    lines: list[Mapping[str, Any]] = [
        json.loads(line) for line in path.read_text("utf-8-sig").split("\n") if line.strip()
    ]
    references: dict[str, Reference] = {}
    for number, (line, triple) in enumerate(zip(lines, triples, strict=True), start=1):
        name, old = line.get("id"), line.get("invalidates") or []
        if not isinstance(name, str) or name in references:
            raise InputError(f"{path}, triple {number}: the id is {name!r}", hint=HINT)
        if not isinstance(old, list) or not all(each in references for each in old):
            raise InputError(f"{path}, triple {number}: invalidates {old!r}", hint=HINT)
        references[name] = Reference(name, triple, tuple(old))
    return list(references.values())


@contextmanager
def ingested(gold: Gold, embedder: Embedder, judge: LLMJudge | None = None) -> Iterator[Memory]:
    """Open a new memory and ingest a conversation, its triples window by window."""
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "conflict.db", Credentials())
        with Memory(store, embedder, Pipeline(ReferenceExtractor.of(gold), conflict_policy=judge)) as memory:
            for _ in memory.ingest(gold.conversation.turns, **scope_keys(gold.scope)):
                pass
            yield memory


def decisions(memory: Memory, gold: Gold) -> dict[str, Decision]:
    """Return the memory's decision about each triple, by the triple's id."""
    names = gold.ids_by_decision
    with memory.store.snapshot(gold.scope) as snapshot:
        log = (each for change in snapshot.changes for each in change.decisions)
        return {names[each.id]: each for each in log if each.id in names}


def scope_of(conversation: Conversation) -> Scope:
    """Return the scope that a conversation is ingested into."""
    return Scope(user_id=conversation.id, agent_id=AGENT)
