"""mem0g's node matching as in an ingest: window by window, into a store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.memories import AGENT
from benchmarks.merge.scene import Scene, Window
from mem0g.conflict.rule_decider import RuleDecider
from mem0g.embed.protocol import MINILM, Embedder
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
"""The time of the first window; each later one follows by a day."""


class RecordingResolver(Resolver):
    """A resolver that records its resolutions, in order."""

    def __init__(self, *, threshold: float = MINILM.same_name) -> None:
        super().__init__(threshold=threshold)
        self.resolutions: list[Resolution] = []

    def resolve(self, *given: Any, **named: Any) -> Resolution:
        """Resolve as the base class does, and record the result."""
        self.resolutions.append(super().resolve(*given, **named))
        return self.resolutions[-1]


@dataclass(frozen=True, slots=True)
class Engine:
    """Node matching with a threshold, in scopes of its own, so that several engines can share a store."""

    name: str
    threshold: float
    store: Store
    embedder: Embedder

    def nodes(self, scene: Scene) -> list[str]:
        """Return the node of each end of the scene, after all its windows."""
        resolver = RecordingResolver(threshold=self.threshold)
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
def engines(embedder: Embedder, thresholds: Sequence[float]) -> Iterator[list[Engine]]:
    """Yield mem0g with its default threshold, and with each of these; above 1, similarity joins nothing."""
    given = {"mem0g": MINILM.same_name, **{f"mem0g t={each}": each for each in thresholds}}
    with TemporaryDirectory() as folder, closing(open_store(Path(folder) / "merge.db")) as store:
        store.claim_embedder(embedder.name, embedder.dimensions)
        yield [Engine(name, threshold, store, embedder) for name, threshold in given.items()]
