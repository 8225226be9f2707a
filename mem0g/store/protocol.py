"""The seam between the pipeline and where the graph lives. Few, coarse, batched calls: each is one round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.relations.registry import RelationType
from mem0g.resolve.protocol import Candidate
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.queries import (
    CURRENT,
    EntityQuery,
    FactFilter,
    FactQuery,
    Found,
    Probe,
    RelatedFact,
    Stats,
    StoreInfo,
    View,
)

if TYPE_CHECKING:
    from mem0g.model import Vector

T = TypeVar("T")


class Transaction(Protocol):
    """Reads and one write of exactly one scope, as one transaction that no other writer of the scope interleaves."""

    def known(self, ids: Sequence[str]) -> frozenset[str]:
        """Which of ``ids`` are messages or decisions that the store has, or windows that wait (keys of notes)."""
        ...

    def match_entities(self, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[Candidate, ...]]:
        """For each query, the entities of exactly this scope that its name might mean, none of them merged away.

        All with an equal folded name or alias; up to 50 that share a token of a name, latest updated first; the
        ``nearest`` by vector. Each entity once, by falling similarity, ties by id; similarity is 0 without a vector.
        With each come the ids of the entities around it, if they are at most NEIGHBOURS.
        """
        ...

    def related_facts(self, queries: Sequence[FactQuery], nearest: int) -> list[tuple[RelatedFact, ...]]:
        """For each query, the facts of exactly this scope that it might touch, each once, by falling similarity.

        By structure, current or retired: the same two ends in either order, or one of the relations and a shared end
        (up to 200, latest first). By similarity of sentence: the ``nearest`` that are current.
        """
        ...

    def commit(self, change: Change) -> None:
        """Write ``change``; seen by others when the work has returned."""
        ...


class Store(Protocol):
    """Where a graph lives. Reads of a scope cover every scope that has its keys; unknown ids are left out of answers.

    Methods raise StoreError's children when the store cannot be used. A store may be used by several threads.
    """

    address: str

    def info(self) -> StoreInfo:
        """What the store is."""
        ...

    def prepare(self) -> tuple[str, ...]:
        """Make or upgrade what the store needs before anything is written; answers the names of what was made.

        Opening a store does it the first time; after that only an upgrade of mem0g or of a server asks for it.
        """
        ...

    def drop(self) -> None:
        """Remove, for good, all that mem0g ever made here, what ``prepare`` makes included; then close the store."""
        ...

    def close(self) -> None:
        """Release it; a second call does nothing."""
        ...

    def claim_embedder(self, name: str, dimensions: int) -> None:
        """Remember the embedder of a store that has none yet. Raises EmbedderMismatchError when it has another."""
        ...

    def replace_embedder(self, name: str, dimensions: int, vectors: Mapping[str, Vector]) -> None:
        """Replace every embedding and the embedder's name, in one transaction; ``vectors`` are by id."""
        ...

    def write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one transaction that is alone in writing to ``scope``; all of it is kept, or none.

        It may be run again from its start when the database asks for it: ``work`` must have no other effect.
        """
        ...

    def forget(self, scope: Scope) -> Stats:
        """Remove, for good, all that the scopes covered by ``scope`` hold; answers what that was."""
        ...

    def relation_types(self) -> tuple[RelationType, ...]:
        """The relation types that this database adds to the seeds, or says otherwise, by name."""
        ...

    def save_relation_types(self, types: Sequence[RelationType]) -> None:
        """Add relation types, or replace those of the same name."""
        ...

    # What a search asks.

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """The entities with one of these folded names or aliases, none merged away, by id."""
        ...

    def find(self, scope: Scope, probe: Probe) -> Found:
        """The candidates that answer ``probe``, each once, facts then messages by id.

        Facts in the probe's view: nearest by vector, best by full text, those that cite one of the messages found,
        those on the walk from the anchors. Messages: nearest by vector, best by full text. With them come the turns
        around the messages found and the evidence of the facts found.
        """
        ...

    # What people ask.

    def entities(self, scope: Scope, ids: Sequence[str]) -> tuple[Entity, ...]:
        """The entities of these ids, in their order; one that was merged is given as it is."""
        ...

    def facts(self, scope: Scope, ids: Sequence[str]) -> tuple[Fact, ...]:
        """The facts of these ids, in their order."""
        ...

    def messages(self, scope: Scope, ids: Sequence[str]) -> tuple[Message, ...]:
        """The messages of these ids, in their order."""
        ...

    def ids_with_prefix(self, scope: Scope, prefix: str, limit: int) -> tuple[str, ...]:
        """Up to ``limit`` ids of entities, facts and messages that start with ``prefix``, sorted."""
        ...

    def message_ids(self, scope: Scope, source_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The ids of the messages that have these ids in their sources."""
        ...

    def list_entities(self, scope: Scope, limit: int, offset: int = 0) -> tuple[tuple[Entity, int], ...]:
        """Entities with the number of their current facts: most facts first, ties by name, then id."""
        ...

    def list_facts(self, scope: Scope, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[Fact, ...]:
        """Facts in the order in which they were recorded, ties by the order within their transaction."""
        ...

    def list_messages(self, scope: Scope, limit: int, offset: int = 0) -> tuple[Message, ...]:
        """Messages by source, session and position."""
        ...

    def recent_messages(self, scope: Scope, source: str, session: str, limit: int) -> tuple[Message, ...]:
        """The last messages of a session of exactly this scope, in order."""
        ...

    def walk(self, scope: Scope, ids: Sequence[str], hops: int, budget: int, view: View = CURRENT) -> tuple[Fact, ...]:
        """The facts up to ``hops`` edges from the entities ``ids``, at most ``budget``: nearest first, then latest."""
        ...

    def successions(self, scope: Scope, fact_ids: Sequence[str]) -> tuple[Succession, ...]:
        """The successions that any of these facts is part of, as the old or the new one, in order of time, then id."""
        ...

    def decisions(self, scope: Scope, ids: Sequence[str]) -> tuple[Decision, ...]:
        """The log entries about these facts or entities, in the order in which they were taken."""
        ...

    def notes(self, kind: str, scope: Scope | None = None, keys: Sequence[str] | None = None) -> tuple[Note, ...]:
        """The notes of a kind that are not struck out, those of ``keys`` if given, in the order in which they came.

        Of the scopes covered by ``scope``; of the whole store without one.
        """
        ...

    def stats(self, scope: Scope | None = None) -> Stats:
        """Counts of the scopes covered by ``scope``; of the whole store without one."""
        ...

    def dump(self, scope: Scope | None = None) -> Iterator[Change]:
        """All that these scopes hold, in changes of bounded size which, loaded in order, make an equal store.

        Relation types are of no scope: see ``relation_types``.
        """
        ...

    def load(self, changes: Iterator[Change]) -> None:
        """Commit changes as ``dump`` gives them; what is there already is left as it is."""
        ...
