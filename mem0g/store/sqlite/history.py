"""Reads of what happened to the facts of a SQLite file: successions, decisions, records, counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from mem0g.model import Decision, Scope, Succession
from mem0g.store.in_memory.rows import instant, time_of
from mem0g.store.queries import Stats
from mem0g.store.records import FIELDS, R
from mem0g.store.sqlite.reading import Reader, listed
from mem0g.store.sqlite.records import TABLES, record_of
from mem0g.store.sqlite.rows import (
    decision_of,
    succession_of,
)
from mem0g.text.names import normal_relation


def successions(reader: Reader, fact_ids: Sequence[str]) -> tuple[Succession, ...]:
    """Return the successions in which one of these facts is the old or the new one."""
    sql = """
      SELECT * FROM succession WHERE fact_id IN (SELECT value FROM json_each(?1))
        OR successor_id IN (SELECT value FROM json_each(?1)) ORDER BY at, n
    """
    return tuple(succession_of(row) for row in reader.all(sql, (listed(fact_ids),)))


def decisions(reader: Reader, scopes: Iterable[int], ids: Sequence[str]) -> tuple[Decision, ...]:
    """Return the decisions about these ids."""
    sql = """
      SELECT * FROM decision WHERE scope IN (SELECT value FROM json_each(?2)) AND n IN (
        SELECT decision FROM decision_about WHERE id IN (SELECT value FROM json_each(?1))) ORDER BY n
    """
    return tuple(decision_of(row) for row in reader.all(sql, (listed(ids), listed(scopes))))


def touching_decisions(
    reader: Reader, scope: int, ids: Sequence[str], about: Sequence[str], citing: Sequence[str]
) -> tuple[Decision, ...]:
    """Return decisions of one scope by id, by what they are about, or by their evidence, in the order taken."""
    sql = """
      SELECT * FROM decision WHERE scope = ?1 AND n IN (
        SELECT n FROM decision WHERE id IN (SELECT value FROM json_each(?2))
        UNION SELECT decision FROM decision_about WHERE id IN (SELECT value FROM json_each(?3))
        UNION SELECT n FROM decision WHERE scope = ?1 AND ?4 <> '[]' AND EXISTS (
          SELECT 1 FROM json_each(evidence) AS cited WHERE cited.value IN (SELECT value FROM json_each(?4))))
      ORDER BY n
    """
    return tuple(map(decision_of, reader.all(sql, (scope, listed(ids), listed(about), listed(citing)))))


def log(
    reader: Reader, scopes: Iterable[int], limit: int, offset: int, since: datetime | None, until: datetime | None
) -> tuple[Decision, ...]:
    """Return decisions, latest first."""
    sql = """
      SELECT * FROM decision WHERE scope IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR at >= ?2)
        AND (?3 IS NULL OR at < ?3) ORDER BY at DESC, n DESC LIMIT ?4 OFFSET ?5
    """
    rows = reader.all(sql, (listed(scopes), instant(since), instant(until), limit, offset))
    return tuple(map(decision_of, rows))


def records(reader: Reader, kind: type[R], scopes: dict[int, Scope], ids: Sequence[str] | None) -> tuple[R, ...]:
    """Return the records of a type that are not done, oldest first."""
    sql = f"""
      SELECT * FROM {TABLES[kind][0]} WHERE NOT done AND scope IN (SELECT value FROM json_each(?1))
        AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2))) ORDER BY n
    """  # noqa: S608
    rows = reader.all(sql, (listed(scopes), None if ids is None else listed(ids)))
    return tuple(record_of(kind, row, scopes[row["scope"]]) for row in rows)


def relation_names(reader: Reader, scopes: Iterable[int]) -> frozenset[str]:
    """Return the relation names that the facts of these scopes use, canonical and as given (normalised)."""
    sql = "SELECT DISTINCT relation, relation_given FROM fact WHERE scope IN (SELECT value FROM json_each(?))"
    rows = reader.all(sql, (listed(scopes),))
    return frozenset(name for row in rows for name in (row["relation"], normal_relation(row["relation_given"])))


def relation_counts(reader: Reader, scopes: Iterable[int]) -> dict[str, int]:
    """Return the number of facts by relation in these scopes, most first."""
    sql = (
        "SELECT relation, count(*) FROM fact WHERE scope IN (SELECT value FROM json_each(?)) "
        "GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    return dict(map(tuple, reader.all(sql, (listed(scopes),))))


def stats(reader: Reader, scopes: dict[int, Scope]) -> Stats:
    """Return counts over these scopes."""
    within = (listed(scopes),)
    counts = reader.all(
        """
        WITH s AS (SELECT value FROM json_each(?)) SELECT
          (SELECT count(*) FROM message WHERE scope IN s) AS messages,
          (SELECT count(*) FROM (SELECT DISTINCT scope, source, session FROM message WHERE scope IN s)) AS sessions,
          (SELECT count(*) FROM entity WHERE scope IN s AND merged_into IS NULL AND type <> 'literal') AS entities,
          (SELECT count(*) FROM fact WHERE scope IN s) AS facts,
          (SELECT count(*) FROM fact WHERE scope IN s AND retired_at IS NOT NULL) AS retired,
          (SELECT min(time) FROM message WHERE scope IN s) AS first,
          (SELECT max(time) FROM message WHERE scope IN s) AS last
        """,
        within,
    )[0]
    by = "FROM {} WHERE scope IN (SELECT value FROM json_each(?)) GROUP BY 1 ORDER BY 2 DESC, 1"
    taken = reader.all("SELECT operation, count(*) " + by.format("decision"), within)
    where = "WHERE scope IN (SELECT value FROM json_each(?)) AND NOT done"
    not_done = {
        FIELDS[kind]: reader.all(f"SELECT count(*) FROM {table} {where}", within)[0][0]  # noqa: S608
        for kind, (table, _) in TABLES.items()
    }
    return Stats(
        scopes=tuple(scopes.values()),
        **{name: counts[name] for name in ("messages", "sessions", "entities", "facts", "retired")},
        decisions=dict(map(tuple, taken)),
        relations=relation_counts(reader, scopes),
        **not_done,
        first_message=time_of(counts["first"]),
        last_message=time_of(counts["last"]),
    )
