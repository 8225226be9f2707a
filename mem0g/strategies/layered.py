"""Layered memory: working memory, the present session, and long-term memory, each with a share of the budget.

Working memory is the last turns as they were said. The session layer is what else was said in this session, most like
the question first. Long-term memory is the graph: a fact of an earlier session is in it, one of the present session is
promoted to it once two messages state it or its relation is an important one (an instruction, a preference, a home, a
job). Layers are derived from what the store has, so a restart changes nothing, and nothing is copied between them.

Cost: the extraction of facts; none for a question. Fits: assistants in daily use, where "it" refers to the last minute
and "my sister" to something said months ago.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.model import Context, Fact, Hit, Message, Scope
from mem0g.relations.registry import Registry
from mem0g.strategies.history import History, Line, best, check, heading_tokens, latest, page, words_of
from mem0g.strategies.protocol import Said
from mem0g.strategies.relevance_filter import ONE_AT_A_TIME, usual_importance
from mem0g.strategies.vector_retrieval import in_order, similar_messages
from mem0g.text.token_count import TOKENS_PER_WORD, estimate_tokens

if TYPE_CHECKING:
    from mem0g.memory import Memory

WORKING, SESSION, LONG_TERM = "Just now:", "Earlier in this session:", "From before:"
"""The headings of the layers."""

CANDIDATES = 200
"""Hits of the long-term memory that are looked at: more than fit most prompts."""

STATED = 2
"""Messages that state a fact from which on it is promoted within its session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """How a layered memory is divided.

    ``working`` and ``session`` are shares of the budget; long-term memory has the rest, and what they leave. ``turns``
    is the most that working memory holds. Silence of more than ``pause`` ends a session, and so does another name of
    the session. ``promotes`` is the importance of a relation from which on a fact is promoted at once.

    Raises InputError for shares of more than the whole, and for no turns.
    """

    working: float = 0.25
    session: float = 0.15
    turns: int = 8
    pause: timedelta = timedelta(hours=4)
    promotes: float = ONE_AT_A_TIME

    def __post_init__(self) -> None:
        if min(self.working, self.session) < 0 or self.working + self.session > 1:
            raise InputError(f"shares of {self.working} and {self.session}", hint="0 or more, together at most 1")
        if self.turns < 1:
            raise InputError(f"a working memory of {self.turns} turns", hint="at least 1")


class LayeredMemory:
    """Shows three layers: the last turns, more of the session, and the graph; see mem0g.strategies.Strategy.

    Open the memory with ``extractor="llm"`` or "rules".
    """

    name = "layered"

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        layers: Layers | None = None,
    ) -> None:
        self._history = History(memory, Scope(user_id, agent_id, run_id))
        self._layers = layers or Layers()

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy."""
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the three layers, long-term memory first and the last turn last."""
        check(query, tokens)
        layers, session = self._layers, self._session()
        room = max(0.0, tokens - heading_tokens(WORKING, SESSION, LONG_TERM))
        working = latest(session[-layers.turns :], layers.working * room)
        in_working = {line.hit.key for line in working}
        before = {message.id for message in session} - in_working
        found = similar_messages(self._history.memory, self._history.scope, query) if before else []
        likely = (line for line in found if line.hit.message and line.hit.message.id in before)
        of_session = in_order(best(likely, layers.session * room))
        left = room - words_of([*working, *of_session]) * TOKENS_PER_WORD
        return self._page(self._long_term(query, session, left), of_session, working)

    def promoted(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return those of ``facts`` that are in long-term memory by now."""
        current = {message.id for message in self._session()}
        registry = self._registry()
        return [fact for fact in facts if self._is_promoted(fact, current, registry)]

    def _is_promoted(self, fact: Fact, session: set[str], registry: Registry) -> bool:
        if not fact.evidence or not session.issuperset(fact.evidence):
            return True
        return len(fact.evidence) >= STATED or usual_importance(fact, registry) >= self._layers.promotes

    def _long_term(self, query: str, session: Sequence[Message], tokens: float) -> Context:
        """Return the promoted facts, and messages of earlier sessions, that answer ``query`` best."""
        from mem0g.retrieve.context.packing import pack
        from mem0g.times import now

        memory, scope = self._history.memory, self._history.scope
        if tokens < 1:
            return Context("", (), 0, known=False)
        current, registry = {message.id for message in session}, self._registry()

        def is_old(hit: Hit) -> bool:
            if hit.fact:
                return self._is_promoted(hit.fact, current, registry)
            return hit.message is not None and hit.message.id not in current

        hits = [hit for hit in memory.search(query, limit=CANDIDATES, **scope_keys(scope)) if is_old(hit)]
        return pack(hits, (), int(tokens), question=query, now=now())

    def _session(self) -> list[Message]:
        """Return the messages of the present session: the last ones of one name, without a long silence between."""
        messages = self._history.messages
        start = len(messages)
        while start and (start == len(messages) or self._belong(messages[start - 1], messages[start])):
            start -= 1
        return list(messages[start:])

    def _belong(self, earlier: Message, later: Message) -> bool:
        if (earlier.source, earlier.session) != (later.source, later.session):
            return False
        times = (earlier.time, later.time)
        return None in times or later.time - earlier.time <= self._layers.pause  # type: ignore[operator]

    def _registry(self) -> Registry:
        history = self._history
        return Registry(history.memory.relations(**scope_keys(history.scope)))

    def _page(self, long_term: Context, of_session: Sequence[Line], working: Sequence[Line]) -> Context:
        sections: Mapping[str, Sequence[Line]] = {SESSION: of_session, WORKING: working}
        shown = page(sections)
        text = "\n\n".join(
            [*([f"{LONG_TERM}\n{long_term.text}"] if long_term.text else []), *filter(None, [shown.text])]
        )
        hits = {hit.key: hit for hit in (*long_term.hits, *shown.hits)}
        return Context(text=text, hits=tuple(hits.values()), tokens=estimate_tokens(text), known=bool(text))
