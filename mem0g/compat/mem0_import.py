"""Write the facts of mem0's graph into a memory as they are: mem0 has decided about conflicts between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from mem0g.conflict.protocol import RULE, ResolvedTriple, ResolvedWindow, Verdict, log_entry, support
from mem0g.ingest.commit_request import CommitRequest
from mem0g.ingest.report import Report
from mem0g.ingest.window_committer import WindowCommitter
from mem0g.memory import Memory
from mem0g.model import Fact, Scope, Succession, Triple
from mem0g.relations.vocabulary import Vocabularies
from mem0g.resolve.resolver import Resolver
from mem0g.store.change import Retirement
from mem0g.store_embedder import StoreEmbedder
from mem0g.times import Moment, now
from mem0g.transfer.mem0_graph import Mem0Edge

BATCH = 50
"""Facts in a transaction."""

RULE_NAME = "import from mem0"


@dataclass(frozen=True, slots=True)
class ImportedEdges:
    """A conflict policy: each edge becomes a fact, retired where mem0 invalidated it.

    A current edge that says what a current fact of the memory says confirms that fact.
    """

    edges: Mapping[Triple, Mem0Edge]
    nearest: int = 0

    def decide(self, window: ResolvedWindow) -> Sequence[Verdict]:
        """See mem0g.conflict.protocol.ConflictPolicy."""
        verdicts: list[Verdict] = []
        for new, related in zip(window.triples, window.related, strict=True):
            edge = self.edges[new.triple]
            known = [each.fact for each in related] + [each.fact for each in verdicts if each.fact]
            ended = {end.succession.fact_id for each in verdicts for end in each.retirements}
            same = next((each for each in known if _says(each, new) and each.current and each.id not in ended), None)
            verdicts.append(
                _confirmed(new, edge, same, window.at) if same and edge.current else _added(new, edge, window.at)
            )
        return verdicts


def import_edges(memory: Memory, edges: Iterable[Mem0Edge]) -> Iterator[Report]:
    """Write the edges to the memory, scope by scope; yield the report of each batch once it is committed.

    Edges that were imported before are skipped, and counted as ``known``. Facts keep mem0's times: they count as said
    and recorded when the edge was created, and as retired when it was invalidated.

    Raises EmbedderMismatchError when another embedder filled the store; then nothing was written.
    """
    StoreEmbedder(memory.store, memory.embedder).claim()
    vocabularies = Vocabularies(memory.store.vocabulary, memory.embedder)
    for scope, of_scope in groupby(sorted(edges, key=lambda edge: str(edge.scope)), key=lambda edge: edge.scope):
        held = list(of_scope)
        for start in range(0, len(held), BATCH):
            yield _write(memory, vocabularies, scope, held[start : start + BATCH])


def _write(memory: Memory, vocabularies: Vocabularies, scope: Scope, batch: Sequence[Mem0Edge]) -> Report:
    ids = [edge.decision_id for edge in batch]
    known = memory.store.write(scope, lambda transaction: transaction.begin(ids).known)
    new = {edge.triple: edge for edge in batch if edge.decision_id not in known}
    if not new:
        return Report(known=len(batch))
    settings = memory.settings
    resolver = Resolver(threshold=settings.threshold, llm_match_threshold=settings.llm_match_threshold)
    policy = ImportedEdges(new)
    committer = WindowCommitter(memory.store, memory.embedder, resolver, vocabularies, settings, policy)
    speakers = tuple(each for each in (scope.user_id, scope.agent_id) if each)
    report = committer.commit(CommitRequest(scope=scope, at=now(), triples=tuple(new), speakers=speakers))
    return report + Report(known=len(batch) - len(new))


def _says(fact: Fact, new: ResolvedTriple) -> bool:
    return fact.edge == (new.subject.id, new.relation, new.object.id)


def _confirmed(new: ResolvedTriple, edge: Mem0Edge, known: Fact, at: datetime) -> Verdict:
    logged = log_entry(new, "NOOP", RULE_NAME, "known already", at, fact_id=known.id)
    return Verdict(decision=replace(logged, id=edge.decision_id), support=support(new, known, at))


def _added(new: ResolvedTriple, edge: Mem0Edge, at: datetime) -> Verdict:
    """Return the verdict that adds the edge, with mem0's times."""
    since = edge.created_at or at
    fact = replace(new.fact(at, repeats=0), id=edge.fact_id, said_at=edge.created_at, recorded_at=since)
    logged = log_entry(new, "ADD", RULE_NAME, "a fact of mem0's graph", at, fact_id=fact.id)
    if edge.current:
        return Verdict(decision=replace(logged, id=edge.decision_id), fact=fact)
    end = max(since, edge.ended_at or at)
    reason = "invalidated in mem0's graph"
    succession = Succession(fact_id=fact.id, successor_id=None, reason=reason, decided_by=RULE, at=end)
    ended = Retirement(succession, Moment.parse(end.date().isoformat()))
    return Verdict(decision=replace(logged, id=edge.decision_id), fact=fact, retirements=(ended,))
