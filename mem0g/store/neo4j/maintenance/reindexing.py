"""Replacing every embedding of a Neo4j database by those of another embedder, after cutting long messages anew."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count

from mem0g.errors import ChangeTooLargeError, LockedStoreError
from mem0g.model import Scope
from mem0g.store.neo4j.fulltext import tokens_of
from mem0g.store.neo4j.maintenance.schema import Server, prepare_vectors
from mem0g.store.neo4j.rows import Row, message_of, passage_of, passage_row, scope_of
from mem0g.store.neo4j.server.connection import Connection, Run
from mem0g.store.neo4j.server.queries import AsParameter
from mem0g.store.protocol import Embed
from mem0g.store.queries import scope_text
from mem0g.text.passages import LONGEST

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
        count += sum(_embed_scope(connection, row, name, embed) for row in left)
        done.update(row["scope"] for row in left)
    return count


def _finish(connection: Connection, name: str, dimensions: int, done: Collection[str]) -> list[Row]:
    """Return the scopes that are not in ``done``; if there are none, store the embedder's final name.

    A writer that began before the reindex may still add a scope: the store's lock waits for it.
    """

    def work(run: Run) -> list[Row]:
        (store,) = run("lock_store")
        _refuse_other_reindex(connection, store["embedder"], name)
        scopes = run("scopes", user_id=None, agent_id=None, run_id=None)
        left = [row for row in scopes if row["scope"] not in done]
        if not left:
            run("set_embedder", embedder=name, dimensions=dimensions)
        return left

    return connection.write(work)


def _embed_scope(connection: Connection, row: Row, name: str, embed: Embed) -> int:
    """Cut the messages of a scope, then embed all its texts, in batches; return how many.

    The scope's lock waits for writers that began before.
    """
    scope, of = row["scope"], scope_of(row)
    count, last, limit, cut = 0, 0, EMBEDDED_AT_ONCE, False

    def work(run: Run) -> tuple[int, int]:
        """Handle the texts after ``last``; return how many were embedded, and the number of the last one."""
        locked = run("lock_scopes", scopes=[scope])
        if not locked:
            return 0, 0
        _refuse_other_reindex(connection, locked[0]["embedder"], name)
        if not cut:
            return 0, _cut(run, of, last, limit)
        texts = run("texts", scope=scope, after=last, limit=limit)
        embedded = _embedded(texts, embed, connection.as_parameter)
        if texts:
            run("embed", **embedded)
        return sum(map(len, embedded.values())), texts[-1]["n"] if texts else 0

    while True:
        try:
            done, reached = connection.write(work)
        except ChangeTooLargeError:
            if limit == 1:
                raise
            limit //= 2
            continue
        if not reached and cut:
            return count
        cut = cut or not reached
        count, last = count + done, reached


def _cut(run: Run, of: Scope, after: int, limit: int) -> int:
    """Cut messages as this version does; return the number of the last one looked at, 0 if none was left."""
    scope = scope_text(of)
    rows = run("long_messages", scope=scope, after=after, limit=limit, size=LONGEST // 3)
    if not rows:
        return 0
    changed, places = [], count(1)
    for row in rows:
        message = message_of(row["message"])
        passages = message.passages()
        if [each.id for each in passages] == row["passages"]:
            continue
        parts = [passage_row(of, message, each, 0, None)["properties"] for each in passages]
        changed.append(
            {
                "id": message.id,
                "keys": "" if parts else tokens_of(of),
                "passages": [{"place": next(places), "properties": part} for part in parts],
            }
        )
    if changed:
        run("cut", scope=scope, messages=changed)
    return int(rows[-1]["n"])


def _refuse_other_reindex(connection: Connection, held: str | None, name: str) -> None:
    if held not in (name, f"{name}{UNFINISHED}"):
        hint = f"it continues; when it is done, use its embedder, or reindex again with {name}"
        raise LockedStoreError(f"another reindex of {connection.address} has started: {held}", hint=hint)


def _embedded(texts: Sequence[Row], embed: Embed, as_parameter: AsParameter) -> dict[str, list[Row]]:
    """Return the parameters of ``embed.cypher``: the ids of the texts with their vectors, by kind."""
    rows: dict[str, list[Row]] = {"messages": [], "passages": [], "entities": [], "facts": []}
    kinds = {"m": "messages", "p": "passages", "e": "entities", "f": "facts"}
    pairs = [pair for row in texts for pair in _texts(row)]
    for (key, _), vector in zip(pairs, embed([text for _, text in pairs]) if pairs else (), strict=True):
        rows[kinds[key[0]]].append({"id": key, "embedding": as_parameter(vector)})
    return rows


def _texts(row: Row) -> Iterator[tuple[str, str]]:
    """Yield the ids and texts that are embedded of a row of ``texts``: of a message in passages, theirs."""
    for part in row["passages"]:
        passage = passage_of({**part, "message_id": row["id"]})
        yield passage.id, passage.embedded_text(row["speaker"], row["text"])
    if not row["passages"]:
        yield row["id"], row["text"]
