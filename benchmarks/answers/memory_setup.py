"""The memory that questions are asked of: filled for this run, or one that exists already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.answers.systems import ALL_FACTS, DENSE_SYSTEMS, FACT_SYSTEMS, DenseConversation, StoredConversation
from benchmarks.locomo import Conversation
from benchmarks.memories import AGENT
from benchmarks.report import note
from mem0g import Memory, Scope
from mem0g.embed.protocol import Embedder
from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.settings import LLMSettings, Settings
from mem0g.transfer.triples import read_triples

TEMPORARY_STORE = "sqlite"
"""Value of --store for a file of this run."""


class FactSource(StrEnum):
    """Where facts come from: a model, prepared triples, mem0g's rules, or nowhere."""

    llm = "llm"
    two_stages = "llm-two-stage"
    triples = "triples"
    rules = "rules"
    none = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySetup:
    """How conversations get into a memory.

    With ``user`` they are in ``store`` already, as that user's, and ``source`` is None. ``triples`` is the folder with
    one SAMPLE.jsonl per conversation, for prepared triples. ``dense``: they are stored as dense memories as well, which
    the model makes wherever facts come from. ``window``: messages that a model is shown at once.
    """

    store: str
    source: FactSource | None
    llm: LLMSettings
    triples: Path | None = None
    user: str | None = None
    dense: bool = False
    window: int | None = None

    @classmethod
    def of(
        cls,
        store: str,
        llm: LLMSettings,
        *,
        source: FactSource | None,
        triples: Path | None,
        user: str | None,
        systems: Sequence[str],
        window: int | None = None,
    ) -> MemorySetup:
        """Build the setup from the command's options.

        Raises InputError when options contradict each other or do not say where facts come from.
        """
        if user is not None:
            if source or triples or store == TEMPORARY_STORE:
                raise InputError(
                    f"--user {user} names a memory that exists already",
                    hint="give its --store, and neither --facts nor --triples",
                )
            return cls(store=store, source=None, llm=llm, user=user)
        if source is None:
            needed = set(systems).intersection((*FACT_SYSTEMS, ALL_FACTS))
            source = FactSource.triples if triples else None if needed else FactSource.none
        if source is None:
            raise InputError("no source of facts is given", hint="give --facts, --triples, or --user")
        if source is FactSource.triples and triples is None:
            raise InputError("no --triples given", hint="name the folder that has them, or choose other --facts")
        dense = bool(set(systems).intersection(DENSE_SYSTEMS))
        return cls(store=store, source=source, llm=llm, triples=triples, dense=dense, window=window)

    @property
    def kind(self) -> str:
        """Where facts come from, as a label for tables."""
        return str(self.source) if self.source else f"of {self.user} in {self.store}"

    def check(self, conversations: Sequence[Conversation]) -> None:
        """Raise InputError when ``user`` is given with more than one conversation."""
        if self.user is not None and len(conversations) != 1:
            raise InputError(
                f"--user {self.user} has one sample, and {len(conversations)} are asked about", hint="name its --sample"
            )

    def files(self, conversations: Sequence[Conversation]) -> list[Path]:
        """Return the files of triples to read; empty unless facts come from them."""
        wanted = self.source is FactSource.triples and self.triples
        return [wanted / f"{each.id}.jsonl" for each in conversations] if wanted else []

    @contextmanager
    def memory(self, embedder: Embedder) -> Iterator[Memory]:
        """Open the memory; what this run writes to it is deleted afterwards, but for the replies in a cache."""
        if self.user is not None:
            with Memory.open(self.store, embedder=embedder, extractor="none", existing=True) as memory:
                yield memory
            return
        extractor = "none" if self.source is FactSource.triples else str(self.source)
        with self._opened(embedder, extractor) as memory:
            yield memory

    @contextmanager
    def dense_memory(self, embedder: Embedder) -> Iterator[Memory | None]:
        """Open the memory of dense memories, if any system needs it; what this run writes to it is deleted afterwards.

        With ``user`` there is none of its own: ``stored`` shows the dense memories that the user has.
        """
        if not self.dense:
            yield None
            return
        with self._opened(embedder, "llm-dense") as memory:
            yield memory

    @contextmanager
    def _opened(self, embedder: Embedder, extractor: str) -> Iterator[Memory]:
        settings = replace(Settings.from_environment(), llm=self.llm)
        settings = replace(settings, window=self.window or settings.window)
        agent = _agent(extractor)
        with TemporaryDirectory() as folder:
            address = Path(folder) / "benchmark.db" if self.store == TEMPORARY_STORE else self.store
            with Memory.open(address, embedder=embedder, extractor=extractor, settings=settings) as memory:
                memory.store.forget(Scope(agent_id=agent))
                try:
                    yield memory
                finally:
                    memory.store.forget(Scope(agent_id=agent))

    def stored(self, memory: Memory, conversation: Conversation, dense: Memory | None = None) -> StoredConversation:
        """Return the conversation as stored in the memory, ingesting it unless it is there already; in ``dense`` too.

        Raises a ModelError when a model extracts and cannot be used, NotFoundError when the memory is empty.
        """
        if self.user is not None:
            scope = Scope(user_id=self.user)
            if not memory.stats(user_id=self.user).messages:
                raise InputError(f"{self.store} has no message of {self.user!r}", hint="ingest the conversation first")
            return StoredConversation(memory, scope, conversation.turns, DenseConversation(memory, scope))
        scope = Scope(user_id=conversation.id, agent_id=AGENT)
        report = sum(memory.ingest(conversation.turns, **scope_keys(scope)), start=Report())
        for file in self.files([conversation]):
            report += memory.add_triples(read_triples(file), **scope_keys(scope))
        note(f"{conversation.id}: {report.messages} messages, {report.facts} facts" + _quarantined_note(report))
        return StoredConversation(memory, scope, conversation.turns, self._densely(dense, conversation))

    def _densely(self, memory: Memory | None, conversation: Conversation) -> DenseConversation | None:
        """Store a conversation as dense memories, if there is a memory for them."""
        if memory is None:
            return None
        scope = Scope(user_id=conversation.id, agent_id=_agent("llm-dense"))
        report = sum(memory.ingest(conversation.turns, **scope_keys(scope)), start=Report())
        note(f"{conversation.id}: {report.facts} dense memories, {report.retired} replaced" + _quarantined_note(report))
        return DenseConversation(memory, scope)


def _agent(extractor: str) -> str:
    """Return the agent of the scopes of an extractor: facts and dense memories in one store are kept apart."""
    return f"{AGENT}-dense" if extractor == "llm-dense" else AGENT


def _quarantined_note(report: Report) -> str:
    return f", {report.quarantined} windows quarantined" if report.quarantined else ""
