"""Reads of the SQLite store that need no vectors: rows by id, lists, walks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mem0g.model import Entity, Fact, Message, Scope
from mem0g.relations.relation_type import from_json
from mem0g.relations.tenant_types import TenantTypes
from mem0g.store.in_memory.rows import FactRow, MessageRow, fact_of, instant
from mem0g.store.in_memory.rows import message_of as held_message
from mem0g.store.queries import FactFilter, View, scope_text
from mem0g.store.sqlite.rows import (
    FACT_COLUMNS,
    MESSAGE_COLUMNS,
    OBJECT,
    SUBJECT,
    Row,
    entity_of,
    message_of,
    scope_of,
    scope_parts,
)

SEEN = """(
  (:known_at IS NULL OR fact.recorded_at <= :known_at)
  AND (:as_of IS NULL OR fact.starts IS NULL OR fact.starts <= :as_of)
  AND (:include_retired OR fact.retired_at IS NULL OR fact.retired_at > :known_at OR fact.ends > :as_of)
)"""
"""A View as an SQL condition: if known_at or as_of is not given, a comparison with it is NULL, which is not true."""


def view_parameters(view: View) -> dict[str, object]:
    """Return the parameters of SEEN."""
    return {
        "as_of": instant(view.as_of),
        "known_at": instant(view.known_at),
        "include_retired": view.include_retired,
    }


def listed(values: Iterable[str | int]) -> str:
    """Return values as one parameter, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(values))


