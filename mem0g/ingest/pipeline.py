"""The chain from messages to facts: read, window, extract, then resolve, decide and commit window by window."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, NoReturn

from mem0g.errors import Mem0gError, StoreError
from mem0g.extract.protocol import Extractor, Window
from mem0g.ingest.commit_request import CommitRequest, joined, no_summaries
from mem0g.ingest.input_messages import check_lengths, given_messages, may_be_stored, noted
from mem0g.ingest.known_entities import known_entities, with_known_types, with_named
from mem0g.ingest.known_sources import MatchedMessages, with_known_sources
from mem0g.ingest.known_states import known_states
from mem0g.ingest.ledger import StoreLedger
from mem0g.ingest.nearby import nearby
from mem0g.ingest.pending import OF_ONE_WINDOW, failed, pending_of, pending_windows, window_of
from mem0g.ingest.prefetch import Extracted, Prefetcher
from mem0g.ingest.recent_messages import RecentMessages
from mem0g.ingest.report import Report
from mem0g.ingest.window_committer import WindowCommitter
from mem0g.ingest.windows import WindowLimits, usual_relations, windows_of
from mem0g.model import Message, Scope, Triple, Utterance
from mem0g.settings import Settings
from mem0g.store.change import Change
from mem0g.store.protocol import Store, Transaction
from mem0g.store.records import Done, PendingWindow
from mem0g.times import now

if TYPE_CHECKING:
    from mem0g.ingest.summaries import Summaries

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IngestPipeline:
    """The stages from messages to facts. ``ledger`` and ``summaries`` are there when a language model extracts.

    An extractor, an embedder or a model may raise anything, and messages must not be lost by that: they are stored,
    their windows wait in the store, and the error is raised. That is why this module catches ``Exception``. A
    StoreError is raised at once: where the store cannot be written, nothing can be kept.
    """

    store: Store
    extractor: Extractor
    committer: WindowCommitter
    settings: Settings
    ledger: StoreLedger | None = None
    summaries: Summaries | None = None

    @property
    def add_window_size(self) -> int:
        """Messages per window when a program adds them; rules extract the same from windows of any size."""
        return self.settings.add_window_size if self.ledger else self.settings.window

    def read(
        self,
        messages: str | Iterable[Utterance | Mapping[str, object]],
        scope: Scope,
        metadata: Mapping[str, Any] | None = None,
    ) -> MatchedMessages:
        """Return what is added as messages of the scope; conversations known under another name as the known ones.

        Each has ``metadata`` under its own. Raises InputError for a message that cannot be read or is too long, and for
        metadata that cannot be stored.
        """
        recent = RecentMessages(self.store, scope, max(1, self.settings.context))
        read = noted(given_messages(messages, scope, recent, now()), metadata)
        check_lengths(read, self.settings.longest_message)
        return with_known_sources(read, scope, self.store, recent)

    def ingest(self, scope: Scope, read: MatchedMessages, *, window_size: int) -> Iterator[Report]:
        """Extract and commit messages in windows of at most ``window_size``; yield the reports.

        Windows that are decided about together (Settings.together) have one report. Windows that wait in the scope come
        first. Messages that are stored already change nothing. Whatever the extractor, the model or the embedder raises
        is raised when all messages are stored; their windows then wait.
        """
        messages = read.messages
        if self.ledger:
            try:
                yield from self.retry(self.waiting(scope))
            except StoreError:
                raise
            except Exception:
                yield self.store_only(scope, read, window_size=window_size)
                raise
        known, differing = self._known(scope, messages)
        if known:
            yield Report(known=len(known), differing=differing)
        whole = window_size >= self.settings.window
        windows = self._windows(scope, read, known, window_size)
        extracted = self._extract(windows, self.settings.together if self.ledger and whole else 1)
        for group in extracted:
            yield from self._commit_new(group, extracted, scope)
        if self.summaries:
            last = {message.source: message.session for message in messages if message.id not in known}
            for source, session in last.items():
                self.summaries.refresh(scope, source, session, whole=whole)

    def store_only(self, scope: Scope, read: MatchedMessages, *, window_size: int) -> Report:
        """Store messages without extracting them; their windows wait."""
        known, differing = self._known(scope, read.messages)
        windows = self._windows(scope, read, known, window_size)
        return Report(known=len(known), differing=differing) + self._store_windows(scope, windows)

    def waiting(self, scope: Scope | None) -> list[PendingWindow]:
        """Return the windows that wait in exactly this scope, or in the whole store, without quarantined ones."""
        found = pending_windows(self.store, scope)
        return [each for each in found if scope in (None, each.scope) and each.state not in ("quarantined", "buffered")]

    def retry(self, waiting: Sequence[PendingWindow]) -> Iterator[Report]:
        """Extract and commit windows that wait, in order; yield the report of each.

        Raises what the extractor, the model or the embedder raises; that window and the rest go on waiting.
        """
        begun: deque[PendingWindow] = deque()

        def windows() -> Iterator[Window]:
            for pending in waiting:
                window = window_of(pending, self.store)
                if len(window.messages) == len(pending.messages):  # else a message was erased meanwhile
                    begun.append(pending)
                    yield window

        for (each,) in self._extract(windows()):
            pending = begun.popleft()  # windows are extracted in order
            try:
                yield self._commit_waiting(each, pending)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever was raised is noted with the window, then raised
                self._note(failed(pending, error))
                _raise_with_place(error, each.window)
            if self.summaries:
                first = each.window.messages[0]
                self.summaries.refresh(pending.scope, first.source, first.session)

    def add_triples(
        self,
        scope: Scope,
        triples: Sequence[Triple],
        *,
        times: Mapping[str, datetime | None],
        speakers: Sequence[str],
        retire_ended: bool,
    ) -> Report:
        """Commit triples made elsewhere; ``times`` are those of their evidence by message id, each in its zone.

        With ``retire_ended`` states whose end has passed are retired whatever their relation.
        """
        request = CommitRequest(
            scope=scope,
            triples=tuple(triples),
            times=times,
            speakers=tuple(speakers),
            at=now(),
            retire_ended=retire_ended,
        )
        return self._commit_triples(request)

    def add_by_hand(
        self,
        scope: Scope,
        triples: Sequence[Triple],
        *,
        speaker: str,
        at: datetime,
        window: str = "",
        corrects: str = "",
    ) -> Report:
        """Commit a user's own triples; ``window`` is the id under which a model read them, ``corrects`` the id of the
        fact that the one triple replaces.
        """
        request = CommitRequest(
            scope=scope, triples=tuple(triples), speakers=(speaker,), at=at, by_hand=True, corrects=corrects
        )
        return self._commit_triples(request, window)

    def forget(self, scope: Scope) -> None:
        """Drop what this process keeps in memory for scopes that were forgotten."""
        if self.ledger:
            self.ledger.forget(scope)

    def close(self) -> None:
        """Wait for the summary being made."""
        if self.summaries:
            self.summaries.close()

    def _known(self, scope: Scope, messages: Sequence[Message]) -> tuple[set[str], tuple[str, ...]]:
        """Return the ids of the messages that are stored, and of those among them that are stored with another text."""
        asked = {message.id: message.text for message in messages if may_be_stored(message)}
        stored = self.store.messages(scope, list(asked))
        return {each.id for each in stored}, tuple(each.id for each in stored if each.text != asked[each.id])

    def _windows(self, scope: Scope, read: MatchedMessages, known: set[str], size: int) -> Iterator[Window]:
        limits = WindowLimits(size, self.settings.window_tokens, self.settings.context)
        return windows_of(read.recent.take, scope, read.messages, known, limits)

    def _extract(self, windows: Iterable[Window], together: int = 1) -> Prefetcher:
        concurrency = self.settings.llm.concurrency if self.ledger else 1
        return Prefetcher(windows, self.extract, concurrency, together)

    def extract(self, window: Window, ahead: Sequence[Triple] = ()) -> Sequence[Triple]:
        """Return the triples of a window; ``ahead`` are those of windows before it that are not committed yet.

        A language model is shown what is known: entities near to the window, states that may be over, the summary of
        the conversation before this session, and the relations that the scope uses.
        """
        if not self.ledger or not window.scope:
            return self.extractor.extract(with_named(window, self.extractor, self.store))
        near = nearby(window, self.store, self.committer.embedder)
        window = replace(
            window,
            known=known_entities(window, near, ahead, self.store),
            states=known_states(window, near, ahead),
            summary=self.summaries.text(window) if self.summaries else "",
            relations=usual_relations(self.store.relation_counts(window.scope.tenant)),
        )
        return with_known_types(self.extractor.extract(window), window.known)

    def _commit_new(self, group: Sequence[Extracted], extracted: Prefetcher, scope: Scope) -> Iterator[Report]:
        """Commit the new windows of a group, and yield the reports.

        Whatever is raised, the messages of the windows that are left are stored before it is raised.
        """
        left = list(group)
        while left:
            try:
                count, report = self._commit_first(left, scope)
            except StoreError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever was raised, the messages are stored
                windows = (each.window for each in left)
                yield self._store_windows(scope, chain(windows, extracted.remaining()), error)
                _raise_with_place(error, left[0].window)
            yield report
            left = left[count:]

    def _commit_first(self, group: Sequence[Extracted], scope: Scope) -> tuple[int, Report]:
        """Commit the windows before the first whose extraction failed; return how many, and the report.

        Where the reply about several cannot be used, only the first is committed, after a question of its own.
        """
        made = list(takewhile(lambda each: not each.error, group))
        if len(made) > 1:
            try:
                return len(made), self._commit_together(made, scope)
            except OF_ONE_WINDOW:
                _log.warning("%d windows are decided about one by one", len(made), exc_info=True)
        return 1, self._commit_one(group[0], scope)

    def _commit_together(self, made: Sequence[Extracted], scope: Scope) -> Report:
        request = joined([self._request(scope, each, new=True) for each in made])
        return self._commit_windows(request, [each.window for each in made])

    def _commit_one(self, each: Extracted, scope: Scope) -> Report:
        """Commit a new window; quarantine it where the error concerns this window alone."""
        try:
            if each.error:
                raise each.error
            return self._commit_windows(self._request(scope, each, new=True), [each.window])
        except OF_ONE_WINDOW as error:
            stored = self._store_window(scope, each.window, error)
            return stored + Report(quarantined=bool(stored.messages))

    def _commit_waiting(self, each: Extracted, pending: PendingWindow) -> Report:
        """Commit a window that waited; quarantine it where the error concerns this window alone."""
        try:
            if each.error:
                raise each.error
            request = replace(
                self._request(pending.scope, each),
                pending=pending.id,
                done=lambda: (*self._spent(each.window.id), Done("window", pending.id)),
                unembedded=() if pending.embedded else each.window.messages,
            )
            if self.summaries:
                heard = partial(self.summaries.waiting_of_stored, pending.scope, each.window.messages)
                request = replace(request, summaries=lambda _, transaction: heard(transaction))
            return self._commit_windows(request, [each.window])
        except OF_ONE_WINDOW as error:
            return Report(quarantined=self._note(failed(pending, error)))

    def _request(self, scope: Scope, each: Extracted, *, new: bool = False) -> CommitRequest:
        window = each.window
        return CommitRequest(
            scope=scope,
            messages=window.messages if new else (),
            triples=tuple(each.triples),
            times={message.id: message.local_time for message in (*window.context, *window.messages)},
            told=frozenset(message.id for message in window.messages),
            speakers=window.speakers,
            at=now(),
            window=window.id,
            done=lambda: self._spent(window.id),
            summaries=partial(self.summaries.waiting, scope) if new and self.summaries else no_summaries,
        )

    def _commit_windows(self, request: CommitRequest, windows: Sequence[Window]) -> Report:
        """Resolve, decide and commit; then drop the replies kept for the windows."""
        report = self.committer.commit(request)
        if self.ledger:
            for window in windows:
                self.ledger.done(window.id)
        return report

    def _commit_triples(self, request: CommitRequest, *windows: str) -> Report:
        """Commit triples without messages; ``windows`` are ids under which replies of a model are kept for them."""
        read = ("", *windows)
        request = replace(request, done=lambda: [done for each in read for done in self._spent(each)])
        report = self.committer.commit(request)
        if self.ledger:
            for each in read:
                self.ledger.done(each)
        return report

    def _spent(self, window: str) -> tuple[Done, ...]:
        return self.ledger.spent(window) if self.ledger else ()

    def _store_windows(self, scope: Scope, windows: Iterable[Window], error: Exception | None = None) -> Report:
        """Store the messages of windows, which wait from then on; the first of them because of ``error``."""
        total = Report()
        for window in windows:
            stored = self._store_window(scope, window, error)
            total += stored + Report(waiting=bool(stored.messages))
            error = None
        return total

    def _store_window(self, scope: Scope, window: Window, error: Exception | None) -> Report:
        """Store the messages of a window; those that are new wait.

        Where it is the embedder that fails, they are stored without vectors, which they get with their facts.
        """
        at = now()

        def request(*, embed: bool) -> CommitRequest:
            def waits(new: Sequence[Message], transaction: Transaction) -> tuple[PendingWindow, ...]:
                del transaction
                if not new:
                    return ()
                part = window if len(new) == len(window.messages) else replace(window, messages=tuple(new))
                return (pending_of(part, scope, at, error, embedded=embed),)

            return CommitRequest(
                scope=scope,
                messages=window.messages,
                speakers=window.speakers,
                at=at,
                window=window.id,
                waits=waits,
                embed=embed,
            )

        try:
            return self.committer.commit(request(embed=True))
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - an embedder may raise anything; the messages count more than their vectors
            _log.warning("%d messages are stored without vectors", len(window.messages), exc_info=error is None)
            return self.committer.commit(request(embed=False))

    def _note(self, pending: PendingWindow) -> bool:
        """Record the state of a window that waits; return whether it still does."""

        def work(transaction: Transaction) -> bool:
            waits = pending.id in transaction.begin([pending.id]).known
            if waits:
                transaction.commit(Change(scope=pending.scope, windows=(pending,)))
            return waits

        return self.store.write(pending.scope, work)


def _raise_with_place(error: Exception, window: Window) -> NoReturn:
    """Raise the error with the place of its window; one that is not mem0g's own stays as it is, with a note."""
    first = window.messages[0]
    source = ", ".join(each for each in (first.source, first.session and f"session {first.session}") if each)
    place = f"{source}, messages {first.position + 1} to {window.messages[-1].position + 1}"
    hint = "the messages are stored and can be searched; `mem0g retry` continues there"
    if not isinstance(error, Mem0gError):
        error.add_note(f"{place}: {hint}")
        raise error
    raise type(error)(f"{place}: {error}", hint=f"{error.hint}; {hint}" if error.hint else hint) from error
