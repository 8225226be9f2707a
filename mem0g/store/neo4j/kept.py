"""Rows that searches of a scope have read, kept while nothing is written to the scope.

Searches of a scope find the same rows again and again, and reading a row takes the server ten times as long as finding
it. Every search asks the server for the versions of its scopes; rows of other versions are discarded, whoever wrote.
The first search of a version keeps nothing: many programs write between any two searches of a scope.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mem0g.model import Fact, Message, Passage, Scope
from mem0g.store.candidates import FactCandidate, MessageCandidate, SearchCandidates, Turns
from mem0g.store.neo4j.candidates import Place, Said, paths_of, turns_of, with_passages
from mem0g.store.neo4j.fact_rows import fact_of
from mem0g.store.neo4j.rows import Row, message_of, passage_of, vector_of
from mem0g.store.queries import CURRENT, EVERYTHING, SearchQuery

if TYPE_CHECKING:
    from mem0g.model import Vector

T = TypeVar("T", Fact, Message, Passage)

MOST = 20_000
"""Facts, messages and passages kept in all: one takes about 4 kB."""

MOST_SCOPES = 200
"""Scopes of which the versions or rows are kept."""

ROWS_OF_A_LIST = 4
"""Rows as which a list of the ids on a walk counts: a question that nobody asked before brings one, of up to 16 kB."""

ROUNDS = 3
"""Reads after which a search does without rows that the server does not return: messages, then what cites them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The ids of the rows to read."""

    messages: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


Read = Callable[[Wanted], Row]
"""Returns the row of ``cypher/gather.cypher`` with what is wanted, to keep."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """A record with its stems and its vector; of a message also ``outdated`` and what cites it, as gathered."""

    record: T
    terms: str
    vector: Vector | None
    outdated: str = ""
    citing: tuple[tuple[int, int, int, str], ...] = ()


@dataclass(slots=True)
class KeptRows:
    """What was read of some scopes at one version, in one view; None is kept for a row that is not there.

    What is kept is never changed, so that threads may share it.
    """

    versions: Sequence[tuple[Any, ...]]
    facts: dict[str, Kept[Fact] | None] = field(default_factory=dict)
    messages: dict[str, Kept[Message] | None] = field(default_factory=dict)
    passages: dict[str, Kept[Passage] | None] = field(default_factory=dict)
    places: dict[str, tuple[Place, int]] = field(default_factory=dict)
    said: dict[Place, dict[int, Said]] = field(default_factory=dict)
    lists: dict[tuple[object, ...], list[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.facts) + len(self.messages) + len(self.passages) + ROWS_OF_A_LIST * len(self.lists)

    def walks(self, query: SearchQuery) -> dict[str, list[Any]]:
        """Return the ids that the query's walks reach, by the name of the walk; only of those that are here."""
        keys = _walks(query, query.anchors)
        if not query.anchors:  # those of the nearest names are not known yet
            del keys["walk"]
        return {name: self.lists[key] for name, key in keys.items() if key in self.lists}

    def find(self, query: SearchQuery, near: Row, read: Read) -> SearchCandidates:
        """Return the candidates, given the row of ``nearest``; ``read`` is called for rows that are not here.

        Once is enough: the latest facts that cite the messages are the latest of those that cite messages here,
        whose ids are known, and of those that cite the others, which are read with them.
        """
        self.lists.update({key: near[name] for name, key in _walks(query, near["anchors"]).items()})
        for _ in range(ROUNDS):
            wanted = self._missing(query, near)
            if wanted == Wanted():
                break
            self._keep(wanted, read(wanted))
        found = self._facts(self._found(query, near), query)
        paths = paths_of(near["walk"], found, near["anchors"])
        messages = self._messages(near, query)
        cited = {each for fact in found.values() for each in fact.fact.evidence}
        return SearchCandidates(
            tuple(
                FactCandidate(each.fact, each.similarities, each.terms, paths.get(known, ()))
                for known, each in sorted(found.items())
            ),
            messages,
            self._turns(cited | {each.message.id for each in messages}, query.radius),
            tuple(self._facts(near["traversal"], query).values()),
            tuple(self._facts(near["instructions"], query).values()),
        )

    def _missing(self, query: SearchQuery, near: Row) -> Wanted:
        facts = self._found(query, near).union(near["traversal"], near["instructions"])
        return Wanted(
            messages=tuple(each for each in self._said(near) if each not in self.messages),
            passages=tuple(each for each in dict.fromkeys(near["passages"]) if each not in self.passages),
            facts=tuple(sorted(each for each in facts if each not in self.facts)),
        )

    def _keep(self, wanted: Wanted, row: Row) -> None:
        """Keep a row of ``gather``. Turns come first: who finds a fact or a message here expects its turns here."""
        for scope, source, session, said in row["turns"]:
            place = (scope, source, session)
            self.said.setdefault(place, {}).update({turn[1]: turn for turn in said})
            self.places.update({turn[0]: (place, turn[1]) for turn in said})
        self.facts.update({each["id"]: Kept(fact_of(each), each["terms"], _vector(each)) for each in row["facts"]})
        self.messages.update({each["id"]: _kept_message(each) for each in row["messages"]})
        self.passages.update(
            {each["id"]: Kept(passage_of(each), each["terms"], _vector(each)) for each in row["passages"]}
        )
        for each in wanted.facts:
            self.facts.setdefault(each, None)
        for each in wanted.messages:
            self.messages.setdefault(each, None)
        for each in wanted.passages:
            self.passages.setdefault(each, None)

    def _said(self, near: Row) -> dict[str, None]:
        """Return the ids of the messages found, and of those of the passages found."""
        parts = (self.passages.get(each) for each in near["passages"])
        return dict.fromkeys([*near["messages"], *(each.record.message_id for each in parts if each)])

    def _found(self, query: SearchQuery, near: Row) -> set[str]:
        """Return the ids of the facts that were found, the latest of those that cite the messages, and of the walk."""
        said = (kept for each in self._said(near) if (kept := self.messages.get(each)))
        citing = {each for message in said for each in message.citing}
        latest = sorted(citing, reverse=True)[: query.facts]
        return {*near["facts"], *(each[-1] for each in latest), *(each for hop in near["walk"] for each in hop)}

    def _facts(self, ids: Iterable[str], query: SearchQuery) -> dict[str, FactCandidate]:
        held = {each: kept for each in ids if (kept := self.facts.get(each))}
        cosines = cosines_of([each.vector for each in held.values()], query.vectors)
        unknown = (0.0,) * len(query.vectors)
        return {
            each: FactCandidate(kept.record, own or unknown, kept.terms)
            for (each, kept), own in zip(held.items(), cosines, strict=True)
        }

    def _messages(self, near: Row, query: SearchQuery) -> tuple[MessageCandidate, ...]:
        said = [kept for each in self._said(near) if (kept := self.messages.get(each))]
        parts = [part for each in dict.fromkeys(near["passages"]) if (part := self.passages.get(each))]
        cosines = cosines_of([each.vector for each in said], query.vectors)
        own = cosines_of([each.vector for each in parts], query.vectors)
        return with_passages(
            (
                MessageCandidate(each.record, similarities, each.terms, each.outdated)
                for each, similarities in zip(said, cosines, strict=True)
            ),
            ((each.record, similarities, each.terms) for each, similarities in zip(parts, own, strict=True)),
        )

    def _turns(self, ids: Collection[str], radius: int) -> Turns:
        """Return the turns around messages, which are here."""
        around: dict[Place, dict[int, Said]] = {}
        for session, position in (place for each in ids if (place := self.places.get(each))):
            held, wanted = self.said[session], around.setdefault(session, {})
            for near in range(position - radius, position + radius + 1):
                if near in held:
                    wanted[near] = held[near]
        return turns_of((place, said.values()) for place, said in around.items())


