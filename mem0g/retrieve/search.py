"""The chain of a search: question → candidates → rank → pack.

One lookup of names, one pass of the embedder and one query of the store; no language model is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mem0g.embed.protocol import Embedder, thresholds_of
from mem0g.model import Context, Scope
from mem0g.retrieve.context_builder import adaptive_budget, pack
from mem0g.retrieve.contradictions import contradictions, relevant
from mem0g.retrieve.instructions import standing
from mem0g.retrieve.known import is_known
from mem0g.retrieve.path_search import insert_paths, path_anchors
from mem0g.retrieve.query import Question, masked_names, read_question
from mem0g.retrieve.ranking import Ranking, rank
from mem0g.retrieve.signals import DEFAULT_SIGNALS, Signal
from mem0g.retrieve.temporal_intent import asks_about_past
from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, EVERYTHING, PathTraversal, SearchCandidates, SearchQuery, View

MAX_CONTRADICTIONS = 2
"""Pairs of contradicting statements that a context shows."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How far a search looks.

    ``facts`` and ``messages`` are what each channel of the store returns at most, ``hops`` the edges followed from an
    entity that the question names, ``budget`` the facts on these edges.
    """

    facts: int = 100
    messages: int = 100
    hops: int = 2
    budget: int = 100


def search(
    text: str,
    scope: Scope,
    store: Store,
    embedder: Embedder,
    *,
    now: datetime,
    view: View = CURRENT,
    limits: SearchLimits | None = None,
    signals: Sequence[Signal] = DEFAULT_SIGNALS,
) -> Ranking:
    """Return every candidate for the question as a hit, best first.

    A question about the past, as seen from ``now``, sees retired facts too. Raises QueryError for an empty question.
    """
    question = read_question(text, scope, store, embedder)
    candidates = find_candidates(question, scope, store, embedder, now=now, view=view, limits=limits)
    return insert_paths(rank(question, candidates, signals))


def find_candidates(
    question: Question,
    scope: Scope,
    store: Store,
    embedder: Embedder,
    *,
    now: datetime,
    view: View = CURRENT,
    limits: SearchLimits | None = None,
) -> SearchCandidates:
    """Return the facts and messages of the scope that may answer the question, and the facts on paths from its names.

    Words within names do not make a question one about the past: Clemens August, "Before Sunset".
    """
    limits = limits or SearchLimits()
    past = view == CURRENT and asks_about_past(masked_names(question.text, question.anchors), now)
    probe = SearchQuery(
        vectors=question.vectors,
        terms=question.terms,
        anchors=tuple(anchor.id for anchor in question.anchors),
        anchor_similarity=thresholds_of(embedder).anchor,
        hops=limits.hops,
        budget=limits.budget,
        facts=limits.facts,
        messages=limits.messages,
        traversal=PathTraversal(anchors=tuple(path_anchors(question))),
        embedder=question.embedder,
        view=EVERYTHING if past else view,
    )
    return store.find(scope, probe)


def build_context(ranking: Ranking, tokens: int, *, now: datetime, fill: bool = False) -> Context:
    """Return the best hits as text of at most ``tokens``, with their reasons.

    An easy question gets a smaller budget unless ``fill`` is set; see ``adaptive_budget``. A plan for a day before
    ``now`` is marked as unanswered. Where nothing is known about the question, only standing instructions are left.
    """
    budget = tokens if fill else adaptive_budget(ranking.question, ranking.hits, tokens)
    question = ranking.question
    top = standing(ranking)
    known = is_known(ranking)
    messages = {each.message.id: each.message for each in ranking.found.messages}
    pairs = relevant(contradictions(tuple(messages.values())), question.terms, MAX_CONTRADICTIONS)
    packed = pack(
        ranking.hits if known else (),
        question.terms,
        budget,
        question=question.text,
        now=now,
        standing=top,
        contradicting=pairs if known else (),
    )
    first = [hit for hit in packed.hits if hit.reasons]
    return replace(packed, hits=(*first, *ranking.explained(packed.hits[len(first) :])), known=known)
