"""What a store finds for a search: candidate facts and messages, and the messages around them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Protocol, TypeVar, cast, overload

from mem0g.model import Fact, Message, Passage
from mem0g.store.found_columns import Cited, Names, NotesAt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A candidate fact, its cosines with the query's vectors, and the path of names from an anchor, if any.

    ``terms``: its stems as stored, separated by spaces.
    """

    fact: Fact
    similarities: tuple[float, ...]
    terms: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageCandidate:
    """A candidate message and its cosines with the query's vectors (None if it has no vector).

    Of a message that is stored in passages, each ``passage`` found is a candidate, with its own cosines and terms.
    ``terms``: its stems, separated by spaces. ``outdated``: if facts cite the message and none of them is visible in
    the query's view, the stems of these facts, fact by fact in any order.
    """

    message: Message
    similarities: tuple[float, ...] | None
    terms: str
    outdated: str = ""
    passage: Passage | None = None

    @property
    def id(self) -> str:
        """The id of the passage, else of the message."""
        return self.passage.id if self.passage else self.message.id

    @property
    def text(self) -> str:
        """The text of the passage, else of the message."""
        return self.passage.text_in(self.message) if self.passage else self.message.text


@dataclass(frozen=True, slots=True)
class Turns:
    """Messages as columns of equal length: a search returns about 1,000, and of most of them only this is needed.

    ``sessions``: numbers, equal for messages of the same session of the same scope. ``terms``: the stems of each
    message, separated by spaces. ``noted``: the ids of those that have metadata. ``numbers``: see SearchCandidates.
    """

    ids: Sequence[str] = ()
    sessions: Sequence[int] = ()
    positions: Sequence[int] = ()
    terms: Sequence[str] = ()
    noted: Sequence[str] = ()
    numbers: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)


UNKNOWN = -(2**63)
"""A time that is not known, among microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class FactColumns:
    """Candidate facts as columns of equal length, by which they are ranked: most of them are never read as a whole.

    ``similarities``: shape (facts, vectors of the query). ``said_at``: microseconds since 1970, or UNKNOWN.
    ``subjects`` are names. The ids of subjects and objects share one numbering, and so do their types. ``cited``: the
    numbers of the messages in ``evidence``; see SearchCandidates.
    """

    ids: Sequence[str]
    similarities: NDArray[np.float64]
    said_at: NDArray[np.int64]
    texts: Sequence[str]
    relations: Names
    subject_ids: Names
    subjects: Names
    subject_types: Names
    object_ids: Names
    object_types: Names
    evidence: Sequence[Sequence[str]]
    cited: Cited | None = None
    notes: NotesAt | None = None

    @classmethod
    def of(cls, candidates: Sequence[FactCandidate]) -> FactColumns:
        """Return the columns of candidates."""
        facts = [each.fact for each in candidates]
        subject_ids, object_ids = Names.of([each.subject_id for each in facts], [each.object_id for each in facts])
        types = Names.of([each.subject_type for each in facts], [each.object_type for each in facts])
        (relations,), (subjects,) = (
            Names.of([each.relation for each in facts]),
            Names.of([each.subject for each in facts]),
        )
        return cls(
            ids=[each.id for each in facts],
            similarities=_matrix([each.similarities for each in candidates]),
            said_at=microseconds([each.said_at for each in facts]),
            texts=[each.text for each in facts],
            relations=relations,
            subject_ids=subject_ids,
            subjects=subjects,
            subject_types=next(types),
            object_ids=object_ids,
            object_types=next(types),
            evidence=[each.evidence for each in facts],
        )

    def followed_by(self, more: FactColumns) -> FactColumns:
        """Return these facts and then others."""
        import numpy as np  # a store that is only written to needs none

        if not len(more.ids):
            return self
        subject_ids, object_ids = Names.of([*self.subject_ids, *more.subject_ids], [*self.object_ids, *more.object_ids])
        types = Names.of([*self.subject_types, *more.subject_types], [*self.object_types, *more.object_types])
        (relations,), (subjects,) = (
            Names.of([*self.relations, *more.relations]),
            Names.of([*self.subjects, *more.subjects]),
        )
        return FactColumns(
            ids=[*self.ids, *more.ids],
            similarities=np.concatenate((self.similarities, more.similarities)),
            said_at=np.concatenate((self.said_at, more.said_at)),
            texts=[*self.texts, *more.texts],
            relations=relations,
            subject_ids=subject_ids,
            subjects=subjects,
            subject_types=next(types),
            object_ids=object_ids,
            object_types=next(types),
            evidence=[*self.evidence, *more.evidence],
        )


@dataclass(frozen=True, slots=True)
class MessageColumns:
    """Candidate messages and passages as columns of equal length; see FactColumns.

    ``ids`` are of the messages, ``texts`` of the passages where there are any. ``outdated``: as in MessageCandidate.
    ``numbers``: those of the messages; see SearchCandidates.
    """

    ids: Sequence[str]
    similarities: NDArray[np.float64]
    times: NDArray[np.int64]
    texts: Sequence[str]
    speakers: Names
    roles: Names
    positions: Sequence[int]
    outdated: Sequence[str]
    passages: Sequence[Passage | None]
    numbers: NDArray[np.int64] | None = None
    notes: NotesAt | None = None

    @property
    def keys(self) -> list[str]:
        """The ids of passages, of the others those of the messages."""
        both = zip(self.ids, self.passages, strict=True)
        return [passage.id if passage else each for each, passage in both]

    @classmethod
    def of(cls, candidates: Sequence[MessageCandidate]) -> MessageColumns:
        """Return the columns of candidates."""
        messages = [each.message for each in candidates]
        (speakers,), (roles,) = (
            Names.of([each.speaker for each in messages]),
            Names.of([each.role for each in messages]),
        )
        return cls(
            ids=[each.id for each in messages],
            similarities=_matrix([each.similarities or () for each in candidates]),
            times=microseconds([each.time for each in messages]),
            texts=[each.text for each in candidates],
            speakers=speakers,
            roles=roles,
            positions=[each.position for each in messages],
            outdated=[each.outdated for each in candidates],
            passages=[each.passage for each in candidates],
        )


def _matrix(similarities: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Return cosines as an array, 0 where they are not known."""
    import numpy as np  # a store that is only written to needs none

    width = max(map(len, similarities), default=0)
    unknown = (0.0,) * width
    return np.array([each or unknown for each in similarities], dtype=np.float64).reshape(len(similarities), width)


