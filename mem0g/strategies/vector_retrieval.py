"""Vector retrieval: the messages most like the question, as in retrieval-augmented generation (Lewis et al. 2020).

Cost: one embedding for each message and each question, no model call. Fits: large collections of text in which a
question is worded like its answer. Weak where the answer is worded differently, is spread over messages, or has
changed since: an outdated message is as similar as the current one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mem0g.ingest.report import Report
from mem0g.model import Context, Message, Scope
from mem0g.store.queries import PathTraversal, SearchQuery
from mem0g.strategies.history import LONG_AGO, History, Line, best, check, message_line, page
from mem0g.strategies.protocol import Said

if TYPE_CHECKING:
    from mem0g.memory import Memory

MOST = 200
"""Messages that are ranked for a question: more than fit most prompts."""


class VectorRetrieval:
    """Shows the messages of the highest cosine with the question, oldest first; see mem0g.strategies.Strategy.

    Of a long message the most similar passages are shown. Open the memory with ``extractor="none"``: facts are not
    used.
    """

    name = "vector-retrieval"

    def __init__(
        self, memory: Memory, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> None:
        self._history = History(memory, Scope(user_id, agent_id, run_id))

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy."""
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the most similar messages that fit, in the order in which they were said."""
        check(query, tokens)
        chosen = best(similar_messages(self._history.memory, self._history.scope, query), tokens)
        return page(in_order(chosen))


def similar_messages(memory: Memory, scope: Scope, query: str, most: int = MOST) -> list[Line]:
    """Return up to ``most`` messages of a scope as lines, by falling cosine with ``query``; ties by id."""
    embedder = memory.embedder
    asked = SearchQuery(
        vectors=(embedder.embed([query])[0],),
        terms=(),
        nearest_anchors=0,
        budget=1,
        facts=1,
        messages=most,
        radius=0,
        traversal=PathTraversal(hops=1, budget=1),
        instructions=1,
        embedder=embedder.name,
    )
    found = [each for each in memory.store.find(scope, asked).messages if each.similarities]
    found.sort(key=lambda each: (-sum(each.similarities or ()), each.id))
    lines = []
    for each in found:
        line = message_line(each.message, sum(each.similarities or ()))
        if each.passage:
            speaker = f"{each.message.speaker}: {each.passage.titled(each.message.text)}"
            when = f"{each.message.time:%Y-%m-%d %H:%M} | " if each.message.time else ""
            line = Line(" ".join(f"{when}{speaker}".split()), replace(line.hit, passage=each.passage))
        lines.append(line)
    return lines


def in_order(lines: list[Line]) -> list[Line]:
    """Return lines of messages in the order in which the messages were said."""

    def place(line: Line) -> tuple[object, ...]:
        message: Message | None = line.hit.message
        assert message is not None
        start = line.hit.passage.start if line.hit.passage else 0
        return (
            message.time or message.recorded_at or LONG_AGO,
            message.source,
            message.session,
            message.position,
            start,
        )

    return sorted(lines, key=place)
