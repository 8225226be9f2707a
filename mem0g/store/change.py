"""What is written to a store at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from mem0g.model import Decision, Entity, Fact, Message, Scope, Succession
from mem0g.relations.relation_type import RelationType
from mem0g.store.note import Note
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector


@dataclass(frozen=True, slots=True)
class Support:
    """More evidence for a known fact; ``valid_from`` is its date, when only the new evidence tells it."""

    fact_id: str
    evidence: tuple[str, ...]
    valid_from: Moment | None = None


@dataclass(frozen=True, slots=True)
class Retirement:
    """A fact is current no longer: ``succession`` says why and since when it is known, ``valid_to`` when it ended."""

    succession: Succession
    valid_to: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """All that one window, or one batch of an import, adds to a scope: written in one transaction or not at all.

    ``entities`` are whole and replace those of the same id; everything else is new, and is left as it is where its id
    is there already. ``vectors`` are the embeddings of new messages, entities and facts, and of known messages that
    have none yet, by id. ``merges`` are (id, id of the entity it turned out to be): facts of the first become facts of
    the second. ``relations`` are types of the scope's tenant and replace those of the same name, ``vocabulary`` is the
    version they make (a new one by default); ``notes`` replace those of the same kind and key, unless these were
    struck out. Applied in the order of the fields.

    Changes by hand use three fields more. ``rewritten`` facts replace those of the same id wholly: ends, times,
    status, text and evidence (a vector only where ``vectors`` has one); the successions by which they were retired go,
    and those of this change take their place. ``reworded`` decisions replace those of the same id, at the same place
    of the log. ``erased`` are ids of messages, entities, facts and decisions, and keys of notes, of which no row
    stays; a fact's successions go with it, an entity's facts and a message's citations have to be named or rewritten
    as well. An entity that is written with ``merged_into`` None after a merge is an entity of its own again; its
    vector has to be given anew.
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
    notes: tuple[Note, ...] = ()
    erased: tuple[str, ...] = ()
    vectors: Mapping[str, Vector] = field(default_factory=dict)

    @property
    def adds(self) -> bool:
        """Whether it writes anything; to strike out notes is to write nothing where there are none."""
        others = (each.name for each in fields(self) if each.name not in ("scope", "vocabulary", "notes"))
        return any(getattr(self, name) for name in others) or any(note.body is not None for note in self.notes)

    def halves(self) -> tuple[Change, Change] | None:
        """Two changes that, one after the other, are this one; None for one that holds a single thing.

        What comes first stays first: messages before facts that stand on them, entities before the facts between them.
        """
        order = [each.name for each in fields(self) if each.name not in ("scope", "vectors", "vocabulary")]
        things = [(name, thing) for name in order for thing in getattr(self, name)]
        if len(things) < 2:
            return None
        middle = len(things) // 2
        return self._of(things[:middle]), self._of(things[middle:])

    def _of(self, things: Sequence[tuple[str, object]]) -> Change:
        given: dict[str, Any] = {}
        for name, thing in things:
            given[name] = (*given.get(name, ()), thing)
        ids = [getattr(thing, "id", "") for _, thing in things]
        vectors = {each: self.vectors[each] for each in ids if each in self.vectors}
        return Change(scope=self.scope, vectors=vectors, **given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What scopes hold, all of one moment.

    ``changes`` are of bounded size and, loaded in order, make an equal store; they are read as they are asked for.
    The relation types of the tenants come first. ``embedder`` and its ``dimensions`` are None while the store has no
    vector.
    """

    embedder: str | None
    dimensions: int | None
    changes: Iterator[Change]