def microseconds(times: Sequence[datetime | None]) -> NDArray[np.int64]:
    """Return times as microseconds since 1970, or UNKNOWN."""
    import numpy as np  # a store that is only written to needs none

    known = {each: UNKNOWN if each is None else (each - _EPOCH) // _MICROSECOND for each in set(times)}
    return np.fromiter(map(known.__getitem__, times), np.int64, len(times))


_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)

C = TypeVar("C", FactCandidate, MessageCandidate)


class LazyCandidates(Sequence[C]):
    """Candidates as columns: each candidate is made when it is first read.

    ``columns`` are FactColumns or MessageColumns, ``make`` returns the candidates at some places.
    """

    def __init__(self, columns: FactColumns | MessageColumns, make: Callable[[Sequence[int]], Iterable[C]]) -> None:
        self.columns = columns
        self._make: Callable[[Sequence[int]], Iterable[C]] = make
        self._made: dict[int, C] = {}

    def __len__(self) -> int:
        return len(self.columns.ids)

    @overload
    def __getitem__(self, place: int) -> C: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[C]: ...

    def __getitem__(self, place: int | slice) -> C | Sequence[C]:
        places = range(len(self))[place]
        return self.at(places) if isinstance(places, range) else self.at([places])[0]

    def __iter__(self) -> Iterator[C]:
        return iter(self[:])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(self[:])

    def at(self, places: Sequence[int]) -> tuple[C, ...]:
        """Return the candidates at these places."""
        if missing := [place for place in places if place not in self._made]:
            self._made.update(zip(missing, self._make(missing), strict=True))
        return tuple([self._made[place] for place in places])


def several(candidates: Sequence[C], places: Sequence[int]) -> Sequence[C]:
    """Return the candidates at these places."""
    return candidates.at(places) if isinstance(candidates, LazyCandidates) else [candidates[place] for place in places]


def _columns(candidates: Sequence[FactCandidate] | Sequence[MessageCandidate]) -> FactColumns | MessageColumns | None:
    return candidates.columns if isinstance(candidates, LazyCandidates) else None


