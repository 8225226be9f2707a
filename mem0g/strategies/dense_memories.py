"""Dense memories: the base Mem0 (arXiv 2504.19413, section 2.1), sentences without a graph.

A model writes down what is worth remembering, compares it with the ten most similar memories, and adds, updates,
deletes or drops it. Cost: two model calls for a message, or for a question and its answer added together; none for a
question. Fits: profiles of users in short sentences, each of which answers a question by itself. Weak if an answer
needs two dissimilar memories, or the state before a change, as updated memories are not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.model import Context, Scope
from mem0g.store.queries import PathTraversal, SearchQuery, Selection
from mem0g.strategies.history import History, Line, best, check, fact_line, page
from mem0g.strategies.protocol import Said

if TYPE_CHECKING:
    from mem0g.memory import Memory

EXTRACTOR = "llm-dense"
"""The extractor that a memory needs for it."""

NOTED = "noted"
"""The relation of a dense memory; see mem0g.extract.llm.dense."""

MOST = 200
"""Memories that are ranked for a question: more than fit most prompts."""


class DenseMemories:
    """Shows the memories of the highest cosine with the question, best first; see mem0g.strategies.Strategy.

    Open the memory with ``extractor="llm-dense"`` and a model; without that, what it has can be shown and nothing
    added. Add a question and its answer together: each call of ``add`` is a pair of the paper.
    """

    name = "dense-memories"

    def __init__(
        self, memory: Memory, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> None:
        self._history = History(memory, Scope(user_id, agent_id, run_id))

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy.

        Raises InputError when the memory does not extract dense memories, ModelAccessError when no model is configured.
        """
        extractor = self._history.memory.extractor.name
        if extractor != EXTRACTOR:
            raise InputError(
                f"the memory's extractor is {extractor!r}, which makes no dense memories",
                hint=f'Memory.open(..., extractor="{EXTRACTOR}"), with a language model',
            )
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the most similar memories that fit, each with the day on which it was said."""
        check(query, tokens)
        return page(best(self._similar(query), tokens))

    def _similar(self, query: str) -> list[Line]:
        memory, scope = self._history.memory, self._history.scope
        noted = memory.relation(NOTED, **scope_keys(scope)).name
        embedder = memory.embedder
        asked = SearchQuery(
            vectors=(embedder.embed([query])[0],),
            terms=(),
            nearest_anchors=0,
            budget=1,
            facts=MOST,
            messages=1,
            radius=0,
            traversal=PathTraversal(hops=1, budget=1),
            instructions=1,
            embedder=embedder.name,
            selection=Selection(relations=(noted,)),
        )
        found = [each for each in memory.store.find(scope, asked).facts if each.fact.object_is_literal]
        found.sort(key=lambda each: (-each.similarities[0], each.fact.id))
        return [fact_line(each.fact, each.similarities[0]) for each in found]
