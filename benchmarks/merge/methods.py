"""The methods compared: the usual rules to find the node of a name, and mem0g's node matching as in an ingest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.memories import AGENT
from benchmarks.merge.scenes import End, Scene, Window
from mem0g.conflict.rule_decider import RuleDecider
from mem0g.embed.protocol import MINILM, Embedder
from mem0g.ingest.commit_request import CommitRequest
from mem0g.ingest.window_committer import WindowCommitter
from mem0g.model import Scope
from mem0g.relations.vocabulary import Vocabularies
from mem0g.resolve.match_context import MatchingRule
from mem0g.resolve.nodes import Resolution
from mem0g.resolve.resolver import Resolver
from mem0g.resolve.rules import DEFAULT_RULES
from mem0g.settings import Settings
from mem0g.store.address import open_store
from mem0g.store.protocol import Store
from mem0g.text.names import fold

if TYPE_CHECKING:
    from mem0g.model import Vector

MEM0_COSINE = 0.7
"""The cosine in mem0's graph memory from which the nearest node is the same (its ``threshold``)."""

COSINES = (0.8, 0.9, 0.95)
"""Stricter cosines."""

START = datetime(2024, 1, 1, tzinfo=UTC)
"""The time of the first window; each later one follows by a day."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node as a rule makes it: named by its first name, with all names assigned to it."""

    id: str
    type: str
    vector: Vector
    names: list[str] = field(default_factory=list)


Rule = Callable[[End, "Vector", Sequence[Node]], Node | None]
"""Returns the node of a name, given its vector and the existing nodes in order of creation; None creates a new one."""


@dataclass(frozen=True, slots=True)
class Method:
    """A rule, applied to name after name."""

    name: str
    rule: Rule
    embedder: Embedder

    def nodes(self, scene: Scene) -> list[str]:
        """Return the node of each end of the scene, in order."""
        made: list[Node] = []
        ends = list(scene.ends)
        distinct = list(dict.fromkeys(end.name for end in ends))
        vectors = dict(zip(distinct, self.embedder.embed(distinct), strict=True))
        return [self._node(end, vectors[end.name], made).id for end in ends]

    def _node(self, end: End, vector: Vector, made: list[Node]) -> Node:
        node = self.rule(end, vector, made)
        if node is None:
            node = Node(str(len(made)), fold(end.type), vector)
            made.append(node)
        node.names.append(fold(end.name))
        return node


def methods(embedder: Embedder) -> list[Method]:
    """Return the baselines: mem0's rule, exact names, shared words, and stricter cosines."""
    cosines = [(f"cosine {least}{' and type' if typed else ''}", least, typed) for least in COSINES for typed in (0, 1)]
    return [
        Method("mem0: nearest, cosine 0.7", nearest(MEM0_COSINE), embedder),
        Method("exact names", same_name, embedder),
        Method("token subset and type", part_of_name, embedder),
        *(Method(name, nearest(least, typed=bool(typed)), embedder) for name, least, typed in cosines),
    ]


def nearest(least: float, *, typed: bool = False) -> Rule:
    """Return a rule that takes the nearest node of at least this cosine; ``typed``: of the same type only."""

    def rule(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:
        known = [node for node in made if not typed or node.type == fold(end.type)]
        if not known:
            return None
        cosines = np.stack([node.vector for node in known]) @ vector
        best = int(np.argmax(cosines))
        return known[best] if cosines[best] >= least else None

    return rule


def same_name(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:  # noqa: ARG001 - a rule
    """Return the node of that name, ignoring case and spaces."""
    return next((node for node in made if fold(end.name) in node.names), None)


def part_of_name(end: End, vector: Vector, made: Sequence[Node]) -> Node | None:
    """Return the node of that name, else the latest of the same type whose words contain the name's, or the reverse."""
    given = set(fold(end.name).split())
    fitting = [node for node in made if node.type == fold(end.type) and any(_part(given, each) for each in node.names)]
    return same_name(end, vector, made) or (fitting[-1] if fitting else None)


def _part(given: set[str], name: str) -> bool:
    known = set(name.split())
    return given <= known or known <= given


class RecordingResolver(Resolver):
    """A resolver that records its resolutions, in order."""

    def __init__(self, *, threshold: float = MINILM.same_name, rules: Sequence[MatchingRule] = DEFAULT_RULES) -> None:
        super().__init__(threshold=threshold, rules=rules)
        self.resolutions: list[Resolution] = []

    def resolve(self, *given: Any, **named: Any) -> Resolution:
        """Resolve as the base class does, and record the result."""
        self.resolutions.append(super().resolve(*given, **named))
        return self.resolutions[-1]


@dataclass(frozen=True, slots=True)
class Mem0gMatcher:
    """Node matching with a threshold and rules, in scopes of its own, so that several engines can share a store."""

    name: str
    threshold: float
    store: Store
    embedder: Embedder
    rules: Sequence[MatchingRule] = DEFAULT_RULES

    def nodes(self, scene: Scene) -> list[str]:
        """Return the node of each end of the scene, after all its windows."""
        resolver = RecordingResolver(threshold=self.threshold, rules=self.rules)
        vocabularies = Vocabularies(self.store.vocabulary, self.embedder)
        committer = WindowCommitter(self.store, self.embedder, resolver, vocabularies, Settings(), RuleDecider())
        scope = Scope(user_id=scene.id, agent_id=AGENT, run_id=self.name)
        for place, window in enumerate(scene.windows):
            _commit(committer, scope, window, START + timedelta(days=place))
        merged = dict(pair for each in resolver.resolutions for pair in each.merged)
        return [_final(node, merged) for each in resolver.resolutions for ends in each.ends for node in ends]


def _commit(committer: WindowCommitter, scope: Scope, window: Window, at: datetime) -> None:
    """Commit a window without its evidence, which would make triples that occurred before count as known."""
    triples = [replace(each, evidence=()) for each in window.triples]
    committer.commit(CommitRequest(scope=scope, triples=tuple(triples), speakers=window.speakers, at=at))


def _final(node: str, merged: dict[str, str]) -> str:
    while node in merged:
        node = merged[node]
    return node


@contextmanager
def engines(embedder: Embedder, thresholds: Sequence[float]) -> Iterator[list[Mem0gMatcher]]:
    """Yield mem0g with its default threshold, and with each of these; above 1, similarity joins nothing."""
    given = {"mem0g": MINILM.same_name, **{f"mem0g t={each}": each for each in thresholds}}
    with TemporaryDirectory() as folder, closing(open_store(Path(folder) / "merge.db")) as store:
        store.claim_embedder(embedder.name, embedder.dimensions)
        yield [Mem0gMatcher(name, threshold, store, embedder) for name, threshold in given.items()]
