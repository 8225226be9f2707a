"""Forgetting in the SQLite store: deleting the rows, then every trace of them in the file and its log.

Deleting rows is not enough: pages keep old bytes between their cells, and the write-ahead log keeps old pages. So
afterwards the file is rewritten and the log truncated. A note in the file says that this is still to be done: if this
process dies or another one is reading, the next process that opens or closes the file does it.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from time import monotonic, sleep
from uuid import uuid4

from mem0g.model import LITERAL, Scope
from mem0g.store.forgetting import ERASED, SUCCESSOR_FORGOTTEN, names_left, unlinked, wider_scopes
from mem0g.store.sqlite.opening import BUSY_SECONDS, is_busy, wait_for
from mem0g.store.sqlite.passages import delete as delete_passages
from mem0g.store.sqlite.reading import listed
from mem0g.store.sqlite.records import NAMES
from mem0g.store.sqlite.rows import Row, decision_of, scope_parts
from mem0g.text.names import fold, name_tokens

SWEEP_SECONDS = 5.0
"""How long a sweep waits for other readers and writers of the file."""

_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""Errors that keep a sweep from rewriting the file or from writing the temporary file it needs."""

SELECTED = "(SELECT value FROM json_each(?))"

DISABLE_UNDO = """
  UPDATE decision SET before = ? WHERE json_extract(before, '$.entities') IS NOT NULL
    AND n IN (SELECT decision FROM decision_about WHERE id = ?)
"""
"""Removes an entity's former names from the decisions whose undoing would restore them."""


def leave_to_sweep(connection: sqlite3.Connection) -> None:
    """Note that the file still has traces of deleted rows, for ``sweep`` to remove after the transaction.

    Each note is unique, so that a sweep does not delete a note that was made while it ran.
    """
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('unswept', ?)", (uuid4().hex,))


