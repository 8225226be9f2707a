"""The data model: frozen dataclasses that the stages take and return."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from mem0g.errors import ScopeError, TripleError
from mem0g.text.code import identifier_words
from mem0g.text.names import normal_relation
from mem0g.text.passages import LONGEST, cut, size
from mem0g.times import Moment, utc

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """A unit vector, shape (dimensions,)."""
    Matrix = NDArray[np.float32]
    """Unit vectors in rows, shape (n, dimensions)."""

Role = Literal["user", "assistant", "system", "tool"]
Operation = Literal["ADD", "UPDATE", "DELETE", "NOOP", "MERGE", "UNMERGE", "UNDO"]

_HALF_A_PAIR = re.compile("[\ud800-\udfff]")

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters of a Python string that no store keeps: NUL, and halves of surrogate pairs."""

MAX_NAME_LENGTH = 1000
"""Maximum number of characters in the name of an entity or a relation; longer ones are mistakes."""


LITERAL = "literal"
"""The type of an object that is a value, not an entity."""


INSTRUCTS, PREFERS = "INSTRUCTS", "PREFERS"
"""The relations of a user's standing instructions to an assistant, and of preferences."""


def is_literal(kind: str) -> bool:
    """Whether the type of an end, as given, is LITERAL in any case."""
    return kind.strip().casefold() == LITERAL


def content_id(kind: str, *parts: str | int | None) -> str:
    """Return an id made of content, the same in every store: ``kind``, an underscore and 64 bits of a hash in hex.

    The hash is SHA-256 of the parts joined by U+001F; where a part holds that character itself, SHA-512 of the parts as
    a JSON list, so that no two lists of parts have one id by construction.
    """
    texts = ["" if part is None else str(part) for part in parts]
    if any("\x1f" in text for text in texts):
        digest = hashlib.sha512(json.dumps(texts).encode()).hexdigest()
    else:
        digest = hashlib.sha256("\x1f".join(texts).encode()).hexdigest()
    return f"{kind}_{digest[:16]}"


@dataclass(frozen=True, slots=True)
class Scope:
    """The owner of a memory: a user, an agent, a run, or a combination of them; at least one key is required.

    A write goes to exactly this scope. A read covers every scope that has the keys given here: ``Scope(user_id="ann")``
    reads what was written for Ann by any agent in any run.

    None stands for a key that is not given. Raises ScopeError when no key is given, or one is not text, is blank, is
    longer than 255 characters or holds a character that cannot be printed.
    """

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    def __post_init__(self) -> None:
        if not self.keys:
            raise ScopeError("no scope given", hint="name a user, an agent or a run (--user, --agent, --run)")
        for key, value in self.keys.items():
            if not isinstance(value, str):
                kind = type(value).__name__
                raise ScopeError(f"{key} {str(value)[:40]!r} is of type {kind}, not text", hint="give it as a str")
            if not value.strip() or len(value) > 255 or not value.isprintable():
                raise ScopeError(f"{key} {value[:40]!r} is not usable", hint="use 1 to 255 printable characters")

    @property
    def keys(self) -> dict[str, str]:
        """The keys that are given, by name."""
        named = (("user_id", self.user_id), ("agent_id", self.agent_id), ("run_id", self.run_id))
        return {name: value for name, value in named if value is not None}

    @property
    def tenant(self) -> Scope:
        """The owner of the scope, as a scope of one key: the user, else the agent, else the run.

        What a memory learns beside facts (names of relations) is shared within a tenant and never beyond it.
        """
        return Scope(**dict([next(iter(self.keys.items()))]))

    def covers(self, other: Scope) -> bool:
        """Whether a read of this scope sees what was written to ``other``."""
        return all(other.keys.get(name) == value for name, value in self.keys.items())

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.keys.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message of a conversation, as a transcript's reader returns it: not in a scope yet.

    ``source`` names the conversation it comes from (a file's name, an export's conversation), ``session`` the session
    within it ("" when there is only one), ``position`` its place in the session, counted from 0. ``speaker`` is the
    name as shown, "" when only the role is known. ``time`` is when it was said, or None; an aware time of another zone
    becomes UTC. ``source_id`` is the id it has in its source ("D1:3"), where it has one. ``metadata`` is any JSON
    object of the caller's, by which a search can be filtered; see mem0g.metadata for its bounds.

    Raises TimeError for a time without a time zone.
    """

    source: str
    session: str
    position: int
    speaker: str
    role: Role
    text: str
    time: datetime | None = None
    source_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.time is not None:
            object.__setattr__(self, "time", utc(self.time))


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a long message that is found and shown by itself, such as a section, a list or a block of code.

    ``start`` and ``end`` are its place in the message's text, in characters; ``heading`` is what it stands under, ""
    if nothing. The ``id`` is a hash of the message's id and the place.
    """

    id: str
    message_id: str
    start: int
    end: int
    heading: str

    def text_in(self, message: Message) -> str:
        """Return its text, as it stands in ``message``."""
        return message.text[self.start : self.end]

    def titled(self, text: str) -> str:
        """Return its text from ``text``, its message's, below its heading where it does not have that itself."""
        part = text[self.start : self.end]
        return part if self.heading in part else f"{self.heading}\n{part}"

    def embedded_text(self, speaker: str, text: str) -> str:
        """Return what is embedded of it, given the speaker and the text of its message."""
        return f"{speaker}: {self.titled(text)}"

    def searched_text(self, text: str) -> str:
        """Return what full text finds: its text, and the words of its identifiers, get user by id for getUserById."""
        titled = self.titled(text)
        return " ".join([titled, *identifier_words(titled)])


