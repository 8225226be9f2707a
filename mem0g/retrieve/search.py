"""The chain of a search: question → candidates → rank.

One lookup of names, one pass of the embedder and one query of the store; no language model is called.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from mem0g.embed.protocol import Embedder, thresholds_of
from mem0g.model import Fact, Hit, Scope
from mem0g.retrieve.context.requests import requests_of
from mem0g.retrieve.path_search import insert_paths, path_anchors
from mem0g.retrieve.question.query import Question, masked_names, read_question
from mem0g.retrieve.question.temporal_intent import asks_about_past
from mem0g.retrieve.ranking.ranking import Ranking, rank
from mem0g.retrieve.ranking.signals import DEFAULT_SIGNALS, Signal
from mem0g.retrieve.ranking.wording import is_full_of_questions
from mem0g.store.candidates import SearchCandidates
from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, EVERYTHING, PathTraversal, SearchQuery, Selection, View
from mem0g.store.records import ConversationSummary


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How far a search looks.

    ``facts`` and ``messages`` are what each channel of the store returns at most, ``hops`` the edges followed from an
    entity that the question names, ``budget`` the facts on these edges.
    """

    facts: int = 70
    messages: int = 100
    hops: int = 2
    budget: int = 100


FOR_OVERVIEWS = SearchLimits(messages=400)
"""How far a search looks for an answer that is spread over a conversation: 400 messages of each channel."""

WIDER = 1600
"""Messages of each channel of a second look, where those of the first are full of questions. It takes some times as
long as a search without; more than this many questions like the one asked are not looked behind."""

FOR_ALL = 20_000
"""Messages that a question without a topic is answered from ("What have we talked about?"): none is more like it than
another, so that all are read."""


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
    selection: Selection | None = None,
    exclude: Collection[str] = (),
) -> Ranking:
    """Return every candidate for the question as a hit, best first.

    A question about the past, as seen from ``now``, or about the whole of a conversation sees retired facts too. With a
    ``selection`` every candidate is of it, and none is cut off. Messages with the ids ``exclude`` are left out. Raises
    QueryError for an empty question.
    """
    with store.reading():
        question = replace(read_question(text, scope, store, embedder), as_of=view.as_of)
        found = find_candidates(
            question, scope, store, embedder, now=now, view=view, limits=limits, selection=selection
        )
    candidates = found.without_messages(exclude)
    ranking = insert_paths(rank(question, candidates, signals, cut=selection is None))
    if view == CURRENT and question.overview and selection is None:
        if not question.overview.topic:
            said = [each for each in store.list_messages(scope, FOR_ALL) if each.id not in exclude]
            ranking = replace(ranking, said=tuple(Hit(score=0.0, reasons=(), message=each) for each in said))
        else:
            asked = [hit for hit in requests_of(ranking.said, scope, store) if hit.key not in exclude]
            ranking = replace(ranking, said=(*ranking.said, *asked))
        if question.overview.kind in ("summary", "development"):
            written = store.records(ConversationSummary, scope)
            ranking = replace(ranking, summaries=tuple(each.text for each in written if each.text))
    return ranking


def find_candidates(
    question: Question,
    scope: Scope,
    store: Store,
    embedder: Embedder,
    *,
    now: datetime,
    view: View = CURRENT,
    limits: SearchLimits | None = None,
    selection: Selection | None = None,
) -> SearchCandidates:
    """Return the facts and messages of the scope that may answer the question, and the facts on paths from its names.

    What is most like a question are the same question and its like, which a chat program stores each time it is asked:
    where they fill the candidates, the store is asked for more. Words within names do not make a question one about the
    past: Clemens August, "Before Sunset".
    """
    limits = limits or (FOR_OVERVIEWS if question.overview else SearchLimits())
    past = question.overview or asks_about_past(masked_names(question.text, question.anchors), now)
    probe = SearchQuery(
        vectors=question.vectors,
        terms=question.searched,
        anchors=tuple(anchor.id for anchor in question.anchors),
        anchor_similarity=thresholds_of(embedder).anchor,
        hops=limits.hops,
        budget=limits.budget,
        facts=limits.facts,
        messages=limits.messages,
        traversal=PathTraversal(anchors=tuple(path_anchors(question))),
        embedder=question.embedder,
        view=EVERYTHING if past and view == CURRENT else view,
        selection=selection,
    )
    found = store.find(scope, probe)
    if limits.messages < WIDER and is_full_of_questions(found.message_columns.texts, limits.messages):
        found = store.find(scope, replace(probe, messages=WIDER))
    return _without_replaced(found, scope, store) if probe.view != view else found


def _without_replaced(found: SearchCandidates, scope: Scope, store: Store) -> SearchCandidates:
    """Return the candidates without facts that did not end: others say the same in better words, or correct them."""
    retired = {each.fact.id for each in (*found.facts, *found.traversal) if _has_no_end(each.fact)}
    if not retired:
        return found
    successions = store.successions(scope, sorted(retired))
    return found.without_facts({each.fact_id for each in successions if each.successor_id} & retired)


def _has_no_end(fact: Fact) -> bool:
    return not fact.current and fact.valid_to is None
