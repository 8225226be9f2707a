"""Loading a snapshot into a Neo4j store, change by change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mem0g.errors import ChangeTooLargeError, EmbedderMismatchError
from mem0g.model import Scope, Succession
from mem0g.relations.tenant_types import unlisted
from mem0g.store.change import Change
from mem0g.store.neo4j.server.connection import Connection
from mem0g.store.neo4j.tenants import tenant_types
from mem0g.store.neo4j.transaction import Neo4jTransaction
from mem0g.store.queries import scope_text

Write = Callable[[Scope, Callable[[Neo4jTransaction], None]], None]
"""Neo4jStore.write."""


def load(connection: Connection, write: Write, changes: Iterator[Change], embedder: tuple[str, int] | None) -> None:
    """Write ``changes``, each in a transaction of its own, and the successions of their facts last.

    Raises EmbedderMismatchError where there are vectors and ``embedder`` is not the store's.
    """
    successions: dict[Scope, list[Succession]] = {}
    for change in changes:
        ids = [entity.id for entity in change.entities]
        known = {row["id"] for row in connection.rows("known_entities", ids=ids)} if ids else set()
        new = tuple(entity for entity in change.entities if entity.id not in known)
        successions.setdefault(change.scope, []).extend(change.successions)
        types = tenant_types(connection.rows, change.scope.tenant).types if change.relations else ()
        relations = unlisted(change.relations, types)
        _write(write, replace(change, entities=new, relations=relations, successions=()), connection, embedder)
    for scope, links in successions.items():  # a link needs both of its facts
        _write(write, Change(scope=scope, successions=tuple(links)), connection)
        connection.write_locked("link_merged", scope=scope_text(scope))


def _write(write: Write, change: Change, connection: Connection, embedder: tuple[str, int] | None = None) -> None:
    """Write a change in one transaction, or in halves where it is too large for the server's memory."""

    def work(transaction: Neo4jTransaction) -> None:
        begun = transaction.begin()
        held = (begun.embedder, begun.dimensions)
        if change.vectors and embedder is not None and held != embedder:
            raise EmbedderMismatchError.between(str(connection.address), held, embedder)
        transaction.commit(change, loaded=True)

    try:
        write(change.scope, work)
    except ChangeTooLargeError:
        halves = change.halves()
        if halves is None:
            raise
        for half in halves:
            _write(write, half, connection, embedder)
