"""The store in a Neo4j database: docs/graph.md tells how it lies there, ``cypher/`` holds its queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from mem0g.errors import ChangeTooLargeError, EmbedderMismatchError
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.names import fold
from mem0g.relations.definition import from_json, to_json
from mem0g.relations.registry import RelationType
from mem0g.settings import Login
from mem0g.store.change import Change
from mem0g.store.keys import scope_text
from mem0g.store.neo4j.address import Address, read_address
from mem0g.store.neo4j.connection import Connection
from mem0g.store.neo4j.dumping import dump
from mem0g.store.neo4j.fulltext import covered, parts
from mem0g.store.neo4j.rows import (
    Row,
    decision_of,
    entity_of,
    fact_of,
    floats,
    message_of,
    note_of,
    note_row,
    scope_keys,
    scope_of,
    scope_row,
    session_id,
    succession_of,
    time_of,
    view_row,
)
from mem0g.store.neo4j.schema import drop, filters, index_states, look, prepare, prepare_vectors, vectors_are_ready
from mem0g.store.neo4j.searching import find
from mem0g.store.neo4j.transaction import Neo4jTransaction
from mem0g.store.note import Note
from mem0g.store.queries import CURRENT, FactFilter, Found, Probe, Stats, StoreInfo, View

if TYPE_CHECKING:
    from mem0g.model import Vector

T = TypeVar("T")

FORGOTTEN_AT_ONCE = 1000
EMBEDDED_AT_ONCE = 500
"""Nodes in one transaction of a removal, and of an embedding anew."""


class Neo4jStore:
    """See mem0g.store.protocol.Store. Threads may share one; a cluster is read after one's own writes."""

    def __init__(self, address: str, login: Login = Login(), *, prepare: bool = True) -> None:  # noqa: B008 - frozen
        """Connect to ``neo4j://…`` or ``bolt://…``; where mem0g was never, make what it needs, if ``prepare`` is set.

        Raises the StoreError that says why the database cannot be used.
        """
        read: Address = read_address(address, login)
        self.address = str(read)
        self._connection = Connection(read)
        try:
            self._look()
            if prepare and self._server.layout is None:
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
            raise EmbedderMismatchError(
                f"{self.address} was filled by the embedder {server.embedder} ({server.dimensions} dimensions), "
                f"not {name} ({dimensions})",
                hint=f"open it with {server.embedder}, or run `mem0g reindex` to embed it anew",
            )
        if not vectors_are_ready(self._connection, server, dimensions):
            prepare_vectors(self._connection, server, dimensions)
        self._filters = server.filters

    def replace_embedder(self, name: str, dimensions: int, vectors: Mapping[str, Vector]) -> None:
        """See Store; in several transactions, between which no embedder is the right one."""
        unfinished = f"{name}, not finished"
        self._connection.write(lambda run: run("set_embedder", embedder=unfinished, dimensions=dimensions))
        prepare_vectors(self._connection, self._server, dimensions)
        waiting = iter(vectors.items())
        while batch := list(islice(waiting, EMBEDDED_AT_ONCE)):
            self._embed(batch)
        self._connection.write(lambda run: run("set_embedder", embedder=name, dimensions=dimensions))
        self._look()

    def write(self, scope: Scope, work: Callable[[Neo4jTransaction], T]) -> T:
        """See Store; writers of other scopes are not kept waiting."""
        return self._connection.write(lambda run: work(Neo4jTransaction(run, scope, filters=self._filters)))

    def forget(self, scope: Scope) -> Stats:
        """See Store; in parts, so that a large scope needs no large transaction: after a failure, forget it again."""
        stats = self.stats(scope)
        for each in self._scopes(scope):
            self._forget(each)
        return stats

    def relation_types(self) -> tuple[RelationType, ...]:
        """See Store."""
        return tuple(from_json(row["definition"]) for row in self.run("relations"))

    def save_relation_types(self, types: Sequence[RelationType]) -> None:
        """See Store."""
        rows = [{"name": each.name, "definition": to_json(each)} for each in types]
        self._connection.write(lambda run: run("save_relations", relations=rows))

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        folded = [fold(name) for name in names]
        queries = [query for part in parts(folded) if (query := covered(scope, "names", part))]
        rows = self.run("names", queries=queries, names=folded) if queries else []
        return tuple(entity_of(row["entity"]) for row in rows)

    def find(self, scope: Scope, probe: Probe) -> Found:
        """See Store."""
        return self._connection.read(lambda run: find(run, scope, probe, filters=self._filters))

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
            relation=wanted.relation,
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

    def notes(self, kind: str, scope: Scope | None = None, keys: Sequence[str] | None = None) -> tuple[Note, ...]:
        """See Store."""
        scopes = {row["scope"]: scope_of(row) for row in self._scopes(scope)}
        rows = self.run("notes", kind=kind, scopes=list(scopes), keys=None if keys is None else list(keys))
        return tuple(note_of(row["note"], scopes[row["note"]["scope"]]) for row in rows)

    def stats(self, scope: Scope | None = None) -> Stats:
        """See Store."""
        scopes = self._scopes(scope)
        (row,) = self.run("stats", scopes=[each["scope"] for each in scopes])
        return Stats(
            scopes=tuple(scope_of(each) for each in scopes),
            **{name: row[name] for name in ("messages", "sessions", "entities", "facts", "retired")},
            decisions=dict(row["decisions"]),
            relations=dict(row["relations"]),
            notes=dict(row["notes"]),
            first_message=time_of(row["first"]),
            last_message=time_of(row["last"]),
        )

    def dump(self, scope: Scope | None = None) -> Iterator[Change]:
        """See Store."""
        for row in self._scopes(scope):
            yield from dump(self._connection, row["scope"], scope_of(row))

    def load(self, changes: Iterator[Change]) -> None:
        """See Store; a transaction each change, halved where the server has too little memory for it."""
        successions: dict[Scope, list[Succession]] = {}
        for change in changes:
            ids = [entity.id for entity in change.entities]
            known = {row["id"] for row in self.run("known_entities", ids=ids)} if ids else set()
            new = tuple(entity for entity in change.entities if entity.id not in known)
            successions.setdefault(change.scope, []).extend(change.successions)
            self._load(replace(change, entities=new, successions=(), notes=()))
            self._add_notes(change)
        for scope, links in successions.items():  # a link needs both of its facts
            self._load(Change(scope=scope, successions=tuple(links)))
            self._connection.write(lambda run, scope=scope: run("link_merged", scope=scope_text(scope)))  # type: ignore[misc]

    def _add_notes(self, change: Change) -> None:
        """Add the notes whose kind and key are new."""
        if change.notes:
            rows = [note_row(note, place) for place, note in enumerate(change.notes, start=1)]
            self._connection.write(lambda run: run("add_notes", notes=rows, **scope_row(change.scope)))

    def _load(self, change: Change) -> None:
        try:
            self.write(change.scope, lambda transaction: transaction.commit(change))
        except ChangeTooLargeError:
            halves = change.halves()
            if halves is None:
                raise
            for half in halves:
                self._load(half)

    def _look(self) -> None:
        self._server = look(self._connection)
        self._filters = self._server.filters and filters(self._connection)

    def _scopes(self, scope: Scope | None) -> list[Row]:
        return self.run("scopes", **scope_keys(scope))

    def _within(self, scope: Scope) -> list[str]:
        return [row["scope"] for row in self._scopes(scope)]

    def _embed(self, batch: Sequence[tuple[str, Vector]]) -> None:
        """In one transaction; in two where the server has too little memory for one."""
        rows: dict[str, list[Row]] = {"messages": [], "entities": [], "facts": []}
        for each, vector in batch:
            rows[{"m": "messages", "e": "entities", "f": "facts"}[each[0]]].append(
                {"id": each, "embedding": floats(vector)}
            )
        try:
            self._connection.write(lambda run: run("embed", **rows))
        except ChangeTooLargeError:
            if len(batch) < 2:
                raise
            middle = len(batch) // 2
            self._embed(batch[:middle])
            self._embed(batch[middle:])

    def _forget(self, scope: Row) -> None:
        within = {"scope": scope["scope"]}
        while self._forget_some(FORGOTTEN_AT_ONCE, within):
            pass
        self._connection.write(lambda run: run("forget_scope", **within))

    def _forget_some(self, limit: int, within: Row) -> int:
        """At most ``limit`` nodes; fewer where the server has too little memory for so many."""
        try:
            removed: int = self._connection.write(lambda run: run("forget", limit=limit, **within))[0]["removed"]
        except ChangeTooLargeError:
            if limit == 1:
                raise
            return self._forget_some(limit // 2, within)
        return removed
