"""Messages to facts, window by window: extracted ahead, committed in order; what fails waits in the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from mem0g.errors import ModelError
from mem0g.extract.protocol import Extractor, Window
from mem0g.ingest.ahead import Ahead, Extracted
from mem0g.ingest.batch import Report
from mem0g.ingest.ledger import StoreLedger
from mem0g.ingest.pending import OF_ONE_WINDOW, Pending, note_of, pending_of, pending_windows, struck, window_of
from mem0g.ingest.remember import Remembering
from mem0g.ingest.windows import windows_of
from mem0g.model import Message, Scope, Triple
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.note import Note
from mem0g.store.protocol import Store, Transaction
from mem0g.times import now

if TYPE_CHECKING:
    from mem0g.ingest.summaries import Summaries

MOST_USUAL = 60
"""Names of relations that an extractor is shown: those the scope uses often, common ones, those it has used once."""

COMMON = tuple(
    "lives_in moved_to works_at works_as studies_at married_to dating has_child has_parent has_sibling has_friend "
    "has_pet has_neighbor works_with knows met owns bought likes dislikes enjoys wants_to plans_to visited attended "
    "joined started quit learning teaches created won received allergic_to has_condition feels has_age located_in "
    "born_in also_known_as".split()
)
"""Relations of the registry, or near it, that every life has: shown while a scope has few names of its own."""


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
            try:
                yield from self.work_off(self.waiting(scope))
            except ModelError:
                yield self.store_only(scope, messages, size=size)
                raise
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
            kept = self._kept(scope, window, error)
            total += kept + Report(waiting=bool(kept.messages))
            error = None
        return total

    def waiting(self, scope: Scope | None) -> list[Pending]:
        """The windows that wait in exactly this scope, or in the whole store; those in quarantine left out."""
        found = pending_windows(self.store, scope)
        return [each for each in found if scope in (None, each.scope) and each.state != "quarantined"]

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
        for each in self._ahead(window for window in windows if window.id in by_id):  # others were forgotten meanwhile
            pending = by_id[each.window.id]
            try:
                yield self._settled(each, pending)
            except ModelError as error:
                self._note(pending_of(each.window, pending.scope, pending.since, error))
                raise _named(error, each.window) from error

    def remember(
        self,
        scope: Scope,
        triples: Sequence[Triple],
        *,
        times: Mapping[str, datetime | None],
        speakers: Sequence[str],
    ) -> Report:
        """Commit triples made elsewhere; ``times`` are those of their evidence."""
        notes = partial(self._spent, "")
        report = self.remembering.remember(scope, (), triples, times=times, speakers=speakers, at=now(), notes=notes)
        if self.ledger:
            self.ledger.done("")
        return report

    def forget(self, scope: Scope) -> None:
        """Know no more of the scopes covered."""
        for each in [each for each in self._usual if scope.covers(each)]:
            del self._usual[each]
        if self.summaries:
            self.summaries.forget(scope)

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
        return usual(self._usual[scope])

    def _committed(self, each: Extracted, scope: Scope) -> Report:
        """What came of a new window; one that cannot be extracted is quarantined."""
        try:
            if each.error:
                raise each.error
            return self._remember(scope, each.window, each.triples)
        except OF_ONE_WINDOW as error:
            kept = self._kept(scope, each.window, error)
            return kept + Report(quarantined=bool(kept.messages))

    def _settled(self, each: Extracted, pending: Pending) -> Report:
        """What came of a window that waited."""
        try:
            if each.error:
                raise each.error
            return self._remember(pending.scope, each.window, each.triples, pending=pending)
        except OF_ONE_WINDOW as error:
            return Report(quarantined=self._note(pending_of(each.window, pending.scope, pending.since, error)))

    def _remember(
        self, scope: Scope, window: Window, triples: Sequence[Triple], *, pending: Pending | None = None
    ) -> Report:
        """Commit a window and its triples."""

        def notes() -> tuple[Note, ...]:
            spent = self._spent(window.id)
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
        self._used(scope, window, triples)
        return report

    def _spent(self, window: str) -> tuple[Note, ...]:
        return self.ledger.spent(window) if self.ledger else ()

    def _kept(self, scope: Scope, window: Window, error: ModelError | None) -> Report:
        """Commit the messages of a window alone; those that are new wait from then on."""
        at = now()

        def waits(new: Sequence[Message]) -> tuple[Note, ...]:
            part = window if len(new) == len(window.messages) else replace(window, messages=tuple(new))
            return (note_of(pending_of(part, scope, at, error)),)

        return self.remembering.remember(
            scope, window.messages, (), times={}, speakers=window.speakers, at=at, window=window.id, waits=waits
        )

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

    def _note(self, pending: Pending) -> bool:
        """Keep how a window does, if it still waits; answers whether it does."""

        def work(transaction: Transaction) -> bool:
            waits = pending.id in transaction.known([pending.id])
            if waits:
                transaction.commit(Change(scope=pending.scope, notes=(note_of(pending),)))
            return waits

        return self.store.write(pending.scope, work)


def usual(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The names of relations to show, given how often a scope has used each."""
    used = sorted(counts, key=lambda name: -counts[name])
    often = [name for name in used if counts[name] > 1]
    names = (name.lower() for name in (*often, *COMMON, *used))
    return tuple(dict.fromkeys(names))[:MOST_USUAL]


def _named(error: ModelError, window: Window) -> ModelError:
    """The error with the window that it befell."""
    first = window.messages[0]
    place = ", ".join(each for each in (first.source, first.session and f"session {first.session}") if each)
    there = f"{place}, messages {first.position + 1} to {window.messages[-1].position + 1}"
    hint = "the messages are kept and can be searched; `mem0g retry` goes on there"
    return type(error)(f"{there}: {error}", hint=f"{error.hint}; {hint}" if error.hint else hint)
