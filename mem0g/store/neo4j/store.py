"""The store in a Neo4j database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from mem0g.errors import EmbedderMismatchError, StoreError
from mem0g.metadata import metadata_of
from mem0g.model import Decision, Entity, Fact, Message, Receipt, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import TenantTypes
from mem0g.settings import Credentials
from mem0g.store.candidates import SearchCandidates
from mem0g.store.change import Change, Snapshot
from mem0g.store.neo4j.fact_rows import decision_of, fact_of, succession_of
from mem0g.store.neo4j.fulltext import covered, parts
from mem0g.store.neo4j.holding import Found, Holder
from mem0g.store.neo4j.kept import KeptScopes
from mem0g.store.neo4j.maintenance.dumping import SnapshotReader
from mem0g.store.neo4j.maintenance.forgetting import forget, forget_scope
from mem0g.store.neo4j.maintenance.integrity import mend, problems
from mem0g.store.neo4j.maintenance.loading import load
from mem0g.store.neo4j.maintenance.reindexing import reindex
from mem0g.store.neo4j.maintenance.schema import (
    LAYOUT,
    check_kept,
    drop,
    filters,
    index_states,
    look,
    prepare,
    prepare_vectors,
    vectors_are_ready,
)
from mem0g.store.neo4j.records import LABELS, record_of, stats_of
from mem0g.store.neo4j.rows import (
    Row,
    entity_of,
    message_of,
    scope_keys,
    scope_of,
    selection_row,
    session_id,
    view_row,
)
from mem0g.store.neo4j.searching import find, walk
from mem0g.store.neo4j.server.address import Address, read_address
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.neo4j.tenants import save_relation_types, scope_rows, tenant_scopes, tenant_types
from mem0g.store.neo4j.transaction import Neo4jTransaction
from mem0g.store.protocol import Embed, Problem
from mem0g.store.queries import CURRENT, FactFilter, SearchQuery, Stats, StoreInfo, ValueField, View, scope_text
from mem0g.store.records import R
from mem0g.text.names import fold

T = TypeVar("T")


class Neo4jStore:
    """A store in a Neo4j database; see mem0g.store.protocol.Store. In a cluster, reads see one's own writes."""

    def __init__(self, address: str, credentials: Credentials = Credentials(), *, prepare: bool = True) -> None:  # noqa: B008 - frozen
        """Connect to ``neo4j://…`` or ``bolt://…``; create or upgrade the schema if ``prepare`` is set.

        Raises a StoreError if the database cannot be used.
        """
        read: Address = read_address(address, credentials)
        self.address = str(read)
        self._connection = Connection(read)
        self._kept, self._holder = KeptScopes(), Holder(self._connection.as_parameter, self._connection.read)
        self._creating = Lock()  # else each thread that waits for the schema's lock would keep a connection
        try:
            self._look()
            self._made = self._server.made  # looking again may find another store, made after this one was dropped
            if prepare and (self._server.layout or 0) < LAYOUT:
                self.prepare()
        except BaseException:
            self._connection.close()
            raise

    def prepare(self) -> tuple[str, ...]:
        """See Store."""
        made = prepare(self._connection, self._server)
        self._look()
        self._made = self._server.made
        return tuple(made)

    def drop(self) -> None:
        """See Store."""
        for scope in self._scopes(None):
            forget_scope(self._connection, scope)
        drop(self._connection)
        self._connection.write(lambda run: run("forget_store"))  # last: until then the database is marked as mem0g's
        self._discard()
        self._look()
        self._made = None

    def run(self, name: str, /, **given: Any) -> list[Row]:
        """Return the rows of the reading query ``cypher/NAME.cypher``."""
        return self._connection.rows(name, **given)

    def info(self) -> StoreInfo:
        """See Store."""
        self._look()
        server, (database,) = self._server, self.run("database")
        states = index_states(self._connection, server)
        filtering = self._filters or (server.filters and server.dimensions is None)  # created with the first vector
        return StoreInfo(
            kind="neo4j",
            address=self.address,
            version=server.layout or 0,
            outdated=server.layout is not None and server.layout < LAYOUT,
            embedder=server.embedder,
            dimensions=server.dimensions,
            details={
                "neo4j": server.version_text,
                "edition": server.edition,
                "database": database["name"],
                "vector filters": "in the index" if filtering else "after it",
                "indexes": ", ".join(f"{count} {state}" for state, count in Counter(states.values()).items()) or "none",
            },
            problems=tuple(f"{name} is {state}" for name, state in states.items() if state in ("missing", "failed")),
        )

    def close(self) -> None:
        """See Store."""
        self._kept.discard()
        self._holder.close()
        self._connection.close()

    def claim_embedder(self, name: str, dimensions: int) -> None:
        """See Store."""
        if self._server.embedder is None:
            claimed = {"embedder": name, "dimensions": dimensions}
            self._connection.read(self._check_kept)
            self._connection.write(lambda run: run("claim_embedder", **claimed))
            self._look()
        server = self._server
        if (server.embedder, server.dimensions) != (name, dimensions):
            held = (server.embedder, server.dimensions)
            raise EmbedderMismatchError.between(self.address, held, (name, dimensions))
        with self._creating:
            if not vectors_are_ready(self._connection, server, dimensions):
                prepare_vectors(self._connection, server, dimensions)
        self._filters = server.filters

    def replace_embedder(self, name: str, dimensions: int, embed: Embed) -> int:
        """See Store; in several transactions, between which writers are refused.

        Raises LockedStoreError when another reindex has started in the meantime; that one continues, over all scopes.
        """
        self._connection.read(self._check_kept)
        count = reindex(self._connection, self._server, name, dimensions, embed)
        self._look()
        return count

    def write(self, scope: Scope, work: Callable[[Neo4jTransaction], T]) -> T:
        """See Store; writers of other scopes do not wait."""
        as_parameter = self._connection.as_parameter
        if self._holder.is_due(scope):
            self._connection.read(lambda run: self._holder.hold(run, scope))

        def attempt(run: Run) -> tuple[T, Neo4jTransaction]:
            given: Any = {"filters": self._filters, "as_parameter": as_parameter}
            given |= {"address": self.address, "made": self._made}
            transaction = Neo4jTransaction(run, scope, self._holder, **given)
            return work(transaction), transaction

        # Where nothing is committed, nothing stays: neither a new scope's node nor another version of one.
        written, transaction = self._connection.write(attempt, lambda made: made[1].committed)
        if transaction.committed:
            self._kept.discard(scope_text(scope))
        if transaction.unrecorded:
            self._holder.discard(scope_text(scope))
        return written

    def forget(self, scope: Scope) -> Receipt:
        """See Store; in batches, so that a large scope needs no large transaction. After a failure, call it again."""
        self._connection.read(self._check_kept)
        try:
            return forget(self._connection, scope)
        finally:
            self._discard()

    def scopes(self, scope: Scope | None = None) -> tuple[Scope, ...]:
        """See Store."""
        return tuple(map(scope_of, self._scopes(scope)))

    def vocabulary(self, tenant: Scope) -> TenantTypes:
        """See Store."""
        return tenant_types(self.run, tenant)

    def save_relation_types(self, tenant: Scope, types: Sequence[RelationType]) -> None:
        """See Store."""
        if types:
            self._connection.write(lambda run: self._save_relation_types(run, tenant, types))
            self._discard()

    def _save_relation_types(self, run: Run, tenant: Scope, types: Sequence[RelationType]) -> None:
        self._check_kept(run)
        save_relation_types(run, tenant, types)

    def relation_counts(self, tenant: Scope) -> Mapping[str, int]:
        """See Store."""
        rows = self.run("relation_counts", scopes=tenant_scopes(self.run, tenant))
        return {row["relation"]: row["facts"] for row in rows}

    def reading(self) -> AbstractContextManager[None]:
        """See Store."""
        return self._holder.reading()

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        folded = [fold(name) for name in names]
        held = self._connection.read(lambda run: self._holder.match_names(run, scope, folded)) if folded else ()
        if held is not None:
            return held
        queries = [query for part in parts(folded) if (query := covered(scope, "names", part))]
        rows = self.run("names", queries=queries, names=folded) if queries else []
        return tuple(entity_of(row["entity"]) for row in rows)

    def find(self, scope: Scope, query: SearchQuery) -> SearchCandidates:
        """See Store."""
        try:
            found = self._connection.read(lambda run: self._find(run, scope, query))
        except StoreError:  # the server refuses vectors of another size with an error of its own
            self._look()
            query.check_embedder(self.address, self._server.embedder, self._server.dimensions)
            raise
        query.check_embedder(self.address, *found.embedder)
        return found.candidates

    def _find(self, run: Run, scope: Scope, query: SearchQuery) -> Found:
        """Search in memory, else by the server."""
        found = self._holder.find(run, scope, query)
        how: Any = {"filters": self._filters, "as_parameter": self._connection.as_parameter}
        return found or find(run, scope, query, self._kept, **how)

    def entities(self, scope: Scope, ids: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        rows = self.run("entities", ids=list(ids), **scope_keys(scope)) if ids else []
        found = {row["entity"]["id"]: entity_of(row["entity"]) for row in rows}
        return tuple(found[each] for each in dict.fromkeys(ids) if each in found)

    def facts(self, scope: Scope, ids: Sequence[str]) -> tuple[Fact, ...]:
        """See Store."""
        rows = self.run("facts", ids=list(ids), **scope_keys(scope)) if ids else []
        found = {row["fact"]["id"]: fact_of(row["fact"]) for row in rows}
        return tuple(found[each] for each in dict.fromkeys(ids) if each in found)

    def messages(self, scope: Scope, ids: Sequence[str]) -> tuple[Message, ...]:
        """See Store."""
        rows = self.run("messages", ids=list(ids), **scope_keys(scope)) if ids else []
        found = {row["message"]["id"]: message_of(row["message"]) for row in rows}
        return tuple(found[each] for each in dict.fromkeys(ids) if each in found)

    def metadata(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """See Store."""
        rows = self.run("metadata", ids=list(ids), **scope_keys(scope)) if ids else []
        return {row["id"]: metadata_of(row["metadata"]) for row in rows}

    def ids_with_prefix(self, scope: Scope, prefix: str, limit: int) -> tuple[str, ...]:
        """See Store."""
        return tuple(row["id"] for row in self.run("ids_with_prefix", prefix=prefix, limit=limit, **scope_keys(scope)))

    def message_ids(self, scope: Scope, source_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See Store."""
        found: dict[str, tuple[str, ...]] = {}
        within = self._within(scope) if source_ids else []
        for row in self.run("message_ids", scopes=within, source_ids=list(source_ids)) if within else ():
            found[row["source_id"]] = (*found.get(row["source_id"], ()), row["id"])
        return found

    def values(self, scope: Scope, field: ValueField) -> tuple[str, ...]:
        """See Store."""
        return tuple(sorted({row["value"] for row in self.run("values", scopes=self._within(scope), field=field)}))

    def list_entities(self, scope: Scope, limit: int, offset: int = 0) -> tuple[tuple[Entity, int], ...]:
        """See Store."""
        rows = self.run("list_entities", scopes=self._within(scope), limit=limit, offset=offset)
        return tuple((entity_of(row["entity"]), row["facts"]) for row in rows)

    def list_facts(self, scope: Scope, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[Fact, ...]:
        """See Store."""
        given = {
            "scopes": self._within(scope),
            "relations": list(wanted.relations),
            "entities": list(wanted.entity_ids),
            "limit": limit,
            "offset": offset,
            **view_row(wanted.view),
        }
        selection = wanted.selection
        if selection is None:
            rows = self.run("list_facts", **given)
        else:
            rows = self.run("list_selected_facts", **given, **selection_row(selection))
        return tuple(fact_of(row["fact"]) for row in rows)

    def list_messages(self, scope: Scope, limit: int, offset: int = 0) -> tuple[Message, ...]:
        """See Store."""
        rows = self.run("list_messages", scopes=self._within(scope), limit=limit, offset=offset)
        return tuple(message_of(row["message"]) for row in rows)

    def recent_messages(self, scope: Scope, source: str, session: str, limit: int) -> tuple[Message, ...]:
        """See Store."""
        rows = self.run("recent_messages", session_id=session_id(scope, source, session), limit=limit)
        return tuple(message_of(row["message"]) for row in reversed(rows))

    def messages_around(
        self, scope: Scope, ids: Sequence[str], before: int, after: int
    ) -> Mapping[str, tuple[Message, ...]]:
        """See Store."""
        given = {"ids": list(ids), "before": before, "after": after}
        rows = self.run("messages_around", **given, **scope_keys(scope)) if ids else []
        return {row["around"]: tuple(map(message_of, row["messages"])) for row in rows}

    def messages_said_at(self, scope: Scope, times: Sequence[datetime]) -> tuple[Message, ...]:
        """See Store."""
        rows = self.run("messages_said_at", scope=scope_text(scope), times=list(times))
        return tuple(message_of(row["message"]) for row in rows)

    def walk(self, scope: Scope, ids: Sequence[str], hops: int, budget: int, view: View = CURRENT) -> tuple[Fact, ...]:
        """See Store; one round trip per hop."""
        return walk(self.run, scope, ids, hops, budget, view)

    def successions(self, scope: Scope, fact_ids: Sequence[str]) -> tuple[Succession, ...]:
        """See Store."""
        return tuple(succession_of(row) for row in self.run("successions", ids=list(fact_ids), **scope_keys(scope)))

    def decisions(self, scope: Scope, ids: Sequence[str]) -> tuple[Decision, ...]:
        """See Store."""
        rows = self.run("decisions", ids=list(ids), **scope_keys(scope))
        return tuple(decision_of(row["decision"]) for row in rows)

    def log(
        self, scope: Scope, limit: int, offset: int = 0, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[Decision, ...]:
        """See Store."""
        given = {"scopes": self._within(scope), "since": since, "until": until, "limit": limit, "offset": offset}
        return tuple(decision_of(row["decision"]) for row in self.run("log", **given))

    def homes(self, scope: Scope | None, ids: Sequence[str]) -> Mapping[str, Scope]:
        """See Store."""
        return {row["id"]: scope_of(row) for row in self.run("homes", ids=list(ids), **scope_keys(scope))}

    def records(self, kind: type[R], scope: Scope | None = None, ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """See Store."""
        scopes = {row["scope"]: scope_of(row) for row in self._scopes(scope)}
        given = {"label": LABELS[kind], "ids": None if ids is None else list(ids)}
        rows = self.run("records", scopes=list(scopes), **given)
        return tuple(record_of(kind, row["record"], scopes[row["record"]["scope"]]) for row in rows)

    def stats(self, scope: Scope | None = None) -> Stats:
        """See Store."""
        scopes = self._scopes(scope)
        (row,) = self.run("stats", scopes=[each["scope"] for each in scopes])
        return stats_of(row, map(scope_of, scopes))

    @contextmanager
    def snapshot(self, scope: Scope | None = None) -> Iterator[Snapshot]:
        """See Store; each scope is read under its lock."""
        self._look()
        rows, embedder = self._scopes(scope), self._server.embedder
        yield Snapshot(
            embedder=embedder,
            dimensions=self._server.dimensions,
            changes=SnapshotReader(self._connection, embedder).changes(rows),
        )

    def backup(self, path: Path) -> None:
        """See Store."""
        del path
        hint = (
            "`mem0g export` writes a memory to a file, each scope as of one moment; `neo4j-admin database "
            "backup` (Enterprise) or `neo4j-admin database dump` (of a stopped database) copies the whole database"
        )
        raise StoreError(f"{self.address} is a database of a server, and cannot be copied as a file", hint=hint)

    def load(self, changes: Iterator[Change], *, embedder: tuple[str, int] | None = None) -> None:
        """See Store; one transaction per change, which is halved if the server has too little memory for it."""
        load(self._connection, self.write, changes, embedder)

    def verify(self) -> tuple[Problem, ...]:
        """See Store."""
        self._look()
        return tuple(problems(self._connection, index_states(self._connection, self._server)))

    def repair(self) -> tuple[Problem, ...]:
        """See Store; in several transactions. Missing indexes are created."""
        before = self.verify()
        if any(problem.kind == "index" for problem in before):
            self.prepare()
        mend(self._connection)
        self._discard()
        left = set(self.verify())
        return tuple(problem for problem in before if problem not in left)

    def _discard(self) -> None:
        """Drop all that is held in memory."""
        self._kept.discard()
        self._holder.discard()

    def _check_kept(self, run: Run) -> None:
        """Raise StoreError if the store was dropped since it was opened."""
        (row,) = run("server")
        check_kept(row["made"], self._made, self.address)

    def _look(self) -> None:
        self._server = look(self._connection)
        self._filters = self._server.filters and filters(self._connection)

    def _scopes(self, scope: Scope | None) -> list[Row]:
        return scope_rows(self._connection, scope)

    def _within(self, scope: Scope) -> list[str]:
        return [row["scope"] for row in self._scopes(scope)]
