"""Messages to facts, window by window: extracted ahead, committed in order; what fails waits in the store."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

from mem0g.errors import Mem0gError, StoreError
from mem0g.extract.protocol import Extractor, Window
from mem0g.ingest.ahead import Ahead, Extracted
from mem0g.ingest.batch import Report
from mem0g.ingest.ledger import StoreLedger
from mem0g.ingest.pending import OF_ONE_WINDOW, pending_of, pending_windows, window_of
from mem0g.ingest.remember import Remembering
from mem0g.ingest.windows import windows_of
from mem0g.model import Message, Scope, Triple
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.records import Done, PendingWindow
from mem0g.times import now

if TYPE_CHECKING:
    from mem0g.ingest.summaries import Summaries

_log = logging.getLogger(__name__)

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

    @property
    def pair(self) -> int:
        """Messages of a window when a program adds them: to rules it makes no difference but for the time."""
        return self.settings.add_window_size if self.ledger else self.settings.window

    def ingest(self, scope: Scope, messages: Sequence[Message], *, size: int) -> Iterator[Report]:
        """Extract and commit messages in windows of at most ``size``; those that are there already change nothing.

        What waits in the scope comes first. Whatever error the extractor, the model or the embedder raises, the
        messages are stored, their windows wait, and it is raised.
        """
        if self.ledger:
            try:
                yield from self.work_off(self.waiting(scope))
            except StoreError:
                raise
            except Exception:
                yield self.store_only(scope, messages, size=size)
                raise
        known = self._known(scope, messages)
        if known:
            yield Report(known=len(known))
        ahead = self._ahead(self._windows(scope, messages, known, size))
        for each in ahead:
            try:
                yield self._committed(each, scope)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - any error of an extractor or embedder; it is raised again
                yield self.keep(scope, chain([each.window], ahead.left()), error)
                _raise(error, each.window)

    def keep(self, scope: Scope, windows: Iterable[Window], error: Exception | None = None) -> Report:
        """Store the messages of windows, which wait from then on; the first of them because of ``error``."""
        total = Report()
        for window in windows:
            kept = self._kept(scope, window, error)
            total += kept + Report(waiting=bool(kept.messages))
            error = None
        return total

    def waiting(self, scope: Scope | None) -> list[PendingWindow]:
        """The windows that wait in exactly this scope, or in the whole store; those in quarantine left out."""
        found = pending_windows(self.store, scope)
        return [each for each in found if scope in (None, each.scope) and each.state != "quarantined"]

    def store_only(self, scope: Scope, messages: Sequence[Message], *, size: int) -> Report:
        """Store messages whose extraction waits."""
        known = self._known(scope, messages)
        return Report(known=len(known)) + self.keep(scope, self._windows(scope, messages, known, size))

    def work_off(self, waiting: Sequence[PendingWindow]) -> Iterator[Report]:
        """Extract and commit windows that wait, in order.

        Raises what the extractor, the model or the embedder raises: the rest goes on waiting.
        """
        by_id = {each.id: each for each in waiting}
        windows = (window_of(each, self.store) for each in waiting)
        for each in self._ahead(window for window in windows if window.id in by_id):  # others were forgotten meanwhile
            pending = by_id[each.window.id]
            try:
                yield self._settled(each, pending)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - any error of an extractor or embedder; it is raised again
                self._note(pending_of(each.window, pending.scope, pending.since, error, embedded=pending.embedded))
                _raise(error, each.window)

    def remember(
        self,
        scope: Scope,
        triples: Sequence[Triple],
        *,
        times: Mapping[str, datetime | None],
        speakers: Sequence[str],
    ) -> Report:
        """Commit triples made elsewhere; ``times`` are those of their evidence."""
        done = partial(self._spent, "")
        report = self.remembering.remember(scope, (), triples, times=times, speakers=speakers, at=now(), done=done)
        if self.ledger:
            self.ledger.done("")
        return report

    def by_hand(
        self,
        scope: Scope,
        triples: Sequence[Triple],
        *,
        speaker: str,
        at: datetime,
        window: str = "",
        corrects: str = "",
    ) -> Report:
        """Commit a user's own triples; ``window`` is the one whose replies of a model are spent with that."""
        report = self.remembering.remember(
            scope,
            (),
            triples,
            times={},
            speakers=(speaker,),
            at=at,
            done=lambda: (*self._spent(""), *self._spent(window)),
            by_hand=True,
            corrects=corrects,
        )
        if self.ledger:
            self.ledger.done("")
            self.ledger.done(window)
        return report

    def forget(self, scope: Scope) -> None:
        """Drop what this process knows of scopes that the store has forgotten."""
        if self.ledger:
            self.ledger.forget(scope)

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
        return replace(window, summary=summary, usual=usual(self.store.relation_counts(window.scope.tenant)))

    def _committed(self, each: Extracted, scope: Scope) -> Report:
        """What came of a new window; one that cannot be extracted is quarantined."""
        try:
            if each.error:
                raise each.error
            return self._remember(scope, each.window, each.triples)
        except OF_ONE_WINDOW as error:
            kept = self._kept(scope, each.window, error)
            return kept + Report(quarantined=bool(kept.messages))

    def _settled(self, each: Extracted, pending: PendingWindow) -> Report:
        """What came of a window that waited."""
        try:
            if each.error:
                raise each.error
            return self._remember(pending.scope, each.window, each.triples, pending=pending)
        except OF_ONE_WINDOW as error:
            put_aside = pending_of(each.window, pending.scope, pending.since, error, embedded=pending.embedded)
            return Report(quarantined=self._note(put_aside))

    def _remember(
        self, scope: Scope, window: Window, triples: Sequence[Triple], *, pending: PendingWindow | None = None
    ) -> Report:
        """Commit a window and its triples."""

        def done() -> tuple[Done, ...]:
            spent = self._spent(window.id)
            return (*spent, Done("window", pending.id)) if pending else spent

        report = self.remembering.remember(
            scope,
            () if pending else window.messages,
            triples,
            times={message.id: message.time for message in (*window.context, *window.messages)},
            speakers=window.speakers,
            at=now(),
            window=window.id,
            waited=pending is not None,
            done=done,
            unembedded=window.messages if pending and not pending.embedded else (),
        )
        self._used(scope, window)
        return report

    def _spent(self, window: str) -> tuple[Done, ...]:
        return self.ledger.spent(window) if self.ledger else ()

    def _kept(self, scope: Scope, window: Window, error: Exception | None) -> Report:
        """Commit the messages of a window alone; those that are new wait from then on.

        Where it is the embedder that fails, they are stored without vectors, which they get with their facts.
        """
        at = now()

        def stored(*, embed: bool) -> Report:
            def waits(new: Sequence[Message]) -> tuple[PendingWindow, ...]:
                part = window if len(new) == len(window.messages) else replace(window, messages=tuple(new))
                return (pending_of(part, scope, at, error, embedded=embed),)

            given: dict[str, Any] = {"times": {}, "speakers": window.speakers, "at": at, "window": window.id}
            return self.remembering.remember(scope, window.messages, (), waits=waits, embed=embed, **given)

        try:
            return stored(embed=True)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - whatever an embedder raises; the messages count more than their vectors
            _log.warning("%d messages are stored without vectors", len(window.messages), exc_info=error is None)
            return stored(embed=False)

    def _used(self, scope: Scope, window: Window) -> None:
        """Drop what was kept for this window, and let the summary know of it."""
        if self.ledger:
            self.ledger.done(window.id)
        if self.summaries:
            self.summaries.heard(scope, window.messages)

    def _note(self, pending: PendingWindow) -> bool:
        """Keep how a window does, if it still waits; answers whether it does."""

        def work(transaction: Transaction) -> bool:
            waits = pending.id in transaction.begin([pending.id]).known
            if waits:
                transaction.commit(Change(scope=pending.scope, windows=(pending,)))
            return waits

        return self.store.write(pending.scope, work)


def usual(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The names of relations to show, given how often a scope has used each."""
    used = sorted(counts, key=lambda name: -counts[name])
    often = [name for name in used if counts[name] > 1]
    names = (name.lower() for name in (*often, *COMMON, *used))
    return tuple(dict.fromkeys(names))[:MOST_USUAL]


def _raise(error: Exception, window: Window) -> NoReturn:
    """Raise the error with the window that it befell; one that is not mem0g's own stays as it is, with a note."""
    first = window.messages[0]
    place = ", ".join(each for each in (first.source, first.session and f"session {first.session}") if each)
    there = f"{place}, messages {first.position + 1} to {window.messages[-1].position + 1}"
    hint = "the messages are kept and can be searched; `mem0g retry` goes on there"
    if not isinstance(error, Mem0gError):
        error.add_note(f"{there}: {hint}")
        raise error
    raise type(error)(f"{there}: {error}", hint=f"{error.hint}; {hint}" if error.hint else hint) from error
