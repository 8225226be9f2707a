"""The extractor that asks a language model, and the request for the summary of a conversation.

What is too long for the model is asked about in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from mem0g.errors import PromptTooLongError, ReplyTooLongError, UnusableReplyError
from mem0g.extract.llm.rendering import ExtractionOptions, shortened, window_words
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
from mem0g.extract.protocol import Window
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Ledger, Request
from mem0g.model import Message, Scope, Triple
from mem0g.text.splitting import split_text
from mem0g.text.token_count import estimate_tokens

R = TypeVar("R", bound=Reply)


@dataclass(frozen=True, slots=True)
class _Prompt:
    """The function to be called after a prompt."""

    function: str
    description: str


PROMPTS = {
    "extract": _Prompt("remember", "Keep the entities of the new messages, and the facts."),
    "entities": _Prompt("list_entities", "List the entities of the new messages."),
    "relations": _Prompt("write_facts", "Keep the facts between the entities."),
}

FRAGMENTS = {"extract": ("naming", "claims"), "entities": ("naming",), "relations": ("claims",)}
"""The files that a prompt quotes."""


@dataclass(frozen=True, slots=True)
class LLMExtractor:
    """Entities and facts of a window by a model: in one call, or with ``two_stages`` entities first.

    A very long message is asked about in pieces; a window that is too long for the model is halved, down to pieces of
    one message.
    """

    model: Exchange
    ledger: Ledger
    prompts: Prompts = field(default_factory=Prompts)
    options: ExtractionOptions = field(default_factory=ExtractionOptions)
    two_stages: bool = False

    @property
    def name(self) -> str:
        """As named by ``--extractor``."""
        return "llm-two-stage" if self.two_stages else "llm"

    def extract(self, window: Window) -> Sequence[Triple]:
        """See Extractor. Raises ModelError's children; UnusableReplyError when the reply was bad twice."""
        return [triple for part in parts(window) for triple in self._extract(part, window.id)]

    def _extract(self, window: Window, whole: str) -> list[Triple]:
        """The triples of a window, or of a part of the one whose id is ``whole``."""
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
            check_entities(reply.entities, window, self.options)
            check_facts(reply.facts, reply.entities, window, self.options)

        reply = self.model.ask(self.request("extract", window, Extraction, check, whole=whole), self.ledger)
        return reply.entities, reply.facts

    def _two_stages(self, window: Window, whole: str) -> tuple[Sequence[NamedEntity], Sequence[StatedFact]]:
        def check_first(reply: Entities) -> None:
            check_entities(reply.entities, window, self.options)

        first = self.request("entities", window, Entities, check_first, whole=whole)
        listed = self.model.ask(first, self.ledger).entities
        if not listed:
            return [], []

        def check_second(reply: Facts) -> None:
            check_facts(reply.facts, listed, window, self.options)

        names = "\n".join(" ".join(f"- {each.name} ({each.type})".split()) for each in listed)
        second = self.request("relations", window, Facts, check_second, whole=whole, entities=names)
        return listed, self.model.ask(second, self.ledger).facts

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
        """What is asked about a window, or about a part of the one whose id is ``whole``.

        ``entities`` are those of the first stage, listed.
        """
        prompt = PROMPTS[purpose]
        words = window_words(window) | self.options.words | {"entities": entities}
        rendered = self.prompts.render(__package__, purpose, words, FRAGMENTS[purpose])
        return Request(
            purpose=purpose,
            system=rendered.system,
            hints=rendered.hints,
            user=rendered.user,
            function=prompt.function,
            description=prompt.description,
            reply=reply,
            check=check,
            window=whole or window.id,
            scope=window.scope,
        )


MAX_MESSAGE_TOKENS = 2000
"""Tokens of one message that are asked about at once: in a longer text models overlook what is in the middle."""

MIN_HALVED_CHARACTERS = 200
"""Characters of a message below which it is not halved: what is too long then is not the message."""


def parts(window: Window) -> Iterator[Window]:
    """The window; or, where it is one message of very many tokens, that message in pieces, one a window."""
    tokens = estimate_tokens(window.messages[0].text) if len(window.messages) == 1 else 0
    if tokens <= MAX_MESSAGE_TOKENS:
        yield window
        return
    text = window.messages[0].text
    yield from _cut(window, len(text) * MAX_MESSAGE_TOKENS // tokens)


def halved(window: Window) -> tuple[Window, ...]:
    """The window in two, with less context; one message in two pieces, or if it is short, without any context.

    The first half is among what the second is understood by. Nothing when there is nothing left to leave out.
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
    most = max(len(window.context) // 2, middle)
    return (
        replace(window, messages=first, context=window.context[-most:]),
        replace(window, messages=second, context=(*window.context, *first)[-most:]),
    )


def _cut(window: Window, size: int) -> Iterator[Window]:
    """The one message in pieces of at most ``size`` characters, each understood by the one before it."""
    (message,) = window.messages
    before = window.context
    for piece in split_text(message.text, size):
        part = replace(message, text=piece)
        yield replace(window, messages=(part,), context=before)
        before = (*window.context, part)[-max(len(window.context), 1) :]


MAX_SUMMARY_WORDS = 400
"""Words that a summary may have: more than twice what is asked for is no summary."""


def summary_request(
    prompts: Prompts, scope: Scope, messages: Sequence[Message], before: str, *, window: str = ""
) -> Request[Summary]:
    """Ask for the summary up to and with ``messages``, given the one ``before``; ``window`` is what the ledger says."""
    words = window_words(Window(messages=tuple(map(shortened, messages)))) | {"summary": before}
    rendered = prompts.render(__package__, "summary", words)
    return Request(
        purpose="summary",
        system=rendered.system,
        user=rendered.user,
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
