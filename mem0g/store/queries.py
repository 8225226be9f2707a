"""Queries to a store and their results, and how a scope is written down in a store."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from mem0g.errors import EmbedderMismatchError
from mem0g.model import Entity, Fact, Scope
from mem0g.times import Moment

if TYPE_CHECKING:
    from mem0g.model import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which facts are visible: by default the current ones.

    ``as_of`` (valid time): the facts that held at that instant, by what is known now. A fact is visible if it had begun
    (``valid_from``, else ``said_at``; unknown counts as begun) and, if retired, had not ended. ``known_at`` (recorded
    time): only what had been recorded by then, messages included; later retirements are ignored. A message without a
    recorded time counts as recorded when it was said. ``include_retired`` makes retired facts visible too.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None
    include_retired: bool = False


CURRENT = View()
EVERYTHING = View(include_retired=True)

INSTRUCTION_STEM = "instruct"
"""The stem by which facts of the relation INSTRUCTS are found, whatever a question is about."""

MAX_WITH_STEM = 1000
"""Facts with that stem, in full-text order, among which those of the relation are looked for."""

MAX_NEIGHBOURS = 50
"""An entity with more neighbours than this has none listed: they no longer help to tell two entities apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """The state of the store when a transaction begins.

    ``known``: those of the requested ids that are messages, decisions or pending windows in the store. ``embedder`` and
    ``dimensions``: those of the store's vectors, None before an embedder is claimed. ``vocabulary``: the version of the
    tenant's relation types.
    """

    known: frozenset[str]
    embedder: str | None
    dimensions: int | None
    vocabulary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuery:
    """Search for the entities that a name might mean: by folded names, by tokens of a name, by the name's vector.

    ``around``: whether the neighbours, roles and dates of its candidates are needed; a store may leave out others.
    """

    names: tuple[str, ...]
    tokens: tuple[str, ...] = ()
    vector: Vector | None = None
    around: bool = True


@dataclass(frozen=True, slots=True)
class EntityCandidate:
    """An entity that a name might mean, and the cosine similarity of the two names' vectors (0.0 without a vector).

    ``neighbours``: ids of the entities that share a fact with it, current or retired; empty if there are more than
    MAX_NEIGHBOURS. ``dates``: the relations of its facts with the dates from which they are true, where known;
    ``roles``: the relations of the current facts of which it is the object, with the ids of their subjects; each empty
    if there are more than MAX_NEIGHBOURS of these pairs.
    """

    entity: Entity
    similarity: float
    neighbours: frozenset[str] = frozenset()
    dates: frozenset[tuple[str, Moment]] = frozenset()
    roles: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """Search for the facts that a new triple might affect: by structure (any status), and similar current ones.

    ``relations``: the triple's own relation and those that it implies; facts of its subject count. ``of_either_end``:
    relations of which facts that share any end count, as the object can have one subject at a time, or each end one
    other, or as a death ends them.

    ``concerns``: whether a fact about the same subject, and another object, can matter by its relation. A store may
    leave out facts of which it cannot, unless they have both ends, or an end and a relation ``of_either_end``, in
    common with the triple. Without it any fact can matter.
    """

    subject_id: str
    relations: tuple[str, ...]
    object_id: str
    vector: Vector
    of_either_end: tuple[str, ...] = ()
    concerns: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class RelatedFact:
    """A fact that a new triple might affect, and the cosine similarity of the two sentences."""

    fact: Fact
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PathTraversal:
    """A breadth-first traversal along outgoing facts; how every store performs it.

    1. Level 1 starts at the entities ``anchors`` that are in the scopes searched; there are ``hops`` levels, at most 4.
    2. A level's facts are those in the query's view of which one of the level's entities is the subject. An entity with
       more than ``max_degree`` such facts is not expanded.
    3. At most ``budget`` facts are collected in all; of the level that exceeds it, the latest recorded are kept.
    4. The next level's entities are the objects of the facts kept that were on no level before.

    Facts are returned level by level, each level in the order of recording. What is held in memory is traversed there
    (``in_memory/walking.py``); Neo4j runs all levels inside a query of the search (``cypher/nearest.cypher``), where
    a round trip per level would cost more than the traversal itself. The contract suite checks both.
    """

    anchors: tuple[str, ...] = ()
    hops: int = 4
    max_degree: int = 20
    budget: int = 60


@dataclass(frozen=True, slots=True)
class Period:
    """The instants from ``since`` on and before ``until``; None for an open end."""

    since: datetime | None = None
    until: datetime | None = None


ValueField = Literal["relation", "type", "speaker", "metadata"]
"""What ``Store.values`` lists: relations of facts, types of their ends, speakers and metadata of messages and facts."""

