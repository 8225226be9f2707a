"""Search over what is held in memory of a set of scopes, whatever store holds it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from mem0g.model import Fact, Message, Passage
from mem0g.store.candidates import LazyCandidates, MessageCandidate, SearchCandidates, Turns
from mem0g.store.found_columns import Cited
from mem0g.store.in_memory.column import each_once, numbers_of
from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.found import Embedded, FoundFacts, found_facts, found_messages
from mem0g.store.in_memory.places import Places
from mem0g.store.in_memory.postings import FoundStems, Postings, RowTexts
from mem0g.store.in_memory.rows import FactRow, MessageRow
from mem0g.store.in_memory.tables import Found
from mem0g.store.in_memory.vectors import Rows
from mem0g.store.in_memory.walking import traverse, walk
from mem0g.store.queries import INSTRUCTION_STEM, SearchQuery, Selection, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.model import Matrix
    from mem0g.store.in_memory.column import Numbers

Table = Literal["message", "passage", "entity", "fact"]
Texts = Literal["message", "passage", "fact"]


@dataclass(frozen=True, slots=True)
class Selected:
    """The row numbers of the facts and messages that a search may return; None for all of them."""

    facts: frozenset[int] | None = None
    messages: frozenset[int] | None = None

    def among(self, facts: Iterable[int]) -> list[int]:
        """Return those of ``facts`` that are selected, in order."""
        return [each for each in facts if self.facts is None or each in self.facts]


class Source(Protocol):
    """What is held of a set of scopes, as of one moment. Rows are given by the number that each has in its table."""

    @property
    def edges(self) -> Edges:
        """The ends of the facts, and when they were recorded."""
        ...

    @property
    def places(self) -> Places:
        """The places of the messages in their sessions."""
        ...

    def vectors(self, table: Table, dimensions: int) -> Rows:
        """Return the vectors of the rows of a table."""
        ...

    def stems(self, table: Texts) -> Postings:
        """Return the stems of the rows of a table."""
        ...

    def found_facts(self, numbers: Collection[int]) -> Found[FactRow, Fact]:
        """Return those of these facts that there are, in their order."""
        ...

    def cited(self, facts: Found[FactRow, Fact]) -> Cited:
        """Return the row numbers of the messages that facts cite, just found."""
        ...

    def found_messages(self, numbers: Collection[int]) -> Found[MessageRow, Message]:
        """Return these messages, in their order."""
        ...

    def passages(self, numbers: Iterable[int]) -> dict[int, tuple[int, Passage]]:
        """Return passages with the row numbers of their messages, by the row number of the passage."""
        ...

    def passages_of(self, messages: Collection[int]) -> list[int]:
        """Return the row numbers of the passages of messages."""
        ...

    def citing(self, messages: Numbers) -> Cited:
        """Return the row numbers of the facts that cite each of these messages, which are given each once."""
        ...

    def entity_ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of those of these entities that are not merged."""
        ...

    def unseen(self, view: View) -> Collection[int] | Numbers:
        """Return the row numbers of the facts that are not visible in the view."""
        ...

    def recorded_later(self, view: View) -> Mapping[int, str]:
        """Return the ids, by row number, of the messages that were recorded after the view's ``known_at``."""
        ...

    def selected(self, selection: Selection | None) -> Selected:
        """Return the facts and messages of a selection."""
        ...

    def instructions(self, having: Collection[int], view: View, limit: int) -> list[int]:
        """Return those of the facts ``having`` in the view that are of the relation INSTRUCTS, last recorded first.

        At most ``limit``, from among the first MAX_WITH_STEM of that relation.
        """
        ...


@dataclass(frozen=True)
class _Search:
    """What the parts of one search share.

    ``edges`` and ``stems`` are of the facts. ``seen``: which facts are visible in the view; ``among``: those of them
    that may be found. ``no_messages``: the row numbers of messages that may not be found.
    """

    source: Source
    query: SearchQuery
    vectors: Matrix
    edges: Edges
    stems: Postings
    seen: NDArray[np.bool_]
    among: NDArray[np.bool_]
    no_messages: Collection[int]

    def rows(self, table: Table) -> Rows:
        """The vectors of a table."""
        return self.source.vectors(table, self.vectors.shape[1])


def find(source: Source, query: SearchQuery) -> SearchCandidates:
    """Return the candidates for ``query``; see Store.find."""
    later, chosen = source.recorded_later(query.view), source.selected(query.selection)
    search = _search(source, query, chosen, later)
    messages, said, passages = _messages(search)
    anchors = query.anchors or _anchors(search)
    paths = walk(search.edges, source.found_facts, search.seen, anchors, query.hops, query.budget)
    facts = _facts(search, _numbers(search, said).union(chosen.among(paths)), paths, by_id=True)
    followed = traverse(search.edges, source.found_facts, search.seen, query.traversal)
    turns, stems = _turns(search, np.concatenate([said, facts.cited]), later)
    candidates = SearchCandidates(
        facts=facts.candidates,
        messages=messages,
        turns=turns,
        traversal=(*_facts(search, chosen.among(followed)).candidates,),
        instructions=(*_facts(search, chosen.among(_instructions(search))).candidates,),
        stems=FoundStems(
            (search.stems, facts.columns.ids, facts.numbers),
            stems,
            (source.stems("passage"), passages),
            {" ".join(term.split()) for term in query.terms},
        ),
    )
    return candidates.without_evidence(set(later.values()))


