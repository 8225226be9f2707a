"""Searches of the SQLite store: what is held in memory of a file, as a source of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mem0g.model import INSTRUCTS, Fact, Message, Passage, Scope
from mem0g.store.candidates import SearchCandidates
from mem0g.store.found_columns import Cited
from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.places import Places
from mem0g.store.in_memory.postings import Postings
from mem0g.store.in_memory.rows import FactRow, MessageRow
from mem0g.store.in_memory.searching import Selected, Table, Texts, facts_around, find
from mem0g.store.in_memory.tables import Found
from mem0g.store.in_memory.vectors import Rows
from mem0g.store.queries import CURRENT, EVERYTHING, MAX_WITH_STEM, SearchQuery, Selection, View
from mem0g.store.sqlite.columns import Columns
from mem0g.store.sqlite.kept import KeptRows
from mem0g.store.sqlite.passages import OF_MESSAGES, by_row
from mem0g.store.sqlite.reading import SEEN, Reader, listed, view_parameters
from mem0g.store.sqlite.selecting import selected

if TYPE_CHECKING:
    from mem0g.store.in_memory.column import Numbers


class Searcher:
    """Searches over one connection; the caller holds the store's lock."""

    def __init__(self, connection: sqlite3.Connection, reader: Reader) -> None:
        self._reader = reader
        self.columns = Columns(connection)
        self.kept = KeptRows(reader)

    def clear(self) -> None:
        """Drop all that is held in memory: it was rolled back, or has to be forgotten."""
        self.columns.clear()
        self.kept.clear()

    def find(self, scopes: dict[int, Scope], query: SearchQuery) -> SearchCandidates:
        """See Store.find."""
        with self.columns.of_snapshot():
            return find(self._held(scopes), query)

    def walk(
        self, scopes: dict[int, Scope], start: Sequence[str], hops: int, budget: int, view: View
    ) -> tuple[Fact, ...]:
        """See Store.walk."""
        return facts_around(self._held(scopes), start, hops, budget, view)

    def _held(self, scopes: dict[int, Scope]) -> HeldScopes:
        self.kept.renew()
        return HeldScopes(self._reader, self.columns, self.kept, scopes)


@dataclass(frozen=True, slots=True)
class HeldScopes:
    """Scopes of a file as a source of searches, as of the current transaction; see Source.

    Which rows a view or a selection has is read from the file.
    """

    reader: Reader
    columns: Columns
    kept: KeptRows
    scopes: dict[int, Scope]

    @property
    def edges(self) -> Edges:
        """See Source."""
        return self.columns.edges(self.scopes)

    @property
    def places(self) -> Places:
        """See Source."""
        return self.columns.places(self.scopes)

    def vectors(self, table: Table, dimensions: int) -> Rows:
        """See Source."""
        return self.columns.vectors(table, self.scopes, dimensions)

    def stems(self, table: Texts) -> Postings:
        """See Source."""
        return self.columns.stems(table, self.scopes)

    def found_facts(self, numbers: Collection[int]) -> Found[FactRow, Fact]:
        """See Source."""
        return self.kept.found_facts(self.scopes, numbers)

    def cited(self, facts: Found[FactRow, Fact]) -> Cited:
        """See Source."""
        return self.kept.cited(facts)

    def found_messages(self, numbers: Collection[int]) -> Found[MessageRow, Message]:
        """See Source."""
        return self.kept.found_messages(numbers)

    def passages(self, numbers: Iterable[int]) -> dict[int, tuple[int, Passage]]:
        """See Source."""
        return by_row(self.reader, numbers)

    def passages_of(self, messages: Collection[int]) -> list[int]:
        """See Source."""
        return [row["n"] for row in self.reader.all(OF_MESSAGES, (listed(messages),))]

    def citing(self, messages: Numbers) -> Cited:
        """See Source."""
        return self.kept.citing(messages)

    def entity_ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """See Source."""
        return tuple(entity.id for entity in self.reader.entities_by_row(self.scopes, numbers).values())

    def unseen(self, view: View) -> list[int]:
        """See Source; by default these are the retired ones, which are indexed."""
        if view == EVERYTHING:
            return []
        unseen = "retired_at IS NOT NULL" if view == CURRENT else f"NOT ifnull({SEEN}, 0)"
        sql = f"SELECT n FROM fact WHERE scope IN (SELECT value FROM json_each(:scopes)) AND {unseen}"  # noqa: S608
        rows = self.reader.all(sql, {"scopes": listed(self.scopes), **view_parameters(view)})
        return [row["n"] for row in rows]

    def recorded_later(self, view: View) -> Mapping[int, str]:
        """See Source."""
        return self.reader.recorded_later(self.scopes, view)

    def selected(self, selection: Selection | None) -> Selected:
        """See Source."""
        return selected(self.reader, self.scopes, selection)

    def instructions(self, having: Collection[int], view: View, limit: int) -> list[int]:
        """See Source."""
        sql = f"""
          SELECT n FROM (
            SELECT * FROM fact WHERE n IN (SELECT value FROM json_each(:having)) AND relation = :relation
            ORDER BY n LIMIT :most
          ) AS fact WHERE {SEEN} ORDER BY recorded_at DESC, n DESC LIMIT :limit
        """  # noqa: S608
        which = {"having": listed(having), "relation": INSTRUCTS, "most": MAX_WITH_STEM, "limit": limit}
        return [row["n"] for row in self.reader.all(sql, {**which, **view_parameters(view)})]
