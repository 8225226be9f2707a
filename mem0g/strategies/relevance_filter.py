"""Relevance filtering: the most important facts, whatever is asked; the least important are dropped.

The importance of a fact is a weighted sum of its relation's importance, of its recency and of how often messages speak
of it, each between 0 and 1, as in the memory stream of Generative Agents (Park et al., arXiv 2304.03442) without its
third part, the likeness to a question. Cost: the extraction of facts; nothing for a question. Fits: a short profile at
the start of every prompt ("who is this user?"), which is the same from one question to the next, so that servers can
cache it. Weak as the only memory: it may have dropped what is asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.model import INSTRUCTS, PREFERS, Context, Fact, Scope
from mem0g.relations.registry import Registry
from mem0g.strategies.history import History, best, check, fact_line, page
from mem0g.strategies.protocol import Said

if TYPE_CHECKING:
    from mem0g.memory import Memory

KEPT = 500
"""Facts that are kept: more than fit most prompts."""

STANDING, ONE_AT_A_TIME, LASTING, EVENT = 1.0, 0.8, 0.5, 0.3
"""The importance of instructions and preferences, of a relation with one object at a time (a home, a job, a birthday),
of other states, and of events of the past."""

HALF_LIFE = 30.0
"""Days after which the recency of a fact is halved."""

MENTIONED = 2
"""Messages that speak of a fact for half of what mentions can count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """How the importance of a fact is measured.

    ``relation``, ``recency`` and ``mentions`` weigh the three parts; ``half_life`` is in days. ``relations`` are the
    importance of relations by name ("lives_in"), between 0 and 1, in place of the usual one.

    Raises InputError for a negative weight, a half-life of 0, or an importance out of range.
    """

    relation: float = 0.5
    recency: float = 0.25
    mentions: float = 0.25
    half_life: float = HALF_LIFE
    relations: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if min(self.relation, self.recency, self.mentions) < 0 or self.half_life <= 0:
            raise InputError(
                "a weight of importance is negative, or the half-life is not positive", hint="see Importance"
            )
        for name, value in self.relations.items():
            if not 0 <= value <= 1:
                raise InputError(f"the importance of {name!r} is {value}", hint="it is between 0 and 1")

    def of(self, facts: Sequence[Fact], registry: Registry, said: Mapping[str, datetime]) -> list[float]:
        """Return the importance of each fact among the others.

        ``said`` is when each message was said, by id; the last time that any fact was spoken of is the present.
        """
        own = {registry.canonical(name): value for name, value in self.relations.items()}
        times = [_last_time(fact, said) for fact in facts]
        present = max(times, default=None)
        cited = Counter(end for fact in facts for end in _things(fact) for _ in fact.evidence)
        made = []
        for fact, time in zip(facts, times, strict=True):
            days = (present - time).total_seconds() / 86_400 if present else 0.0
            mentions = max([len(fact.evidence), *(cited[end] for end in _things(fact))])
            relation = own.get(fact.relation, usual_importance(fact, registry))
            recency = 0.5 ** (days / self.half_life)
            made.append(
                self.relation * relation + self.recency * recency + self.mentions * mentions / (mentions + MENTIONED)
            )
        return made


def usual_importance(fact: Fact, registry: Registry) -> float:
    """Return the importance of a fact's relation: standing instructions are highest, events of the past lowest."""
    from mem0g.conflict.passing_states import is_past_event

    if fact.relation in (INSTRUCTS, PREFERS):
        return STANDING
    if registry.get(fact.relation).one_object:
        return ONE_AT_A_TIME
    return EVENT if is_past_event(fact) else LASTING


class RelevanceFilter:
    """Shows the most important current facts of the scope; see mem0g.strategies.Strategy.

    At most ``keep`` facts are kept in view, and of these as many as the budget holds: the least important are not
    shown, though the memory still has them. Open the memory with ``extractor="llm"`` or "rules".

    Raises InputError for ``keep`` under 1.
    """

    name = "relevance-filter"

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        keep: int = KEPT,
        importance: Importance | None = None,
    ) -> None:
        if keep < 1:
            raise InputError(f"{keep} facts to keep", hint="at least 1")
        self._history = History(memory, Scope(user_id, agent_id, run_id))
        self._keep = keep
        self._importance = importance or Importance()

    def add(self, said: Said) -> Report:
        """Remember what was said; see Strategy."""
        return self._history.add(said)

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the most important facts, whatever ``query`` asks."""
        check(query, tokens)
        memory, scope = self._history.memory, self._history.scope
        facts = memory.facts(**scope_keys(scope))
        said = {each.id: time for each in self._history.messages if (time := each.time or each.recorded_at)}
        scores = self._importance.of(facts, Registry(memory.relations(**scope_keys(scope))), said)
        ranked = sorted(zip(scores, facts, strict=True), key=lambda each: (-each[0], each[1].id))[: self._keep]
        return page(best((fact_line(fact, score) for score, fact in ranked), tokens))


def _things(fact: Fact) -> tuple[str, ...]:
    """Return the object, if it is a thing: who a fact is about is mentioned all the time."""
    return () if fact.object_is_literal else (fact.object_id,)


def _last_time(fact: Fact, said: Mapping[str, datetime]) -> datetime:
    """Return when it was last spoken of."""
    return max((said[each] for each in fact.evidence if each in said), default=fact.said_at or fact.recorded_at)
