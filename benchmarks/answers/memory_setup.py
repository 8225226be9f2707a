"""The memory that questions are asked of: filled for this run, or one that exists already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.answers.systems import FACT_SYSTEMS, StoredConversation
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
    one SAMPLE.jsonl per conversation, for prepared triples.
    """

    store: str
    source: FactSource | None
    llm: LLMSettings
    triples: Path | None = None
    user: str | None = None

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
            source = (
                FactSource.triples if triples else None if set(FACT_SYSTEMS).intersection(systems) else FactSource.none
            )
        if source is None:
            raise InputError("no source of facts is given", hint="give --facts, --triples, or --user")
        if source is FactSource.triples and triples is None:
            raise InputError("no --triples given", hint="name the folder that has them, or choose other --facts")
        return cls(store=store, source=source, llm=llm, triples=triples)

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
        """Open the memory; what this run writes to it is deleted afterwards."""
        if self.user is not None:
            with Memory.open(self.store, embedder=embedder, extractor="none", existing=True) as memory:
                yield memory
            return
        settings = replace(Settings.from_environment(), llm=self.llm)
        extractor = "none" if self.source is FactSource.triples else str(self.source)
        with TemporaryDirectory() as folder:
            address = Path(folder) / "benchmark.db" if self.store == TEMPORARY_STORE else self.store
            with Memory.open(address, embedder=embedder, extractor=extractor, settings=settings) as memory:
                memory.forget(agent_id=AGENT)
                try:
                    yield memory
                finally:
                    memory.forget(agent_id=AGENT)

    def stored(self, memory: Memory, conversation: Conversation) -> StoredConversation:
        """Return the conversation as stored in the memory, ingesting it unless it is there already.

        Raises a ModelError when a model extracts and cannot be used, NotFoundError when the memory is empty.
        """
        if self.user is not None:
            scope = Scope(user_id=self.user)
            if not memory.stats(user_id=self.user).messages:
                raise InputError(f"{self.store} has no message of {self.user!r}", hint="ingest the conversation first")
            return StoredConversation(memory, scope, conversation.turns)
        scope = Scope(user_id=conversation.id, agent_id=AGENT)
        report = sum(memory.ingest(conversation.turns, **scope_keys(scope)), start=Report())
        for file in self.files([conversation]):
            report += memory.add_triples(read_triples(file), **scope.keys)
        note(f"{conversation.id}: {report.messages} messages, {report.facts} facts" + _quarantined_note(report))
        return StoredConversation(memory, scope, conversation.turns)


def _quarantined_note(report: Report) -> str:
    return f", {report.quarantined} windows quarantined" if report.quarantined else ""
