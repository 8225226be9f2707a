"""A question to its ranked hits: two calls to the store and one pass of the embedder, no model."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mem0g.embed.protocol import Embedder
from mem0g.embed.thresholds import thresholds_of
from mem0g.errors import QueryError
from mem0g.model import Scope
from mem0g.retrieve.past import is_about_the_past
from mem0g.retrieve.question import Question, masked_names, read_question
from mem0g.retrieve.ranking import Ranking, rank
from mem0g.retrieve.walk import leading, outermost, walk
from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, EVERYTHING, FactCandidate, PathTraversal, SearchCandidates, SearchQuery, View


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a search looks: facts and messages a channel brings, edges walked from an anchor, facts on the walk."""

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
    reach: Reach | None = None,
) -> Ranking:
    """Every candidate as a hit, best first; for a question about the past, asked ``now``, retired facts too.

    Raises QueryError for an empty question.
    """
    question, found, walked = gather(text, scope, store, embedder, now=now, view=view, reach=reach)
    return leading(rank(question, found), walked)


def gather(
    text: str,
    scope: Scope,
    store: Store,
    embedder: Embedder,
    *,
    now: datetime,
    view: View = CURRENT,
    reach: Reach | None = None,
) -> tuple[Question, SearchCandidates, tuple[FactCandidate, ...]]:
    """The question as read, what the store found for it, and the facts to which its names lead."""
    if not text.strip():
        raise QueryError("the question is empty", hint="ask something, in words")
    reach = reach or Reach()
    name = embedder.name  # ahead: should it follow another meanwhile, the store refuses the vectors by this name
    question = read_question(text, scope, store, embedder)
    named = outermost(question)
    probe = SearchQuery(
        vectors=question.vectors,
        terms=question.terms,
        anchors=tuple(anchor.id for anchor in question.anchors),
        anchor_similarity=thresholds_of(embedder).anchor,
        hops=reach.hops,
        budget=reach.budget,
        facts=reach.facts,
        messages=reach.messages,
        traversal=PathTraversal(anchors=tuple(named)),
        embedder=name,
        view=EVERYTHING if view == CURRENT and _is_about_the_past(question, now) else view,
    )
    found = store.find(scope, probe)
    walked = walk(named, found.traversal)
    return question, found, walked


def _is_about_the_past(question: Question, now: datetime) -> bool:
    """Whether its words ask for what was; those of names do not count: Clemens August, "Before Sunset"."""
    return is_about_the_past(masked_names(question.text, question.anchors), now)
