"""The extractor of dense memories: sentences instead of triples, as in the base Mem0 (arXiv 2504.19413, section 2.1).

The model is shown what the paper's is: the summary S of the conversation, the m = 10 messages before, and the new ones,
two of them when a program adds a question and its answer. A memory is stored as a fact from the speaker to the
sentence, which is a value and no node of the graph: so it is durable, dated, cited, and can be corrected and undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mem0g.errors import PromptTooLongError, ReplyTooLongError, UnusableReplyError
from mem0g.extract.llm.extractor import halved, parts
from mem0g.extract.llm.rendering import ExtractionOptions, window_words
from mem0g.extract.llm.replies import MAX_PROBLEMS, MAX_SENTENCE, Reply, max_facts, misquoted
from mem0g.extract.protocol import Window
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Ledger, Request
from mem0g.model import LITERAL, MAX_NAME_LENGTH, UNSTORABLE, Triple

NOTED = "noted"
"""The relation of a memory, from who said it to the sentence."""


class DenseMemory(Reply):
    """A memory, with the numbers of the messages that say it."""

    text: str
    messages: list[int]


class DenseMemories(Reply):
    """The reply: what is worth remembering of the new messages."""

    memories: list[DenseMemory]


@dataclass(frozen=True, slots=True)
class DenseExtractor:
    """Extracts sentences in one call for a window; see Extractor. A window that is too long is halved."""

    model: Exchange
    ledger: Ledger
    prompts: Prompts = field(default_factory=Prompts)
    options: ExtractionOptions = field(default_factory=ExtractionOptions)
    name: str = "llm-dense"

    def extract(self, window: Window) -> Sequence[Triple]:
        """See Extractor. Raises ModelError; UnusableReplyError if the reply and its correction were bad."""
        return [triple for part in parts(window) for triple in self._extract(part, window.id)]

    def _extract(self, window: Window, whole: str) -> list[Triple]:
        try:
            reply = self.model.ask(self.request(window, whole), self.ledger)
        except (PromptTooLongError, ReplyTooLongError):
            halves = halved(window)
            if not halves:
                raise
            return [triple for half in halves for triple in self._extract(half, whole)]
        return [_triple(each, window) for each in reply.memories]

    def request(self, window: Window, whole: str = "") -> Request[DenseMemories]:
        """Return the request for a window, or for a part of the window with the id ``whole``."""
        rendered = self.prompts.render(__package__, "memories", window_words(window) | self.options.words)
        return rendered.request(
            purpose="memories",
            function="remember_sentences",
            description="Keep the memories of the new messages.",
            reply=DenseMemories,
            check=lambda reply: check(reply, window),
            window=whole or window.id,
            scope=window.scope,
        )


def check(reply: DenseMemories, window: Window) -> None:
    """Raise UnusableReplyError for too many memories, and for one that is blank, too long or cites no new message."""
    limit = max_facts(window)
    if len(reply.memories) > limit:
        raise UnusableReplyError(f"{len(reply.memories)} memories, where at most {limit} can be in so few words")
    problems = [
        f"memory {place}: {problem}"
        for place, each in enumerate(reply.memories, 1)
        for problem in _problems(each, window)
    ]
    if problems:
        raise UnusableReplyError("; ".join(problems[:MAX_PROBLEMS]))


def _problems(memory: DenseMemory, window: Window) -> Iterator[str]:
    if not memory.text.strip():
        yield "the text is blank"
    if len(memory.text) > MAX_SENTENCE:
        yield f"the text has {len(memory.text)} characters"
    if UNSTORABLE.search(memory.text):
        yield "the text holds a NUL or half of a surrogate pair"
    yield from misquoted(memory.messages, window)


def _triple(memory: DenseMemory, window: Window) -> Triple:
    """Return the memory as a triple of who said the first of its new messages."""
    messages, context = (*window.context, *window.messages), len(window.context)
    numbers = sorted({number for number in memory.messages if 1 <= number <= len(messages)})
    first = next(number for number in numbers if number > context)
    text = memory.text.strip()
    return Triple(
        subject=messages[first - 1].speaker,
        relation=NOTED,
        object=" ".join(text.split())[:MAX_NAME_LENGTH],
        object_type=LITERAL,
        text=text,
        evidence=tuple(messages[number - 1].id for number in numbers),
    )
