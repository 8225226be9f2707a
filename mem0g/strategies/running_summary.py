"""Summary: a running summary of what came before, and the last messages as they were said.

Cost: with a language model one call for every twenty messages; without one the summary is made of the rarest words of
the most telling messages, at no cost and with less in it. Fits: long conversations about one thing, such as a support
case or a design discussion. Weak for details: a name or a number that is not in the summary is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mem0g.errors import InputError
from mem0g.ingest.report import Report
from mem0g.model import Context, Hit, Message, Scope, content_id
from mem0g.store.records import ConversationSummary
from mem0g.strategies.history import History, Line, best, check, heading_tokens, latest, page, words_of
from mem0g.strategies.protocol import Said
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

if TYPE_CHECKING:
    from mem0g.ingest.summaries import Summaries
    from mem0g.llm.protocol import LanguageModel
    from mem0g.memory import Memory

SUMMARY, RECENT = "Summary of what came before:", "Last messages:"
"""The headings."""

EVERY = 20
"""Messages after which the summary is refreshed, as in Mem0g's extraction."""

GIST_WORDS = 14
"""Words of a message in a summary without a model."""


class RunningSummary:
    """Shows a summary of the conversation, then its last messages; see mem0g.strategies.Strategy.

    ``recent`` is the share of the budget for the last messages; what the summary does not need goes to them too.
    ``model`` writes the summary, by default the model of the memory's settings where one is configured; without either
    it is put together by rule. Every ``every`` messages ``add`` waits for the model. If it fails, the problem is noted
    with the summary, which is tried again at the next message; until then the last messages stand in for it.
    Open the memory with ``extractor="none"``; one that extracts with a model keeps the same summary anyway.

    Raises InputError for a share that is not between 0 and 1.
    """

    name = "summary"

    def __init__(
        self,
        memory: Memory,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        recent: float = 0.5,
        every: int = EVERY,
        model: LanguageModel | None = None,
    ) -> None:
        if not 0 <= recent <= 1 or every < 1:
            raise InputError(f"a share of {recent} and a summary every {every} messages", hint="0 to 1, and at least 1")
        self._history = History(memory, Scope(user_id, agent_id, run_id))
        self._recent, self._every, self._model = recent, every, model
        self._gists: tuple[int, list[Line]] = (0, [])

    @property
    def uses_model(self) -> bool:
        """Whether a language model writes the summary."""
        return self._model is not None or self._history.memory.settings.llm.configured

    def add(self, said: Said) -> Report:
        """Remember what was said, and refresh the summary when enough is new; see Strategy."""
        history = self._history
        known = {message.id for message in history.messages}
        report = history.add(said)
        new = [message for message in history.messages if message.id not in known]
        if new and self.uses_model and not history.memory.extractor.name.startswith("llm"):
            summaries = self._summaries()
            summaries.heard(history.scope, new)
            for source, session in {message.source: message.session for message in new}.items():
                summaries.refresh(history.scope, source, session)
            summaries.close()  # waits
        return report

    def context(self, query: str, tokens: int = 500) -> Context:
        """Return the summary and the last messages, whatever ``query`` asks."""
        check(query, tokens)
        messages = self._history.messages
        if whole := _whole(messages, tokens):
            return page(whole)
        room = max(0.0, tokens - heading_tokens(SUMMARY, RECENT))
        told = self._told(messages, room) if room else []
        recent = latest(messages, room - words_of(told) * TOKENS_PER_WORD)
        return page({SUMMARY: told, RECENT: recent})

    def _told(self, messages: Sequence[Message], tokens: float) -> list[Line]:
        """Return the summary of the messages before those that are shown as they are."""
        share = tokens * (1 - self._recent)
        if self.uses_model:
            return [line for text in self._written() for line in _cut(text, share)]
        shown = {line.hit.key for line in latest(messages, tokens * self._recent)}
        before = [line for line in self._extracted(messages) if line.hit.key not in shown]
        chosen = {line.text for line in best(before, share)}
        order = {message.id: place for place, message in enumerate(messages)}
        return sorted((line for line in before if line.text in chosen), key=lambda line: order[line.hit.key])

    def _written(self) -> list[str]:
        """Return the summaries that a model has written, one for each conversation of the scope."""
        history = self._history
        kept = history.memory.store.records(ConversationSummary, history.scope)
        return [each.text for each in kept if each.text and each.id == content_id("s", each.source)]

    def _extracted(self, messages: Sequence[Message]) -> list[Line]:
        """Return the gist of each message, the most telling first; made anew every ``every`` messages."""
        made, lines = self._gists
        if not lines or len(messages) - made >= self._every:
            self._gists = made, lines = len(messages), _gist_lines(messages)
        return lines

    def _summaries(self) -> Summaries:
        from mem0g.ingest.ledger import StoreLedger
        from mem0g.ingest.summaries import Summaries
        from mem0g.llm.prompts import Prompts
        from mem0g.pipeline import open_exchange

        memory = self._history.memory
        settings = memory.settings.llm
        exchange = open_exchange(settings, self._model)
        return Summaries(memory.store, exchange, StoreLedger(memory.store), Prompts(settings.prompts), self._every)


def _whole(messages: Sequence[Message], tokens: int) -> list[Line]:
    """Return all messages if they fit, else nothing: what fits needs no summary."""
    lines = latest(messages, tokens)
    return lines if len(lines) == len(messages) and lines and not _is_cut(lines[0]) else []


def _is_cut(line: Line) -> bool:
    return line.hit.message is not None and not line.text.endswith(" ".join(line.hit.message.text.split()))


def _gist_lines(messages: Sequence[Message]) -> list[Line]:
    from mem0g.retrieve.context.gist import Gists
    from mem0g.text.stemming import tokens

    gists = Gists((), (" ".join(tokens(message.text)) for message in messages))
    weighed = []
    for message in messages:
        gist = gists.of(message.text, GIST_WORDS)
        if gist:
            when = f"{message.local_time:%Y-%m-%d} " if message.local_time else ""
            weight = gists.weight(message.text, GIST_WORDS)
            line = Line(
                f"{when}{' '.join(message.speaker.split())}: {gist}", Hit(score=weight, reasons=(), message=message)
            )
            weighed.append((weight / max(line.words, GIST_WORDS), line))
    weighed.sort(key=lambda each: -each[0])
    return [line for _, line in weighed]


def _cut(text: str, tokens: float) -> list[Line]:
    """Return the first sentences of a summary that fit, as one line without a hit."""
    kept = ""
    for sentence in text.replace("\n", " ").split(". "):
        longer = f"{kept}. {sentence}" if kept else sentence
        if count_words(longer) * TOKENS_PER_WORD > tokens:
            break
        kept = longer
    return [Line(kept, Hit(score=0.0, reasons=()))] if kept else []
