"""A question to its ranked hits: two calls to the store and one pass of the embedder, no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from mem0g.embed.protocol import Embedder
from mem0g.errors import QueryError
from mem0g.model import Hit, Scope
from mem0g.retrieve.question import Question, read_question
from mem0g.retrieve.ranking import Turns, rank
from mem0g.store.protocol import Store
from mem0g.store.queries import CURRENT, Probe, Turn, View


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a search looks: facts and messages a channel brings, edges walked from an anchor, facts on the walk."""

    facts: int = 100
    messages: int = 100
    hops: int = 2
    budget: int = 100


def search(
    text: str, scope: Scope, store: Store, embedder: Embedder, *, view: View = CURRENT, reach: Reach | None = None
) -> tuple[Question, tuple[Hit, ...], Turns]:
    """The question as read, every candidate as a hit, best first, and the turns around the candidates.

    Raises QueryError for an empty question.
    """
    if not text.strip():
        raise QueryError("the question is empty", hint="ask something, in words")
    reach = reach or Reach()
    question = read_question(text, scope, store, embedder)
    probe = Probe(
        vectors=question.vectors,
        terms=question.terms,
        anchors=tuple(anchor.id for anchor in question.anchors),
        hops=reach.hops,
        budget=reach.budget,
        facts=reach.facts,
        messages=reach.messages,
        view=view,
    )
    found = store.find(scope, probe)
    turns = _turns(found.turns)
    return question, rank(question, found, turns), turns


def _turns(found: Sequence[Turn]) -> Turns:
    """For each message, itself and the ones just before and after it in its sitting; turns are in order of place."""
    near: dict[str, list[Turn]] = {turn.message.id: [turn] for turn in found}
    for before, after in pairwise(found):
        first, second = before.message, after.message
        same_sitting = (first.source, first.session) == (second.source, second.session)
        if same_sitting and second.position - first.position == 1:
            near[first.id].append(after)
            near[second.id].insert(0, before)
    return near
