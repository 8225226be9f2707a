"""What a window writes: the facts, ends and log entries of its verdicts, and its messages and records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from mem0g.conflict.ended_states import ended_from_the_start
from mem0g.conflict.lying_ahead import with_ends_ahead
from mem0g.conflict.protocol import ResolvedTriple, Verdict
from mem0g.history.images import USER, after, with_images
from mem0g.ingest.commit_request import PreparedWindow
from mem0g.ingest.report import Report, report_of
from mem0g.ingest.review import reviews_of
from mem0g.model import Fact, Succession
from mem0g.resolve.nodes import Resolution
from mem0g.store.change import Change, Retirement
from mem0g.store.protocol import Transaction
from mem0g.store.queries import EntityCandidate, RelatedFact
from mem0g.text.names import fold

NameCandidates: TypeAlias = Mapping[str, Sequence[EntityCandidate]]
"""The entities that each name may mean, by folded name."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The nodes of a window's triples, these, the facts that each may touch, and what becomes of each."""

    resolution: Resolution
    triples: Sequence[ResolvedTriple]
    related: Sequence[Sequence[RelatedFact]]
    verdicts: Sequence[Verdict]


def change_of(
    transaction: Transaction, window: PreparedWindow, candidates: NameCandidates, decided: Decided
) -> tuple[Change, Report]:
    """Return what the verdicts add and retire, each decision with what it touched as it was before, and the report."""
    request, resolution, registry = window.request, decided.resolution, window.vocabulary.registry
    any_relation = request.by_hand or request.retire_ended
    given = (decided.verdicts, decided.triples, decided.related)
    verdicts = ended_from_the_start(*given, registry, request.at, any_relation=any_relation)
    if request.by_hand:
        verdicts = [replace(each, decision=replace(each.decision, decided_by=USER)) for each in verdicts]
    known = {each.fact.id: each.fact for found in decided.related for each in found}
    verdicts = with_ends_ahead(verdicts, decided.triples, known, request.at)
    nodes = {each.entity.id: each.entity for found in candidates.values() for each in found}
    vectors, entities = window.vectors, (*resolution.created, *resolution.updated)
    facts = tuple(verdict.fact for verdict in verdicts if verdict.fact)
    named = [each for each in entities if not each.is_literal and fold(each.name) in vectors]
    embedded = {each.id: vectors[fold(each.name)] for each in named}
    reviews = (
        reviews_of(verdicts[places.start : places.stop], request.scope, window, request.at)
        for window, places in request.parts().items()
    )
    supported = (each.fact_id for verdict in verdicts for each in verdict.supports)
    ended = [each for each in supported if each in known and not known[each].current]
    held = transaction.successions(ended) if ended else ()
    retirements, rewritten, successions = _ends(verdicts, known, dict(resolution.merged))
    change = Change(
        scope=request.scope,
        entities=entities,
        facts=facts,
        support=tuple(each for verdict in verdicts for each in verdict.supports),
        retirements=retirements,
        merges=resolution.merged,
        rewritten=rewritten,
        successions=successions,
        decisions=with_images(resolution, verdicts, known, nodes, lambda ids: transaction.facts(of=ids), held),
        reviews=tuple(review for each in reviews for review in each),
        vectors=embedded | {fact.id: vectors[fact.text] for fact in facts},
    )
    return change, report_of(change, verdicts, known)


def _ends(
    verdicts: Sequence[Verdict], known: Mapping[str, Fact], merged: Mapping[str, str]
) -> tuple[tuple[Retirement, ...], tuple[Fact, ...], tuple[Succession, ...]]:
    """Return the retirements of a window, and the facts retired before it that end earlier now, with their successions.

    ``merged`` are the entities that the window merges into others, by id.
    """
    moved = {each.before.fact_id: each.end for verdict in verdicts for each in verdict.moved}
    made = [each for verdict in verdicts for each in verdict.retirements]
    retirements = tuple(moved.pop(each.succession.fact_id, each) for each in made)
    facts = after(verdicts, known) if moved else {}
    rewritten = tuple(
        replace(
            fact,
            subject_id=merged.get(fact.subject_id, fact.subject_id),
            object_id=merged.get(fact.object_id, fact.object_id),
        )
        for fact in (facts[each] for each in moved)
    )
    return retirements, rewritten, tuple(each.succession for each in moved.values())


def with_messages(change: Change, window: PreparedWindow, transaction: Transaction) -> Change:
    """Return the change with the messages, relation types and records of the window."""
    request = window.request
    ids = window.embedded_ids  # made anew, from all passages, each time it is asked for
    embedded = {key: vector for key, vector in window.vectors.items() if key in ids}
    return replace(
        change,
        messages=tuple(replace(message, recorded_at=request.at) for message in request.messages),
        relations=window.vocabulary.types,
        vocabulary=window.vocabulary.version,
        windows=tuple(request.waits(request.messages, transaction)),
        summaries=tuple(request.summaries(request.messages, transaction)),
        done=tuple(request.done()),
        vectors={**change.vectors, **embedded},
    )
