"""Replacing every embedding of a Neo4j database by those of another embedder."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mem0g.errors import ChangeTooLargeError, LockedStoreError
from mem0g.store.neo4j.connection import Connection, Run
from mem0g.store.neo4j.rows import Row, floats
from mem0g.store.neo4j.schema import Server, prepare_vectors
from mem0g.store.protocol import Embed

EMBEDDED_AT_ONCE = 500
"""Nodes embedded in one transaction."""

UNFINISHED = ", not finished"
"""Appended to the name of an embedder while its reindex runs, and after a reindex that was interrupted."""


def reindex(connection: Connection, server: Server, name: str, dimensions: int, embed: Embed) -> int:
    """Replace every embedding by that of the embedder ``name``; return how many texts were embedded.

    Runs in several transactions. Between them the store has the name of an unfinished embedder, so that writers with
    any embedder are refused. Raises LockedStoreError when another reindex has started in the meantime; that one
    continues.
    """
    unfinished = f"{name}{UNFINISHED}"
    connection.write(lambda run: run("set_embedder", embedder=unfinished, dimensions=dimensions))
    prepare_vectors(connection, server, dimensions)
    count, done = 0, set[str]()
    while left := _finish(connection, name, dimensions, done):
        count += sum(_embed_scope(connection, scope, name, embed) for scope in left)
        done.update(left)
    return count


def _finish(connection: Connection, name: str, dimensions: int, done: Collection[str]) -> list[str]:
    """Return the scopes that are not in ``done``; if there are none, store the embedder's final name.

    A writer that began before the reindex may still add a scope: the store's lock waits for it.
    """

    def work(run: Run) -> list[str]:
        (store,) = run("lock_store")
        _refuse_other_reindex(connection, store["embedder"], name)
        scopes = run("scopes", user_id=None, agent_id=None, run_id=None)
        left = [row["scope"] for row in scopes if row["scope"] not in done]
        if not left:
            run("set_embedder", embedder=name, dimensions=dimensions)
        return left

    return connection.write(work)


def _embed_scope(connection: Connection, scope: str, name: str, embed: Embed) -> int:
    """Embed all texts of a scope in batches; return how many. The scope's lock waits for writers that began before."""
    count, last, limit = 0, 0, EMBEDDED_AT_ONCE

    def work(run: Run) -> list[Row]:
        locked = run("lock_scopes", scopes=[scope])
        if not locked:
            return []
        _refuse_other_reindex(connection, locked[0]["embedder"], name)
        texts = run("texts", scope=scope, after=last, limit=limit)
        if texts:
            run("embed", **_embedded(texts, embed))
        return texts

    while True:
        try:
            done = connection.write(work)
        except ChangeTooLargeError:
            if limit == 1:
                raise
            limit //= 2
            continue
        if not done:
            return count
        count, last = count + len(done), done[-1]["n"]


def _refuse_other_reindex(connection: Connection, held: str | None, name: str) -> None:
    if held not in (name, f"{name}{UNFINISHED}"):
        hint = f"it continues; when it is done, use its embedder, or reindex again with {name}"
        raise LockedStoreError(f"another reindex of {connection.address} has started: {held}", hint=hint)


def _embedded(texts: Sequence[Row], embed: Embed) -> dict[str, list[Row]]:
    """Return the parameters of ``embed.cypher``: the ids of the texts with their vectors, by kind."""
    rows: dict[str, list[Row]] = {"messages": [], "entities": [], "facts": []}
    kinds = {"m": "messages", "e": "entities", "f": "facts"}
    for row, vector in zip(texts, embed([row["text"] for row in texts]), strict=True):
        rows[kinds[row["id"][0]]].append({"id": row["id"], "embedding": floats(vector)})
    return rows
