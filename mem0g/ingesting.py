"""Messages to facts, window by window: extracted ahead, committed in order; what fails waits in the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from mem0g.ahead import Ahead, Extracted
from mem0g.batch import Report
from mem0g.errors import ModelError, UnusableReplyError
from mem0g.extract.protocol import Extractor, Window
from mem0g.ledger import StoreLedger
from mem0g.model import Message, Scope, Triple
from mem0g.pending import Pending, note_of, pending_of, pending_windows, struck, window_of
from mem0g.remember import Remembering
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store
from mem0g.times import now
from mem0g.windows import windows_of

if TYPE_CHECKING:
    from mem0g.summaries import Summaries

MOST_USUAL = 40
"""Names of relations that an extractor is shown: the most used of the scope, then the registry's own."""


@dataclass(frozen=True, slots=True)
class Ingesting:
    """The stages from messages to facts. ``ledger`` and ``summaries`` are there when a model extracts."""

    store: Store
    extractor: Extractor
    remembering: Remembering
    settings: Settings
    ledger: StoreLedger | None = None
    summaries: Summaries | None = None
    _usual: dict[Scope, dict[str, int]] = field(default_factory=dict)

    @property
    def pair(self) -> int:
        """Messages of a window when a program adds them: to rules it makes no difference but for the time."""
        return self.settings.pair if self.ledger else self.settings.window

    def ingest(self, scope: Scope, messages: Sequence[Message], *, size: int) -> Iterator[Report]:
        """Extract and commit messages in windows of at most ``size``; those that are there already change nothing.

        What waits in the scope comes first. Raises ModelError's children when the model cannot be used: then the
        messages are stored, and their windows wait.
        """
        if self.ledger:
            waiting = pending_windows(self.store, scope)
            yield from self.work_off([each for each in waiting if each.state != "quarantined"])
        known = self._known(scope, messages)
        if known:
            yield Report(known=len(known))
        ahead = self._ahead(self._windows(scope, messages, known, size))
        for each in ahead:
            try:
                yield self._committed(each, scope)
            except ModelError as error:
                yield self.keep(scope, chain([each.window], ahead.left()), error)
                raise _named(error, each.window) from error

    def keep(self, scope: Scope, windows: Iterable[Window], error: ModelError | None = None) -> Report:
        """Store the messages of windows, which wait from then on; the first of them because of ``error``."""
        total = Report()
        for window in windows:
            note = note_of(pending_of(window, scope, now(), error))
            total += self._remember(scope, window, (), note=note) + Report(waiting=1)
            error = None
        return total

    def store_only(self, scope: Scope, messages: Sequence[Message], *, size: int) -> Report:
        """Store messages whose extraction waits."""
        known = self._known(scope, messages)
        return Report(known=len(known)) + self.keep(scope, self._windows(scope, messages, known, size))

    def work_off(self, waiting: Sequence[Pending]) -> Iterator[Report]:
        """Extract and commit windows that wait, in order.

        Raises ModelError's children when the model cannot be used: the rest goes on waiting.
        """
        by_id = {each.id: each for each in waiting}
        windows = (window_of(each, self.store) for each in waiting)
        for each in self._ahead(windows):
            pending = by_id[each.window.id]
            try:
                yield self._settled(each, pending)
            except ModelError as error:
                self._note(pending_of(each.window, pending.scope, pending.since, error))
                raise _named(error, each.window) from error

    def close(self) -> None:
        """Wait for the summary being made."""
        if self.summaries:
            self.summaries.close()

    def _known(self, scope: Scope, messages: Sequence[Message]) -> set[str]:
        return {message.id for message in self.store.messages(scope, [message.id for message in messages])}

    def _windows(self, scope: Scope, messages: Sequence[Message], known: set[str], size: int) -> Iterator[Window]:
        settings, recent = self.settings, partial(self.store.recent_messages, scope)
        return windows_of(
            recent, scope, messages, known, size=size, tokens=settings.window_tokens, context=settings.context
        )

    def _ahead(self, windows: Iterable[Window]) -> Ahead:
        at_once = self.settings.llm.concurrency if self.ledger else 1
        return Ahead(map(self._informed, windows), self.extractor.extract, at_once)

    def _informed(self, window: Window) -> Window:
        """The window with what helps a model to read it."""
        if self.summaries is None or window.scope is None:
            return window
        summary = self.summaries.text(window.scope, window.messages[0].source)
        return replace(window, summary=summary, usual=self._usual_names(window.scope))

    def _usual_names(self, scope: Scope) -> tuple[str, ...]:
        if scope not in self._usual:
            self._usual[scope] = dict(self.store.stats(scope).relations)
        counts = self._usual[scope]
        used = sorted(counts, key=lambda name: -counts[name])
        names = dict.fromkeys((*used[:MOST_USUAL], *(each.name for each in self.remembering.registry.types)))
        return tuple(name.lower() for name in names)[:MOST_USUAL]

    def _committed(self, each: Extracted, scope: Scope) -> Report:
        """What came of a new window; one whose reply cannot be used is quarantined."""
        try:
            if each.error:
                raise each.error
            return self._remember(scope, each.window, each.triples)
        except UnusableReplyError as error:
            note = note_of(pending_of(each.window, scope, now(), error))
            return self._remember(scope, each.window, (), note=note) + Report(quarantined=1)

    def _settled(self, each: Extracted, pending: Pending) -> Report:
        """What came of a window that waited."""
        try:
            if each.error:
                raise each.error
            return self._remember(pending.scope, each.window, each.triples, pending=pending)
        except UnusableReplyError as error:
            self._note(pending_of(each.window, pending.scope, pending.since, error))
            return Report(quarantined=1)

    def _remember(
        self,
        scope: Scope,
        window: Window,
        triples: Sequence[Triple],
        *,
        note: Note | None = None,
        pending: Pending | None = None,
    ) -> Report:
        """Commit a window; or with a ``note`` that it waits, its messages alone."""

        def notes() -> tuple[Note, ...]:
            if note:
                return (note,)
            spent = self.ledger.spent(window.id) if self.ledger else ()
            return (*spent, struck(pending)) if pending else spent

        report = self.remembering.remember(
            scope,
            () if pending else window.messages,
            triples,
            times={message.id: message.time for message in (*window.context, *window.messages)},
            speakers=window.speakers,
            at=now(),
            window=window.id,
            waited=pending is not None,
            notes=notes,
        )
        if not note:
            self._used(scope, window, triples)
        return report

    def _used(self, scope: Scope, window: Window, triples: Sequence[Triple]) -> None:
        """What later windows are told of this one."""
        if self.ledger:
            self.ledger.done(window.id)
        if self.summaries:
            self.summaries.heard(scope, window.messages)
        counts = self._usual.get(scope, {})
        for triple in triples:
            name = self.remembering.registry.canonical(triple.relation)
            counts[name] = counts.get(name, 0) + 1

    def _note(self, pending: Pending) -> None:
        change = Change(scope=pending.scope, notes=(note_of(pending),))
        self.store.write(pending.scope, lambda transaction: transaction.commit(change))


def _named(error: ModelError, window: Window) -> ModelError:
    """The error with the window that it befell."""
    first = window.messages[0]
    place = ", ".join(each for each in (first.source, first.session and f"session {first.session}") if each)
    there = f"{place}, messages {first.position + 1} to {window.messages[-1].position + 1}"
    hint = "the messages are kept and can be searched; `mem0g retry` goes on there"
    return type(error)(f"{there}: {error}", hint=f"{error.hint}; {hint}" if error.hint else hint)
