"""Checks and repairs of the SQLite store: whether its tables agree with each other."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mem0g.model import LITERAL, Passage, Scope, covers
from mem0g.store.in_memory.rows import instant, time_of
from mem0g.store.protocol import Problem
from mem0g.store.sqlite.packing import packed_size
from mem0g.store.sqlite.passages import held_by as passages_of
from mem0g.store.sqlite.reading import Reader
from mem0g.store.sqlite.rows import (
    Row,
)
from mem0g.text.names import fold, name_tokens
from mem0g.text.stemming import tokens
from mem0g.times import Moment

BACKUP = "restore a backup, or import an export into a new store"
DERIVED = (
    "entity_name",
    "entity_token",
    "evidence",
    "decision_about",
    "message_stems",
    "passage_stems",
    "fact_stems",
    "message_vector",
    "passage",
    "passage_vector",
    "entity_vector",
    "fact_vector",
)
"""Tables whose rows can be deleted when the row they belong to is missing."""

Statement = tuple[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem and the statements that repair it; none if it cannot be repaired."""

    problem: Problem
    mending: tuple[Statement, ...] = ()


def faults(reader: Reader, dimensions: int | None) -> Iterator[Fault]:
    """Yield everything that is wrong with the tables; ``dimensions`` is the size of the store's vectors."""
    scopes = reader.scopes(None)
    damage = list(_file(reader))
    yield from damage
    if any(not fault.problem.mendable for fault in damage):
        return  # further checks of a damaged file mean nothing
    yield from _foreign_keys(reader)
    yield from _ends(reader, scopes)
    yield from _evidence(reader, scopes)
    yield from _successions(reader)
    yield from _passages(reader, scopes)
    yield from _full_text(reader, scopes, "message", lambda row: f"{row['speaker']} {row['text']}")
    yield from _full_text(reader, scopes, "passage", _told)
    yield from _full_text(reader, scopes, "fact", lambda row: str(row["text"]))
    yield from _names(reader, scopes)
    yield from _intervals(reader, scopes)
    yield from _vectors(reader, dimensions)


def _file(reader: Reader) -> Iterator[Fault]:
    for finding in _integrity_check(reader):
        if finding != "ok":
            yield Fault(Problem(kind="file", text=f"SQLite says: {finding}", hint=BACKUP, mendable=False))