class StemCounts(Protocol):
    """Counts the stems of what a search found, for a store that need not read their texts for it."""

    def counts(
        self, terms: Sequence[str], facts: Sequence[str], passages: Sequence[str]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how often each text has each of ``terms``, shape (texts, terms), and how many stems it has.

        The texts are those of facts by id, all turns, and those of passages by id, in this order. A term of several
        stems, with a space between two, is counted where they follow each other.
        """
        ...


@dataclass(frozen=True, slots=True)
class SearchCandidates:
    """The candidates of a search, each once: facts by id, messages by id and their passages in order.

    ``turns``: the messages found, the evidence of the facts found, and those around either in their sessions, each
    once, in order of scope, source, session and position. ``traversal``: the facts of the query's PathTraversal, in its
    order, without paths. ``instructions``: the latest facts of the relation INSTRUCTS, last recorded first; those of
    which the sentence has INSTRUCTION_STEM, by which the full-text index finds them. ``stems`` counts what ``terms``
    have; without it they are counted themselves.

    A store may number messages, each by one number in the columns of turns, messages and evidence; see ``numbered``.
    """

    facts: Sequence[FactCandidate]
    messages: Sequence[MessageCandidate]
    turns: Turns = Turns()
    traversal: tuple[FactCandidate, ...] = ()
    instructions: tuple[FactCandidate, ...] = ()
    stems: StemCounts | None = field(default=None, compare=False, repr=False)

    @property
    def fact_columns(self) -> FactColumns:
        """The facts as columns: those of the store, else made anew."""
        return cast("FactColumns", _columns(self.facts)) or FactColumns.of(self.facts)

    @property
    def message_columns(self) -> MessageColumns:
        """The messages as columns: those of the store, else made anew."""
        return cast("MessageColumns", _columns(self.messages)) or MessageColumns.of(self.messages)

    def numbered(self) -> tuple[Cited, NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of the messages that the facts cite, of the messages found, and of the turns.

        They are those of the store, if it has numbered all of them.
        """
        import numpy as np  # a store that is only written to needs none

        facts, messages, turns = self.fact_columns, self.message_columns, self.turns
        if facts.cited is not None and messages.numbers is not None and turns.numbers is not None:
            return facts.cited, messages.numbers, turns.numbers
        evidence = list(chain.from_iterable(facts.evidence))
        cited, found, near = Names.of(evidence, messages.ids, turns.ids)
        counts = np.fromiter(map(len, facts.evidence), np.int64, len(facts.evidence))
        return Cited(counts, cited.codes.astype(np.int64)), found.codes.astype(np.int64), near.codes.astype(np.int64)

    def in_columns(self) -> SearchCandidates:
        """Return the same candidates, of which the columns are made once."""
        facts, messages = self.facts, self.messages
        return replace(
            self,
            facts=LazyCandidates(self.fact_columns, lambda places: several(facts, places)),
            messages=LazyCandidates(self.message_columns, lambda places: several(messages, places)),
        )

    def with_facts(self, candidates: Sequence[FactCandidate]) -> SearchCandidates:
        """Return the same candidates with these facts, in place of those with their ids or behind them all."""
        known = {each: place for place, each in enumerate(self.fact_columns.ids)}
        new = [each for each in candidates if each.fact.id not in known]
        columns, facts = self.fact_columns.followed_by(FactColumns.of(new)), self.facts
        given = {known.get(each.fact.id, -1): each for each in candidates}
        given |= {len(known) + place: each for place, each in enumerate(new)}

        def make(places: Sequence[int]) -> Iterator[FactCandidate]:
            own = iter(several(facts, [place for place in places if place not in given]))
            return (given[place] if place in given else next(own) for place in places)

        return replace(self, facts=LazyCandidates(columns, make))

    def without_messages(self, ids: Collection[str]) -> SearchCandidates:
        """Return the same candidates without these messages and their passages."""
        if not ids:
            return self
        return replace(self, messages=tuple(each for each in self.messages if each.message.id not in ids))

    def without_facts(self, ids: Collection[str]) -> SearchCandidates:
        """Return the same candidates without these facts."""
        if not ids:
            return self
        facts, traversal, instructions = (
            tuple(each for each in found if each.fact.id not in ids)
            for found in (self.facts, self.traversal, self.instructions)
        )
        return replace(self, facts=facts, traversal=traversal, instructions=instructions)

    def without_evidence(self, ids: Collection[str]) -> SearchCandidates:
        """Return the same candidates, their facts without these messages in their evidence."""
        if not ids:
            return self

        def cleared(found: FactCandidate) -> FactCandidate:
            evidence = tuple(each for each in found.fact.evidence if each not in ids)
            return replace(found, fact=replace(found.fact, evidence=evidence))

        return replace(
            self,
            facts=tuple(map(cleared, self.facts)),
            traversal=tuple(map(cleared, self.traversal)),
            instructions=tuple(map(cleared, self.instructions)),
        )
