"""Timed ingest of one conversation into a new file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.embedders import TimedEmbedder
from benchmarks.extraction.running import windows_in
from benchmarks.locomo import Conversation
from benchmarks.memories import AGENT
from benchmarks.pipeline.serving import serving
from benchmarks.pipeline.simulated_model import SimulatedModel
from mem0g import Memory, Triple
from mem0g.errors import UnusableReplyError
from mem0g.ingest.ledger import Cost
from mem0g.ingest.report import Report
from mem0g.llm.openai import OpenAIProvider
from mem0g.llm.openai_forms import ServerCapabilities
from mem0g.settings import LLMSettings, Settings

MODEL = "reference-triples"

TIMEOUT_MARGIN = 60.0
"""Timeout in seconds beyond the configured time of a reply."""

WARM_UP_MESSAGES = 20
"""Messages ingested before timing starts, to load the client and warm up the embedder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """How to ingest: ``size`` messages a window, ``seconds`` a reply, ``concurrency`` windows in parallel."""

    size: int
    seconds: float
    concurrency: int

    @property
    def pairs(self) -> bool:
        """Whether messages are added in pairs by ``add``, as a program does, rather than all at once by ``ingest``."""
        return self.size == Settings().add_window_size

    @property
    def method(self) -> str:
        """The label of tables."""
        return f"{'pairs' if self.pairs else 'windows'} of {self.size}"

    @property
    def settings(self) -> Settings:
        """Return the environment's settings with these changes."""
        llm = LLMSettings(model=MODEL, concurrency=self.concurrency)
        return replace(Settings.from_environment(), window=self.size, add_window_size=self.size, llm=llm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The result: ``milliseconds`` from each commit to the next, ``embedding`` those of the embedder.

    ``closing`` is the time in seconds of the last summaries after the last commit.
    """

    way: Configuration
    sample: str
    messages: int
    facts: int
    costs: tuple[Cost, ...]
    milliseconds: tuple[float, ...]
    embedding: float
    closing: float

    @property
    def seconds(self) -> float:
        """Seconds from the first message to the last commit."""
        return sum(self.milliseconds) / 1000

    @property
    def windows(self) -> int:
        """Number of windows, each extracted in one call; several may be committed together."""
        return sum(cost.calls for cost in self.costs if cost.purpose == "extract")


def warm_up(conversation: Conversation, triples: Sequence[Triple], embedder: TimedEmbedder) -> None:
    """Ingest the beginning of a conversation, and discard it."""
    run(replace(conversation, turns=conversation.turns[:WARM_UP_MESSAGES]), triples, _FIRST, embedder)


_FIRST = Configuration(size=WARM_UP_MESSAGES, seconds=0, concurrency=1)


def run(conversation: Conversation, triples: Sequence[Triple], way: Configuration, embedder: TimedEmbedder) -> Run:
    """Ingest a conversation with facts ``triples``.

    Raises a ModelError for a window that fails or is quarantined, InputError for a prompt that the server cannot parse.
    """
    with (
        TemporaryDirectory() as folder,
        serving(SimulatedModel.of(conversation.turns, triples).reply, way.seconds) as chat,
    ):
        done = _ingested(conversation, Path(folder) / "pipeline.db", way, chat.address, embedder)
        if chat.refused:
            raise chat.refused[0]
    return done


def _ingested(conversation: Conversation, file: Path, way: Configuration, address: str, embedder: TimedEmbedder) -> Run:
    patience = way.seconds + TIMEOUT_MARGIN
    model = OpenAIProvider(
        MODEL, base_url=address, api_key="none", timeout=patience, capabilities=ServerCapabilities()
    )  # the detected abilities of this server are not worth keeping
    before = embedder.milliseconds
    with Memory.open(file, embedder=embedder, extractor="llm", model=model, settings=way.settings) as memory:
        milliseconds = list(_laps(_reports(memory, conversation, way)))
        embedding, ended = embedder.milliseconds - before, perf_counter()
    closing = perf_counter() - ended
    with Memory.open(file, embedder=embedder, extractor="none", existing=True) as memory:
        _sound(memory, len(milliseconds))
        stats = memory.stats(all_scopes=True)
        return Run(
            way=way,
            sample=conversation.id,
            messages=stats.messages,
            facts=stats.facts,
            costs=memory.costs(all_scopes=True),
            milliseconds=tuple(milliseconds),
            embedding=embedding,
            closing=closing,
        )


def _reports(memory: Memory, conversation: Conversation, way: Configuration) -> Iterator[Report]:
    """Yield the report of each window."""
    user = conversation.id
    if not way.pairs:
        yield from memory.ingest(conversation.turns, user_id=user, agent_id=AGENT)
        return
    start = 0
    for window in windows_in(conversation, way.settings, pairs=True):
        end = start + len(window.messages)
        yield memory.add(conversation.turns[start:end], user_id=user, agent_id=AGENT)
        start = end


def _laps(reports: Iterable[Report]) -> Iterator[float]:
    """Yield the milliseconds until each report."""
    started = perf_counter()
    for _ in reports:
        now = perf_counter()
        yield 1000 * (now - started)
        started = now


def _sound(memory: Memory, windows: int) -> None:
    """Raise UnusableReplyError when a window has no facts yet, or a reply was asked for twice."""
    waiting = memory.pending(all_scopes=True)
    hint = "the reference triples, or the prompts, do not fit the engine: no figure would be right"
    if waiting:
        first = waiting[0]
        raise UnusableReplyError(
            f"{len(waiting)} of {windows} windows came to nothing; the first is {first.state}: {first.problem}",
            hint=hint,
            reply=first.reply,
        )
    bad = {cost.purpose: cost.bad for cost in memory.costs(all_scopes=True) if cost.bad}
    if bad:
        raise UnusableReplyError(f"replies that could not be used: {bad}", hint=hint)
