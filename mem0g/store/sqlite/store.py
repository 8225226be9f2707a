"""The store in a SQLite file."""

from __future__ import annotations

import logging
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from mem0g.errors import EmbedderMismatchError, StoreError
from mem0g.model import Decision, Entity, Fact, Message, Receipt, Scope, Succession
from mem0g.private_files import readable_by_others
from mem0g.relations.relation_type import RelationType
from mem0g.relations.tenant_types import TenantTypes, joined_names, still_used, unlisted
from mem0g.settings import FileSettings
from mem0g.store.candidates import SearchCandidates
from mem0g.store.change import Change, Snapshot
from mem0g.store.forgetting import wider_scopes
from mem0g.store.protocol import Embed, Problem
from mem0g.store.queries import CURRENT, FactFilter, SearchQuery, Stats, StoreInfo, ValueField, View
from mem0g.store.records import R
from mem0g.store.sqlite import history
from mem0g.store.sqlite.connection import ATTEMPT_SECONDS, FileConnection
from mem0g.store.sqlite.maintenance.backup import back_up
from mem0g.store.sqlite.maintenance.dumping import dump
from mem0g.store.sqlite.maintenance.forgetting import Forgetting, sweep
from mem0g.store.sqlite.maintenance.integrity import faults, mend
from mem0g.store.sqlite.maintenance.upgrading import VERSION
from mem0g.store.sqlite.matching import Matcher
from mem0g.store.sqlite.opening import BUSY_SECONDS, connect_reading, translated
from mem0g.store.sqlite.reading import Reader
from mem0g.store.sqlite.searching import Searcher
from mem0g.store.sqlite.selecting import SELECTED, metadata, selection_parameters, values
from mem0g.store.sqlite.transaction import SqliteTransaction
from mem0g.store.sqlite.writing import Writer
from mem0g.text.names import fold
from mem0g.times import now

T = TypeVar("T")

_log = logging.getLogger(__name__)