NO_METADATA = ""
"""Stands for messages and facts without metadata among the values of ``metadata``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which facts and messages a search or a list may return; None is no condition, and all given ones have to hold.

    Of a fact: ``relations`` has its relation, ``types`` the type of one of its ends and ``not_types`` that of neither,
    and ``valid`` the start of its ``valid_from``. A message has none of these: where one is given, none is returned.
    ``said`` has the time at which it was said, ``recorded`` the one at which it was recorded, of a fact or a message;
    an unknown time is in no period.

    ``roles``, ``speakers`` and ``metadata`` (JSON as mem0g.metadata writes it, or NO_METADATA) have those of the
    message; of a fact, those of one of the messages that state it, in one scope with it, all of them together. Of a
    fact the metadata may also be what was given with it, where neither a role nor a speaker is asked for; a fact that
    was given none and that no message states has NO_METADATA.
    """

    relations: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None
    not_types: tuple[str, ...] | None = None
    valid: Period | None = None
    said: Period | None = None
    recorded: Period | None = None
    roles: tuple[str, ...] | None = None
    speakers: tuple[str, ...] | None = None
    metadata: tuple[str, ...] | None = None

    @property
    def facts_only(self) -> bool:
        """Whether it asks for what only facts have."""
        return any(each is not None for each in (self.relations, self.types, self.not_types, self.valid))

    @property
    def by_message(self) -> bool:
        """Whether it asks for something of the messages that state a fact."""
        return any(each is not None for each in (self.roles, self.speakers, self.metadata))

    @property
    def by_own_metadata(self) -> bool:
        """Whether a fact may be selected by the metadata that was given with it."""
        return self.metadata is not None and self.roles is None and self.speakers is None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A question in the form in which a store searches for it.

    ``vectors``: unit vectors; texts are ranked by the sum of their cosines with them. ``terms``: stems
    (``mem0g.text.stemming``); several in one, with a space between, are found where they follow each other.
    ``anchors``: ids of the entities that the question names; if it names none, up to ``nearest_anchors`` entities are
    used whose names have a cosine of at least ``anchor_similarity`` with the first vector. The edges of the anchors are
    followed for ``hops`` hops, up to ``budget`` facts. ``facts`` and ``messages``: the maximum of each that every other
    channel returns; as many passages as messages. ``radius``: number of turns returned before and after each relevant
    message. ``traversal``: a further traversal along outgoing facts. ``instructions``: the maximum of facts of the
    relation INSTRUCTS, which are returned whatever the question.
    ``embedder``: the name of the embedder of ``vectors``; EmbedderMismatchError is raised if the store was filled by
    another one. ``selection``: what every channel returns is of it; the turns around are not.
    """

    vectors: tuple[Vector, ...]
    terms: tuple[str, ...]
    anchors: tuple[str, ...] = ()
    nearest_anchors: int = 3
    anchor_similarity: float = 0.5
    hops: int = 2
    budget: int = 100
    facts: int = 100
    messages: int = 50
    radius: int = 1
    traversal: PathTraversal = PathTraversal()
    instructions: int = 50
    view: View = CURRENT
    embedder: str | None = None
    selection: Selection | None = None

    def check_embedder(self, address: str, name: str | None, dimensions: int | None) -> None:
        """Raise EmbedderMismatchError if the store at ``address`` was filled by another embedder than the query's."""
        if self.embedder is not None and name is not None:
            given = (self.embedder, len(self.vectors[0]))
            if (name, dimensions) != given:
                raise EmbedderMismatchError.between(address, (name, dimensions), given)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Which facts to list: of these entities (either end), of one of these relations (normalised), in this view."""

    entity_ids: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    view: View = CURRENT
    selection: Selection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreInfo:
    """A description of a store: the ``version`` of its layout and its embedder (None while it has no vector).

    ``version`` is 0 for a database in which mem0g has created nothing yet. ``problems`` describe what is wrong with it.
    ``outdated``: an older mem0g created it, and ``Store.prepare`` has to upgrade it before use.
    """

    kind: str
    address: str
    version: int
    embedder: str | None
    dimensions: int | None
    details: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    outdated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts over the requested scopes.

    ``entities`` leaves out those merged into another, ``facts`` includes the retired ones, which ``retired`` counts.
    ``decisions`` are counted by operation, ``relations`` are facts by relation. ``windows`` (pending ones), ``calls``,
    ``replies``, ``summaries``, ``reviews`` and ``receipts`` are the records of mem0g.store.records that are not done.
    """

    scopes: tuple[Scope, ...]
    messages: int
    sessions: int
    entities: int
    facts: int
    retired: int
    decisions: Mapping[str, int]
    relations: Mapping[str, int]
    windows: int = 0
    calls: int = 0
    replies: int = 0
    summaries: int = 0
    reviews: int = 0
    receipts: int = 0
    first_message: datetime | None
    last_message: datetime | None


_QUOTED = str.maketrans({"%": "%25", "&": "%26", "=": "%3D"})


@lru_cache(maxsize=1024)
def scope_text(scope: Scope) -> str:
    """Return the scope as one text, unique for each scope: ``user_id=ann&run_id=r1``.

    ``%``, ``&`` and ``=`` are quoted as in a URL, everything else is unchanged: the longest keys make 3,100 bytes, and
    an index of Neo4j takes 8,000.
    """
    return "&".join(f"{name}={value.translate(_QUOTED)}" for name, value in scope.keys.items())


def key_token(name: str, value: str) -> str:
    """Return the full-text token of one scope key: only letters and digits, whatever the value."""
    return name[0] + hashlib.sha256(value.encode()).hexdigest()[:20]


def key_tokens(scope: Scope) -> list[str]:
    """Return the full-text tokens of the keys that the scope has."""
    return [key_token(name, value) for name, value in scope.keys.items()]
