"""Reads of the SQLite store that compare vectors."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mem0g.model import INSTRUCTS, Scope
from mem0g.store.queries import (
    CURRENT,
    EVERYTHING,
    INSTRUCTION_STEM,
    MAX_WITH_STEM,
    FactCandidate,
    MessageCandidate,
    SearchCandidates,
    SearchQuery,
    View,
)
from mem0g.store.sqlite.columns import Columns
from mem0g.store.sqlite.kept import KeptRows
from mem0g.store.sqlite.passages import OF_MESSAGES
from mem0g.store.sqlite.passages import by_row as passages_by_row
from mem0g.store.sqlite.reading import SEEN, Reader, listed, view_parameters
from mem0g.store.sqlite.selecting import ALL, Selected, selected

if TYPE_CHECKING:
    from mem0g.model import Matrix


class Searcher:
    """Vector reads over one connection; the caller holds the store's lock."""

    def __init__(self, connection: sqlite3.Connection, reader: Reader) -> None:
        self._reader = reader
        self.columns = Columns(connection)
        self._kept = KeptRows(reader)

    def clear(self) -> None:
        """Drop all that is held in memory: it was rolled back, or has to be forgotten."""
        self.columns.clear()
        self._kept.clear()

    def find(self, scopes: dict[int, Scope], query: SearchQuery) -> SearchCandidates:
        """See Store.find."""
        vectors = np.stack(query.vectors)
        recorded_later = self._reader.recorded_later(scopes, query.view)
        chosen = selected(self._reader, scopes, query.selection)
        messages = self._messages(scopes, query, vectors, self._hidden(scopes, chosen, recorded_later))
        rows = self.columns.vectors("fact", scopes, vectors.shape[1])
        hidden = self._unseen(scopes, query.view, chosen)
        anchors = query.anchors or self._anchors(scopes, query)
        paths = self._reader.walk(anchors, query.hops, query.budget, query.view) if anchors else {}
        numbers = {
            *rows.nearest(vectors, query.facts, hidden),
            *self.columns.stems("fact", scopes).best(query.terms, query.facts, hidden),
            *self._citing({each.message.id for each in messages}, query, chosen),
            *chosen.among(paths),
        }
        found = self._kept.facts(scopes, numbers)
        similarities = rows.similarities(sorted(found), vectors)
        terms = self._kept.terms("fact", found)
        unknown = (0.0,) * len(vectors)
        facts = [
            FactCandidate(fact, similarities.get(n, unknown), terms.get(n, ""), paths.get(n, ()))
            for n, fact in found.items()
        ]
        cited = {each for fact in facts for each in fact.fact.evidence} | {each.message.id for each in messages}
        turns = self._kept.turns_around(scopes, cited, query.radius, recorded_later)
        traversal = self._with_cosines(scopes, chosen.among(self._traversal(scopes, query)), vectors)
        instructions = self._with_cosines(scopes, chosen.among(self._instructions(scopes, query)), vectors)
        facts.sort(key=lambda each: each.fact.id)
        candidates = SearchCandidates(tuple(facts), messages, turns, traversal, instructions)
        return candidates.without_evidence(set(recorded_later.values()))

    def _hidden(self, scopes: dict[int, Scope], chosen: Selected, recorded_later: Collection[int]) -> Collection[int]:
        """Return the row numbers of the messages that are not to be found: recorded later, or not selected."""
        if chosen.messages is None:
            return recorded_later
        rows = self._reader.all(
            "SELECT n FROM message WHERE scope IN (SELECT value FROM json_each(?))", (listed(scopes),)
        )
        return {*recorded_later, *(row["n"] for row in rows if row["n"] not in chosen.messages)}

    def _traversal(self, scopes: dict[int, Scope], query: SearchQuery) -> list[int]:
        """Return the row numbers of the facts of the query's traversal, in its order."""
        traversal = query.traversal
        followed: list[int] = []
        reached, frontier = set(traversal.anchors), list(traversal.anchors)
        for _ in range(traversal.hops):
            if not frontier:
                break
            left = traversal.budget - len(followed)
            edges = self._reader.outgoing_facts(scopes, frontier, traversal.max_degree, query.view)[:left]
            followed += [edge["n"] for edge in reversed(edges)]
            frontier = [end for end in dict.fromkeys(edge["object"] for edge in edges) if end not in reached]
            reached.update(frontier)
        return followed

    def _instructions(self, scopes: dict[int, Scope], query: SearchQuery) -> list[int]:
        """Return the row numbers of the latest facts of the relation INSTRUCTS, last recorded first."""
        if not query.instructions:
            return []
        sql = f"""
          SELECT n FROM (
            SELECT * FROM fact WHERE n IN (SELECT value FROM json_each(:having)) AND relation = :relation
            ORDER BY n LIMIT :most
          ) AS fact WHERE {SEEN} ORDER BY recorded_at DESC, n DESC LIMIT :limit
        """  # noqa: S608
        parameters = {
            "having": listed(self.columns.stems("fact", scopes).having(INSTRUCTION_STEM)),
            "relation": INSTRUCTS,
            "most": MAX_WITH_STEM,
            "limit": query.instructions,
            **view_parameters(query.view),
        }
        return [row["n"] for row in self._reader.all(sql, parameters)]

    def _with_cosines(
        self, scopes: dict[int, Scope], numbers: Sequence[int], vectors: Matrix
    ) -> tuple[FactCandidate, ...]:
        """Return the facts of these rows, in their order, without paths."""
        if not numbers:
            return ()
        rows = self.columns.vectors("fact", scopes, vectors.shape[1])
        cosines = rows.similarities(sorted(numbers), vectors)
        facts, terms = self._kept.facts(scopes, numbers), self._kept.terms("fact", numbers)
        unknown = (0.0,) * len(vectors)
        return tuple(FactCandidate(facts[n], cosines.get(n, unknown), terms.get(n, "")) for n in numbers)

    def _anchors(self, scopes: dict[int, Scope], query: SearchQuery) -> tuple[str, ...]:
        vector = query.vectors[0][np.newaxis]
        rows = self.columns.vectors("entity", scopes, vector.shape[1])
        cosines = rows.similarities(rows.nearest(vector, query.nearest_anchors), vector)
        near = [number for number, (cosine,) in cosines.items() if cosine >= query.anchor_similarity]
        return tuple(entity.id for entity in self._reader.entities_by_row(scopes, near).values())

    def _messages(
        self,
        scopes: dict[int, Scope],
        query: SearchQuery,
        vectors: Matrix,
        recorded_later: Collection[int],
    ) -> tuple[MessageCandidate, ...]:
        rows = self.columns.vectors("message", scopes, vectors.shape[1])
        by_text = self.columns.stems("message", scopes).best(query.terms, query.messages, recorded_later)
        numbers = {*rows.nearest(vectors, query.messages, recorded_later), *by_text}
        similarities = rows.similarities(sorted(numbers), vectors)
        terms = self._kept.terms("message", numbers)
        found = self._kept.messages(numbers)
        outdated = self._outdated({message.id for message in found.values()}, query.view)
        messages = [
            MessageCandidate(message, similarities.get(n), terms.get(n, ""), outdated.get(message.id, ""))
            for n, message in found.items()
        ]
        messages += self._passages(scopes, query, vectors, recorded_later)
        return tuple(sorted(messages, key=lambda each: (each.message.id, each.passage.start if each.passage else 0)))

    def _passages(
        self,
        scopes: dict[int, Scope],
        query: SearchQuery,
        vectors: Matrix,
        recorded_later: Collection[int],
    ) -> list[MessageCandidate]:
        """Return the passages of long messages that are nearest by vector or best by full text."""
        rows = self.columns.vectors("passage", scopes, vectors.shape[1])
        hidden = self._reader.all(OF_MESSAGES, (listed(recorded_later),)) if recorded_later else ()
        later = [row["n"] for row in hidden]
        by_text = self.columns.stems("passage", scopes).best(query.terms, query.messages, later)
        numbers = {*rows.nearest(vectors, query.messages, later), *by_text}
        if not numbers:
            return []
        similarities = rows.similarities(sorted(numbers), vectors)
        terms, found = self._reader.terms("passage", numbers), passages_by_row(self._reader, sorted(numbers))
        outdated = self._outdated({message.id for message, _ in found.values()}, query.view)
        return [
            MessageCandidate(message, similarities.get(n), terms.get(n, ""), outdated.get(message.id, ""), passage)
            for n, (message, passage) in found.items()
        ]

    def _outdated(self, messages: Collection[str], view: View) -> dict[str, str]:
        """Return the stems of the facts that cite each of the messages; "" if one is visible in the view, or none."""
        sql = f"""
          SELECT message, group_concat(stems, ' ') FROM evidence JOIN fact ON fact.n = evidence.fact
          JOIN fact_stems AS held ON held.n = fact.n
          WHERE message IN (SELECT value FROM json_each(:messages)) GROUP BY message HAVING NOT max(ifnull({SEEN}, 0))
        """  # noqa: S608

        def read(ids: Sequence[str]) -> dict[str, str]:
            rows = self._reader.all(sql, {"messages": listed(ids), **view_parameters(view)})
            return dict.fromkeys(ids, "") | dict(map(tuple, rows))

        return self._kept.in_view("outdated", view, messages, read)

    def _citing(self, messages: Collection[str], query: SearchQuery, chosen: Selected) -> list[int]:
        """Return the row numbers of visible facts that cite one of the messages: the latest, if there are many."""
        sql = f"""
          SELECT message, fact.recorded_at, fact.n FROM evidence JOIN fact ON fact.n = evidence.fact
          WHERE message IN (SELECT value FROM json_each(:messages)) AND {SEEN}
        """  # noqa: S608

        def read(ids: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
            found: dict[str, list[tuple[int, int]]] = {each: [] for each in ids}
            for message, time, number in self._reader.all(
                sql, {"messages": listed(ids), **view_parameters(query.view)}
            ):
                found[message].append((time, number))
            return found

        citing = self._kept.in_view("citing", query.view, messages, read)
        facts = {each for found in citing.values() for each in found if chosen.facts is None or each[1] in chosen.facts}
        return [number for _, number in sorted(facts, reverse=True)[: max(query.facts, 0)]]

    def _unseen(self, scopes: Iterable[int], view: View, chosen: Selected = ALL) -> list[int]:
        """Return the rows of facts not visible in the view, or not chosen; by default the retired ones (indexed)."""
        if chosen.facts is not None:
            sql = f"SELECT n, ifnull({SEEN}, 0) AS seen FROM fact WHERE scope IN (SELECT value FROM json_each(:scopes))"  # noqa: S608
            rows = self._reader.all(sql, {"scopes": listed(scopes), **view_parameters(view)})
            return [row["n"] for row in rows if not row["seen"] or row["n"] not in chosen.facts]
        if view == EVERYTHING:
            return []
        unseen = "retired_at IS NOT NULL" if view == CURRENT else f"NOT ifnull({SEEN}, 0)"
        sql = f"SELECT n FROM fact WHERE scope IN (SELECT value FROM json_each(:scopes)) AND {unseen}"  # noqa: S608
        return [row["n"] for row in self._reader.all(sql, {"scopes": listed(scopes), **view_parameters(view)})]