class SqliteStore:
    """See mem0g.store.protocol.Store. One connection, used by one thread at a time."""

    def __init__(self, path: Path, settings: FileSettings = FileSettings()) -> None:  # noqa: B008 - frozen
        self.address = str(path)
        self._path, self._settings = path.absolute(), settings  # the current folder may change
        self._closed = False
        self._file = FileConnection(self._path, settings)
        self._connection = self._file.connection
        self._reader = Reader(self._connection)
        self._searcher = Searcher(self._connection, self._reader)
        self._matcher = Matcher(self._reader, self._searcher.columns, self._searcher.kept)
        self._writer = Writer(self._connection)
        self._forgetting = Forgetting(self._connection)
        try:
            self._sweep(ATTEMPT_SECONDS)
        except BaseException:
            self._connection.close()
            raise

    def info(self) -> StoreInfo:
        """See Store."""
        with self._file.using():
            embedder, dimensions = self._reader.embedder() or (None, None)
            journal = self._reader.all("PRAGMA journal_mode")[0]["journal_mode"]
            engine = self._reader.all("SELECT sqlite_version() AS version")[0]["version"]
        details = {
            "sqlite": engine,
            "journal": journal,
            "synchronous": self._settings.synchronous,
            "bytes": str(self._path.stat().st_size),
        }
        if readable_by_others(self._path):
            details["readable by others"] = f"yes, `chmod 600 {self._path}` changes it"
        return StoreInfo(
            kind="sqlite",
            address=self.address,
            version=VERSION,
            embedder=embedder,
            dimensions=dimensions,
            details=details,
        )

    def prepare(self) -> tuple[str, ...]:
        """See Store; opening the file has created everything already."""
        return ()

    def drop(self) -> None:
        """See Store; deletes the file, which holds nothing but this store."""
        self._file.delete()
        self._closed = True

    def close(self) -> None:
        """See Store; a fork leaves the file to the process that opened it."""
        if self._file.process.is_forked:
            return
        with self._file.lock:
            if self._closed:
                return
            self._closed = True
            try:
                if self._file.is_current:
                    self._sweep(ATTEMPT_SECONDS)
            except StoreError as error:  # such as a damaged file, which any read reports
                _log.warning("%s: traces of what was forgotten may be left: %s", self.address, error)
            finally:
                self._connection.close()

    def claim_embedder(self, name: str, dimensions: int) -> None:
        """See Store."""
        with self._file.using():
            claimed = self._reader.embedder()
        if claimed is None:
            with self._writing():
                claimed = self._reader.embedder()  # another process may have claimed it meanwhile
                if claimed is None:
                    self._writer.set_embedder(name, dimensions)
                    return
        if claimed != (name, dimensions):
            raise EmbedderMismatchError.between(self.address, claimed, (name, dimensions))

    def replace_embedder(self, name: str, dimensions: int, embed: Embed) -> int:
        """See Store; all in one transaction, during which other writers wait."""
        with self._writing():
            count = self._writer.embed_all(embed)
            self._writer.set_embedder(name, dimensions)
            self._writer.next_epoch()
        return count

    def write(self, scope: Scope, work: Callable[[SqliteTransaction], T]) -> T:
        """See Store; one writer at a time for the whole file."""
        transaction = SqliteTransaction(self._reader, self._matcher, self._writer, self._searcher.kept, scope)
        with self._writing():
            done = work(transaction)
            if transaction.erased:
                self._forget_relation_types(scope.tenant)
        if transaction.erased:
            self._searcher.clear()
            self._swept()
        return done

    def forget(self, scope: Scope) -> Receipt:
        """See Store; afterwards the file is rewritten, which takes about 10 seconds per gigabyte."""
        with self._writing():
            scopes = self._reader.scopes(scope)
            wider = wider_scopes(scopes.values())
            counts = self._forgetting.forget(scopes)
            for tenant in {each.tenant for each in (*scopes.values(), *wider)}:
                self._forget_relation_types(tenant)
            self._writer.next_epoch()
            self._searcher.clear()
        return Receipt(id=f"r_{secrets.token_hex(8)}", at=now(), complete=self._swept(), **counts)

    def _swept(self) -> bool:
        """Overwrite what was just deleted; return whether that is complete, and log a warning if it is not."""
        complete = self._sweep()
        if not complete:
            _log.warning(
                "%s: traces of what was forgotten are left while another process reads the file, or the disk is full; "
                "they go when the store is opened or closed next",
                self.address,
            )
        return complete

    def _sweep(self, seconds: float = BUSY_SECONDS) -> bool:
        """Overwrite deleted data; return False if other readers or a full disk prevent it."""
        with self._file.using():
            return sweep(self._connection, seconds)

    def _forget_relation_types(self, tenant: Scope) -> None:
        """Delete the relation types that none of the tenant's remaining facts use."""
        left = self._reader.tenant_scopes(tenant)
        stored = self._reader.vocabulary(tenant).types
        kept = still_used(stored, history.relation_names(self._reader, left)) if left else ()
        if kept != stored:
            self._writer.keep_relation_types(tenant, kept)

    def scopes(self, scope: Scope | None = None) -> tuple[Scope, ...]:
        """See Store."""
        with self._file.using():
            return tuple(self._reader.scopes(scope).values())

    def vocabulary(self, tenant: Scope) -> TenantTypes:
        """See Store."""
        with self._file.reading():
            return self._reader.vocabulary(tenant)

    def save_relation_types(self, tenant: Scope, types: Sequence[RelationType]) -> None:
        """See Store."""
        with self._writing():
            if self._writer.join_relations(tenant, self._reader.tenant_scopes(tenant), joined_names(types)):
                self._searcher.clear()
            self._writer.relation_types(tenant, types)

    def relation_counts(self, tenant: Scope) -> Mapping[str, int]:
        """See Store."""
        with self._file.reading():
            return history.relation_counts(self._reader, self._reader.tenant_scopes(tenant))

    def reading(self) -> AbstractContextManager[None]:
        """See Store; asking a file whether it has changed costs next to nothing."""
        return nullcontext()

    def match_names(self, scope: Scope, names: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        with self._file.using():
            scopes = self._reader.scopes(scope)
            named = self._reader.named(scopes, [fold(name) for name in names])
            found = self._reader.entities_by_row(scopes, {row for rows in named.values() for row in rows})
        return tuple(sorted(found.values(), key=lambda entity: entity.id))

    def find(self, scope: Scope, query: SearchQuery) -> SearchCandidates:
        """See Store."""
        with self._file.reading():
            query.check_embedder(self.address, *(self._reader.embedder() or (None, None)))
            return self._searcher.find(self._reader.scopes(scope), query)

    def entities(self, scope: Scope, ids: Sequence[str]) -> tuple[Entity, ...]:
        """See Store."""
        with self._file.using():
            return self._reader.entities(self._reader.scopes(scope), ids)

    def facts(self, scope: Scope, ids: Sequence[str]) -> tuple[Fact, ...]:
        """See Store."""
        with self._file.using():
            return self._reader.facts(self._reader.scopes(scope), ids)

    def messages(self, scope: Scope, ids: Sequence[str]) -> tuple[Message, ...]:
        """See Store."""
        with self._file.using():
            return self._reader.messages(self._reader.scopes(scope), ids)

    def metadata(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """See Store."""
        with self._file.using():
            return metadata(self._reader, self._reader.scopes(scope), ids)

    def ids_with_prefix(self, scope: Scope, prefix: str, limit: int) -> tuple[str, ...]:
        """See Store."""
        with self._file.using():
            return self._reader.ids_with_prefix(self._reader.scopes(scope), prefix, limit)

    def message_ids(self, scope: Scope, source_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See Store."""
        with self._file.using():
            return self._reader.message_ids(self._reader.scopes(scope), source_ids)

    def values(self, scope: Scope, field: ValueField) -> tuple[str, ...]:
        """See Store."""
        with self._file.using():
            return values(self._reader, self._reader.scopes(scope), field)

    def list_entities(self, scope: Scope, limit: int, offset: int = 0) -> tuple[tuple[Entity, int], ...]:
        """See Store."""
        with self._file.using():
            return self._reader.list_entities(self._reader.scopes(scope), limit, offset)

    def list_facts(self, scope: Scope, wanted: FactFilter, limit: int, offset: int = 0) -> tuple[Fact, ...]:
        """See Store."""
        with self._file.using():
            scopes, selection = self._reader.scopes(scope), wanted.selection
            if selection is None:
                return self._reader.list_facts(scopes, wanted, limit, offset)
            given = selection_parameters(selection)
            return self._reader.list_facts(scopes, wanted, limit, offset, selected=SELECTED, given=given)

    def list_messages(self, scope: Scope, limit: int, offset: int = 0) -> tuple[Message, ...]:
        """See Store."""
        with self._file.using():
            return self._reader.list_messages(self._reader.scopes(scope), limit, offset)

    def recent_messages(self, scope: Scope, source: str, session: str, limit: int) -> tuple[Message, ...]:
        """See Store."""
        with self._file.using():
            row = self._reader.exact_scope(scope)
            return () if row is None else self._reader.recent_messages(row, source, session, limit)

    def messages_around(
        self, scope: Scope, ids: Sequence[str], before: int, after: int
    ) -> Mapping[str, tuple[Message, ...]]:
        """See Store."""
        with self._file.using():
            return self._reader.messages_around(self._reader.scopes(scope), ids, before, after)

    def messages_said_at(self, scope: Scope, times: Sequence[datetime]) -> tuple[Message, ...]:
        """See Store."""
        with self._file.using():
            row = self._reader.exact_scope(scope)
            return () if row is None else self._reader.messages_said_at(row, times)

    def walk(self, scope: Scope, ids: Sequence[str], hops: int, budget: int, view: View = CURRENT) -> tuple[Fact, ...]:
        """See Store."""
        with self._file.reading():
            scopes = self._reader.scopes(scope)
            known = [each.id for each in self._reader.entities(scopes, ids) if not each.is_literal]
            return self._searcher.walk(scopes, known, hops, budget, view)

    def successions(self, scope: Scope, fact_ids: Sequence[str]) -> tuple[Succession, ...]:
        """See Store."""
        with self._file.using():
            known = self._reader.facts(self._reader.scopes(scope), fact_ids)
            return history.successions(self._reader, [fact.id for fact in known])

    def decisions(self, scope: Scope, ids: Sequence[str]) -> tuple[Decision, ...]:
        """See Store."""
        with self._file.using():
            return history.decisions(self._reader, self._reader.scopes(scope), ids)

    def log(
        self, scope: Scope, limit: int, offset: int = 0, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[Decision, ...]:
        """See Store."""
        with self._file.using():
            return history.log(self._reader, self._reader.scopes(scope), limit, offset, since, until)

    def homes(self, scope: Scope | None, ids: Sequence[str]) -> Mapping[str, Scope]:
        """See Store."""
        with self._file.using():
            return self._reader.homes(scope, ids)

    def records(self, kind: type[R], scope: Scope | None = None, ids: Sequence[str] | None = None) -> tuple[R, ...]:
        """See Store."""
        with self._file.using():
            return history.records(self._reader, kind, self._reader.scopes(scope), ids)

    def stats(self, scope: Scope | None = None) -> Stats:
        """See Store."""
        with self._file.using():
            return history.stats(self._reader, self._reader.scopes(scope))

    @contextmanager
    def snapshot(self, scope: Scope | None = None) -> Iterator[Snapshot]:
        """See Store; reads in one transaction on a separate connection, so that this store remains usable."""
        with self._reading_separately() as connection:
            connection.execute("BEGIN")
            reader = Reader(connection)
            embedder, dimensions = reader.embedder() or (None, None)  # the first read fixes the snapshot
            yield Snapshot(
                embedder=embedder,
                dimensions=dimensions,
                changes=self._changes(reader, scope),
            )

    def _changes(self, reader: Reader, scope: Scope | None) -> Iterator[Change]:
        with translated(self._path):  # else the store that loads the changes would translate the errors
            yield from dump(reader, reader.scopes(scope))

    def backup(self, path: Path) -> None:
        """See Store; SQLite's online backup, in one read transaction."""
        with self._reading_separately() as connection:
            back_up(connection, path)

    @contextmanager
    def _reading_separately(self) -> Iterator[sqlite3.Connection]:
        """Open a further connection that reads. Raises StoreError if the file was deleted or replaced."""
        self._file.check()
        with translated(self._path), closing(connect_reading(self._path)) as connection:
            yield connection

    def load(self, changes: Iterator[Change], *, embedder: tuple[str, int] | None = None) -> None:
        """See Store; all in one transaction."""
        with self._writing():
            claimed = self._reader.embedder()
            if embedder is not None and claimed != embedder:
                raise EmbedderMismatchError.between(self.address, claimed or (None, None), embedder)
            for change in changes:
                known = self._reader.known_entities([entity.id for entity in change.entities])
                new = tuple(entity for entity in change.entities if entity.id not in known)
                types = self._reader.vocabulary(change.scope.tenant).types if change.relations else ()
                relations = unlisted(change.relations, types)
                self._writer.write(replace(change, entities=new, relations=relations), loaded=True)

    def verify(self) -> tuple[Problem, ...]:
        """See Store."""
        dimensions = self.info().dimensions
        with self._file.using():
            return tuple(fault.problem for fault in faults(self._reader, dimensions))

    def repair(self) -> tuple[Problem, ...]:
        """See Store; in one transaction."""
        dimensions = self.info().dimensions
        with self._writing():
            mended = mend(self._reader, list(faults(self._reader, dimensions)))
            self._writer.next_epoch()
        return mended

    def _writing(self) -> AbstractContextManager[None]:
        """Begin a transaction that writes; what is held in memory for searches is dropped with it if it fails."""
        return self._file.writing(undone=self._searcher.clear)