class Forgetting:
    """Deletes scopes, within the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def forget(self, scopes: Mapping[int, Scope]) -> Counter[str]:
        """Delete what these scopes hold, and what has only their messages as evidence in others; return the counts."""
        numbers = listed(scopes)
        counts = self._elsewhere(scopes, numbers)
        for table in ("fact", "decision", "entity", "message"):
            rows = self._all(f"SELECT * FROM {table} WHERE scope IN {SELECTED}", numbers)  # noqa: S608
            counts += self._delete(table, rows)
        for table in NAMES:
            sql = f"SELECT count(*) FROM {table} WHERE NOT done AND scope IN {SELECTED}"  # noqa: S608
            counts["notes"] += self._all(sql, numbers)[0][0]
            self._run(f"DELETE FROM {table} WHERE scope IN {SELECTED}", numbers)  # noqa: S608
        self._run(f"DELETE FROM scope WHERE n IN {SELECTED}", numbers)  # noqa: S608
        leave_to_sweep(self._connection)
        return counts

    def _elsewhere(self, scopes: Mapping[int, Scope], numbers: str) -> Counter[str]:
        """Delete facts and decisions of other scopes that have only these scopes' messages as evidence.

        Those with other evidence lose only the link.
        """
        messages = {row["id"] for row in self._all(f"SELECT id FROM message WHERE scope IN {SELECTED}", numbers)}  # noqa: S608
        facts = self._citing_facts(messages, numbers)
        decisions = self._citing_decisions(messages, scopes)
        if not facts and not decisions:
            return Counter()
        self._run(
            f"DELETE FROM evidence WHERE fact IN {SELECTED} AND message IN {SELECTED}",  # noqa: S608
            listed(row["n"] for row in facts),
            listed(messages),
        )
        alone = f"SELECT * FROM fact WHERE n IN {SELECTED} AND n NOT IN (SELECT fact FROM evidence)"  # noqa: S608
        gone = self._all(alone, listed(row["n"] for row in facts))
        lost = self._unlinked(decisions, messages, {row["id"] for row in gone})
        ends = {row[end] for row in facts for end in ("subject", "object")}
        ends |= {each for row in lost if row["operation"] == "MERGE" for each in json.loads(row["targets"])}
        counts = self._delete("fact", gone) + self._delete("decision", lost)
        self._rename(ends, [json.loads(row["triple"]) for row in lost])
        return counts + self._delete_unused(ends)

    def _citing_facts(self, messages: Iterable[str], scopes: str) -> list[Row]:
        sql = f"""
          SELECT DISTINCT fact.* FROM evidence JOIN fact ON fact.n = evidence.fact
          WHERE message IN {SELECTED} AND fact.scope NOT IN {SELECTED}
        """  # noqa: S608
        return self._all(sql, listed(messages), scopes)

    def _citing_decisions(self, messages: Iterable[str], scopes: Mapping[int, Scope]) -> list[Row]:
        """Return decisions of wider scopes that cite these messages, by a scan: evidence is not indexed."""
        wider = json.dumps([scope_parts(scope) for scope in wider_scopes(scopes.values())])
        sql = f"""
          SELECT decision.* FROM json_each(?) AS wider
          JOIN scope ON user_id = json_extract(wider.value, '$[0]')
            AND agent_id = json_extract(wider.value, '$[1]') AND run_id = json_extract(wider.value, '$[2]')
          JOIN decision ON decision.scope = scope.n
          WHERE EXISTS (SELECT 1 FROM json_each(decision.evidence) AS each WHERE each.value IN {SELECTED})
        """  # noqa: S608
        return self._all(sql, wider, listed(messages))

    def _unlinked(self, citing: Iterable[Row], messages: set[str], facts: set[str]) -> list[Row]:
        """Remove the messages and facts from decisions with other evidence; return the decisions to delete."""
        about = f"SELECT decision FROM decision_about WHERE id IN {SELECTED}"  # noqa: S608
        rows = {row["n"]: row for row in self._all(f"SELECT * FROM decision WHERE n IN ({about})", listed(facts))}  # noqa: S608
        rows |= {row["n"]: row for row in citing}
        gone, kept = unlinked(map(decision_of, rows.values()), messages, facts)
        for each in kept:
            changed = (json.dumps(each.evidence), json.dumps(each.targets), each.reason, each.id)
            self._run("UPDATE decision SET evidence = ?, targets = ?, reason = ?, before = '{}' WHERE id = ?", *changed)
        self._run(f"DELETE FROM decision_about WHERE id IN {SELECTED}", listed(facts))  # noqa: S608
        ids = {each.id for each in gone}
        return [row for row in rows.values() if row["id"] in ids]

    def _rename(self, entities: Iterable[str], forgotten: list[Mapping[str, str]]) -> None:
        """Remove from entities the names that only forgotten triples use."""
        named = f"SELECT * FROM entity WHERE id IN {SELECTED} AND type <> 'literal'"  # noqa: S608
        for row in self._all(named, listed(entities)):
            names = (row["name"], *json.loads(row["aliases"]))
            left = names_left(names, forgotten, self._triples_of(row["id"]))
            if left == names:
                continue
            aliases = json.dumps(left[1:], ensure_ascii=False)
            self._run("UPDATE entity SET name = ?, aliases = ? WHERE n = ?", left[0], aliases, row["n"])
            folded, tokens = {fold(name) for name in left}, {token for name in left for token in name_tokens(name)}
            for table, column, kept in (("entity_name", "folded", folded), ("entity_token", "token", tokens)):
                sql = f"DELETE FROM {table} WHERE scope = ? AND entity = ? AND {column} NOT IN {SELECTED}"  # noqa: S608
                self._run(sql, row["scope"], row["n"], listed(kept))
            self._run(DISABLE_UNDO, json.dumps(ERASED), row["id"])
            if left[0] != row["name"]:  # its vector is that of the forgotten name
                self._run("DELETE FROM entity_vector WHERE n = ?", row["n"])

    def _triples_of(self, entity: str) -> list[Mapping[str, str]]:
        """Return the triples of all decisions about an entity or one of its facts."""
        sql = """
          SELECT triple FROM decision WHERE n IN (SELECT decision FROM decision_about WHERE id = ?1 OR id IN (
            SELECT id FROM fact WHERE subject = ?1 UNION SELECT id FROM fact WHERE object = ?1))
        """
        return [json.loads(row["triple"]) for row in self._all(sql, entity)]

    def _delete_unused(self, entities: Iterable[str]) -> Counter[str]:
        """Delete those of the entities that no fact or decision refers to, with those that were merged into them."""
        sql = f"""
          WITH RECURSIVE unused (id) AS (
            SELECT id FROM entity WHERE id IN {SELECTED} AND merged_into IS NULL
              AND NOT EXISTS (SELECT 1 FROM fact WHERE subject = entity.id)
              AND NOT EXISTS (SELECT 1 FROM fact WHERE object = entity.id)
              AND NOT EXISTS (SELECT 1 FROM decision_about WHERE id = entity.id)
            UNION SELECT entity.id FROM entity JOIN unused ON entity.merged_into = unused.id
          ) SELECT entity.* FROM entity JOIN unused USING (id)
        """  # noqa: S608
        unused = self._all(sql, listed(entities))
        about = f"SELECT decision FROM decision_about WHERE id IN {SELECTED}"  # noqa: S608
        decisions = self._all(f"SELECT * FROM decision WHERE n IN ({about})", listed(row["id"] for row in unused))  # noqa: S608
        return self._delete("decision", decisions) + self._delete("entity", unused)

    def _delete(self, table: str, rows: list[Row]) -> Counter[str]:
        """Delete rows of a table and all that belongs to them."""
        numbers, ids = listed(row["n"] for row in rows), listed(row["id"] for row in rows)
        if table == "message":
            delete_passages(self._connection, (row["n"] for row in rows))
        for other, column in _BELONGING[table]:
            self._run(f"DELETE FROM {other} WHERE {column} IN {SELECTED}", numbers)  # noqa: S608
        if table == "entity":
            self._delete_names(listed({row["scope"] for row in rows}), numbers)
        if table == "fact":
            self._end_successions(ids)
        self._run(f"DELETE FROM {table} WHERE n IN {SELECTED}", numbers)  # noqa: S608
        if table == "entity":
            return Counter(entities=sum(row["merged_into"] is None and row["type"] != LITERAL for row in rows))
        if table == "fact":
            return Counter(facts=len(rows), retired=sum(row["retired_at"] is not None for row in rows))
        return Counter({f"{table}s": len(rows)})

    def _delete_names(self, scopes: str, entities: str) -> None:
        """Delete the names of entities; they have no index by entity, and are looked for in their scopes alone."""
        for table in ("entity_name", "entity_token"):
            within = f"scope IN {SELECTED} AND entity IN {SELECTED}"
            self._run(f"DELETE FROM {table} WHERE {within}", scopes, entities)  # noqa: S608

    def _end_successions(self, facts: str) -> None:
        """Delete the successions of facts; what they replaced stays retired, with a reason that does not quote them."""
        self._run(f"DELETE FROM succession WHERE fact_id IN {SELECTED}", facts)  # noqa: S608
        ended = "UPDATE OR IGNORE succession SET successor_id = NULL, reason = ? WHERE successor_id IN "
        self._run(ended + SELECTED, SUCCESSOR_FORGOTTEN, facts)
        self._run(f"DELETE FROM succession WHERE successor_id IN {SELECTED}", facts)  # noqa: S608

    def _run(self, sql: str, *parameters: object) -> sqlite3.Cursor:
        return self._connection.execute(sql, parameters)

    def _all(self, sql: str, *parameters: object) -> list[Row]:
        return self._run(sql, *parameters).fetchall()


_BELONGING = {
    "message": (("message_vector", "n"), ("message_stems", "n")),
    "entity": (("entity_vector", "n"),),
    "fact": (("fact_vector", "n"), ("fact_stems", "n"), ("evidence", "fact")),
    "decision": (("decision_about", "decision"),),
}
"""What is deleted with a row of each table, and the column that holds its row number; besides the names of entities."""


def unswept(connection: sqlite3.Connection) -> str | None:
    """Return the note that traces of forgotten rows may be left in the file or its log; None without one."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'unswept'").fetchone()
    return None if row is None else str(row[0])


def sweep(connection: sqlite3.Connection, seconds: float = SWEEP_SECONDS) -> bool:
    """Rewrite the file and truncate its log if rows were deleted; return False if other connections prevent it.

    Takes about 10 seconds per gigabyte, during which others can read but not write.
    """
    noted = unswept(connection)
    if noted is None:
        return True
    wait_for(connection, seconds)
    try:
        connection.execute("VACUUM")
        if not _emptied(connection, seconds):
            return False
        connection.execute("DELETE FROM meta WHERE key = 'unswept' AND value = ?", (noted,))
    except sqlite3.OperationalError as error:
        if not is_busy(error) and error.sqlite_errorcode & 0xFF not in _NO_ROOM:
            raise
        return False
    finally:
        wait_for(connection, BUSY_SECONDS)
    return True


def _emptied(connection: sqlite3.Connection, seconds: float) -> bool:
    """Truncate the log; return whether that was possible within ``seconds``, as readers of the log prevent it."""
    until = monotonic() + seconds
    while True:
        busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if not busy:
            return True
        if monotonic() > until:
            return False
        sleep(0.05)
