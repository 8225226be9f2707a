"""mem0g as a method to compare, through its public API only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.locomo import Question
from benchmarks.passages import Passage, fact_passage
from benchmarks.scoring import Returned, tokens
from benchmarks.timing import QueryTimes
from mem0g import Context, Hit, Memory, Triple, Utterance
from mem0g.embed.protocol import Embedder

AGENT = "mem0g-benchmark"
"""Part of every scope that a benchmark writes, so that it can be told apart from other data and deleted."""


@contextmanager
def memory_in(store: str, embedder: Embedder, extractor: str) -> Iterator[Memory]:
    """Open a memory in ``store``; "sqlite" is a temporary file.

    What was written to another store is deleted before and after.
    """
    with TemporaryDirectory() as folder:
        address = Path(folder) / "benchmark.db" if store == "sqlite" else store
        with Memory.open(address, embedder=embedder, extractor=extractor) as memory:
            memory.forget(agent_id=AGENT)
            try:
                yield memory
            finally:
                memory.forget(agent_id=AGENT)


@dataclass(frozen=True, slots=True)
class Engine:
    """mem0g over one conversation in a scope of its own; ``turns`` maps message ids to turn ids."""

    memory: Memory
    user: str
    turns: Mapping[str, str]
    times: QueryTimes
    fill: bool = False

    @property
    def name(self) -> str:
        """Its name in the rows; with ``fill`` every context is filled up to its budget."""
        return "mem0g-fill" if self.fill else "mem0g"

    @classmethod
    def of(
        cls, memory: Memory, user: str, turns: Sequence[Utterance], triples: Sequence[Triple], times: QueryTimes
    ) -> Engine:
        """Ingest a conversation and its prepared triples, if any."""
        memory.add(turns, user_id=user, agent_id=AGENT)
        if triples:
            memory.add_triples(triples, user_id=user, agent_id=AGENT)
        messages = memory.messages(user_id=user, agent_id=AGENT)
        return cls(memory, user, {each.id: each.source_id for each in messages if each.source_id}, times)

    def within(self, question: Question, budget: int) -> Returned:
        """Return ``context`` for ``budget`` tokens. Raises ValueError when it exceeds the budget."""
        context: Context = self.times.time(
            self.memory.context, question.text, tokens=budget, fill=self.fill, user_id=self.user, agent_id=AGENT
        )
        if tokens(context.text) > budget:
            raise ValueError(f"{tokens(context.text)} tokens for a budget of {budget}: {question.text!r}")
        return Returned(context.text, self._covered(context.hits))

    def first(self, question: Question, k: int) -> Returned:
        """Return the first ``k`` hits of ``search``."""
        hits: list[Hit] = self.times.time(self.memory.search, question.text, limit=k, user_id=self.user, agent_id=AGENT)
        return Returned("\n".join(hit.text for hit in hits), self._covered(hits))

    def facts(self) -> list[Passage]:
        """Return the facts that mem0g holds, retired ones too, for baselines to rank."""
        held = self.memory.facts(user_id=self.user, agent_id=AGENT, include_retired=True)
        return [fact_passage(fact, self._turns_of(fact.evidence)) for fact in held]

    def _covered(self, hits: Iterable[Hit]) -> frozenset[str]:
        return self._turns_of(cited for hit in hits for cited in hit.evidence)

    def _turns_of(self, messages: Iterable[str]) -> frozenset[str]:
        return frozenset(self.turns[each] for each in messages if each in self.turns)
