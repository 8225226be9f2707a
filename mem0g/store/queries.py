"""What is asked of a store, and what it answers."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.model import Entity, Fact, Message, Scope

if TYPE_CHECKING:
    from mem0g.model import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which facts are seen: by default those that are current.

    ``as_of`` (world time): what would be answered at that instant by one who knew all that is known now: a fact is
    seen when it had begun (``valid_from``, else ``said_at``; unknown counts as begun) and, if retired, had not ended.
    ``known_at`` (recorded time): only what had been recorded by then, messages included, and retirements recorded later
    are not seen. A message whose recorded time is unknown counts as recorded when it was said.
    ``include_retired`` sees retired facts as well.
    """

    as_of: datetime | None = None
    known_at: datetime | None = None
    include_retired: bool = False


CURRENT = View()
EVERYTHING = View(include_retired=True)

MAX_NEIGHBOURS = 50
"""Most neighbours of an entity that are listed: one with more is a person, or a place that everybody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """What a transaction finds when it begins.

    ``known``: the ids asked for that are messages or decisions of the store, or windows that wait. ``embedder`` and
    ``dimensions``: of the vectors the store holds, None where none was claimed. ``vocabulary``: the version of the
    tenant's relation types.
    """

    known: frozenset[str]
    embedder: str | None
    dimensions: int | None
    vocabulary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuery:
    """Whom a name might mean: by equal folded names, by shared tokens of a name, by the name's vector."""

    names: tuple[str, ...]
    tokens: tuple[str, ...] = ()
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class EntityCandidate:
    """An entity that a name might mean, and the cosine of the two names' vectors (0.0 without a vector).

    ``neighbours``: ids of the entities that a fact joins with it, current or retired; empty for an entity that has more
    than MAX_NEIGHBOURS.
    """

    entity: Entity
    similarity: float
    neighbours: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """The facts that a new triple might touch: structure (any status), and the most similar current ones.

    ``relations``: the triple's own, and those that it implies.
    """

    subject_id: str
    relations: tuple[str, ...]
    object_id: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class RelatedFact:
    """A fact that a new triple might touch and the cosine of the two sentences."""

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

    The facts are returned level by level, each level in the order of recording. SQLite runs one query a level
    (``sqlite/searching.py``); Neo4j runs all levels inside the one query of a search (``cypher/gather.cypher``), where
    a round trip per level would cost more than the traversal itself. The contract suite checks both.
    """

    anchors: tuple[str, ...] = ()
    hops: int = 4
    max_degree: int = 20
    budget: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A question as a store sees it.

    ``vectors``: unit vectors; nearness to the question is the sum of a text's cosines with them. ``terms``: stems
    (``mem0g.text.stemming``). ``anchors``: ids of the entities that the question names; where it names none, the
    ``nearest_anchors`` whose names' cosine with the first vector is at least ``anchor_similarity``. Their edges are
    walked ``hops`` far, at most ``budget`` facts. ``facts`` and ``messages``: how many of each the other channels
    bring, each channel. ``radius``: turns brought before and after each message that matters. ``traversal``: what is
    followed beside. ``embedder``: the name of the one that made ``vectors``; where the store holds
    another's, EmbedderMismatchError is raised.
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
    view: View = CURRENT
    embedder: str | None = None


@dataclass(frozen=True, slots=True)
class FactCandidate:
    """A candidate: its cosines with the query's vectors, and the path of names from an anchor, if any.

    ``terms``: its stems, a space between two, as they are stored.
    """

    fact: Fact
    similarities: tuple[float, ...]
    terms: str
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageCandidate:
    """A candidate: its cosines with the query's vectors (None where it has no vector).

    ``terms``: its stems, a space between two. ``outdated``: where facts stand on it and the query's view sees none of
    them, the stems of these facts, fact by fact in any order.
    """

    message: Message
    similarities: tuple[float, ...] | None
    terms: str
    outdated: str = ""


@dataclass(frozen=True, slots=True)
class Turns:
    """Messages as columns of one length: 1,000 messages come with each search, and of most of them this much counts.

    ``sessions``: numbers, the same for messages of one session of one scope. ``terms``: their stems, a space between
    two.
    """

    ids: tuple[str, ...] = ()
    sessions: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchCandidates:
    """The candidates of a search, each once: facts by id, messages by id.

    ``turns``: the messages found, the evidence of the facts found, and those around either in their sessions, each
    once, in order of scope, source, session and position. ``traversal``: the facts of the query's PathTraversal, in its
    order, without paths.
    """

    facts: tuple[FactCandidate, ...]
    messages: tuple[MessageCandidate, ...]
    turns: Turns = Turns()
    traversal: tuple[FactCandidate, ...] = ()

    def without_evidence(self, ids: Collection[str]) -> SearchCandidates:
        """Return the same candidates, their facts without these messages in their evidence."""
        if not ids:
            return self

        def cleared(found: FactCandidate) -> FactCandidate:
            evidence = tuple(each for each in found.fact.evidence if each not in ids)
            return replace(found, fact=replace(found.fact, evidence=evidence))

        return replace(self, facts=tuple(map(cleared, self.facts)), traversal=tuple(map(cleared, self.traversal)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Which facts to list: of these entities (either end), of one of these relations (normalised), in this view."""

    entity_ids: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    view: View = CURRENT


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreInfo:
    """What a store is: ``version`` of its layout, and the embedder that filled it (None while it has no vector).

    ``version`` is 0 for a database in which mem0g made nothing yet. ``problems`` are what is wrong with it, in words.
    ``outdated``: an older mem0g made it, and ``Store.prepare`` is to upgrade it before it is used.
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
    """How much the scopes asked about hold.

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


def scope_text(scope: Scope) -> str:
    """The scope in one text, different for different scopes: ``user_id=ann&run_id=r1``.

    ``%``, ``&`` and ``=`` are quoted as in a URL, all else stays as it is: the longest keys make 3,100 bytes, and an
    index of Neo4j takes 8,000.
    """
    return "&".join(f"{name}={value.translate(_QUOTED)}" for name, value in scope.keys.items())


def key_token(name: str, value: str) -> str:
    """The full-text token of one scope key: letters and digits only, whatever the key holds."""
    return name[0] + hashlib.sha256(value.encode()).hexdigest()[:20]


def key_tokens(scope: Scope) -> list[str]:
    """The tokens of the keys that are given."""
    return [key_token(name, value) for name, value in scope.keys.items()]
