"""The seam between the pipeline and where the graph lives. Few, coarse, batched calls: each is one round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from mem0g.model import Decision, Entity, Fact, Message, Receipt, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import TenantTypes
from mem0g.store.change import Change, Snapshot
from mem0g.store.queries import (
    CURRENT,
    EntityCandidate,
    EntityQuery,
    FactFilter,
    FactQuery,
    RelatedFact,
    SearchCandidates,
    SearchQuery,
    Stats,
    StoreInfo,
    StoreState,
    View,
)
from mem0g.store.records import R

if TYPE_CHECKING:
    from mem0g.model import Vector

T = TypeVar("T")

Embed: TypeAlias = "Callable[[Sequence[str]], Sequence[Vector]]"
"""Texts to their vectors, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An invariant that does not hold, as docs/guarantees.md lists them.

    ``kind`` names the invariant, ``text`` says what is wrong with which record, ``hint`` what to do. ``ids`` are the
    records it is about, ``scope`` where they are, None where that is not known. ``mendable``:
    whether ``repair`` can mend it without deleting a fact.
    """

    kind: str
    text: str
    hint: str = "`mem0g repair` mends it"
    ids: tuple[str, ...] = ()
    scope: Scope | None = None
    mendable: bool = True


class Transaction(Protocol):
    """Reads and one write of exactly one scope, as one transaction that no other writer of the scope interleaves."""

    def begin(self, ids: Sequence[str] = (), *, learns: bool = False) -> StoreState:
        """What the store holds now, which no other writer changes before this transaction ends; see StoreState.

        ``ids`` are those of messages, decisions and pending windows to look for. ``learns`` keeps other
        writers of the tenant's relation types waiting too, and goes before a change with relations.
        """
        ...

    def next_position(self, source: str, session: str) -> int:
        """The position after the last message of a session of exactly this scope; 0 in a new one."""
        ...

    def match_entities(self, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[EntityCandidate, ...]]:
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

    def entities(self, ids: Sequence[str], *, merged_into: Sequence[str] = ()) -> tuple[Entity, ...]:
        """The entities of exactly this scope with these ids, and those merged into one of ``merged_into``, by id."""
        ...

    def facts(self, ids: Sequence[str] = (), *, of: Sequence[str] = (), citing: Sequence[str] = ()) -> tuple[Fact, ...]:
        """The facts of exactly this scope, retired ones too, in the order of recording, each once.

        Those with these ids, those with one of the entities ``of`` as an end, those that stand on a message ``citing``.
        """
        ...

    def successions(self, fact_ids: Sequence[str]) -> tuple[Succession, ...]:
        """The successions by which these facts of exactly this scope were retired, in order of time."""
        ...

    def decisions(
        self, ids: Sequence[str] = (), *, about: Sequence[str] = (), citing: Sequence[str] = ()
    ) -> tuple[Decision, ...]:
        """The log entries of exactly this scope, in the order in which they were taken, each once.

        Those with these ids, those about one of the facts or entities ``about``, those whose evidence is a message of
        ``citing``.
        """
        ...

    def records(self, kind: type[R], ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """Return the records of a type in exactly this scope that are not done, in the order in which they came.

        With ``ids`` only those of these ids.
        """
        ...

    def commit(self, change: Change) -> None:
        """Write ``change``; later reads of this transaction see it, others when the work has returned."""
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

    def replace_embedder(self, name: str, dimensions: int, embed: Embed) -> int:
        """Replace every embedding and the embedder's name; return how many texts were embedded.

        ``embed`` gives the vectors of texts, shape (dimensions,) each. It is called for every text that the store
        holds, those that other writers added meanwhile too; these writers wait, or are refused from then on.
        """
        ...

    def write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one transaction that is alone in writing to ``scope``; all of it is kept, or none.

        It may be run again from its start when the database asks for it: ``work`` must have no other effect.
        """
        ...

    def forget(self, scope: Scope) -> Receipt:
        """Remove for good all that the scopes covered by ``scope`` hold, and count it.

        In other scopes, facts and decisions that cite only messages of these go too, with the successions of the
        facts, and the entities and names that came from nowhere else; those with other evidence lose the link.
        """
        ...

    def scopes(self, scope: Scope | None = None) -> tuple[Scope, ...]:
        """The scopes that hold something: those that ``scope`` covers, or all."""
        ...

    def vocabulary(self, tenant: Scope) -> TenantTypes:
        """The relation types that a tenant (``Scope.tenant``) adds to the seeds or redefines, by name."""
        ...

    def save_relation_types(self, tenant: Scope, types: Sequence[RelationType]) -> None:
        """Add relation types to those of a tenant, or replace those of the same name."""
        ...

    def relation_counts(self, tenant: Scope) -> Mapping[str, int]:
        """How many facts each relation has in all scopes of a tenant, most first, ties by name."""
        ...

    # What a search asks.

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """The entities with one of these folded names or aliases, none merged away, by id."""
        ...

    def find(self, scope: Scope, query: SearchQuery) -> SearchCandidates:
        """The candidates that answer ``query``, each once, facts then messages by id.

        Facts in the query's view: nearest by vector, best by full text, those that cite one of the messages found,
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
        """Up to ``limit`` ids of entities, facts, messages and decisions that start with ``prefix``, sorted."""
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

    def log(
        self, scope: Scope, limit: int, offset: int = 0, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[Decision, ...]:
        """The log of decisions, the latest first, of one instant the last taken first; ``until`` is exclusive."""
        ...

    def homes(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Scope]:
        """The exact scope that each of these entities, facts, messages and decisions was written to."""
        ...

    def records(self, kind: type[R], scope: Scope | None = None, ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """Return the records of a type that are not done, in the order in which they came; with ``ids`` only those.

        Of the scopes covered by ``scope``; of the whole store without one.
        """
        ...

    def stats(self, scope: Scope | None = None) -> Stats:
        """Counts of the scopes covered by ``scope``; of the whole store without one."""
        ...

    def snapshot(self, scope: Scope | None = None) -> AbstractContextManager[Snapshot]:
        """All that the scopes covered by ``scope`` hold, or the whole store, to be read within the ``with`` block.

        Each scope is of one moment, whatever is written meanwhile. Where the database has no snapshots (Neo4j),
        different scopes may be of different moments, and writers of the scope that is being read wait: so nothing may
        be written to it by the one who reads.
        """
        ...

    def backup(self, path: Path) -> None:
        """Write a complete copy of the store to the new file ``path``, beside writers; all of one moment.

        Raises StoreError where ``path`` exists or cannot be written, and for a store that is not a file; then nothing
        is left behind.
        """
        ...

    def load(self, changes: Iterator[Change], *, embedder: tuple[str, int] | None = None) -> None:
        """Commit the changes of a snapshot; what is there already is left as it is.

        ``embedder``: name and dimensions of the one that made the vectors. Raises EmbedderMismatchError when the store
        holds those of another by now.
        """
        ...

    # Whether it is whole.

    def verify(self) -> tuple[Problem, ...]:
        """What is wrong with the store's own tables, indexes and links; nothing is changed.

        ``mem0g.verify`` checks in addition what every store has to hold.
        """
        ...

    def repair(self) -> tuple[Problem, ...]:
        """Mend what ``verify`` finds as far as it can be mended; answers what was. No fact or message is deleted."""
        ...
