"""Runs of the extractor over windows of conversations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from random import Random

from benchmarks.locomo import Conversation
from benchmarks.memories import AGENT
from mem0g import Message, Scope, Triple
from mem0g.errors import ModelAccessError, UnknownModelError
from mem0g.extract.llm import LLMExtractor
from mem0g.extract.protocol import Window
from mem0g.ingest.prefetch import Extracted, Prefetcher
from mem0g.ingest.windows import MAX_RELATIONS, WindowLimits, windows_of
from mem0g.relations.registry import Registry
from mem0g.settings import Settings

ALIAS = "also_known_as"
"""The relation of extracted aliases, which are not facts of the conversation."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A triple and the ids of the turns it is based on."""

    triple: Triple
    turns: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The results of a conversation's windows; ``failed`` ones are not among the ``windows``."""

    conversation: Conversation
    windows: tuple[Window, ...]
    claims: tuple[Claim, ...]
    failed: tuple[Extracted, ...] = ()

    @property
    def messages(self) -> int:
        """The number of messages of the windows."""
        return sum(len(window.messages) for window in self.windows)

    @property
    def turns(self) -> frozenset[str]:
        """The ids of the turns of the windows."""
        return frozenset(each.source_id for window in self.windows for each in window.messages if each.source_id)

    @property
    def speakers(self) -> frozenset[str]:
        """The speakers of the conversation."""
        return frozenset(turn.speaker for turn in self.conversation.turns)


def windows_in(conversation: Conversation, settings: Settings, *, pairs: bool) -> list[Window]:
    """Return the windows of a conversation as an ingest makes them, or as adding messages in ``pairs`` makes them.

    The extractor sees the relation names of an empty memory, and no summary.
    """
    scope = Scope(user_id=conversation.id, agent_id=AGENT)
    messages = [Message.of(turn, scope) for turn in conversation.turns]
    windows = windows_of(
        lambda source, session, most: (),  # noqa: ARG005 - all messages are new
        scope,
        messages,
        set(),
        WindowLimits(
            settings.add_window_size if pairs else settings.window,
            settings.window_tokens,
            settings.context,
        ),
    )
    usual = tuple(each.name.lower() for each in Registry().types)[:MAX_RELATIONS]
    return [replace(window, relations=usual) for window in windows]


def drawn(windows: Sequence[Window], most: int | None, seed: int) -> list[Window]:
    """Draw ``most`` of the windows with ``seed``, in their order; all if ``most`` is None."""
    if most is None or most >= len(windows):
        return list(windows)
    places = Random(seed).sample(range(len(windows)), most)  # noqa: S311 - not used for secrets
    return [windows[place] for place in sorted(places)]


def run(
    conversations: Iterable[Conversation], windows: Iterable[Window], extractor: LLMExtractor, concurrency: int
) -> list[Run]:
    """Run the extractor on the windows, conversation by conversation; those without windows are left out.

    Raises ModelAccessError and UnknownModelError, which would fail every window; other failures are recorded.
    """
    groups = Prefetcher(windows, lambda window, _: extractor.extract(window), concurrency)
    extracted = list(_stopping(chain.from_iterable(groups)))
    by_sample = {
        each.id: [found for found in extracted if found.window.messages[0].source == each.id] for each in conversations
    }
    return [_run_of(each, by_sample[each.id]) for each in conversations if by_sample[each.id]]


def _stopping(extracted: Iterable[Extracted]) -> Iterable[Extracted]:
    for each in extracted:
        if isinstance(each.error, ModelAccessError | UnknownModelError):
            raise each.error
        yield each


def _run_of(conversation: Conversation, extracted: Sequence[Extracted]) -> Run:
    good = [each for each in extracted if not each.error]
    return Run(
        conversation=conversation,
        windows=tuple(each.window for each in good),
        claims=tuple(_claim(triple, each.window) for each in good for triple in each.triples if _is_claim(triple)),
        failed=tuple(each for each in extracted if each.error),
    )


def _is_claim(triple: Triple) -> bool:
    return triple.relation != ALIAS


def _claim(triple: Triple, window: Window) -> Claim:
    turns = {each.id: each.source_id for each in (*window.context, *window.messages)}
    return Claim(triple, frozenset(turn for each in triple.evidence if (turn := turns.get(each))))
