"""The extractor that asks a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mem0g.errors import PromptTooLongError, ReplyTooLongError
from mem0g.extract.llm.reading import check_entities, check_facts, triples_of
from mem0g.extract.llm.rendering import window_words
from mem0g.extract.llm.replies import Entities, Extraction, Facts, NamedEntity, Reply, StatedFact
from mem0g.extract.llm.splitting import halved, parts
from mem0g.extract.llm.wishes import Wishes
from mem0g.extract.protocol import Window
from mem0g.llm.exchange import Exchange
from mem0g.llm.prompts import Prompts
from mem0g.llm.protocol import Ledger, Request
from mem0g.model import Triple

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
    wishes: Wishes = field(default_factory=Wishes)
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
            check_entities(reply.entities, window, self.wishes)
            check_facts(reply.facts, reply.entities, window, self.wishes)

        reply = self.model.ask(self.request("extract", window, Extraction, check, whole=whole), self.ledger)
        return reply.entities, reply.facts

    def _two_stages(self, window: Window, whole: str) -> tuple[Sequence[NamedEntity], Sequence[StatedFact]]:
        def check_first(reply: Entities) -> None:
            check_entities(reply.entities, window, self.wishes)

        first = self.request("entities", window, Entities, check_first, whole=whole)
        listed = self.model.ask(first, self.ledger).entities
        if not listed:
            return [], []

        def check_second(reply: Facts) -> None:
            check_facts(reply.facts, listed, window, self.wishes)

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
        words = window_words(window) | self.wishes.words | {"entities": entities}
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