def facts_around(source: Source, start: Sequence[str], hops: int, budget: int, view: View) -> tuple[Fact, ...]:
    """Return the facts around entities; see Store.walk."""
    edges = source.edges
    seen = edges.without(source.unseen(view))
    table, slots = source.found_facts(walk(edges, source.found_facts, seen, start, hops, budget))
    return tuple(map(table.made, slots.tolist()))


def _search(source: Source, query: SearchQuery, chosen: Selected, later: Collection[int]) -> _Search:
    edges, vectors = source.edges, np.stack(query.vectors)
    seen = edges.without(source.unseen(query.view))
    among = seen if chosen.facts is None else seen & ~edges.without(chosen.facts)
    if chosen.messages is not None:
        later = {*later, *(each for each in source.places.n.tolist() if each not in chosen.messages)}
    return _Search(source, query, vectors, edges, source.stems("fact"), seen, among, later)


def _numbers(search: _Search, messages: Numbers) -> set[int]:
    """Return the row numbers of the facts that are nearest, best by full text, or cite one of the messages."""
    query, hidden = search.query, search.edges.n[~search.among]
    citing = search.source.citing(messages).numbers
    return {
        *search.rows("fact").nearest(search.vectors, query.facts, hidden),
        *search.stems.best(query.terms, query.facts, hidden),
        *search.edges.latest(citing, search.among, query.facts),
    }


def _turns(search: _Search, cited: Numbers, without: Collection[int]) -> tuple[Turns, tuple[Postings, Numbers]]:
    """Return the messages ``cited`` and those near them in their sessions, but not the rows ``without``.

    With them come the stems of messages, and the rows of these.
    """
    places, stems = search.source.places, search.source.stems("message")
    near = places.around(cited, search.query.radius, without)
    numbers = places.n[near]
    return places.turns(near, RowTexts(stems, numbers)), (stems, numbers)


def _instructions(search: _Search) -> list[int]:
    """Return the row numbers of the latest facts of the relation INSTRUCTS, last recorded first."""
    having = search.stems.having(INSTRUCTION_STEM) if search.query.instructions else ()
    return search.source.instructions(having, search.query.view, search.query.instructions) if having else []


def _facts(
    search: _Search,
    numbers: Collection[int],
    paths: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
    *,
    by_id: bool = False,
) -> FoundFacts:
    """Return the facts of these rows, in their order or in that of the facts' ids."""
    found = search.source.found_facts(numbers)
    if by_id:
        found = found._replace(slots=found.slots[found.table.by_id(found.slots)])
    return found_facts((found, search.source.cited(found)), search.vectors, search.rows("fact"), search.stems, paths)


def _anchors(search: _Search) -> tuple[str, ...]:
    """Return the ids of the entities whose names are near the question."""
    query, vector, rows = search.query, search.vectors[:1], search.rows("entity")
    cosines = rows.similarities(rows.nearest(vector, query.nearest_anchors), vector)
    return search.source.entity_ids(
        number for number, (cosine,) in cosines.items() if cosine >= query.anchor_similarity
    )


def _messages(search: _Search) -> tuple[LazyCandidates[MessageCandidate], Numbers, dict[str, int]]:
    """Return the messages and passages that are nearest by vector or best by full text.

    With them come the row numbers of the messages, each once, and those of the passages by id.
    """
    source, best = search.source, _best("message", search, search.no_messages)
    hidden = source.passages_of(search.no_messages) if search.no_messages else ()
    numbers = _best("passage", search, hidden)
    parts = source.passages(sorted(numbers)) if numbers else {}
    every = source.found_messages([*best, *(message for message, _ in parts.values())])
    said = each_once(every.table.numbers.values[every.slots])
    found, theirs = every._replace(slots=every.slots[: len(best)]), every._replace(slots=every.slots[len(best) :])
    candidates = found_messages(
        (_embedded("message", search, found.table.numbers.values[found.slots]), found),
        (_embedded("passage", search, parts), theirs, [passage for _, passage in parts.values()]),
        search.vectors,
        _outdated(search, said),
    )
    return candidates, said, {passage.id: number for number, (_, passage) in parts.items()}


def _best(table: Literal["message", "passage"], search: _Search, hidden: Collection[int]) -> set[int]:
    """Return the row numbers of what is nearest by vector or best by full text."""
    query, stems = search.query, search.source.stems(table)
    nearest = search.rows(table).nearest(search.vectors, query.messages, hidden)
    return {*nearest, *stems.best(query.terms, query.messages, hidden)}


def _embedded(table: Literal["message", "passage"], search: _Search, numbers: Collection[int]) -> Embedded:
    return Embedded(numbers_of(numbers), search.rows(table), search.source.stems(table))


def _outdated(search: _Search, messages: Numbers) -> dict[int, str]:
    """Return the stems of the facts that cite each of the messages of which no such fact is visible in the view."""
    if search.seen.all():
        return {}
    counts, citing = search.source.citing(messages)
    facts = {*citing.tolist()}
    visible = set(search.edges.latest(facts, search.seen, len(facts)))
    each = np.split(citing, np.cumsum(counts)[:-1]) if len(counts) else []
    found = zip(messages.tolist(), (some.tolist() for some in each), strict=True)
    gone = {number: of for number, of in found if of and visible.isdisjoint(of)}
    stems = dict(zip(facts, search.stems.texts(facts), strict=True)) if gone else {}
    return {number: " ".join(filter(None, map(stems.__getitem__, of))) for number, of in gone.items()}
