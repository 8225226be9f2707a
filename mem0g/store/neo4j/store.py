"""The store in a Neo4j database."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import neo4j

from mem0g.errors import (
    ChangeTooLargeError,
    EmbedderMismatchError,
    LockedStoreError,
    ReadOnlyStoreError,
    StoreAccessError,
    StoreError,
)
from mem0g.model import Decision, Entity, Fact, Message, Receipt, Scope, Succession
from mem0g.relations.relation_type import RelationType, from_json
from mem0g.relations.tenant_types import TenantTypes, in_use, still_used, unlisted
from mem0g.settings import Credentials
from mem0g.store.change import Change, Snapshot
from mem0g.store.forgetting import wider_scopes
from mem0g.store.keys import scope_text
from mem0g.store.neo4j.address import Address, read_address
from mem0g.store.neo4j.connection import Connection, Run
from mem0g.store.neo4j.dumping import dump
from mem0g.store.neo4j.forgetting import forget_citing
from mem0g.store.neo4j.fulltext import covered, parts
from mem0g.store.neo4j.integrity import mend, problems
from mem0g.store.neo4j.records import LABELS, record_of
from mem0g.store.neo4j.rows import (
    Row,
    decision_of,
    entity_of,
    fact_of,
    floats,
    message_of,
    new_version,
    relation_rows,
    scope_keys,
    scope_of,
    session_id,
    succession_of,
    time_of,
    view_row,
)
from mem0g.store.neo4j.schema import (
    LAYOUT,
    drop,
    filters,
    index_states,
    look,
    prepare,
    prepare_vectors,
    vectors_are_ready,
)
from mem0g.store.neo4j.searching import find
from mem0g.store.neo4j.transaction import Neo4jTransaction
from mem0g.store.problem import Problem
from mem0g.store.protocol import Embed
from mem0g.store.queries import CURRENT, FactFilter, SearchCandidates, SearchQuery, Stats, StoreInfo, View
from mem0g.store.records import FIELDS, R
from mem0g.text.names import fold, normal_relation
from mem0g.times import now

T = TypeVar("T")

FORGOTTEN_AT_ONCE = 1000
EMBEDDED_AT_ONCE = 500
"""Nodes in one transaction of a removal, and of an embedding anew."""

UNFINISHED = ", not finished"
"""Behind the name of an embedder whose reindex is under way, or was interrupted."""


class Neo4jStore:
    """See mem0g.store.protocol.Store. Threads may share one; a cluster is read after one's own writes."""

    def __init__(self, address: str, credentials: Credentials = Credentials(), *, prepare: bool = True) -> None:  # noqa: B008 - frozen
        """Connect to ``neo4j://…`` or ``bolt://…``; where mem0g was never, make what it needs, if ``prepare`` is set.

        Raises the StoreError that says why the database cannot be used.
        """
        read: Address = read_address(address, credentials)
        self.address = str(read)
        self._connection = Connection(read)
        try:
            self._look()
            if prepare and (self._server.layout or 0) < LAYOUT:
                self.prepare()
        except BaseException:
            self._connection.close()
            raise

    def prepare(self) -> tuple[str, ...]:
        """See Store."""
        made = prepare(self._connection, self._server)
        self._look()
        return tuple(made)

    def drop(self) -> None:
        """See Store."""
        for scope in self._scopes(None):
            self._forget(scope)
        drop(self._connection)
        self._connection.write(lambda run: run("forget_store"))  # last: until then it can be seen that mem0g is here
        self._look()

    def run(self, name: str, /, **given: Any) -> list[Row]:
        """The rows of the reading query ``cypher/NAME.cypher``; nothing is written."""
        return self._connection.read(lambda run: run(name, **given))

    def info(self) -> StoreInfo:
        """See Store."""
        self._look()
        server, (database,) = self._server, self.run("database")
        states = index_states(self._connection, server)
        filtering = self._filters or (server.filters and server.dimensions is None)  # made with the first vector
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
        self._connection.close()

    def claim_embedder(self, name: str, dimensions: int) -> None:
        """See Store."""
        if self._server.embedder is None:
            claimed = {"embedder": name, "dimensions": dimensions}
            self._connection.write(lambda run: run("claim_embedder", **claimed))
            self._look()
        server = self._server
        if (server.embedder, server.dimensions) != (name, dimensions):
            held = (server.embedder, server.dimensions)
            raise EmbedderMismatchError.between(self.address, held, (name, dimensions))
        if not vectors_are_ready(self._connection, server, dimensions):
            prepare_vectors(self._connection, server, dimensions)
        self._filters = server.filters

    def replace_embedder(self, name: str, dimensions: int, embed: Embed) -> int:
        """See Store; in several transactions, between which no embedder is the right one and writers are refused.

        Raises LockedStoreError when another reindex has begun meanwhile: that one goes on, over all scopes.
        """
        unfinished = f"{name}{UNFINISHED}"
        self._connection.write(lambda run: run("set_embedder", embedder=unfinished, dimensions=dimensions))
        prepare_vectors(self._connection, self._server, dimensions)
        count, done = 0, set[str]()
        while left := self._finish_embedding(name, dimensions, done):
            count += sum(self._embed_scope(scope, name, embed) for scope in left)
            done.update(left)
        self._look()
        return count

    def _finish_embedding(self, name: str, dimensions: int, done: Collection[str]) -> list[str]:
        """The scopes that are not ``done``; where there are none the embedder is named as that of the store.

        A writer that began before the reindex may have made another scope: it is waited for.
        """

        def work(run: Run) -> list[str]:
            (store,) = run("lock_store")
            self._refuse_other_reindex(store["embedder"], name)
            scopes = run("scopes", user_id=None, agent_id=None, run_id=None)
            left = [row["scope"] for row in scopes if row["scope"] not in done]
            if not left:
                run("set_embedder", embedder=name, dimensions=dimensions)
            return left

        return self._connection.write(work)

    def _refuse_other_reindex(self, held: str | None, name: str) -> None:
        if held not in (name, f"{name}{UNFINISHED}"):
            hint = f"that one goes on; when it is done, use its embedder, or reindex again with {name}"
            raise LockedStoreError(f"another reindex of {self.address} has begun meanwhile: {held}", hint=hint)

    def write(self, scope: Scope, work: Callable[[Neo4jTransaction], T]) -> T:
        """See Store; writers of other scopes are not kept waiting."""

        def attempt(run: Run) -> T:
            transaction = Neo4jTransaction(run, scope, filters=self._filters)
            done = work(transaction)
            transaction.end()
            return done

        return self._connection.write(attempt)

    def forget(self, scope: Scope) -> Receipt:
        """See Store; in parts, so that a large scope needs no large transaction: after a failure, forget it again."""
        rows = self._scopes(scope)
        counts = self._forget_elsewhere(rows)
        (held,) = self.run("forgettable", scopes=[each["scope"] for each in rows])
        for each in rows:
            self._forget(each)
        for tenant in {scope_of(row).tenant for row in (*rows, *self._wider(rows))}:
            self._forget_relation_types(tenant)
        counts.update(held)
        return Receipt(id=f"r_{secrets.token_hex(8)}", at=now(), complete=True, **counts)

    def _forget_relation_types(self, tenant: Scope) -> None:
        """Remove the names that nothing the tenant still has uses."""
        name = scope_text(tenant)

        def work(run: Run) -> None:
            run("lock_tenant", tenant=name)
            left = self._of_tenant(tenant)
            stored = map(from_json, run("relations", tenant=name)[0]["definitions"]) if left else ()
            used = run("relation_names", scopes=left)
            kept = relation_rows(still_used(stored, (name for row in used for name in names_of(row))))
            run("keep_relations", tenant=name, relations=kept, vocabulary=new_version())

        self._connection.write(work)

    def scopes(self, scope: Scope | None = None) -> tuple[Scope, ...]:
        """See Store."""
        return tuple(map(scope_of, self._scopes(scope)))

    def vocabulary(self, tenant: Scope) -> TenantTypes:
        """See Store."""
        (row,) = self.run("relations", tenant=scope_text(tenant))
        return TenantTypes(row["vocabulary"], tuple(map(from_json, row["definitions"])))

    def save_relation_types(self, tenant: Scope, types: Sequence[RelationType]) -> None:
        """See Store."""
        given = {"tenant": scope_text(tenant), "relations": relation_rows(types), "vocabulary": new_version()}
        if types:
            self._connection.write(lambda run: run("save_relations", **given))

    def relation_counts(self, tenant: Scope) -> Mapping[str, int]:
        """See Store."""
        rows = self.run("relation_counts", scopes=self._of_tenant(tenant))
        return {row["relation"]: row["facts"] for row in rows}

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        folded = [fold(name) for name in names]
        queries = [query for part in parts(folded) if (query := covered(scope, "names", part))]
        rows = self.run("names", queries=queries, names=folded) if queries else []
        return tuple(entity_of(row["entity"]) for row in rows)

    def find(self, scope: Scope, query: SearchQuery) -> SearchCandidates:
        """See Store."""
        try:
            found, held = self._connection.read(lambda run: find(run, scope, query, filters=self._filters))
        except StoreError:  # vectors of another size are refused by the server, in words of its own
            self._look()
            self._refuse_other((self._server.embedder, self._server.dimensions), query)
            raise
        self._refuse_other(held, query)
        return found

    def _refuse_other(self, held: tuple[str | None, int | None], query: SearchQuery) -> None:
        """Raise EmbedderMismatchError where the vectors of the query are not of the embedder that filled the store."""
        if query.embedder is not None and held[0] is not None:
            given = (query.embedder, len(query.vectors[0]))
            if held != given:
                raise EmbedderMismatchError.between(self.address, held, given)

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

    def ids_with_prefix(self, scope: Scope, prefix: str, limit: int) -> tuple[str, ...]:
        """See Store."""
        return tuple(row["id"] for row in self.run("ids_with_prefix", prefix=prefix, limit=limit, **scope_keys(scope)))

    def message_ids(self, scope: Scope, source_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See Store."""
        found: dict[str, tuple[str, ...]] = {}
        if not source_ids:
            return found
        for row in self.run("message_ids", scopes=self._within(scope), source_ids=list(source_ids)):
            found[row["source_id"]] = (*found.get(row["source_id"], ()), row["id"])
        return found

    def list_entities(self, scope: Scope, limit: int, offset: int = 0) -> tuple[tuple[Entity, int], ...]:
        """See Store."""
        rows = self.run("list_entities", scopes=self._within(scope), limit=limit, offset=offset)
        return tuple((entity_of(row["entity"]), row["facts"]) for row in rows)

    def list_facts(self, scope: Scope, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[Fact, ...]:
        """See Store."""
        rows = self.run(
            "list_facts",
            scopes=self._within(scope),
            relations=list(wanted.relations),
            entities=list(wanted.entity_ids),
            limit=limit,
            offset=offset,
            **view_row(wanted.view),
        )
        return tuple(fact_of(row["fact"]) for row in rows)

    def list_messages(self, scope: Scope, limit: int, offset: int = 0) -> tuple[Message, ...]:
        """See Store."""
        rows = self.run("list_messages", scopes=self._within(scope), limit=limit, offset=offset)
        return tuple(message_of(row["message"]) for row in rows)

    def recent_messages(self, scope: Scope, source: str, session: str, limit: int) -> tuple[Message, ...]:
        """See Store."""
        rows = self.run("recent_messages", session_id=session_id(scope, source, session), limit=limit)
        return tuple(message_of(row["message"]) for row in reversed(rows))

    def walk(self, scope: Scope, ids: Sequence[str], hops: int, budget: int, view: View = CURRENT) -> tuple[Fact, ...]:
        """See Store; a round trip each hop."""
        found: dict[str, Fact] = {}
        reached, frontier = set(ids), list(dict.fromkeys(ids))
        for _ in range(hops):
            if not frontier or len(found) >= budget:
                break
            asked = {"ids": frontier, "limit": budget + len(found), **scope_keys(scope), **view_row(view)}
            facts = [fact_of(row["fact"]) for row in self.run("hop", **asked)]
            new = [fact for fact in facts if fact.id not in found][: budget - len(found)]
            found |= {fact.id: fact for fact in new}
            ends = dict.fromkeys(end for fact in new for end in (fact.subject_id, fact.object_id))
            frontier = [end for end in ends if end not in reached]
            reached.update(frontier)
        return tuple(found.values())

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

    def homes(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Scope]:
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
        return Stats(
            scopes=tuple(scope_of(each) for each in scopes),
            **{name: row[name] for name in ("messages", "sessions", "entities", "facts", "retired")},
            decisions=dict(row["decisions"]),
            relations=dict(row["relations"]),
            **{FIELDS[kind]: dict(row["records"]).get(label, 0) for kind, label in LABELS.items()},
            first_message=time_of(row["first"]),
            last_message=time_of(row["last"]),
        )

    @contextmanager
    def snapshot(self, scope: Scope | None = None) -> Iterator[Snapshot]:
        """See Store; scope by scope under its lock, as Neo4j's transactions read what others commit meanwhile."""
        self._look()
        rows, embedder = self._scopes(scope), self._server.embedder
        yield Snapshot(
            embedder=embedder,
            dimensions=self._server.dimensions,
            changes=chain(self._dumped_relations(rows), self._changes(rows, embedder)),
        )

    def _changes(self, scopes: Sequence[Row], embedder: str | None) -> Iterator[Change]:
        for row in scopes:
            try:
                yield from self._under_lock(row, embedder)
            except (ReadOnlyStoreError, StoreAccessError):  # of the lock: nothing was given yet
                yield from self._without_lock(row, embedder)

    def _under_lock(self, row: Row, embedder: str | None) -> Iterator[Change]:
        with self._connection.hold() as run:
            for locked in run("lock_scopes", scopes=[row["scope"]]):  # none: it was forgotten meanwhile
                if locked["embedder"] != embedder:
                    raise self._changed("was embedded anew")
                yield from dump(run, row["scope"], scope_of(row))

    def _without_lock(self, row: Row, embedder: str | None) -> Iterator[Change]:
        """Where this user, or anybody, may only read: refused at the end if somebody wrote meanwhile."""
        with self._connection.hold(neo4j.READ_ACCESS) as run:
            before = run("scopes_written", scopes=[row["scope"]])
            if any(each["embedder"] != embedder for each in before):
                raise self._changed("was embedded anew")
            if before:
                yield from dump(run, row["scope"], scope_of(row))
            if run("scopes_written", scopes=[row["scope"]]) != before:
                raise self._changed("was written to")

    def _changed(self, how: str) -> LockedStoreError:
        hint = "try again, and not beside `mem0g reindex`"
        return LockedStoreError(f"{self.address} {how} while it was read", hint=hint)

    def backup(self, path: Path) -> None:
        """See Store."""
        del path
        hint = (
            "`mem0g export` writes a memory to a file, of which each scope is of one moment; `neo4j-admin database "
            "backup` (Enterprise) or `neo4j-admin database dump` (of a stopped database) copies the whole database"
        )
        raise StoreError(f"{self.address} is a database of a server, and cannot be copied as a file", hint=hint)

    def _dumped_relations(self, rows: Sequence[Row]) -> Iterator[Change]:
        """The relation types of each tenant; of a tenant of whom a part is dumped, those that this part uses."""
        tenants: dict[Scope, list[Row]] = {}
        for row in rows:
            tenants.setdefault(scope_of(row).tenant, []).append(row)
        for tenant, parts_of in tenants.items():
            types, scopes = self.vocabulary(tenant).types, [row["scope"] for row in parts_of]
            if set(self._of_tenant(tenant)) != set(scopes):
                used = self.run("relation_names", scopes=scopes)
                types = in_use(types, (name for row in used for name in names_of(row)))
            if types:
                yield Change(scope=scope_of(parts_of[0]), relations=types)

    def load(self, changes: Iterator[Change], *, embedder: tuple[str, int] | None = None) -> None:
        """See Store; a transaction each change, halved where the server has too little memory for it."""
        successions: dict[Scope, list[Succession]] = {}
        for change in changes:
            ids = [entity.id for entity in change.entities]
            known = {row["id"] for row in self.run("known_entities", ids=ids)} if ids else set()
            new = tuple(entity for entity in change.entities if entity.id not in known)
            successions.setdefault(change.scope, []).extend(change.successions)
            types = self.vocabulary(change.scope.tenant).types if change.relations else ()
            relations = unlisted(change.relations, types)
            self._load(replace(change, entities=new, relations=relations, successions=()), embedder)
        for scope, links in successions.items():  # a link needs both of its facts
            self._load(Change(scope=scope, successions=tuple(links)))
            self._locked("link_merged", scope=scope_text(scope))

    def _locked(self, name: str, /, *, scope: str, **given: Any) -> list[Row]:
        """Run a query that writes to a scope, under the scope's lock."""

        def work(run: Run) -> list[Row]:
            run("lock_scopes", scopes=[scope])
            return run(name, scope=scope, **given)

        return self._connection.write(work)

    def verify(self) -> tuple[Problem, ...]:
        """See Store."""
        self._look()
        return tuple(problems(self._connection, index_states(self._connection, self._server)))

    def repair(self) -> tuple[Problem, ...]:
        """See Store; in several transactions, and what is missing of indexes is made."""
        before = self.verify()
        if any(problem.kind == "index" for problem in before):
            self.prepare()
        mend(self._connection)
        left = set(self.verify())
        return tuple(problem for problem in before if problem not in left)

    def _load(self, change: Change, embedder: tuple[str, int] | None = None) -> None:
        def work(transaction: Neo4jTransaction) -> None:
            begun = transaction.begin()
            held = (begun.embedder, begun.dimensions)
            if change.vectors and embedder is not None and held != embedder:
                raise EmbedderMismatchError.between(self.address, held, embedder)
            transaction.commit(change, loaded=True)

        try:
            self.write(change.scope, work)
        except ChangeTooLargeError:
            halves = change.halves()
            if halves is None:
                raise
            for half in halves:
                self._load(half, embedder)

    def _look(self) -> None:
        self._server = look(self._connection)
        self._filters = self._server.filters and filters(self._connection)

    def _scopes(self, scope: Scope | None) -> list[Row]:
        return self.run("scopes", **scope_keys(scope))

    def _of_tenant(self, tenant: Scope) -> list[str]:
        return [row["scope"] for row in self._scopes(tenant) if scope_of(row).tenant == tenant]

    def _within(self, scope: Scope) -> list[str]:
        return [row["scope"] for row in self._scopes(scope)]

    def _embed_scope(self, scope: str, name: str, embed: Embed) -> int:
        """Embed all texts of a scope, in parts; return how many. Its lock waits for writers that began before."""
        count, last, limit = 0, 0, EMBEDDED_AT_ONCE

        def work(run: Run) -> list[Row]:
            locked = run("lock_scopes", scopes=[scope])
            if not locked:
                return []
            self._refuse_other_reindex(locked[0]["embedder"], name)
            texts = run("texts", scope=scope, after=last, limit=limit)
            if texts:
                run("embed", **_embedded(texts, embed))
            return texts

        while True:
            try:
                done = self._connection.write(work)
            except ChangeTooLargeError:
                if limit == 1:
                    raise
                limit //= 2
                continue
            if not done:
                return count
            count, last = count + len(done), done[-1]["n"]

    def _forget_elsewhere(self, forgotten: Sequence[Row]) -> Counter[str]:
        """Remove what stands on messages of these scopes alone from those that cover them, scope by scope."""
        known = [row["scope"] for row in forgotten]
        counts: Counter[str] = Counter()
        for row in self._wider(forgotten):
            counts += self._connection.write(lambda run, row=row: forget_citing(run, row, known))  # type: ignore[misc]
        return counts

    def _wider(self, rows: Sequence[Row]) -> list[Row]:
        """The scopes there are, beside these, whose reads cover one of them."""
        wider = {scope_text(each) for each in wider_scopes(map(scope_of, rows))}
        return [row for row in self._scopes(None) if row["scope"] in wider] if wider else []

    def _forget(self, scope: Row) -> None:
        within = {"scope": scope["scope"]}
        while self._forget_some(FORGOTTEN_AT_ONCE, within):
            pass
        self._locked("forget_scope", **within)

    def _forget_some(self, limit: int, within: Row) -> int:
        """At most ``limit`` nodes; fewer where the server has too little memory for so many."""
        try:
            removed: int = self._locked("forget", limit=limit, **within)[0]["removed"]
        except ChangeTooLargeError:
            if limit == 1:
                raise
            return self._forget_some(limit // 2, within)
        return removed


def names_of(row: Row) -> tuple[str, str]:
    """The relation names of a row of ``relation_names``: the canonical one, and the one given, normalised."""
    return row["relation"], normal_relation(row["given"])


def _embedded(texts: Sequence[Row], embed: Embed) -> dict[str, list[Row]]:
    """The parameters of ``embed``: texts with their vectors, by kind."""
    rows: dict[str, list[Row]] = {"messages": [], "entities": [], "facts": []}
    kinds = {"m": "messages", "e": "entities", "f": "facts"}
    for row, vector in zip(texts, embed([row["text"] for row in texts]), strict=True):
        rows[kinds[row["id"][0]]].append({"id": row["id"], "embedding": floats(vector)})
    return rows
