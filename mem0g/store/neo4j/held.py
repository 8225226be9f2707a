"""Scopes of a Neo4j database held in memory, as a source of searches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from mem0g.model import INSTRUCTS, Entity, Fact, Message, Passage, Scope
from mem0g.store.found_columns import Cited
from mem0g.store.in_memory.column import Column, numbers_of
from mem0g.store.in_memory.edges import Edges
from mem0g.store.in_memory.places import Places
from mem0g.store.in_memory.postings import Postings
from mem0g.store.in_memory.rows import FactRow, MessageRow, instant
from mem0g.store.in_memory.searching import Selected, Table, Texts
from mem0g.store.in_memory.selecting import select
from mem0g.store.in_memory.structure import Relations
from mem0g.store.in_memory.tables import Found, Numbering, Tables
from mem0g.store.in_memory.vectors import Rows
from mem0g.store.neo4j.match_index import EntityRow, MatchIndex
from mem0g.store.neo4j.rows import FAR, Row, vector_of
from mem0g.store.queries import CURRENT, EVERYTHING, MAX_WITH_STEM, Selection, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.store.in_memory.column import Numbers

TABLES: dict[str, Table] = {"facts": "fact", "messages": "message", "passages": "passage", "entities": "entity"}
"""The tables that have vectors, by their names in the rows that are read."""

ROW_BYTES = (5000, 2500, 900, 1200)
"""Memory that a fact, a message, a passage and an entity take beside the columns, about."""

_FAR = int(instant(FAR) or 0)


class StaleError(Exception):
    """What was read cannot be added to what is held: it has to be read anew."""


class HeldScopes:
    """The nodes of a set of scopes, as columns and rows; see Source.

    A node's row number is its place in the order in which the nodes of its kind were added: of one scope that of the
    numbers ``n`` that they have there. Rows are added; of those held only what ``add`` names is replaced.
    """

    def __init__(self, scopes: Sequence[Scope], names: Sequence[str], dimensions: int | None) -> None:
        self._scopes = scopes
        self._scope_numbers = {name: place for place, name in enumerate(names)}
        self.dimensions = dimensions
        self._vectors: dict[Table, Rows] = {each: Rows(dimensions or 0) for each in TABLES.values()}
        self._words = Numbering()
        self._stems: dict[Texts, Postings] = {
            "message": Postings(self._words),
            "passage": Postings(self._words),
            "fact": Postings(self._words),
        }
        self.edges, self.relations, self.places = Edges(), Relations(), Places()
        self._numbers: dict[Table, dict[str, int]] = {each: {} for each in TABLES.values()}
        self._facts: list[FactRow] = []
        self._messages: list[MessageRow] = []
        self._tables = Tables(dict(enumerate(scopes)))
        self._passages: list[tuple[int, Passage]] = []
        self._passages_of: defaultdict[int, list[int]] = defaultdict(list)
        self._citing: defaultdict[str, list[int]] = defaultdict(list)
        self._entities: list[EntityRow] = []
        self._index: MatchIndex | None = None
        self._named: defaultdict[str, set[int]] = defaultdict(set)
        self._read_as: dict[str, tuple[str, int]] = {}
        self._ends: dict[str, tuple[str, str]] = {}
        self._intervals = Column(np.int64, 4)
        self._current = Column(bool)
        self._known_since = Column(np.int64)

    @property
    def size_in_bytes(self) -> int:
        """Memory that all this takes, about."""
        columns = sum(each.size_in_bytes for each in self._vectors.values())
        columns += sum(each.size_in_bytes for each in self._stems.values())
        columns += sum(each.size_in_bytes for each in (self.edges, self.relations, self.places, self._words))
        counts = (len(self._facts), len(self._messages), len(self._passages), len(self._entities))
        return columns + sum(each * count for each, count in zip(ROW_BYTES, counts, strict=True))

    def add(self, row: Row) -> None:
        """Add what was read, a row of ``held.cypher``.

        Of known facts, evidence, interval, status and vector are replaced, of known entities name, type and vector.
        Raises StaleError, after which this must not be used, if anything else of a known one has changed.
        """
        self._add_entities([*row["entities"], *row["literals"]])
        self._add_messages(row["messages"])
        self._add_passages(row["passages"])
        self._add_facts(row["facts"])
        for name, table in TABLES.items():
            self._add_vectors(table, row[name])

    def numbers(self, ids: Iterable[str]) -> set[tuple[str, int]]:
        """Return scope and ``n`` of those of these facts and entities that are held."""
        return {self._read_as[each] for each in ids if each in self._read_as}

    # What a search reads; see Source.

    def vectors(self, table: Table, dimensions: int) -> Rows:
        """See Source; ``dimensions`` are those of the store, or it has no vectors."""
        return Rows(dimensions) if self.dimensions is None else self._vectors[table]

    def stems(self, table: Texts) -> Postings:
        """See Source."""
        return self._stems[table]

    def found_facts(self, numbers: Collection[int]) -> Found[FactRow, Fact]:
        """See Source."""

        def rows(missing: Iterable[int]) -> list[FactRow]:
            found = (self._facts[each] for each in missing)
            return [row._replace(cited=self._cited(row.evidence)) for row in found]

        return self._tables.found_facts(numbers_of(numbers), rows)

    def cited(self, facts: Found[FactRow, Fact]) -> Cited:
        """See Source."""
        return self._tables.cited(facts)

    def found_messages(self, numbers: Collection[int]) -> Found[MessageRow, Message]:
        """See Source."""
        return self._tables.found_messages(
            numbers_of(numbers), lambda missing: [self._messages[each] for each in missing]
        )

    def _cited(self, evidence: Iterable[str]) -> tuple[int, ...]:
        numbers = self._numbers["message"]
        return tuple(numbers[each] for each in evidence if each in numbers)

    def passages(self, numbers: Iterable[int]) -> dict[int, tuple[int, Passage]]:
        """See Source."""
        return {number: self._passages[number] for number in numbers}

    def passages_of(self, messages: Collection[int]) -> list[int]:
        """See Source."""
        return list(chain.from_iterable(self._passages_of.get(each, ()) for each in messages))

    def citing(self, messages: Numbers) -> Cited:
        """See Source."""
        facts = [self._citing.get(self._messages[each].id, ()) for each in messages.tolist()]
        return Cited(np.array([len(each) for each in facts], dtype=np.int64), numbers_of([*chain.from_iterable(facts)]))

    def entity_ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """See Source."""
        rows = (self._entities[each] for each in numbers)
        return tuple(row.id for row in rows if row.merged_into is None)

    def named(self, names: Iterable[str]) -> tuple[Entity, ...]:
        """Return the entities with one of these folded names or aliases, by id."""
        return tuple(sorted(map(self.entity, self.numbers_named(names)), key=lambda each: each.id))

    def unseen(self, view: View) -> Numbers:
        """See Source."""
        if view == EVERYTHING:
            return np.empty(0, dtype=np.int64)
        if view == CURRENT:
            return np.flatnonzero(~self._current.values)
        return np.flatnonzero(~self._seen(view))

    def recorded_later(self, view: View) -> Mapping[int, str]:
        """See Source."""
        if view.known_at is None:
            return {}
        later = np.flatnonzero(self._known_since.values > (instant(view.known_at) or 0))
        return {number: self._messages[number].id for number in later.tolist()}

    def selected(self, selection: Selection | None) -> Selected:
        """See Source."""
        starts = self._intervals.values[:, 2].tolist() if selection else ()
        facts = zip(self._facts, starts, strict=True) if selection else ()
        return select(facts, self._messages if selection else (), selection)

    def instructions(self, having: Collection[int], view: View, limit: int) -> list[int]:
        """See Source."""
        found = [each for each in having if self._facts[each].relation == INSTRUCTS][:MAX_WITH_STEM]
        seen = np.ones(len(self._facts), dtype=bool)
        seen[self.unseen(view)] = False
        return self.edges.latest(found, seen, limit)

    def _seen(self, view: View) -> NDArray[np.bool_]:
        """Return which facts are visible in a view, by the condition that the queries have."""
        recorded, retired, starts, ends = self._intervals.values.T
        known_at = _FAR if view.known_at is None else (instant(view.known_at) or 0)
        as_of = _FAR if view.as_of is None else (instant(view.as_of) or 0)
        held = self._current.values | (retired > known_at) | (ends > as_of) | view.include_retired
        seen: NDArray[np.bool_] = (recorded <= known_at) & (starts <= as_of) & held
        return seen

    # What a window's transaction reads; see mem0g.store.neo4j.matching.

    @property
    def index(self) -> MatchIndex:
        """Entities by tokens, facts by ends; made when it is first asked for."""
        if self._index is None:
            self._index = MatchIndex(self._entities, self._facts)
        return self._index

    @property
    def entity_rows(self) -> Sequence[EntityRow]:
        """The entities and literals, by row number."""
        return self._entities

    @property
    def fact_rows(self) -> Sequence[FactRow]:
        """The facts, by row number."""
        return self._facts

    def entity(self, number: int) -> Entity:
        """Return an entity."""
        return self._entities[number].entity(self._scopes)

    def numbers_named(self, names: Iterable[str]) -> set[int]:
        """Return the entities with one of these folded names or aliases."""
        return {number for name in names for number in self._named.get(name, ())}

    # Adding.

    def _new(self, table: Table, rows: Sequence[Sequence[Any]]) -> tuple[list[Sequence[Any]], list[Sequence[Any]]]:
        """Number the rows that are not held, in order of scope and ``n``; return them, and those that are held.

        Raises StaleError if there is a row without properties: of a node that was removed while it was read.
        """
        if any(row[0] is None for row in rows):
            raise StaleError
        numbers, new, known = self._numbers[table], [], []
        for row in sorted(rows, key=lambda each: (self._scope_numbers[each[0]], each[1])):
            if row[2] in numbers:
                known.append(row)
            else:
                numbers[row[2]] = len(numbers)
                new.append(row)
        return new, known

    def _add_entities(self, rows: Sequence[Sequence[Any]]) -> None:
        new, known = self._new("entity", rows)
        self._read_as.update((row[2], (row[0], row[1])) for row in new)
        for scope, _, *fields, _ in new:
            self._set_entity(len(self._entities), EntityRow(self._scope_numbers[scope], *fields))
        for scope, _, *fields, _ in known:
            row = EntityRow(self._scope_numbers[scope], *fields)
            number = self._numbers["entity"][row.id]
            before = self._entities[number]
            if before.merged_into != row.merged_into:
                raise StaleError
            for name in before.names or ():
                self._named[name].discard(number)
            self._set_entity(number, row)
            if (before.name, before.type) != (row.name, row.type):
                self._rename(row.id)

    def _set_entity(self, number: int, row: EntityRow) -> None:
        if self._index:
            self._index.set_entity(number, self._entities[number] if number < len(self._entities) else None, row)
        if number < len(self._entities):
            self._entities[number] = row
        else:
            self._entities.append(row)
        self._ends[row.id] = (row.name, row.type)
        for name in row.names or ():
            self._named[name].add(number)

    def _rename(self, entity_id: str) -> None:
        """Replace the name and type of an entity in the facts that have it as an end."""
        every = np.ones(len(self._facts), dtype=bool)
        for number in self.edges.touching([entity_id], every, len(self._facts)):
            self._facts[number] = self._with_ends(self._facts[number])
            self._tables.facts.drop(number)

    def _with_ends(self, row: FactRow) -> FactRow:
        (subject, subject_type), (obj, object_type) = self._ends[row.subject_id], self._ends[row.object_id]
        return row._replace(subject=subject, subject_type=subject_type, object=obj, object_type=object_type)

    def _add_messages(self, rows: Sequence[Sequence[Any]]) -> None:
        new, _ = self._new("message", rows)
        if not new:
            return
        start = len(self._messages)
        numbers = range(start, start + len(new))
        for number, (_, _, *fields, _, _, _) in zip(numbers, new, strict=True):
            row = MessageRow._make((number, *fields))
            self._messages.append(row)
        added = self._messages[start:]
        if self._tables.incomplete:
            self._tables = Tables(dict(enumerate(self._scopes)))
        scopes = [self._scope_numbers[row[0]] for row in new]
        keys = [self._keys(row[0]) if row[-3] else 0 for row in new]
        self._stems["message"].append(numbers, keys, [row[-2] for row in new])
        self.places.append(
            numbers,
            scopes,
            [row.source for row in added],
            [row.session for row in added],
            [row.position for row in added],
            [row.id for row in added],
            [row.metadata is not None for row in added],
        )
        known = [row.recorded_at if row.recorded_at is not None else row.time for row in added]
        self._known_since.append([np.iinfo(np.int64).min if each is None else each for each in known])

    def _add_passages(self, rows: Sequence[Sequence[Any]]) -> None:
        new, _ = self._new("passage", rows)
        if not new:
            return
        start = len(self._passages)
        for number, (_, _, known, message_id, begin, end, heading, _, _) in enumerate(new, start=start):
            message = self._numbers["message"].get(message_id)
            if message is None:
                raise StaleError
            self._passages.append((message, Passage(known, message_id, begin, end, heading)))
            self._passages_of[message].append(number)
        numbers = range(start, start + len(new))
        self._stems["passage"].append(numbers, [self._keys(row[0]) for row in new], [row[-2] for row in new])

    def _add_facts(self, rows: Sequence[Sequence[Any]]) -> None:
        new, known = self._new("fact", rows)
        for row in known:
            self._replace(row)
        if not new:
            return
        self._read_as.update((row[2], (row[0], row[1])) for row in new)
        start = len(self._facts)
        numbers = range(start, start + len(new))
        for number, row in zip(numbers, new, strict=True):
            self._facts.append(self._fact_row(number, row))
        added = self._facts[start:]
        if self._index:
            self._index.add_facts(added)
        for fact in added:
            for message in fact.evidence:
                self._citing[message].append(fact.n)
        self._stems["fact"].append(numbers, [self._keys(row[0]) for row in new], [row[-2] for row in new])
        ends = [row.subject_id for row in added], [row.object_id for row in added]
        self.edges.append(numbers, *ends, [row.recorded_at for row in added])
        self.relations.append(numbers, [row.relation for row in added])
        self._intervals.append([_interval(row) for row in new])
        self._current.append([row[-5] for row in new])

    def _fact_row(self, number: int, row: Sequence[Any]) -> FactRow:
        """Return the row of a fact; raises StaleError if it has an end that is not held."""
        scope, _, *fields, evidence, current, _, _, _, _ = row
        subject, obj = self._ends.get(fields[1]), self._ends.get(fields[4])
        if subject is None or obj is None:
            raise StaleError
        if current:
            fields[10] = None  # retired in a far future
        return FactRow._make((number, self._scope_numbers[scope], *fields, *subject, *obj, tuple(evidence), ()))

    def _replace(self, row: Sequence[Any]) -> None:
        """Replace a fact by a row of it that was read anew."""
        number = self._numbers["fact"][row[2]]
        before, after = self._facts[number], self._fact_row(number, row)
        if _columns(before) != _columns(after):
            raise StaleError
        for message in set(before.evidence) - set(after.evidence):
            self._citing[message].remove(number)
        for message in after.evidence:
            if message not in before.evidence:
                self._citing[message].append(number)
        self._facts[number] = after
        self._tables.facts.drop(number)
        self._intervals.values[number] = _interval(row)
        self._current.values[number] = row[-5]

    def _add_vectors(self, table: Table, rows: Sequence[Sequence[Any]]) -> None:
        """Add the vectors of rows; those that are held already are replaced."""
        numbers, held = self._numbers[table], self._vectors[table]
        read = {numbers[row[2]]: row[-1] for row in rows if row[-1] is not None}
        last = int(held.n[-1]) if len(held.n) else -1
        known, new = sorted(each for each in read if each <= last), sorted(each for each in read if each > last)
        vectors = {number: vector_of(vector) for number, vector in read.items()}
        if any(len(each) != self.dimensions for each in vectors.values()) or not held.has(known):
            raise StaleError
        if known:
            held.replace(known, np.stack([vectors[each] for each in known]))
        if new:
            held.append(new, np.stack([vectors[each] for each in new]))

    def _keys(self, scope: str) -> int:
        return len(self._scopes[self._scope_numbers[scope]].keys)


def _columns(row: FactRow) -> tuple[object, ...]:
    """Return what of a fact is in the columns."""
    return (row.id, row.text, row.subject_id, row.object_id, row.recorded_at, row.relation)


def _interval(row: Sequence[Any]) -> tuple[int, int, int, int]:
    """Return when a fact was recorded and retired, and from when to when it holds."""
    return (row[11], row[12], row[-4], row[-3])