def _integrity_check(reader: Reader) -> list[str]:
    """Return the findings of SQLite's own check, or its error: it fails on a badly damaged file."""
    try:
        return [row[0] for row in reader.all("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise
        return [str(error)]


def _foreign_keys(reader: Reader) -> Iterator[Fault]:
    found: dict[str, int] = {}
    for row in reader.all("PRAGMA foreign_key_check"):
        found[row["table"]] = found.get(row["table"], 0) + 1
    for table, count in sorted(found.items()):
        text = f"{count} rows of {table} belong to a missing row"
        if table in DERIVED:
            column = {
                "entity_name": "entity",
                "entity_token": "entity",
                "evidence": "fact",
                "decision_about": "decision",
                "passage": "message",
            }
            parent, own = table.split("_")[0], column.get(table, "n")
            parent = {"evidence": "fact", "passage": "message"}.get(table, parent)
            mending = (f"DELETE FROM {table} WHERE {own} NOT IN (SELECT n FROM {parent})", ())  # noqa: S608
            yield Fault(Problem(kind="dangling row", text=text), (mending,))
        else:
            yield Fault(Problem(kind="dangling row", text=text, hint=BACKUP, mendable=False))


def _ends(reader: Reader, scopes: dict[int, Scope]) -> Iterator[Fault]:
    for end in ("subject", "object"):
        sql = f"SELECT id, scope, {end} AS missing FROM fact WHERE {end} NOT IN (SELECT id FROM entity)"  # noqa: S608
        for row in reader.all(sql):
            text = f"the {end} {row['missing']} of {row['id']} is missing, so the fact is never found"
            where = scopes.get(row["scope"])
            yield Fault(
                Problem(kind="missing end", text=text, hint=BACKUP, ids=(row["id"],), scope=where, mendable=False)
            )


def _evidence(reader: Reader, scopes: dict[int, Scope]) -> Iterator[Fault]:
    sql = """
      SELECT fact.id, fact.n, fact.scope, evidence.message FROM evidence JOIN fact ON fact.n = evidence.fact
      WHERE evidence.message NOT IN (SELECT id FROM message)
    """
    for row in reader.all(sql):
        text = f"{row['id']} cites the message {row['message']}, which does not exist"
        problem = Problem(kind="missing evidence", text=text, ids=(row["id"],), scope=scopes.get(row["scope"]))
        yield Fault(problem, (("DELETE FROM evidence WHERE fact = ? AND message = ?", (row["n"], row["message"])),))


def _successions(reader: Reader) -> Iterator[Fault]:
    """Delete links whose old fact is missing; keep those whose new fact is missing, as the old one did end."""
    for row in reader.all("SELECT n, fact_id FROM succession WHERE fact_id NOT IN (SELECT id FROM fact)"):
        text = f"a succession is of the fact {row['fact_id']}, which does not exist"
        problem = Problem(kind="dangling succession", text=text, ids=(row["fact_id"],))
        yield Fault(problem, (("DELETE FROM succession WHERE n = ?", (row["n"],)),))
    sql = """
      SELECT n, fact_id, successor_id FROM succession
      WHERE successor_id NOT IN (SELECT id FROM fact) AND fact_id IN (SELECT id FROM fact)
    """
    for row in reader.all(sql):
        text = f"{row['fact_id']} was replaced by {row['successor_id']}, which does not exist"
        mending = (
            ("UPDATE OR IGNORE succession SET successor_id = NULL WHERE n = ?", (row["n"],)),
            ("DELETE FROM succession WHERE n = ? AND successor_id IS NOT NULL", (row["n"],)),
        )
        yield Fault(Problem(kind="dangling succession", text=text, ids=(row["fact_id"],)), mending)


def _full_text(reader: Reader, scopes: dict[int, Scope], table: str, text_of: Callable[[Row], str]) -> Iterator[Fault]:
    """Find texts whose stems are missing, left over, or have the wrong words or number of keys."""
    insert = f"INSERT INTO {table}_stems (n, keys, stems) VALUES (?, ?, ?)"  # noqa: S608
    delete = f"DELETE FROM {table}_stems WHERE n = ?"  # noqa: S608
    whole = "SELECT 1 FROM passage WHERE message = message.n" if table == "message" else "SELECT 1 WHERE 0"
    sql = f"""
      SELECT {table}.*, found.n AS found, found.keys, found.stems, EXISTS ({whole}) AS parted FROM {table}
      LEFT JOIN {table}_stems AS found ON found.n = {table}.n
    """  # noqa: S608
    if table == "passage":
        sql = sql.replace("passage.*", "passage.*, message.speaker, message.text").replace(
            "FROM passage\n", "FROM passage JOIN message ON message.n = passage.message\n"
        )
    for row in reader.connection.execute(sql).fetchall():
        scope = scopes.get(row["scope"])
        if scope is None:
            continue  # reported as a dangling row
        wanted = (0 if row["parted"] else len(scope.keys), " ".join(tokens(text_of(row))))
        if (row["keys"], row["stems"]) != wanted:
            wrong = "is found by none of its words" if row["found"] is None else "is found by the wrong words"
            problem = Problem(kind="full text", text=f"{row['id']} {wrong}", ids=(row["id"],), scope=scope)
            yield Fault(problem, ((delete, (row["n"],)), (insert, (row["n"], *wanted))))
    leftover = f"SELECT n FROM {table}_stems WHERE n NOT IN (SELECT n FROM {table})"  # noqa: S608
    for row in reader.all(leftover):
        text = f"row {row['n']} of {table}_stems belongs to no {table}, and may contain forgotten words"
        yield Fault(Problem(kind="full text", text=text), ((delete, (row["n"],)),))


def _passages(reader: Reader, scopes: dict[int, Scope]) -> Iterator[Fault]:
    """Find messages whose passages do not cover their text; repaired, a message is found as a whole."""
    for row in reader.all("SELECT n, id, scope, text FROM message WHERE n IN (SELECT message FROM passage)"):
        if not covers(row["text"], [passage for _, passage in passages_of(reader, [row["n"]])]):
            text = f"the passages of {row['id']} are not those of its text"
            hint = "`mem0g repair` removes them, then `mem0g reindex` recreates them"
            where = scopes.get(row["scope"])
            own = "(SELECT n FROM passage WHERE message = ?)"
            mending: tuple[Statement, ...] = (
                (f"DELETE FROM passage_vector WHERE n IN {own}", (row["n"],)),  # noqa: S608
                (f"DELETE FROM passage_stems WHERE n IN {own}", (row["n"],)),  # noqa: S608
                ("DELETE FROM passage WHERE message = ?", (row["n"],)),
                ("UPDATE message_stems SET keys = ? WHERE n = ?", (len(where.keys) if where else 0, row["n"])),
            )
            yield Fault(Problem(kind="passages", text=text, hint=hint, ids=(row["id"],), scope=where), mending)


def _told(row: Row) -> str:
    """Return the words by which a passage is found; ``row`` has speaker and text of its message."""
    passage = Passage(row["id"], "", row["start"], row["stop"], row["heading"])
    return f"{row['speaker']} {passage.searched_text(row['text'])}"


def _names(reader: Reader, scopes: dict[int, Scope]) -> Iterator[Fault]:
    """Check the rows by which an entity is found by name; a merged entity and a literal have none."""
    held: dict[str, dict[int, set[str]]] = {"entity_name": {}, "entity_token": {}}
    for table, column in (("entity_name", "folded"), ("entity_token", "token")):
        for row in reader.all(f"SELECT entity, scope, {column} AS value FROM {table}"):  # noqa: S608
            held[table].setdefault(row["entity"], set()).add(f"{row['scope']} {row['value']}")
    for row in reader.all("SELECT n, id, scope, name, type, aliases, merged_into FROM entity"):
        unnamed = row["merged_into"] or row["type"] == LITERAL
        names = [] if unnamed else [row["name"], *json.loads(row["aliases"])]
        wanted = {
            "entity_name": {fold(name) for name in names},
            "entity_token": {token for name in names for token in name_tokens(name)},
        }
        wrong = [
            table
            for table, values in wanted.items()
            if held[table].get(row["n"], set()) != {f"{row['scope']} {value}" for value in values}
        ]
        if wrong:
            text = f"{row['id']} is indexed by the wrong names"
            problem = Problem(kind="names", text=text, ids=(row["id"],), scope=scopes.get(row["scope"]))
            yield Fault(problem, tuple(_renamed(row, wanted)))


def _renamed(row: Row, wanted: dict[str, set[str]]) -> Iterator[Statement]:
    for table, column in (("entity_name", "folded"), ("entity_token", "token")):
        yield f"DELETE FROM {table} WHERE entity = ?", (row["n"],)  # noqa: S608
        for value in sorted(wanted[table]):
            insert = f"INSERT INTO {table} (scope, {column}, entity) VALUES (?, ?, ?)"  # noqa: S608
            yield insert, (row["scope"], value, row["n"])


def _intervals(reader: Reader, scopes: dict[int, Scope]) -> Iterator[Fault]:
    """The instants that views compare, beside the times as they were given."""
    for row in reader.all("SELECT n, id, scope, valid_from, valid_to, said_at, starts, ends FROM fact"):
        begun = Moment.parse(row["valid_from"]).start if row["valid_from"] else time_of(row["said_at"])
        ended = Moment.parse(row["valid_to"]).start if row["valid_to"] else None
        wanted = (instant(begun), instant(ended))
        if (row["starts"], row["ends"]) != wanted:
            text = f"{row['id']} is indexed with the wrong times"
            problem = Problem(kind="interval", text=text, ids=(row["id"],), scope=scopes.get(row["scope"]))
            yield Fault(problem, (("UPDATE fact SET starts = ?, ends = ? WHERE n = ?", (*wanted, row["n"])),))


def _vectors(reader: Reader, dimensions: int | None) -> Iterator[Fault]:
    """Find vectors of the wrong size, on which a search fails."""
    for table in ("message", "passage", "entity", "fact") if dimensions is not None else ():
        sql = f"SELECT n, length(vector) AS size FROM {table}_vector WHERE length(vector) <> ?"  # noqa: S608
        size = packed_size(dimensions or 0)
        wrong = reader.all(sql, (size,))
        if wrong:
            text = f"{len(wrong)} vectors of the table {table} have another size than {dimensions} dimensions"
            hint = "`mem0g repair` removes them, then `mem0g reindex` recreates them"
            mending = f"DELETE FROM {table}_vector WHERE length(vector) <> ?"  # noqa: S608
            yield Fault(Problem(kind="vector size", text=text, hint=hint), ((mending, (size,)),))


def mend(reader: Reader, found: Iterable[Fault]) -> tuple[Problem, ...]:
    """Run the repairing statements within the caller's transaction; return the problems that were repaired."""
    mended = []
    for fault in found:
        for sql, parameters in fault.mending:
            reader.connection.execute(sql, parameters)
        if fault.mending:
            mended.append(fault.problem)
    return tuple(mended)
