"""The extractor that uses a language model, and the request for the summary of a conversation.

Windows and messages that are too long for the model are split.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from mem0g.errors import PromptTooLongError, ReplyTooLongError, UnusableReplyError
from mem0g.extract.llm.mending import mended
from mem0g.extract.llm.rendering import ExtractionOptions, earlier_line, has_assistant, window_words
from mem0g.extract.llm.replies import (
    Entities,
    Extraction,
    Facts,
    NamedEntity,
    Reply,
    StatedFact,
    Summary,
    check_entities,
    check_facts,
    triples_of,
)
from mem0g.extract.messages import prompt_text
from mem0g.extract.protocol import Window
from mem0g.extract.rules.instructions import with_instructions
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Ledger, Request
from mem0g.model import Fact, Message, Scope, Triple
from mem0g.text.passages import split_text
from mem0g.text.token_count import estimate_tokens

R = TypeVar("R", bound=Reply)


@dataclass(frozen=True, slots=True)
class _Prompt:
    """The function that the model is asked to call."""

    function: str
    description: str


PROMPTS = {
    "extract": _Prompt("remember", "Keep the entities of the new messages, and the facts."),
    "entities": _Prompt("list_entities", "List the entities of the new messages."),
    "relations": _Prompt("write_facts", "Keep the facts between the entities."),
}

FRAGMENTS = {"extract": ("naming", "claims"), "entities": ("naming",), "relations": ("claims",)}
"""The files that each prompt includes; those with claims also ``assistant``, where one speaks."""


def fragments(purpose: str, window: Window) -> tuple[str, ...]:
    """Return the names of the files that the prompt for a window includes."""
    included = FRAGMENTS.get(purpose, ())
    return (*included, "assistant") if "claims" in included and has_assistant(window) else included


@dataclass(frozen=True, slots=True)
class LLMExtractor:
    """See Extractor; extracts entities and facts in one call, or with ``two_stages`` in two.

    A very long message is split into pieces; a window that is too long for the model is halved, repeatedly, down to
    pieces of one message.
    """

    model: Exchange
    ledger: Ledger
    prompts: Prompts = field(default_factory=Prompts)
    options: ExtractionOptions = field(default_factory=ExtractionOptions)
    two_stages: bool = False

    @property
    def name(self) -> str:
        """The name, as in ``--extractor``."""
        return "llm-two-stage" if self.two_stages else "llm"

    def extract(self, window: Window) -> Sequence[Triple]:
        """See Extractor. Raises ModelError; UnusableReplyError if the reply and its correction were bad."""
        found = [triple for part in parts(window) for triple in self._extract(part, window.id)]
        return with_instructions(window, found)

    def _extract(self, window: Window, whole: str) -> list[Triple]:
        """Return the triples of a window, or of a part of the window with the id ``whole``."""
        try:
            entities, facts = self._two_stages(window, whole) if self.two_stages else self._at_once(window, whole)
        except (PromptTooLongError, ReplyTooLongError):
            halves = halved(window)
            if not halves:
                raise
            return [triple for half in halves for triple in self._extract(half, whole)]
        return triples_of(entities, facts, window)

    def _at_once(self, window: Window, whole: str) -> tuple[Sequence[NamedEntity], Sequence[StatedFact]]:
        def check(reply: Extraction) -> None:
            entities, facts = mended(reply.entities, reply.facts, window)
            check_entities(entities, window, self.options)
            check_facts(facts, entities, window, self.options)

        reply = self.model.ask(self.request("extract", window, Extraction, check, whole=whole), self.ledger)
        return mended(reply.entities, reply.facts, window)

    def _two_stages(self, window: Window, whole: str) -> tuple[Sequence[NamedEntity], Sequence[StatedFact]]:
        def check_first(reply: Entities) -> None:
            check_entities(reply.entities, window, self.options)

        first = self.request("entities", window, Entities, check_first, whole=whole)
        listed = self.model.ask(first, self.ledger).entities
        if not listed:
            return [], []

        def check_second(reply: Facts) -> None:
            entities, facts = mended(listed, reply.facts, window)
            check_entities(entities, window, self.options)
            check_facts(facts, entities, window, self.options)

        names = "\n".join(" ".join(f"- {each.name} ({each.type})".split()) for each in listed)
        second = self.request("relations", window, Facts, check_second, whole=whole, entities=names)
        return mended(listed, self.model.ask(second, self.ledger).facts, window)

    def request(
        self,
        purpose: str,
        window: Window,
        reply: type[R],
        check: Callable[[R], None],
        *,
        whole: str = "",
        entities: str = "",
    ) -> Request[R]:
        """Return the request for a window, or for a part of the window with the id ``whole``.

        ``entities`` are those of the first stage, one per line.
        """
        prompt = PROMPTS[purpose]
        words = window_words(window) | self.options.words | {"entities": entities, "assistant": ""}
        rendered = self.prompts.render(__package__, purpose, words, fragments(purpose, window))
        return rendered.request(
            purpose=purpose,
            function=prompt.function,
            description=prompt.description,
            reply=reply,
            check=check,
            window=whole or window.id,
            scope=window.scope,
        )


MAX_MESSAGE_TOKENS = 2000
"""Tokens of one message per request: models overlook facts in the middle of a longer text."""

MIN_HALVED_CHARACTERS = 200
"""Characters below which a message is not halved: the prompt is too long for another reason then."""


def parts(window: Window) -> Iterator[Window]:
    """Yield the window; if it is one message of more than 2,000 tokens, a window for each piece of it."""
    tokens = estimate_tokens(prompt_text(window.messages[0])) if len(window.messages) == 1 else 0
    if tokens <= MAX_MESSAGE_TOKENS:
        yield window
        return
    text = window.messages[0].text
    yield from _cut(window, len(text) * MAX_MESSAGE_TOKENS // tokens)


def halved(window: Window) -> tuple[Window, ...]:
    """Return two windows of half the messages and less context; the first half is context of the second.

    A single message is cut in two; a short one is returned once, without context, or not at all if it has none.
    """
    if len(window.messages) > 1:
        return _parted(window)
    text = window.messages[0].text
    if len(text) > MIN_HALVED_CHARACTERS:
        less = replace(window, context=window.context[len(window.context) // 2 + 1 :])
        return tuple(_cut(less, (len(text) + 1) // 2))
    return (replace(window, context=()),) if window.context else ()


def _parted(window: Window) -> tuple[Window, ...]:
    middle = len(window.messages) // 2
    first, second = window.messages[:middle], window.messages[middle:]
    size = max(len(window.context) // 2, middle)
    return (
        replace(window, messages=first, context=window.context[-size:]),
        replace(window, messages=second, context=(*window.context, *first)[-size:]),
    )


def _cut(window: Window, size: int) -> Iterator[Window]:
    """Yield the one message in pieces of at most ``size`` characters, each with the piece before it as context."""
    (message,) = window.messages
    before = window.context
    for piece in split_text(message.text, size):
        part = replace(message, text=piece)
        yield replace(window, messages=(part,), context=before)
        before = (*window.context, part)[-max(len(window.context), 1) :]


MAX_SUMMARY_WORDS = 400
"""Words of a summary, more than twice what is asked for; a longer one is refused."""


def summary_request(
    prompts: Prompts,
    scope: Scope,
    messages: Sequence[Message],
    before: str,
    *,
    earlier: Sequence[Fact] = (),
    window: str = "",
) -> Request[Summary]:
    """Return the request to extend the summary ``before`` by ``messages``; ``window`` is its name in the ledger.

    ``earlier`` are facts of messages before these, for which there may be no summary.
    """
    words = window_words(Window(messages=tuple(messages)), brief=True)
    words |= {"summary": before, "earlier": "\n".join(map(earlier_line, earlier))}
    rendered = prompts.render(__package__, "summary", words)
    return rendered.request(
        purpose="summary",
        function="keep_summary",
        description="Keep the summary of the conversation.",
        reply=Summary,
        check=_check_summary,
        window=window,
        scope=scope,
    )


def _check_summary(reply: Summary) -> None:
    if not reply.summary.strip():
        raise UnusableReplyError("the summary is empty")
    if len(reply.summary.split()) > MAX_SUMMARY_WORDS:
        raise UnusableReplyError(f"the summary has {len(reply.summary.split())} words; 150 are enough")
