"""What a store finds for a search: candidate facts and messages, and the messages around them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from mem0g.model import Fact, Message, Passage

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
    message, separated by spaces. ``noted``: the ids of those that have metadata.
    """

    ids: tuple[str, ...] = ()
    sessions: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    terms: Sequence[str] = ()
    noted: tuple[str, ...] = ()


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
    """

    facts: tuple[FactCandidate, ...]
    messages: tuple[MessageCandidate, ...]
    turns: Turns = Turns()
    traversal: tuple[FactCandidate, ...] = ()
    instructions: tuple[FactCandidate, ...] = ()
    stems: StemCounts | None = field(default=None, compare=False, repr=False)

    def without_messages(self, ids: Collection[str]) -> SearchCandidates:
        """Return the same candidates without these messages and their passages."""
        if not ids:
            return self
        return replace(self, messages=tuple(each for each in self.messages if each.message.id not in ids))

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
