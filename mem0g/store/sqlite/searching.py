"""Reads of the SQLite store that compare vectors."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from mem0g.model import INSTRUCTS, Fact, Scope
from mem0g.store.candidates import LazyCandidates, MessageCandidate, SearchCandidates, Turns
from mem0g.store.queries import CURRENT, EVERYTHING, INSTRUCTION_STEM, MAX_WITH_STEM, SearchQuery, View
from mem0g.store.sqlite.found import Embedded, FoundFacts, found_facts, found_messages
from mem0g.store.sqlite.in_memory.column import each_once, numbers_of
from mem0g.store.sqlite.in_memory.columns import Columns
from mem0g.store.sqlite.in_memory.edges import Edges
from mem0g.store.sqlite.in_memory.kept import KeptRows
from mem0g.store.sqlite.in_memory.postings import FoundStems, Postings, RowTexts
from mem0g.store.sqlite.passages import OF_MESSAGES
from mem0g.store.sqlite.passages import by_row as passages_by_row
from mem0g.store.sqlite.reading import SEEN, Reader, listed, view_parameters
from mem0g.store.sqlite.selecting import Selected, selected
from mem0g.store.sqlite.walking import traverse, walk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.model import Matrix
    from mem0g.store.sqlite.in_memory.column import Numbers


@dataclass(frozen=True)
class _Search:
    """What the parts of one search share.

    ``edges`` and ``stems`` are of the facts in its scopes. ``seen``: which facts are visible in the view; ``among``:
    those of them that may be found. ``no_messages``: the row numbers of messages that may not be found.
    """

    scopes: dict[int, Scope]
    query: SearchQuery
    vectors: Matrix
    edges: Edges
    stems: Postings
    seen: NDArray[np.bool_]
    among: NDArray[np.bool_]
    no_messages: Collection[int]


class Searcher:
    """Vector reads over one connection; the caller holds the store's lock."""

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
            return self._find(scopes, query)

    def _find(self, scopes: dict[int, Scope], query: SearchQuery) -> SearchCandidates:
        self.kept.renew()
        later = self._reader.recorded_later(scopes, query.view)
        chosen = selected(self._reader, scopes, query.selection)
        search = self._search(scopes, query, chosen, later)
        (messages, said, passages), read = self._messages(search), partial(self.kept.found_facts, scopes)
        anchors = query.anchors or self._anchors(search)
        paths = walk(search.edges, read, search.seen, anchors, query.hops, query.budget)
        numbers = self._numbers(search, said).union(chosen.among(paths))
        facts = self._facts(search, numbers, paths, by_id=True)
        followed = traverse(search.edges, read, search.seen, query.traversal)
        turns, stems = self._turns(search, np.concatenate([said, facts.cited]), later)
        candidates = SearchCandidates(
            facts=facts.candidates,
            messages=messages,
            turns=turns,
            traversal=(*self._facts(search, chosen.among(followed)).candidates,),
            instructions=(*self._facts(search, chosen.among(self._instructions(search))).candidates,),
            stems=FoundStems(
                (search.stems, facts.columns.ids, facts.numbers),
                stems,
                (self.columns.stems("passage", scopes), passages),
                {" ".join(term.split()) for term in query.terms},
            ),
        )
        return candidates.without_evidence(set(later.values()))

    def walk(
        self, scopes: dict[int, Scope], start: Sequence[str], hops: int, budget: int, view: View
    ) -> tuple[Fact, ...]:
        """See Store.walk."""
        self.kept.renew()
        edges, read = self.columns.edges(scopes), partial(self.kept.found_facts, scopes)
        seen = edges.without(self._unseen(scopes, view))
        return tuple(self.kept.facts(scopes, walk(edges, read, seen, start, hops, budget)).values())

    def _search(
        self, scopes: dict[int, Scope], query: SearchQuery, chosen: Selected, later: Collection[int]
    ) -> _Search:
        edges, vectors = self.columns.edges(scopes), np.stack(query.vectors)
        seen = edges.without(self._unseen(scopes, query.view))
        among = seen if chosen.facts is None else seen & ~edges.without(chosen.facts)
        if chosen.messages is not None:
            later = {*later, *(each for each in self.columns.places(scopes).n.tolist() if each not in chosen.messages)}
        return _Search(scopes, query, vectors, edges, self.columns.stems("fact", scopes), seen, among, later)

    def _numbers(self, search: _Search, messages: Numbers) -> set[int]:
        """Return the row numbers of the facts that are nearest, best by full text, or cite one of the messages."""
        query, hidden = search.query, search.edges.n[~search.among]
        rows = self.columns.vectors("fact", search.scopes, search.vectors.shape[1])
        citing = self.kept.citing(messages).numbers
        return {
            *rows.nearest(search.vectors, query.facts, hidden),
            *search.stems.best(query.terms, query.facts, hidden),
            *search.edges.latest(citing, search.among, query.facts),
        }

    def _turns(
        self, search: _Search, cited: Numbers, without: Collection[int]
    ) -> tuple[Turns, tuple[Postings, Numbers]]:
        """Return the messages ``cited`` and those near them in their sessions, but not the rows ``without``.

        With them come the stems of messages, and the rows of these.
        """
        places, stems = self.columns.places(search.scopes), self.columns.stems("message", search.scopes)
        near = places.around(cited, search.query.radius, without)
        numbers = places.n[near]
        return places.turns(near, RowTexts(stems, numbers)), (stems, numbers)

    def _instructions(self, search: _Search) -> list[int]:
        """Return the row numbers of the latest facts of the relation INSTRUCTS, last recorded first."""
        having = search.stems.having(INSTRUCTION_STEM)
        if not search.query.instructions or not having:
            return []
        sql = f"""
          SELECT n FROM (
            SELECT * FROM fact WHERE n IN (SELECT value FROM json_each(:having)) AND relation = :relation
            ORDER BY n LIMIT :most
          ) AS fact WHERE {SEEN} ORDER BY recorded_at DESC, n DESC LIMIT :limit
        """  # noqa: S608
        parameters = {
            "having": listed(having),
            "relation": INSTRUCTS,
            "most": MAX_WITH_STEM,
            "limit": search.query.instructions,
            **view_parameters(search.query.view),
        }
        return [row["n"] for row in self._reader.all(sql, parameters)]

    def _facts(
        self,
        search: _Search,
        numbers: Collection[int],
        paths: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
        *,
        by_id: bool = False,
    ) -> FoundFacts:
        """Return the facts of these rows, in their order or in that of the facts' ids."""
        rows = self.columns.vectors("fact", search.scopes, search.vectors.shape[1])
        found = self.kept.found_facts(search.scopes, numbers)
        if by_id:
            found = found._replace(slots=found.slots[found.table.by_id(found.slots)])
        return found_facts((found, self.kept.cited(found)), search.vectors, rows, search.stems, paths)

    def _anchors(self, search: _Search) -> tuple[str, ...]:
        """Return the ids of the entities whose names are near the question."""
        query, vector = search.query, search.vectors[:1]
        rows = self.columns.vectors("entity", search.scopes, vector.shape[1])
        cosines = rows.similarities(rows.nearest(vector, query.nearest_anchors), vector)
        near = [number for number, (cosine,) in cosines.items() if cosine >= query.anchor_similarity]
        return tuple(entity.id for entity in self._reader.entities_by_row(search.scopes, near).values())

    def _messages(self, search: _Search) -> tuple[LazyCandidates[MessageCandidate], Numbers, dict[str, int]]:
        """Return the messages and passages that are nearest by vector or best by full text.

        With them come the row numbers of the messages, each once, and those of the passages by id.
        """
        best = self._best("message", search, search.no_messages)
        of_hidden = self._reader.all(OF_MESSAGES, (listed(search.no_messages),)) if search.no_messages else ()
        numbers = self._best("passage", search, [row["n"] for row in of_hidden])
        parts = passages_by_row(self._reader, sorted(numbers)) if numbers else {}
        every = self.kept.found_messages([*best, *(message for message, _ in parts.values())])
        said = each_once(every.table.numbers.values[every.slots])
        found, theirs = every._replace(slots=every.slots[: len(best)]), every._replace(slots=every.slots[len(best) :])
        candidates = found_messages(
            (self._embedded("message", search, found.table.numbers.values[found.slots]), found),
            (self._embedded("passage", search, parts), theirs, [passage for _, passage in parts.values()]),
            search.vectors,
            self._outdated(search, said),
        )
        return candidates, said, {passage.id: number for number, (_, passage) in parts.items()}

    def _best(self, table: Literal["message", "passage"], search: _Search, hidden: Collection[int]) -> set[int]:
        """Return the row numbers of what is nearest by vector or best by full text."""
        query = search.query
        rows = self.columns.vectors(table, search.scopes, search.vectors.shape[1])
        stems = self.columns.stems(table, search.scopes)
        nearest = rows.nearest(search.vectors, query.messages, hidden)
        return {*nearest, *stems.best(query.terms, query.messages, hidden)}

    def _embedded(self, table: Literal["message", "passage"], search: _Search, numbers: Collection[int]) -> Embedded:
        rows = self.columns.vectors(table, search.scopes, search.vectors.shape[1])
        return Embedded(numbers_of(numbers), rows, self.columns.stems(table, search.scopes))

    def _outdated(self, search: _Search, messages: Numbers) -> dict[int, str]:
        """Return the stems of the facts that cite each of the messages of which no such fact is visible in the view."""
        if search.seen.all():
            return {}
        counts, citing = self.kept.citing(messages)
        facts = {*citing.tolist()}
        visible = set(search.edges.latest(facts, search.seen, len(facts)))
        each = np.split(citing, np.cumsum(counts)[:-1]) if len(counts) else []
        found = zip(messages.tolist(), (facts.tolist() for facts in each), strict=True)
        gone = {number: of for number, of in found if of and visible.isdisjoint(of)}
        stems = dict(zip(facts, search.stems.texts(facts), strict=True)) if gone else {}
        return {number: " ".join(filter(None, map(stems.__getitem__, of))) for number, of in gone.items()}

    def _unseen(self, scopes: Iterable[int], view: View) -> list[int]:
        """Return the row numbers of facts not visible in the view; by default the retired ones, which are indexed."""
        if view == EVERYTHING:
            return []
        unseen = "retired_at IS NOT NULL" if view == CURRENT else f"NOT ifnull({SEEN}, 0)"
        sql = f"SELECT n FROM fact WHERE scope IN (SELECT value FROM json_each(:scopes)) AND {unseen}"  # noqa: S608
        return [row["n"] for row in self._reader.all(sql, {"scopes": listed(scopes), **view_parameters(view)})]