def covers(text: str, passages: Sequence[Passage]) -> bool:
    """Whether ``passages`` stand in ``text`` one after the other, with nothing but white space between them."""
    end = 0
    for each in passages:
        if each.start < end or text[end : each.start].strip():
            return False
        end = each.end
    return end <= len(text) and not text[end:].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Utterance):
    """An utterance in a scope; facts cite it as their evidence.

    ``id`` is a hash of scope, source, session, position and text: the same message again has the same id; of a file
    that was renamed, the source is the known one (see mem0g.ingest.known_sources). A message
    that a program adds has one of scope, session and its own ``key`` instead, as its position is only known once it is
    stored. ``recorded_at`` is when it was committed, None for one that was not yet, or by a version that did not note
    it; the same message recorded at another time is equal.
    """

    id: str
    recorded_at: datetime | None = field(default=None, compare=False)

    def was_known(self, at: datetime) -> bool:
        """Whether it had been recorded by ``at`` or, without a time of recording, said by then."""
        since = self.recorded_at or self.time
        return since is None or since <= at

    @classmethod
    def of(cls, utterance: Utterance, scope: Scope, *, key: str | None = None) -> Message:
        """Return the message that ``utterance`` is in ``scope``; ``key`` identifies it in its session, if given.

        Without a speaker, a user's words are the scope's user's and an assistant's the scope's agent's, where the
        scope names them.
        """
        given = {f.name: getattr(utterance, f.name) for f in fields(Utterance)}
        by_role = {"user": scope.user_id, "assistant": scope.agent_id}.get(utterance.role)
        given["speaker"] = utterance.speaker or by_role or utterance.role
        identity = (utterance.position, utterance.text) if key is None else ("key", key)
        place = (utterance.source, utterance.session, *identity)
        return cls(id=content_id("m", scope.user_id, scope.agent_id, scope.run_id, *place), **given)

    @property
    def spoken(self) -> str:
        """The message with its speaker."""
        return f"{self.speaker}: {self.text}"

    def passages(self) -> tuple[Passage, ...]:
        """Return the parts in which a long message is found, in order; none for a short one and a tool's output."""
        if self.role == "tool" or size(self.text) <= LONGEST:
            return ()
        spans = cut(self.text)
        return tuple(
            Passage(content_id("p", self.id, span.start, span.end), self.id, span.start, span.end, span.heading)
            for span in (spans if len(spans) > 1 else ())
        )

    def embedded_texts(self) -> dict[str, str]:
        """Return the texts to embed, each with the speaker, by id: its own, or those of its passages in its place."""
        passages = {each.id: each.embedded_text(self.speaker, self.text) for each in self.passages()}
        return passages or {self.id: self.spoken}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A node: one person, place, thing... of the conversations.

    ``name`` is the fullest name it was given, ``aliases`` the others; ``type`` the words given for its kind ("sports
    team", "" if none). ``merged_into`` is the id of the entity it turned out to be. A node whose type is LITERAL is no
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
    without known dates was said to hold: it holds at least on that day. ``planned_for`` is the day or the period
    that a plan is for; of several days it is the first, and ``valid_to`` the last. ``evidence`` are ids of the messages
    that say it. ``retracts``: the message says that it is no longer true. ``confidence`` is between 0 and 1. An
    ``object_type`` of LITERAL says that the object is a value ("blue", "42", "easy to take care of") and not a thing
    with a name: it never becomes an entity. ``metadata`` is what the caller gives with the claim itself; the metadata
    of its messages need not be repeated.

    Raises TripleError for an empty end, relation or text, a NUL byte, half of a surrogate pair, a name of more than
    1,000 characters, or a literal as the subject.
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
    has the metadata of the messages that state it: a later message's over an earlier one's, its own over both.
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
        """Whether it is a plan that nothing has answered although its day or period is over at ``at``.

        Such a fact is still current: nothing says that the plan came true or was given up. Show it as a plan of the
        past ("planned to visit Japan in May 2024"), not as one that lies ahead. ``at`` is the time of the question, or
        the time of the memory that is looked at (``as_of``).
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
    """What was done with a triple or by hand, who decided it and why.

    ``fact_id`` is the fact that came of it (ADD, UPDATE) or already said it (NOOP); ``targets`` are the ids it
    retired (facts), joined or parted (entities, for MERGE and UNMERGE) or undid (a decision, for UNDO). ``decided_by``
    is "rule", the model's name, or "user" for what was changed by hand; ``rule`` the rule's name; ``score`` what it
    measured, if it did. ``evidence`` are the message ids of the triple, ``triple`` its subject, relation, object and
    text as given. ``before`` is what it touched as it was before, from which it can be undone (see
    mem0g.history.images); empty where it changed nothing.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Counts of what was permanently deleted; nothing of its content is kept.

    ``facts`` counts all facts removed, those of other scopes that stood on a forgotten message alone too, ``retired``
    those of them that were retired; ``notes`` are waiting windows, summaries and other notes, ``replies`` the replies
    of a language model that were kept. Where ``complete`` is False, another process is reading the file or the disk is
    full, and traces of the words are left in the file or its log until a process next opens or closes the store.
    """

    id: str
    at: datetime
    messages: int = 0
    entities: int = 0
    facts: int = 0
    retired: int = 0
    decisions: int = 0
    notes: int = 0
    replies: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statements of one speaker that exclude each other; ``earlier_text`` and ``later_text`` are the sentences.

    Both messages may be the same one. Neither statement is marked as the later truth: ask which is right.
    """

    earlier: Message
    earlier_text: str
    later: Message
    later_text: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hit was found.

    ``channel``: "anchor" (on a path from an entity that the question names), "similarity" (``score``: the cosine),
    "keywords" (``score``: the share of the question's words), "nearby" (its neighbours raise it), or the name of a
    signal of the caller's own (``score``: what it added). ``detail`` says it in words.
    """

    channel: str
    detail: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A fact or a message (exactly one is given) that a search found, with its score and the reasons.

    Of a long message, ``passage`` is the part that was found; several of one message are hits of their own. ``answers``
    is the request of a user that a message of an assistant answers, where the conversation has one.
    ``score`` is the weighted sum of the ranking signals (see mem0g.retrieve.signals), mostly z-scores over the
    candidates of the same search: 0 is about as relevant as the average candidate, 1 one standard deviation more. The
    best hit has about 3 to 9 in a large memory, less in a small one; hits under -1.2 are cut off unless there are fewer
    than ten. It has no fixed range and is not a probability. Compare scores within one search only: the same fact has
    another score among other candidates.
    """

    score: float
    reasons: tuple[Reason, ...]
    fact: Fact | None = None
    message: Message | None = None
    passage: Passage | None = None
    answers: Message | None = None

    @property
    def text(self) -> str:
        """The sentence of the fact, or the text of the message or of the passage found in it."""
        if self.message and self.passage:
            return self.passage.text_in(self.message)
        return self.fact.text if self.fact else self.message.text if self.message else ""

    @property
    def key(self) -> str:
        """The id of the fact, or of the message or the passage found in it."""
        found = self.fact or self.passage or self.message
        return found.id if found else ""

    @property
    def evidence(self) -> tuple[str, ...]:
        """Ids of the messages it comes from."""
        return self.fact.evidence if self.fact else (self.message.id,) if self.message else ()


@dataclass(frozen=True, slots=True)
class Context:
    """Text for a prompt, with at most the tokens asked for, and the hits in it.

    ``known`` is False where nothing that is held speaks of what was asked; then the text is empty, unless there are
    standing instructions, which do not depend on it. See mem0g.retrieve.known for how far that can be told.
    Where a language model has checked the context, ``known`` is its word on whether the text tells what was asked, and
    ``missing`` is what is not told; the text is kept either way.
    """

    text: str
    hits: tuple[Hit, ...]
    tokens: int
    known: bool = True
    missing: str = ""
