"""mem0g's node matching as it happens when a conversation is remembered: window by window, into a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.engine import AGENT
from benchmarks.merging.scene import Scene, Window
from mem0g.conflict.rule_decider import RuleDecider
from mem0g.embed.protocol import Embedder
from mem0g.embed.thresholds import MINILM
from mem0g.ingest.commit_request import CommitRequest
from mem0g.ingest.window_committer import WindowCommitter
from mem0g.model import Scope
from mem0g.relations.vocabulary import Vocabularies
from mem0g.resolve.nodes import Resolution
from mem0g.resolve.resolver import Resolver
from mem0g.settings import Settings
from mem0g.store.address import open_store
from mem0g.store.protocol import Store

START = datetime(2024, 1, 1, tzinfo=UTC)
"""The time of the first window; each next one is a day later."""


class Watched(Resolver):
    """A resolver whose answers are kept, in order."""

    def __init__(self, *, threshold: float = MINILM.same_name) -> None:
        super().__init__(threshold=threshold)
        self.answers: list[Resolution] = []

    def resolve(self, *given: Any, **named: Any) -> Resolution:
        """As any resolver does."""
        self.answers.append(super().resolve(*given, **named))
        return self.answers[-1]


@dataclass(frozen=True, slots=True)
class Engine:
    """Node matching from a threshold on; it writes to scopes of its own, so that several can share a store."""

    name: str
    threshold: float
    store: Store
    embedder: Embedder

    def nodes(self, scene: Scene) -> list[str]:
        """The node of each end of the scene, when all of it is told."""
        resolver = Watched(threshold=self.threshold)
        vocabularies = Vocabularies(self.store.vocabulary, self.embedder)
        committer = WindowCommitter(self.store, self.embedder, resolver, vocabularies, Settings(), RuleDecider())
        scope = Scope(user_id=scene.id, agent_id=AGENT, run_id=self.name)
        for place, window in enumerate(scene.windows):
            _tell(committer, scope, window, START + timedelta(days=place))
        merged = dict(pair for each in resolver.answers for pair in each.merged)
        return [_final(node, merged) for each in resolver.answers for ends in each.ends for node in ends]


def _tell(committer: WindowCommitter, scope: Scope, window: Window, at: datetime) -> None:
    """Remember a window without its messages: a triple that was told before would count as known by its evidence."""
    triples = [replace(each, evidence=()) for each in window.triples]
    committer.commit(CommitRequest(scope=scope, triples=tuple(triples), speakers=window.speakers, at=at))


def _final(node: str, merged: dict[str, str]) -> str:
    while node in merged:
        node = merged[node]
    return node


@contextmanager
def engines(embedder: Embedder, thresholds: Sequence[float]) -> Iterator[list[Engine]]:
    """mem0g at its default, and at these thresholds; above 1 likeness joins nothing."""
    given = {"mem0g": MINILM.same_name, **{f"mem0g t={each}": each for each in thresholds}}
    with TemporaryDirectory() as folder, closing(open_store(Path(folder) / "merge.db")) as store:
        store.claim_embedder(embedder.name, embedder.dimensions)
        yield [Engine(name, threshold, store, embedder) for name, threshold in given.items()]
