"""Changes: what is written to a store in one transaction; snapshots, which are sequences of changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from mem0g.model import Decision, Entity, Fact, Message, Passage, Receipt, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.store.records import (
    ConversationSummary,
    Done,
    ModelCall,
    ModelReply,
    PendingWindow,
    RetirementReview,
)
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector


@dataclass(frozen=True, slots=True)
class Support:
    """More evidence for a known fact, and what it adds to it.

    ``valid_from`` and ``planned_for`` are set where the fact has none, ``valid_to`` where it has none and is current;
    ``observed`` where it has none or an earlier one, in the order of ISO 8601 text. ``metadata``, unless empty,
    replaces what was given with the fact.
    """

    fact_id: str
    evidence: tuple[str, ...]
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    observed: Moment | None = None
    planned_for: Moment | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Retirement:
    """The end of a current fact: ``succession`` says why and when that was recorded, ``valid_to`` when it ended."""

    succession: Succession
    valid_to: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Everything that one window, or one batch of an import, writes to a scope, in one transaction.

    ``entities`` are complete and replace those of the same id; other records of the graph are new, and are ignored if
    their id is in the store already. ``vectors`` are the embeddings, by id, of new messages, entities and facts, and of
    known messages that have none yet. A long message is stored in passages (``Message.passages``), which have vectors
    of their own, unless ``vectors`` has one of the whole message, as those of older stores have. ``merges`` are pairs
    (id of the merged entity, id of the one kept): facts of the first become facts of the second. ``relations`` are
    types of the scope's tenant and replace those of the same name; ``vocabulary`` is the resulting version of these
    types, a new one by default. ``windows``, ``calls``, ``replies``, ``summaries``, ``reviews`` and ``receipts``
    replace the records of the same id, unless these are done; ``done`` marks records in the store as done. Fields are
    applied in the order in which they are declared.

    Three fields are for manual edits. ``rewritten`` facts replace those of the same id in full: ends, times, status,
    text and evidence (the vector only where ``vectors`` has one); the successions by which they were retired are
    removed, and those of this change take their place. ``reworded`` decisions replace those of the same id, at the same
    position of the log. ``erased`` are ids of records of any type that are deleted; a fact's successions are
    deleted with it, while an entity's facts and a message's citations have to be erased or rewritten as well; relation
    types that none of the tenant's remaining facts use are removed too, except those that a user defined. Writing
    an entity with ``merged_into`` None undoes its merge; it needs its vector again.
    """

    scope: Scope
    messages: tuple[Message, ...] = ()
    entities: tuple[Entity, ...] = ()
    facts: tuple[Fact, ...] = ()
    support: tuple[Support, ...] = ()
    retirements: tuple[Retirement, ...] = ()
    merges: tuple[tuple[str, str], ...] = ()
    rewritten: tuple[Fact, ...] = ()
    successions: tuple[Succession, ...] = ()
    decisions: tuple[Decision, ...] = ()
    reworded: tuple[Decision, ...] = ()
    relations: tuple[RelationType, ...] = ()
    vocabulary: str = ""
    windows: tuple[PendingWindow, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    replies: tuple[ModelReply, ...] = ()
    summaries: tuple[ConversationSummary, ...] = ()
    reviews: tuple[RetirementReview, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    done: tuple[Done, ...] = ()
    erased: tuple[str, ...] = ()
    vectors: Mapping[str, Vector] = field(default_factory=dict)

    @property
    def adds(self) -> bool:
        """Whether the change may create its scope: whether it does anything but mark records as done."""
        return any(
            getattr(self, each.name) for each in fields(self) if each.name not in ("scope", "vocabulary", "done")
        )

    def passages_of(self, message: Message) -> tuple[Passage, ...]:
        """Return the passages in which ``message`` is stored; none if it is stored as a whole."""
        return () if message.id in self.vectors else message.passages()

    def halves(self) -> tuple[Change, Change] | None:
        """Return two changes that, one after the other, equal this one; None for a change of a single record.

        The order is kept: messages before the facts that cite them, entities before the facts between them.
        """
        order = [each.name for each in fields(self) if each.name not in ("scope", "vectors", "vocabulary")]
        records = [(name, record) for name in order for record in getattr(self, name)]
        if len(records) < 2:
            return None
        middle = len(records) // 2
        return self._of(records[:middle]), self._of(records[middle:])

    def _of(self, records: Sequence[tuple[str, object]]) -> Change:
        given: dict[str, Any] = {}
        for name, record in records:
            given[name] = (*given.get(name, ()), record)
        ids = [getattr(record, "id", "") for _, record in records]
        ids += [each.id for _, record in records if isinstance(record, Message) for each in record.passages()]
        vectors = {each: self.vectors[each] for each in ids if each in self.vectors}
        return Change(scope=self.scope, vectors=vectors, **given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The contents of scopes at one moment.

    ``changes`` are of bounded size, read lazily, and make an equal store when loaded in order; relation types
    come first. ``embedder`` and its ``dimensions`` are None while the store has no vector.
    """

    embedder: str | None
    dimensions: int | None
    changes: Iterator[Change]