Ends = dict[str, tuple[str, str]]
"""Names and types of entities, by id."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads over one connection; ``scopes`` arguments are row numbers of scopes."""

    connection: sqlite3.Connection

    def all(self, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[Row]:
        """Return the rows of a query."""
        return self.connection.execute(sql, parameters).fetchall()

    def scopes(self, scope: Scope | None) -> dict[int, Scope]:
        """Return the stored scopes that ``scope`` covers, or all, by row number."""
        wanted = scope_parts(scope) if scope else ("", "", "")
        of_user = "user_id = ?1" if wanted[0] else "?1 = ''"  # so that the index finds the scopes of a user
        rows = self.all(
            "SELECT n, user_id, agent_id, run_id FROM scope "  # noqa: S608
            f"WHERE {of_user} AND (?2 = '' OR agent_id = ?2) AND (?3 = '' OR run_id = ?3) ORDER BY n",
            wanted,
        )
        return {row["n"]: scope_of((row["user_id"], row["agent_id"], row["run_id"])) for row in rows}

    def exact_scope(self, scope: Scope) -> int | None:
        """Return the row number of exactly this scope; None if nothing was written to it."""
        sql = "SELECT n FROM scope WHERE user_id = ? AND agent_id = ? AND run_id = ?"
        row = self.connection.execute(sql, scope_parts(scope)).fetchone()
        return None if row is None else int(row["n"])

    def meta(self) -> dict[str, str]:
        """Return the metadata of the file: embedder, dimensions, epoch."""
        return dict(map(tuple, self.all("SELECT key, value FROM meta")))

    def embedder(self) -> tuple[str, int] | None:
        """Return the name and dimensions of the embedder of the stored vectors; None before the first claim."""
        meta = self.meta()
        return (meta["embedder"], int(meta["dimensions"])) if "embedder" in meta else None

    def vocabulary(self, tenant: Scope) -> TenantTypes:
        """Return the relation types of a tenant, by name."""
        name = scope_text(tenant)
        versions = self.all("SELECT vocabulary FROM tenant WHERE name = ?", (name,))
        rows = self.all("SELECT definition FROM tenant_relation WHERE tenant = ? ORDER BY name", (name,))
        types = tuple(from_json(row["definition"]) for row in rows)
        return TenantTypes(versions[0]["vocabulary"] if versions else "", types)

    def tenant_scopes(self, tenant: Scope) -> list[int]:
        """Return the row numbers of the scopes of a tenant."""
        return [number for number, scope in self.scopes(tenant).items() if scope.tenant == tenant]

    def next_position(self, scope: int, source: str, session: str) -> int:
        """Return the position after the last message of a session."""
        sql = "SELECT max(position) AS last FROM message WHERE scope = ? AND source = ? AND session = ?"
        last = self.all(sql, (scope, source, session))[0]["last"]
        return 0 if last is None else int(last) + 1

    def known(self, ids: Sequence[str]) -> frozenset[str]:
        """Return those of ``ids`` that are messages, decisions or pending windows."""
        sql = """
          SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?1))
          UNION ALL SELECT id FROM decision WHERE id IN (SELECT value FROM json_each(?1))
          UNION ALL SELECT id FROM pending_window WHERE id IN (SELECT value FROM json_each(?1)) AND NOT done
        """
        rows = self.all(sql, (listed(ids),))
        return frozenset(row["id"] for row in rows)

    def known_entities(self, ids: Sequence[str]) -> frozenset[str]:
        """Return those of ``ids`` that are entities of any scope."""
        rows = self.all("SELECT id FROM entity WHERE id IN (SELECT value FROM json_each(?))", (listed(ids),))
        return frozenset(row["id"] for row in rows)

    def entities(self, scopes: dict[int, Scope], ids: Sequence[str]) -> tuple[Entity, ...]:
        """Return entities by id, in the order of ``ids``."""
        rows = self.all("SELECT * FROM entity WHERE id IN (SELECT value FROM json_each(?))", (listed(ids),))
        found = {row["id"]: entity_of(row, scopes[row["scope"]]) for row in rows if row["scope"] in scopes}
        return tuple(found[each] for each in dict.fromkeys(ids) if each in found)

    def entities_by_row(self, scopes: dict[int, Scope], numbers: Iterable[int]) -> dict[int, Entity]:
        """Return entities by row number, without merged ones."""
        sql = "SELECT * FROM entity WHERE n IN (SELECT value FROM json_each(?)) AND merged_into IS NULL"
        return {row["n"]: entity_of(row, scopes[row["scope"]]) for row in self.all(sql, (listed(numbers),))}

    def named(self, scopes: Iterable[int], names: Sequence[str]) -> dict[str, list[int]]:
        """Return the row numbers of the entities with each of these folded names."""
        sql = (
            "SELECT folded, entity FROM entity_name WHERE scope IN (SELECT value FROM json_each(?)) "
            "AND folded IN (SELECT value FROM json_each(?))"
        )
        found: dict[str, list[int]] = {}
        for row in self.all(sql, (listed(scopes), listed(names))):
            found.setdefault(row["folded"], []).append(row["entity"])
        return found

    def facts(self, scopes: dict[int, Scope], ids: Sequence[str]) -> tuple[Fact, ...]:
        """Return facts by id, in the order of ``ids``."""
        sql = f"SELECT {FACT_COLUMNS} FROM fact WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608
        rows = [row for row in self.all(sql, (listed(ids),)) if row["scope"] in scopes]
        found = {fact.id: fact for fact in self._facts(scopes, rows)}
        return tuple(found[each] for each in dict.fromkeys(ids) if each in found)

    def fact_numbers(self, ids: Sequence[str]) -> list[int]:
        """Return the row numbers of facts by id, in any order."""
        rows = self.all("SELECT n FROM fact WHERE id IN (SELECT value FROM json_each(?))", (listed(ids),))
        return [row["n"] for row in rows]

    def message_numbers(self, ids: Sequence[str]) -> list[int]:
        """Return the row numbers of messages by id, in any order."""
        rows = self.all("SELECT n FROM message WHERE id IN (SELECT value FROM json_each(?))", (listed(ids),))
        return [row["n"] for row in rows]

    def facts_by_row(self, scopes: dict[int, Scope], numbers: Iterable[int]) -> dict[int, Fact]:
        """Return facts by row number, in order of row number."""
        return {row.n: fact_of(row, scopes[row.scope]) for row in self.fact_rows(numbers, {})}

    def fact_rows(self, numbers: Iterable[int], ends: Ends) -> list[FactRow]:
        """Return the rows of facts, in order of row number; the names of their ends that are read go to ``ends``."""
        sql = f"SELECT {FACT_COLUMNS} FROM fact WHERE n IN (SELECT value FROM json_each(?)) ORDER BY n"  # noqa: S608
        return self._with_ends(self._tuples(sql, numbers), ends)

    def _facts(self, scopes: dict[int, Scope], rows: Sequence[Row]) -> list[Fact]:
        """Return the facts of rows of FACT_COLUMNS, in their order, without those that miss an end."""
        return [fact_of(row, scopes[row.scope]) for row in self._with_ends(rows, {})]

    def _tuples(self, sql: str, values: Iterable[int | str]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with one list as its parameter, as tuples, which takes less time than Rows."""
        cursor = self.connection.cursor()
        cursor.row_factory = None
        return cursor.execute(sql, (listed(values),)).fetchall()

    def _with_ends(self, rows: Sequence[Row] | Sequence[tuple[Any, ...]], ends: Ends) -> list[FactRow]:
        """Return rows of FACT_COLUMNS with what belongs to them, in their order, without those that miss an end.

        The entities and the evidence of all of them are looked up at once, as many facts share an entity.
        """
        sql = "SELECT id, name, type FROM entity WHERE id IN (SELECT value FROM json_each(?))"
        if missing := {row[end] for row in rows for end in (SUBJECT, OBJECT) if row[end] not in ends}:
            ends.update((known, (name, kind)) for known, name, kind in self._tuples(sql, missing))
        sql = """
          SELECT fact, message, (SELECT n FROM message AS stated WHERE id = message) FROM json_each(?)
          CROSS JOIN evidence ON fact = value ORDER BY fact, place
        """
        evidence: dict[int, tuple[tuple[str, ...], tuple[int, ...]]] = {}
        for number, cited, stored in self._tuples(sql, (row[0] for row in rows)):
            ids, numbers = evidence.get(number, ((), ()))
            evidence[number] = (*ids, cited), numbers if stored is None else (*numbers, stored)
        found = []
        for row in rows:
            subject, object_ = ends.get(row[SUBJECT]), ends.get(row[OBJECT])
            if subject and object_:
                found.append(FactRow._make((*row, *subject, *object_, *evidence.get(row[0], ((), ())))))
        return found

    def messages(self, scopes: dict[int, Scope], ids: Sequence[str]) -> tuple[Message, ...]:
        """Return messages by id, in the order of ``ids``."""
        rows = self.all("SELECT * FROM message WHERE id IN (SELECT value FROM json_each(?))", (listed(ids),))
        found = {row["id"]: message_of(row) for row in rows if row["scope"] in scopes}
        return tuple(found[each] for each in dict.fromkeys(ids) if each in found)

    def messages_by_row(self, numbers: Iterable[int]) -> dict[int, Message]:
        """Return messages by row number."""
        return {row.n: held_message(row) for row in self.message_rows(numbers)}

    def message_rows(self, numbers: Iterable[int]) -> list[MessageRow]:
        """Return the rows of messages, in any order."""
        sql = f"SELECT {MESSAGE_COLUMNS} FROM message WHERE n IN (SELECT value FROM json_each(?))"  # noqa: S608
        return list(map(MessageRow._make, self._tuples(sql, numbers)))

    def terms(self, table: str, numbers: Iterable[int]) -> dict[int, str]:
        """Return the stems of rows of ``table`` (message or fact) by row number, separated by spaces."""
        sql = f"SELECT n, stems FROM {table}_stems WHERE n IN (SELECT value FROM json_each(?))"  # noqa: S608
        return dict(map(tuple, self.all(sql, (listed(numbers),))))

    def ids_with_prefix(self, scopes: Iterable[int], prefix: str, limit: int) -> tuple[str, ...]:
        """Return ids that start with ``prefix``, sorted."""
        select = "SELECT id FROM {} WHERE id >= ?1 AND id < ?1 || '􏿿' AND scope IN (SELECT value FROM json_each(?2))"
        tables = ("entity", "fact", "message", "decision")
        sql = " UNION ".join(select.format(table) for table in tables) + " ORDER BY id LIMIT ?3"
        return tuple(row["id"] for row in self.all(sql, (prefix, listed(scopes), limit)))

    def message_ids(self, scopes: Iterable[int], source_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return message ids by their ids in the source."""
        sql = (
            "SELECT source_id, id FROM message WHERE scope IN (SELECT value FROM json_each(?)) "
            "AND source_id IN (SELECT value FROM json_each(?)) ORDER BY n"
        )
        found: dict[str, tuple[str, ...]] = {}
        for row in self.all(sql, (listed(scopes), listed(source_ids))):
            found[row["source_id"]] = (*found.get(row["source_id"], ()), row["id"])
        return found

    def list_messages(self, scopes: Iterable[int], limit: int, offset: int) -> tuple[Message, ...]:
        """Return messages by source, session and position."""
        sql = (
            "SELECT * FROM message WHERE scope IN (SELECT value FROM json_each(?)) "
            "ORDER BY source, session, position, n LIMIT ? OFFSET ?"
        )
        return tuple(message_of(row) for row in self.all(sql, (listed(scopes), limit, offset)))

    def recent_messages(self, scope: int, source: str, session: str, limit: int) -> tuple[Message, ...]:
        """Return the last messages of a session, oldest first."""
        sql = "SELECT * FROM message WHERE scope = ? AND source = ? AND session = ? ORDER BY position DESC LIMIT ?"
        return tuple(message_of(row) for row in reversed(self.all(sql, (scope, source, session, limit))))

    def messages_around(
        self, scopes: dict[int, Scope], ids: Sequence[str], before: int, after: int
    ) -> dict[str, tuple[Message, ...]]:
        """Return the messages of a session from ``before`` places before each message to ``after`` after it."""
        sql = (
            "SELECT at.id AS around, near.* FROM message AS at JOIN message AS near ON near.scope = at.scope "
            "AND near.source = at.source AND near.session = at.session "
            "AND near.position BETWEEN at.position - ? AND at.position + ? "
            "WHERE at.id IN (SELECT value FROM json_each(?)) ORDER BY near.position, near.n"
        )
        found: dict[str, list[Message]] = {}
        for row in self.all(sql, (before, after, listed(ids))):
            if row["scope"] in scopes:
                found.setdefault(row["around"], []).append(message_of(row))
        return {each: tuple(messages) for each, messages in found.items()}

    def messages_said_at(self, scope: int, times: Iterable[datetime]) -> tuple[Message, ...]:
        """Return the messages said at one of ``times``, by source, session and position."""
        sql = (
            "SELECT * FROM message WHERE scope = ? AND time IN (SELECT value FROM json_each(?)) "
            "ORDER BY source, session, position, n"
        )
        return tuple(
            message_of(row)
            for row in self.all(sql, (scope, listed(time for time in map(instant, times) if time is not None)))
        )

    def list_entities(self, scopes: dict[int, Scope], limit: int, offset: int) -> tuple[tuple[Entity, int], ...]:
        """Return entities with the number of their current facts."""
        sql = """
          SELECT entity.*, (
            SELECT count(*) FROM fact WHERE retired_at IS NULL AND (subject = entity.id OR object = entity.id)
          ) AS facts
          FROM entity WHERE scope IN (SELECT value FROM json_each(?)) AND merged_into IS NULL AND type <> 'literal'
          ORDER BY facts DESC, name, id LIMIT ? OFFSET ?
        """
        rows = self.all(sql, (listed(scopes), limit, offset))
        return tuple((entity_of(row, scopes[row["scope"]]), int(row["facts"])) for row in rows)

    def list_facts(
        self,
        scopes: dict[int, Scope],
        wanted: FactFilter,
        limit: int,
        offset: int,
        *,
        selected: str = "true",
        given: Mapping[str, object] | None = None,
    ) -> tuple[Fact, ...]:
        """Return facts in the order in which they were recorded; ``selected`` is a further condition on ``given``."""
        ends = listed(wanted.entity_ids)
        sql = f"""
          SELECT {FACT_COLUMNS} FROM fact WHERE fact.scope IN (SELECT value FROM json_each(:scopes)) AND {SEEN}
          AND (:relations = '[]' OR fact.relation IN (SELECT value FROM json_each(:relations)))
          AND (:ends = '[]' OR fact.subject IN (SELECT value FROM json_each(:ends))
               OR fact.object IN (SELECT value FROM json_each(:ends)))
          AND {selected}
          ORDER BY fact.recorded_at, fact.n LIMIT :limit OFFSET :offset
        """  # noqa: S608
        which = {"scopes": listed(scopes), "relations": listed(wanted.relations), "ends": ends}
        parameters = {**which, "limit": limit, "offset": offset, **view_parameters(wanted.view), **(given or {})}
        return tuple(self._facts(scopes, self.all(sql, parameters)))

    def recorded_later(self, scopes: Iterable[int], view: View) -> dict[int, str]:
        """Return the ids, by row number, of the messages that were recorded after the view's ``known_at``."""
        if view.known_at is None:
            return {}
        sql = """
          SELECT n, id FROM message WHERE scope IN (SELECT value FROM json_each(?))
            AND coalesce(recorded_at, time) > ?
        """
        return dict(map(tuple, self.all(sql, (listed(scopes), instant(view.known_at)))))

    def citing(self, messages: Sequence[int]) -> dict[int, list[int]]:
        """Return the row numbers of the facts that cite each of these messages, by row number; of no fact nothing."""
        sql = """
          SELECT stated.n, fact FROM json_each(?) CROSS JOIN message AS stated ON stated.n = value
          CROSS JOIN evidence ON message = stated.id
        """
        found: dict[int, list[int]] = {}
        for message, number in self.connection.execute(sql, (listed(messages),)):
            found.setdefault(message, []).append(number)
        return found

    def homes(self, scope: Scope | None, ids: Sequence[str]) -> dict[str, Scope]:
        """Return the exact scope of each id that is in one covered by ``scope``, or in any."""
        select = "SELECT id, scope FROM {} WHERE id IN (SELECT value FROM json_each(?1))"
        found = " UNION ALL ".join(select.format(table) for table in ("entity", "fact", "message", "decision"))
        sql = f"SELECT id, user_id, agent_id, run_id FROM ({found}) AS found JOIN scope ON scope.n = found.scope"  # noqa: S608
        homes = {each: scope_of(keys) for each, *keys in self.all(sql, (listed(ids),))}
        return {each: home for each, home in homes.items() if scope is None or scope.covers(home)}

    def touching_facts(
        self, scopes: dict[int, Scope], ids: Sequence[str], of: Sequence[str], citing: Sequence[str]
    ) -> tuple[Fact, ...]:
        """Return facts by id, by subject or object, or by their evidence, in the order of recording."""
        sql = """
          SELECT n FROM fact WHERE scope IN (SELECT value FROM json_each(?1)) AND n IN (
            SELECT n FROM fact WHERE id IN (SELECT value FROM json_each(?2))
            UNION SELECT n FROM fact WHERE subject IN (SELECT value FROM json_each(?3))
            UNION SELECT n FROM fact WHERE object IN (SELECT value FROM json_each(?3))
            UNION SELECT fact FROM evidence WHERE message IN (SELECT value FROM json_each(?4)))
        """
        rows = self.all(sql, (listed(scopes), listed(ids), listed(of), listed(citing)))
        found = self.facts_by_row(scopes, [row["n"] for row in rows])
        return tuple(fact for _, fact in sorted(found.items(), key=lambda each: (each[1].recorded_at, each[0])))

    def entities_of(self, scopes: dict[int, Scope], ids: Sequence[str], merged_into: Sequence[str]) -> list[Entity]:
        """Return entities by id, or by what they were merged into."""
        sql = """
          SELECT * FROM entity WHERE scope IN (SELECT value FROM json_each(?1)) AND (
            id IN (SELECT value FROM json_each(?2)) OR merged_into IN (SELECT value FROM json_each(?3))) ORDER BY id
        """
        rows = self.all(sql, (listed(scopes), listed(ids), listed(merged_into)))
        return [entity_of(row, scopes[row["scope"]]) for row in rows]
