"""The graph: entities, triples as extracted, facts as stored, and what is decided about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from mem0g.errors import TripleError
from mem0g.model.scope import Scope
from mem0g.text.names import normal_relation
from mem0g.times import Moment, as_moment

Operation = Literal["ADD", "UPDATE", "DELETE", "NOOP", "MERGE", "UNMERGE", "UNDO"]

_HALF_A_PAIR = re.compile("[\ud800-\udfff]")

MAX_NAME_LENGTH = 1000
"""Maximum number of characters in the name of an entity or a relation; longer ones are mistakes."""

LITERAL = "literal"
"""The type of an object that is a value, not an entity."""

INSTRUCTS, PREFERS = "INSTRUCTS", "PREFERS"
"""The relations of a user's standing instructions to an assistant, and of preferences."""


def is_literal(kind: str) -> bool:
    """Whether the type of an end, as given, is LITERAL in any case."""
    return kind.strip().casefold() == LITERAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node: one person, place, thing... of the conversations.

    ``name`` is the fullest of its names, ``aliases`` the others; ``type`` is its kind as it was given ("sports team",
    "" if unknown). ``merged_into`` is the id of the entity that it was merged into. A node whose type is LITERAL is no
    entity but the value of a fact: ``name`` is its text; it has no aliases, and no search or match finds it.
    """

    id: str
    scope: Scope
    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    merged_into: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    @property
    def is_literal(self) -> bool:
        """Whether it is the value of a fact, not an entity."""
        return self.type == LITERAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """A claim as extracted: not yet resolved against the graph.

    ``text`` is one self-contained sentence: names, no pronouns; dates, no "yesterday". ``brief`` is the same as a short
    clause without the subject ("adopted a puppy called Toby"), if the extractor gave one. ``valid_from`` and
    ``valid_to`` say when it is true in the world, at the precision known. ``observed`` is the day on which a state
    without known dates was said to hold: it holds at least on that day. ``planned_for`` is the day or the period that a
    plan is for; of several days it is the first, and ``valid_to`` the last. ``evidence`` are ids of the messages that
    say it. ``retracts``: the message says that it is no longer true. ``confidence`` is between 0 and 1. An
    ``object_type`` of LITERAL marks the object as a value ("blue", "42", "easy to take care of"), which never becomes
    an entity. ``metadata`` belongs to the claim itself; the metadata of its messages need not be repeated.

    The dates may be given as text, a date or an aware datetime too; they become moments.

    Raises TripleError for an empty end, relation or text, a NUL byte, half of a surrogate pair, a name of more than
    1,000 characters, or a literal as the subject, and TimeError for what is no time.
    """

    subject: str
    relation: str
    object: str
    text: str
    subject_type: str = ""
    object_type: str = ""
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    evidence: tuple[str, ...] = ()
    retracts: bool = False
    confidence: float = 1.0
    brief: str | None = None
    observed: Moment | None = None
    planned_for: Moment | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        words = {"subject": self.subject, "relation": self.relation, "object": self.object, "text": self.text}
        for part, value in words.items():
            if not value.strip():
                raise TripleError(
                    f"the triple's {part} is empty", hint="a triple needs subject, relation, object and text"
                )
            if part != "text" and len(value) > MAX_NAME_LENGTH:
                raise TripleError(f"the triple's {part} has {len(value)} characters", hint=f"at most {MAX_NAME_LENGTH}")
        for value in (*words.values(), self.subject_type, self.object_type, self.brief or ""):
            if "\0" in value:
                raise TripleError(f"NUL byte in {value[:40]!r}", hint="remove it")
            if _HALF_A_PAIR.search(value):
                raise TripleError(f"half of a surrogate pair in {value[:40]!r}", hint="no text can hold it: remove it")
        if not normal_relation(self.relation):
            raise TripleError(
                f"the relation {self.relation!r} has no letter and no digit", hint="name it, as in lives_in"
            )
        if not 0 <= self.confidence <= 1:
            raise TripleError(f"confidence {self.confidence} is not between 0 and 1")
        if is_literal(self.subject_type):
            raise TripleError(f"the subject {self.subject[:40]!r} is a literal", hint="only an object can be one")
        self._read_dates()

    def _read_dates(self) -> None:
        for name in ("valid_from", "valid_to", "observed", "planned_for"):
            if (time := getattr(self, name)) is not None:
                object.__setattr__(self, name, as_moment(time))

    @property
    def object_is_literal(self) -> bool:
        """Whether the object is a value, not an entity."""
        return is_literal(self.object_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A stored triple.

    ``relation`` is the normalised canonical name (LIVES_IN), ``relation_given`` the words of the triple. Two times:
    ``valid_from`` to ``valid_to`` is when it was true in the world (None: unknown, or open); ``recorded_at`` to
    ``retired_at`` is when mem0g believed it. ``said_at`` is the time of the first message that says it. A fact is
    ``current`` until it is retired. ``brief`` and ``planned_for`` are as in Triple; ``observed`` is the last day on
    which it was said to hold. ``metadata`` is what was given with the fact itself; a fact that a Memory returns also
    has the metadata of the messages that state it. Where keys collide, a later message wins over an earlier one, and
    the fact's own metadata over both.
    """

    id: str
    scope: Scope
    subject_id: str
    subject: str
    subject_type: str
    relation: str
    relation_given: str
    object_id: str
    object: str
    object_type: str
    text: str
    valid_from: Moment | None
    valid_to: Moment | None
    said_at: datetime | None
    recorded_at: datetime
    retired_at: datetime | None = None
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()
    brief: str | None = None
    observed: Moment | None = None
    planned_for: Moment | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def current(self) -> bool:
        """Whether it has not been retired."""
        return self.retired_at is None

    @property
    def object_is_literal(self) -> bool:
        """Whether the object is a value, not an entity."""
        return self.object_type == LITERAL

    @property
    def names_its_subject(self) -> bool:
        """Whether it only gives its subject another name: both ends are one entity ("Olivia is also called Liv")."""
        return self.subject_id == self.object_id and self.relation in ("ALSO_KNOWN_AS", "IS")

    @property
    def is_instruction(self) -> bool:
        """Whether it is a standing instruction of a user: a value, not a class or a person that somebody instructs."""
        return self.relation == INSTRUCTS and self.object_is_literal

    @property
    def date(self) -> Moment | None:
        """The date that it is about: since when it is true, what a plan is for, or the day it was last observed."""
        return self.valid_from or self.planned_for or self.observed

    def is_past_plan(self, at: datetime) -> bool:
        """Whether it is a plan whose day or period is over at ``at``, with no news of its outcome.

        Such a fact is still current: nothing says that the plan came true or was given up. Show it as a plan of the
        past ("planned to visit Japan in May 2024"), not as one that lies ahead. ``at`` is the time of the question, or
        the time as of which the memory is read (``as_of``).
        """
        last = self.valid_to or self.planned_for
        return self.current and self.planned_for is not None and last is not None and last.end <= at

    @property
    def edge(self) -> tuple[str, str, str]:
        """Subject id, relation and object id: an edge of the graph."""
        return (self.subject_id, self.relation, self.object_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """Why a fact was retired: ``successor_id`` is the fact that replaced it, None when it only ended."""

    fact_id: str
    successor_id: str | None
    reason: str
    decided_by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was done with a triple, or by hand; by whom, and why.

    ``fact_id`` is the fact that was made (ADD, UPDATE) or confirmed (NOOP); ``targets`` are the ids of the facts that
    were retired or end earlier, the entities that were merged or split (MERGE, UNMERGE), or the decision that was
    undone (UNDO). ``decided_by`` is "rule", the model's name, or "user" for what was changed by hand; ``rule`` is the
    rule's name, ``score`` its measure, if it has one. ``evidence`` are the message ids of the triple, ``triple`` its
    subject, relation, object and text as given. ``before`` holds the facts and entities that it changed, as they were
    before, so that it can be undone (see mem0g.history.images); empty if it changed nothing.
    """

    id: str
    operation: Operation
    rule: str
    reason: str
    at: datetime
    decided_by: str = "rule"
    fact_id: str | None = None
    targets: tuple[str, ...] = ()
    score: float | None = None
    evidence: tuple[str, ...] = ()
    triple: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)

    @property
    def about(self) -> tuple[str, ...]:
        """The ids of the facts, entities and decisions that it concerns, each once."""
        kept = (each["id"] for kind in ("facts", "entities") for each in self.before.get(kind, ()))
        ids = (self.fact_id, *self.targets, *kept, *self.before.get("created_facts", ()))
        return tuple(dict.fromkeys(each for each in ids if each))
