"""The extractor that asks a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from mem0g.errors import PromptTooLongError, ReplyTooLongError
from mem0g.extract.llm.reading import check_entities, check_facts, triples_of
from mem0g.extract.llm.rendering import window_words
from mem0g.extract.llm.replies import Entities, Extraction, Facts, NamedEntity, Reply, StatedFact
from mem0g.extract.llm.wishes import Wishes
from mem0g.extract.protocol import Window
from mem0g.llm.prompts import Prompts
from mem0g.llm.request import LanguageModel, Ledger, Purpose, Request
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

    A window that is too long for the model is halved, until it is one message.
    """

    model: LanguageModel
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
        try:
            return self._extract(window)
        except (PromptTooLongError, ReplyTooLongError):
            halves = halved(window)
            if halves is None:
                raise
        return [triple for half in halves for triple in self.extract(half)]

    def _extract(self, window: Window) -> list[Triple]:
        entities, facts = self._two_stages(window) if self.two_stages else self._at_once(window)
        return triples_of(entities, facts, window)

    def _at_once(self, window: Window) -> tuple[Sequence[NamedEntity], Sequence[StatedFact]]:
        def check(reply: Extraction) -> None:
            check_entities(reply.entities, self.wishes)
            check_facts(reply.facts, reply.entities, window, self.wishes)

        reply = self.model.ask(self.request("extract", window, Extraction, check), self.ledger)
        return reply.entities, reply.facts

    def _two_stages(self, window: Window) -> tuple[Sequence[NamedEntity], Sequence[StatedFact]]:
        def check_first(reply: Entities) -> None:
            check_entities(reply.entities, self.wishes)

        listed = self.model.ask(self.request("entities", window, Entities, check_first), self.ledger).entities
        if not listed:
            return [], []

        def check_second(reply: Facts) -> None:
            check_facts(reply.facts, listed, window, self.wishes)

        names = "\n".join(f"- {each.name} ({each.type})" for each in listed)
        asked = self.request("relations", window, Facts, check_second, entities=names)
        return listed, self.model.ask(asked, self.ledger).facts

    def request(
        self, purpose: Purpose, window: Window, reply: type[R], check: Callable[[R], None], *, entities: str = ""
    ) -> Request[R]:
        """What is asked about a window; ``entities`` are those of the first stage, listed."""
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
            window=window.id,
            scope=window.scope,
        )


def halved(window: Window) -> tuple[Window, Window] | None:
    """The window in two, the first half among what the second is understood by; None for a single message."""
    if len(window.messages) < 2:
        return None
    middle = len(window.messages) // 2
    first, second = window.messages[:middle], window.messages[middle:]
    context = (*window.context, *first)[-max(len(window.context), len(first)) :]
    return replace(window, messages=first), replace(window, messages=second, context=context)
