"""The embedded store: one SQLite file (WAL, FTS5), vectors in blobs and exact search in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from mem0g.errors import EmbedderMismatchError
from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.names import fold
from mem0g.relations.definition import from_json
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
from mem0g.store.sqlite.dumping import dump
from mem0g.store.sqlite.opening import VERSION, connect, translated
from mem0g.store.sqlite.reading import Reader
from mem0g.store.sqlite.searching import Searcher
from mem0g.store.sqlite.writing import Writer

if TYPE_CHECKING:
    from mem0g.model import Vector

T = TypeVar("T")


class SqliteTransaction:
    """See mem0g.store.protocol.Transaction."""

    def __init__(self, reader: Reader, searcher: Searcher, writer: Writer, scope: Scope) -> None:
        row = writer.scope_row(scope)
        self._scopes = {row: scope}
        self._reader, self._searcher, self._writer = reader, searcher, writer

    def known(self, ids: Sequence[str]) -> frozenset[str]:
        """See Transaction."""
        return self._reader.known(ids)

    def match_entities(self, queries: Sequence[EntityQuery], nearest: int) -> list[tuple[Candidate, ...]]:
        """See Transaction."""
        return self._searcher.match_entities(self._scopes, queries, nearest)

    def related_facts(self, queries: Sequence[FactQuery], nearest: int) -> list[tuple[RelatedFact, ...]]:
        """See Transaction."""
        return self._searcher.related_facts(self._scopes, queries, nearest)

    def commit(self, change: Change) -> None:
        """See Transaction."""
        self._writer.write(change)


class SqliteStore:
    """See mem0g.store.protocol.Store. One connection, used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.address = str(path)
        self._path = path
        self._lock = RLock()
        self._connection = connect(path)
        self._connection.row_factory = sqlite3.Row
        self._reader = Reader(self._connection)
        self._searcher = Searcher(self._connection, self._reader)
        self._writer = Writer(self._connection)

    def info(self) -> StoreInfo:
        """See Store."""
        with self._using():
            meta = {row["key"]: row["value"] for row in self._reader.all("SELECT key, value FROM meta")}
            journal = self._reader.all("PRAGMA journal_mode")[0]["journal_mode"]
            engine = self._reader.all("SELECT sqlite_version() AS version")[0]["version"]
        details = {"sqlite": engine, "journal": journal, "bytes": str(self._path.stat().st_size)}
        dimensions = int(meta["dimensions"]) if "dimensions" in meta else None
        return StoreInfo(
            kind="sqlite",
            address=self.address,
            version=VERSION,
            embedder=meta.get("embedder"),
            dimensions=dimensions,
            details=details,
        )

    def prepare(self) -> tuple[str, ...]:
        """See Store; opening the file did it."""
        return ()

    def drop(self) -> None:
        """See Store: removes the file, which is mem0g's alone."""
        self.close()
        for path in (self._path, *(self._path.with_name(f"{self._path.name}{end}") for end in ("-wal", "-shm"))):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """See Store."""
        with self._lock:
            self._connection.close()

    def claim_embedder(self, name: str, dimensions: int) -> None:
        """See Store."""
        info = self.info()
        if info.embedder is None:
            with self._writing():
                self._set_embedder(name, dimensions)
        elif (info.embedder, info.dimensions) != (name, dimensions):
            raise EmbedderMismatchError(
                f"{self.address} was filled by the embedder {info.embedder} ({info.dimensions} dimensions), "
                f"not {name} ({dimensions})",
                hint=f"open it with {info.embedder}, or run `mem0g reindex` to embed it anew",
            )

    def replace_embedder(self, name: str, dimensions: int, vectors: Mapping[str, Vector]) -> None:
        """See Store."""
        with self._writing():
            for table in ("message", "entity", "fact"):
                self._connection.execute(f"DELETE FROM {table}_vector")  # noqa: S608
                self._writer.vectors(table, {each: vectors[each] for each in vectors if each[0] == table[0]})
            self._set_embedder(name, dimensions)
            self._writer.next_epoch()

    def _set_embedder(self, name: str, dimensions: int) -> None:
        rows = [("embedder", name), ("dimensions", str(dimensions))]
        self._connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", rows)

    def write(self, scope: Scope, work: Callable[[SqliteTransaction], T]) -> T:
        """See Store; one writer at a time for the whole file."""
        with self._writing():
            return work(SqliteTransaction(self._reader, self._searcher, self._writer, scope))

    def forget(self, scope: Scope) -> Stats:
        """See Store."""
        with self._writing():
            scopes = self._reader.scopes(scope)
            stats = self._reader.stats(scopes)
            self._writer.forget(scopes)
            self._writer.next_epoch()
        return stats

    def relation_types(self) -> tuple[RelationType, ...]:
        """See Store."""
        with self._using():
            rows = self._reader.all("SELECT definition FROM relation_type ORDER BY name")
        return tuple(from_json(row["definition"]) for row in rows)

    def save_relation_types(self, types: Sequence[RelationType]) -> None:
        """See Store."""
        with self._writing():
            self._writer.relation_types(types)

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        with self._using():
            scopes = self._reader.scopes(scope)
            found = self._reader.entities_by_row(scopes, self._reader.named(scopes, [fold(name) for name in names]))
        return tuple(sorted(found.values(), key=lambda entity: entity.id))

    def find(self, scope: Scope, probe: Probe) -> Found:
        """See Store."""
        with self._using():
            return self._searcher.find(scope, self._reader.scopes(scope), probe)

    def entities(self, scope: Scope, ids: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        with self._using():
            return self._reader.entities(self._reader.scopes(scope), ids)

    def facts(self, scope: Scope, ids: Sequence[str]) -> tuple[Fact, ...]:
        """See Store."""
        with self._using():
            return self._reader.facts(self._reader.scopes(scope), ids)

    def messages(self, scope: Scope, ids: Sequence[str]) -> tuple[Message, ...]:
        """See Store."""
        with self._using():
            return self._reader.messages(self._reader.scopes(scope), ids)

    def ids_with_prefix(self, scope: Scope, prefix: str, limit: int) -> tuple[str, ...]:
        """See Store."""
        with self._using():
            return self._reader.ids_with_prefix(self._reader.scopes(scope), prefix, limit)

    def message_ids(self, scope: Scope, source_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See Store."""
        with self._using():
            return self._reader.message_ids(self._reader.scopes(scope), source_ids)

    def list_entities(self, scope: Scope, limit: int, offset: int = 0) -> tuple[tuple[Entity, int], ...]:
        """See Store."""
        with self._using():
            return self._reader.list_entities(self._reader.scopes(scope), limit, offset)

    def list_facts(self, scope: Scope, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[Fact, ...]:
        """See Store."""
        with self._using():
            return self._reader.list_facts(self._reader.scopes(scope), wanted, limit, offset)

    def list_messages(self, scope: Scope, limit: int, offset: int = 0) -> tuple[Message, ...]:
        """See Store."""
        with self._using():
            return self._reader.list_messages(self._reader.scopes(scope), limit, offset)

    def recent_messages(self, scope: Scope, source: str, session: str, limit: int) -> tuple[Message, ...]:
        """See Store."""
        with self._using():
            row = self._reader.exact_scope(scope)
            return () if row is None else self._reader.recent_messages(row, source, session, limit)

    def walk(self, scope: Scope, ids: Sequence[str], hops: int, budget: int, view: View = CURRENT) -> tuple[Fact, ...]:
        """See Store."""
        with self._using():
            scopes = self._reader.scopes(scope)
            known = [entity.id for entity in self._reader.entities(scopes, ids)]
            paths = self._reader.walk(known, hops, budget, view)
            facts = self._reader.facts_by_row(scopes, paths)
        return tuple(facts[n] for n in paths)

    def successions(self, scope: Scope, fact_ids: Sequence[str]) -> tuple[Succession, ...]:
        """See Store."""
        with self._using():
            known = self._reader.facts(self._reader.scopes(scope), fact_ids)
            return self._reader.successions([fact.id for fact in known])

    def decisions(self, scope: Scope, ids: Sequence[str]) -> tuple[Decision, ...]:
        """See Store."""
        with self._using():
            return self._reader.decisions(self._reader.scopes(scope), ids)

    def notes(self, kind: str, scope: Scope | None = None, keys: Sequence[str] | None = None) -> tuple[Note, ...]:
        """See Store."""
        with self._using():
            return self._reader.notes(kind, self._reader.scopes(scope), keys)

    def stats(self, scope: Scope | None = None) -> Stats:
        """See Store."""
        with self._using():
            return self._reader.stats(self._reader.scopes(scope))

    def dump(self, scope: Scope | None = None) -> Iterator[Change]:
        """See Store."""
        with self._using():
            yield from dump(self._reader, self._reader.scopes(scope))

    def load(self, changes: Iterator[Change]) -> None:
        """See Store; all in one transaction."""
        with self._writing():
            for change in changes:
                known = self._reader.known_entities([entity.id for entity in change.entities])
                new = tuple(entity for entity in change.entities if entity.id not in known)
                self._writer.write(replace(change, entities=new, notes=()))
                self._writer.notes(change.notes, replace=False)

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Alone with the connection, its errors in our words."""
        with self._lock, translated(self._path):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """In one transaction that holds the file's write lock from its start."""
        with self._using():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                self._searcher.clear()
                raise
            self._connection.execute("COMMIT")