class KeptScopes:
    """The rows kept of the scopes that were searched last; thread-safe."""

    def __init__(self) -> None:
        self._rows: OrderedDict[tuple[object, ...], KeptRows] = OrderedDict()
        self._lock = Lock()

    def held(self, scope: Scope, query: SearchQuery) -> KeptRows | None:
        """Return what is kept of a scope for searches of this kind, of whatever versions."""
        with self._lock:
            return self._rows.get(_kind(scope, query))

    def rows(self, scope: Scope, query: SearchQuery, versions: Sequence[Sequence[Any]] | None) -> KeptRows | None:
        """Return the rows of a scope for searches of this kind.

        None if they cannot be kept, as the view is of a moment, or need not be, as this is the first search since a
        write; ``versions`` are those of the scopes that ``scope`` covers, None if there are many.
        """
        if versions is None or query.selection or query.view not in (CURRENT, EVERYTHING):
            return None
        key = _kind(scope, query)
        ordered = sorted(map(tuple, versions))
        with self._lock:
            held = self._rows.get(key)
            first = held is None or held.versions != ordered
            if held is None or first or len(held) > MOST:
                held = self._rows[key] = KeptRows(ordered)
            self._rows.move_to_end(key)
            while len(self._rows) > MOST_SCOPES or (len(self._rows) > 1 and sum(map(len, self._rows.values())) > MOST):
                self._rows.popitem(last=False)
            return None if first else held

    def discard(self, scope: str | None = None) -> None:
        """Discard the rows of a scope (its ``scope_text``), or all."""
        with self._lock:
            for key, held in list(self._rows.items()):
                if scope is None or any(each[0] == scope for each in held.versions):
                    del self._rows[key]


def cosines_of(vectors: Sequence[Vector | None], asked: Sequence[Vector]) -> list[tuple[float, ...] | None]:
    """Return the cosines of each vector with those ``asked``, by the formula of ``gather.cypher``; None of None."""
    import numpy as np

    found: list[tuple[float, ...] | None] = [None] * len(vectors)
    known = [place for place, vector in enumerate(vectors) if vector is not None]
    if known:
        held = np.stack([vectors[place] for place in known])  # type: ignore[misc]
        wanted = np.stack(asked).astype(held.dtype)
        lengths = 0.5 * (np.square(held).sum(axis=1)[:, np.newaxis] + np.square(wanted).sum(axis=1))
        cosines = (1 + held @ wanted.T - lengths).tolist()
        for place, each in zip(known, cosines, strict=True):
            found[place] = tuple(each)
    return found


def _kept_message(row: Row) -> Kept[Message]:
    citing = tuple((each[0], each[1], each[2], each[3]) for each in row["citing"])
    return Kept(message_of(row), row["terms"], _vector(row), row["outdated"], citing)


def _vector(row: Row) -> Vector | None:
    return None if row["embedding"] is None else vector_of(row["embedding"])


def _kind(scope: Scope, query: SearchQuery) -> tuple[object, ...]:
    return (scope, query.view, query.radius, len(query.vectors[0]))


def _walks(query: SearchQuery, anchors: Sequence[str]) -> dict[str, tuple[object, ...]]:
    """Return the keys of the ids that the query's walks reach, by the name of the walk."""
    return {
        "walk": ("walk", tuple(anchors), query.hops, query.budget),
        "traversal": ("traversal", query.traversal),
        "instructions": ("instructions", query.instructions),
    }
