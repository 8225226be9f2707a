"""The interface of a store: few, coarse, batched calls, each of which is one round trip to a server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from mem0g.model import Decision, Entity, Fact, Message, Receipt, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import TenantTypes
from mem0g.store.candidates import SearchCandidates
from mem0g.store.change import Change, Snapshot
from mem0g.store.queries import (
    CURRENT,
    EntityCandidate,
    EntityQuery,
    FactFilter,
    FactQuery,
    RelatedFact,
    SearchQuery,
    Stats,
    StoreInfo,
    StoreState,
    ValueField,
    View,
)
from mem0g.store.records import R

if TYPE_CHECKING:
    from mem0g.model import Vector

T = TypeVar("T")

Embed: TypeAlias = "Callable[[Sequence[str]], Sequence[Vector]]"
"""Embeds texts: one vector each, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A violated invariant of docs/guarantees.md.

    ``kind`` names the invariant, ``text`` says what is wrong with which record, ``hint`` what to do. ``ids`` are the
    ids of the records concerned, ``scope`` is their scope (None if unknown). ``mendable``: whether ``repair`` can
    repair it without deleting a fact.
    """

    kind: str
    text: str
    hint: str = "`mem0g repair` fixes it"
    ids: tuple[str, ...] = ()
    scope: Scope | None = None
    mendable: bool = True


class Transaction(Protocol):
    """A transaction on exactly one scope, which no other writer of that scope interleaves."""

    def begin(
        self, ids: Sequence[str] = (), *, learns: bool = False, sessions: Collection[tuple[str, str]] = ()
    ) -> StoreState:
        """Lock the scope until the transaction ends and return the state of the store.

        ``ids`` are ids of messages, decisions and pending windows to look up. ``learns`` also locks the relation types
        of the tenant; it is required before a change with ``relations``. ``sessions`` (source and session) are those
        whose ``next_position`` is asked for later, so that a server can be asked for all at once.
        """
        ...

    def next_position(self, source: str, session: str) -> int:
        """Return the position after the last message of a session of exactly this scope; 0 for a new session."""
        ...

    def match_entities(self, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[EntityCandidate, ...]]:
        """Return, for each query, the entities of exactly this scope that its name might mean, none of them merged.

        All with an equal folded name or alias; up to 50 that share a token of a name, latest updated first; and the
        ``nearest`` by vector. Each entity occurs once, by descending similarity, ties by id; similarity is 0 without a
        vector. Those of a query with ``around`` come with the ids of their neighbours, their roles and the dates of
        their facts, if there are at most MAX_NEIGHBOURS.
        """
        ...

    def related_facts(self, queries: Sequence[FactQuery], nearest: int) -> list[tuple[RelatedFact, ...]]:
        """Return, for each query, the facts of exactly this scope that it might affect, by descending similarity.

        By structure, current or retired, up to 200, latest first: the same two ends in either order; the subject and
        one of the relations; any shared end and one of the relations ``of_either_end``. By similarity of the sentence:
        the ``nearest`` current ones. Each fact occurs once. What ``concerns`` a query may limit both.
        """
        ...

    def entities(self, ids: Sequence[str], *, merged_into: Sequence[str] = ()) -> tuple[Entity, ...]:
        """Return the entities of this scope with these ids and those merged into one of ``merged_into``, by id."""
        ...

    def facts(self, ids: Sequence[str] = (), *, of: Sequence[str] = (), citing: Sequence[str] = ()) -> tuple[Fact, ...]:
        """Return facts of exactly this scope, retired ones included, in the order of recording, each once.

        Those with one of ``ids``, those with one of the entities ``of`` as subject or object, and those with a message
        of ``citing`` in their evidence.
        """
        ...

    def successions(self, fact_ids: Sequence[str], *, by: Sequence[str] = ()) -> tuple[Succession, ...]:
        """Return the successions by which these facts of exactly this scope were retired, in order of time.

        Also those by which one of the facts ``by`` of this scope retired another.
        """
        ...

    def decisions(
        self, ids: Sequence[str] = (), *, about: Sequence[str] = (), citing: Sequence[str] = ()
    ) -> tuple[Decision, ...]:
        """Return decisions of exactly this scope, in the order in which they were taken, each once.

        Those with one of ``ids``, those about one of the facts or entities ``about``, and those with a message of
        ``citing`` in their evidence.
        """
        ...

    def records(self, kind: type[R], ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """Return the records of a type in this scope that are not done, oldest first; with ``ids`` only those."""
        ...

    def commit(self, change: Change) -> None:
        """Write ``change``. Later reads in this transaction see it; others see it once the transaction is committed."""
        ...


class Store(Protocol):
    """A store of a graph. Reads of a scope cover every scope that has its keys; unknown ids are ignored.

    Methods raise a subclass of StoreError when the store cannot be used. A store may be used by several threads.
    """

    address: str

    def info(self) -> StoreInfo:
        """Return the kind, address, version and embedder of the store."""
        ...

    def prepare(self) -> tuple[str, ...]:
        """Create or upgrade the schema of the store; return the names of what was created.

        Opening a new store does this. It is needed again only after an upgrade of mem0g or of the server.
        """
        ...

    def drop(self) -> None:
        """Delete everything that mem0g has stored here, including what ``prepare`` creates; then close the store."""
        ...

    def close(self) -> None:
        """Release the store's resources. A second call does nothing."""
        ...

    def claim_embedder(self, name: str, dimensions: int) -> None:
        """Record the embedder of a store that has none yet. Raises EmbedderMismatchError if it has another one."""
        ...

    def replace_embedder(self, name: str, dimensions: int, embed: Embed) -> int:
        """Replace every embedding and the embedder's name; return how many texts were embedded.

        ``embed`` returns one vector per text, shape (dimensions,) each. It is called for every text in the store,
        including those that other writers add meanwhile; such writers wait, or are refused from then on.
        """
        ...

    def write(self, scope: Scope, work: Callable[[Transaction], T]) -> T:
        """Run ``work`` in one atomic transaction, the only one that writes to ``scope`` meanwhile; return its result.

        ``work`` may be run again from the start if the database asks for a retry, so it must have no side effects.
        """
        ...

    def forget(self, scope: Scope) -> Receipt:
        """Delete everything in the scopes covered by ``scope``; return a receipt with the counts.

        In other scopes, facts and decisions whose evidence is only messages of these scopes are deleted too, together
        with the successions of those facts and with entities and names that have no other source. Those with other
        evidence lose only the link to the deleted messages.
        """
        ...

    def scopes(self, scope: Scope | None = None) -> tuple[Scope, ...]:
        """Return the scopes that hold anything: those that ``scope`` covers, or all."""
        ...

    def vocabulary(self, tenant: Scope) -> TenantTypes:
        """Return the relation types that a tenant (``Scope.tenant``) adds to the seeds or redefines, by name."""
        ...

    def save_relation_types(self, tenant: Scope, types: Sequence[RelationType]) -> None:
        """Add relation types to those of a tenant, or replace those of the same name.

        A relation whose name is a synonym of one of ``types`` is joined to it: its facts get that type's name, and its
        own type is removed.
        """
        ...

    def relation_counts(self, tenant: Scope) -> Mapping[str, int]:
        """Return the number of facts of each relation in all scopes of a tenant, most first, ties by name."""
        ...

    # Search.

    def reading(self) -> AbstractContextManager[None]:
        """Let what this thread finds by ``match_names`` and ``find`` within the block be as of its first such call.

        A server is then asked once whether anything has changed, not before each of them. What is written meanwhile
        may be found or not.
        """
        ...

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """Return the unmerged entities with one of these names or aliases (compared folded), by id."""
        ...

    def find(self, scope: Scope, query: SearchQuery) -> SearchCandidates:
        """Return the candidates for ``query``, each once, facts and messages by id.

        Facts in the query's view: nearest by vector, best by full text, those that cite one of the messages found,
        those on a walk from the anchors. Messages, and the passages of long ones in their place: nearest by vector,
        best by full text. With them come the turns around the messages found and the evidence of the facts found.
        """
        ...

    # Lookups, lists and history.

    def entities(self, scope: Scope, ids: Sequence[str]) -> tuple[Entity, ...]:
        """Return the entities with these ids, in the order of ``ids``; a merged entity is returned as it is."""
        ...

    def facts(self, scope: Scope, ids: Sequence[str]) -> tuple[Fact, ...]:
        """Return the facts with these ids, in the order of ``ids``."""
        ...

    def messages(self, scope: Scope, ids: Sequence[str]) -> tuple[Message, ...]:
        """Return the messages with these ids, in the order of ``ids``."""
        ...

    def metadata(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Return the metadata of those of the messages with these ids that have any, by id."""
        ...

    def ids_with_prefix(self, scope: Scope, prefix: str, limit: int) -> tuple[str, ...]:
        """Return up to ``limit`` ids of entities, facts, messages and decisions that start with ``prefix``, sorted."""
        ...

    def message_ids(self, scope: Scope, source_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of the messages by their ids in the source, for those of ``source_ids``."""
        ...

    def values(self, scope: Scope, field: ValueField) -> tuple[str, ...]:
        """Return the different values of a field in the scopes covered, sorted; of metadata without NO_METADATA."""
        ...

    def list_entities(self, scope: Scope, limit: int, offset: int = 0) -> tuple[tuple[Entity, int], ...]:
        """Return unmerged entities with the number of their current facts, most first, ties by name, then id."""
        ...

    def list_facts(self, scope: Scope, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[Fact, ...]:
        """Return facts in the order in which they were recorded, ties by the order within their transaction."""
        ...

    def list_messages(self, scope: Scope, limit: int, offset: int = 0) -> tuple[Message, ...]:
        """Return messages, by source, session and position."""
        ...

    def recent_messages(self, scope: Scope, source: str, session: str, limit: int) -> tuple[Message, ...]:
        """Return the last ``limit`` messages of a session of exactly this scope, oldest first."""
        ...

    def messages_around(
        self, scope: Scope, ids: Sequence[str], before: int, after: int
    ) -> Mapping[str, tuple[Message, ...]]:
        """Return the messages at most ``before`` places before and ``after`` places after each of these, by its id.

        They are of the same session of the same exact scope, and come in order of position, with the message itself.
        """
        ...

    def messages_said_at(self, scope: Scope, times: Sequence[datetime]) -> tuple[Message, ...]:
        """Return the messages of exactly this scope that were said at one of ``times``, by source, session, position.

        Reads all messages of the scope: ask for many times at once, and rarely.
        """
        ...

    def walk(self, scope: Scope, ids: Sequence[str], hops: int, budget: int, view: View = CURRENT) -> tuple[Fact, ...]:
        """Return up to ``budget`` facts within ``hops`` edges of the entities ``ids``, nearest first, then latest."""
        ...

    def successions(self, scope: Scope, fact_ids: Sequence[str]) -> tuple[Succession, ...]:
        """Return the successions in which one of these facts is the old or the new one, by time, then id."""
        ...

    def decisions(self, scope: Scope, ids: Sequence[str]) -> tuple[Decision, ...]:
        """Return the decisions about these facts or entities, in the order in which they were taken."""
        ...

    def log(
        self, scope: Scope, limit: int, offset: int = 0, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[Decision, ...]:
        """Return decisions, latest first, ties by the order taken, last first; ``until`` is exclusive."""
        ...

    def homes(self, scope: Scope | None, ids: Sequence[str]) -> Mapping[str, Scope]:
        """Return the exact scope of each of these entities, facts, messages and decisions, by id.

        Those in the scopes covered by ``scope``, or in the whole store.
        """
        ...

    def records(self, kind: type[R], scope: Scope | None = None, ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """Return the records of a type that are not done, oldest first; with ``ids`` only those.

        From the scopes covered by ``scope``, or from the whole store.
        """
        ...

    def stats(self, scope: Scope | None = None) -> Stats:
        """Return counts over the scopes covered by ``scope``, or over the whole store."""
        ...

    def snapshot(self, scope: Scope | None = None) -> AbstractContextManager[Snapshot]:
        """Return a context manager with everything in the scopes covered by ``scope``, or in the whole store.

        Each scope is consistent: it is read as of one moment. In a database without snapshots (Neo4j), different
        scopes may be of different moments, and writers of a scope wait while it is read; the reader must not write
        to it within the ``with`` block.
        """
        ...

    def backup(self, path: Path) -> None:
        """Write a complete, consistent copy of the store to the new file ``path``; writers need not wait.

        Raises StoreError if ``path`` exists or cannot be written, or if the store is not a file; no file is left then.
        """
        ...

    def load(self, changes: Iterator[Change], *, embedder: tuple[str, int] | None = None) -> None:
        """Commit the changes of a snapshot; records that are already in the store are left as they are.

        ``embedder`` is the name and dimensions of the embedder of the vectors. Raises EmbedderMismatchError if the
        store holds vectors of another one by then.
        """
        ...

    # Integrity.

    def verify(self) -> tuple[Problem, ...]:
        """Return what is wrong with the store's own tables, indexes and links; change nothing.

        ``mem0g.verify`` also checks the invariants that are the same for every store.
        """
        ...

    def repair(self) -> tuple[Problem, ...]:
        """Repair what ``verify`` finds, as far as possible; return what was repaired. Deletes no fact or message."""
        ...


def commit(store: Store, change: Change) -> None:
    """Write a change in a transaction of its own."""
    store.write(change.scope, lambda transaction: transaction.commit(change))
