"""The messages of a session that a working memory still shows, kept in the store until they leave the buffer.

They are stored, and found by a search, like any other messages. That they are in the buffer is recorded in a pending
window of the state "buffered", one for each session, which has their ids in order. When messages leave, the same
transaction shortens that record and writes the windows of what leaves, which are then extracted like others that wait:
whenever a process ends, each message is in the buffer or in a window, and never in both.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from mem0g.errors import ChangeTooLargeError, StoreError
from mem0g.ingest.commit_request import CommitRequest
from mem0g.ingest.input_messages import SOURCE
from mem0g.ingest.pending import pending_of
from mem0g.ingest.pipeline import IngestPipeline
from mem0g.ingest.report import Report
from mem0g.ingest.windows import WindowLimits, windows_of
from mem0g.model import Message, Scope, content_id
from mem0g.store.protocol import Transaction
from mem0g.store.records import PendingWindow

_log = logging.getLogger(__name__)

Leaving = Callable[[Sequence[Message]], Sequence[Message]]
"""Returns those of the messages of a buffer, oldest first, that leave it."""


class _ChangedError(Exception):
    """Another process has added messages to the buffer since it was read."""


@dataclass(frozen=True, slots=True)
class Buffered:
    """The buffer of a session at one moment: its messages, oldest first, and the last ones that have left it."""

    messages: tuple[Message, ...] = ()
    context: tuple[Message, ...] = ()


class SessionBuffer:
    """The buffer of one session of exactly one scope. Several threads and processes may use the same one.

    ``worded`` says of which messages facts are extracted when they leave; the others are only stored.
    """

    def __init__(self, ingest: IngestPipeline, scope: Scope, session: str, worded: Callable[[Message], bool]) -> None:
        self._ingest, self._scope, self._worded = ingest, scope, worded
        keys = (scope.user_id, scope.agent_id, scope.run_id)
        self._id = content_id("w", "buffer", *keys, SOURCE, session)
        self.is_new = True
        """Whether nothing was appended yet by this object."""
        self._seen: dict[str, Message] = {}  # messages never change: those read once are kept while they are needed

    def read(self) -> Buffered:
        """Return what the store has now. Messages that were erased are left out."""
        found = self._ingest.store.records(PendingWindow, self._scope, [self._id])
        record = found[0] if found else None
        ids = [*record.context, *record.messages] if record else []
        seen = self._seen
        missing = [each for each in ids if each not in seen]
        read = self._ingest.store.messages(self._scope, missing) if missing else ()
        known = {**seen, **{message.id: message for message in read}}
        self._seen = {each: known[each] for each in ids if each in known}
        return _buffered(record, self._seen)

    def append(self, messages: Sequence[Message], at: datetime, leaving: Leaving) -> Report:
        """Store messages at the end of the buffer, and in the same transaction take out those that are ``leaving``.

        Messages that are stored already change nothing. What leaves waits to be extracted, in as many windows as the
        report says: see ``IngestPipeline.retry``.
        """
        self.is_new = False
        while True:
            self.read()
            try:
                return self._commit(messages, at, leaving)
            except _ChangedError:
                continue
            except ChangeTooLargeError:
                if len(messages) < 2:
                    raise
            middle = len(messages) // 2
            return self.append(messages[:middle], at, leaving) + self.append(messages[middle:], at, leaving)

    def _commit(self, messages: Sequence[Message], at: datetime, leaving: Leaving) -> Report:
        written = 0

        def commit(*, embed: bool) -> Report:
            def waits(new: Sequence[Message], transaction: Transaction) -> tuple[PendingWindow, ...]:
                nonlocal written
                windows = self._windows(transaction, new, at, leaving, embedded=embed)
                written = len(windows)
                return windows

            request = CommitRequest(scope=self._scope, messages=tuple(messages), at=at, waits=waits, embed=embed)
            report = self._ingest.committer.commit(request)
            return report + Report(waiting=max(0, written - 1))  # all but the record of the buffer

        try:
            return commit(embed=True)
        except (StoreError, _ChangedError):
            raise
        except Exception:  # noqa: BLE001 - an embedder may raise anything; the messages count more than their vectors
            _log.warning("%d messages are stored without vectors", len(messages), exc_info=True)
            return commit(embed=False)

    def _windows(
        self, transaction: Transaction, new: Sequence[Message], at: datetime, leaving: Leaving, *, embedded: bool
    ) -> tuple[PendingWindow, ...]:
        """Return the record of the buffer with the new messages, and the windows of those that leave it."""
        found = transaction.records(PendingWindow, [self._id])
        record = found[0] if found else None
        if record and not self._seen.keys() >= {*record.messages, *record.context}:
            raise _ChangedError
        held = _buffered(record, self._seen)
        messages = (*held.messages, *new)
        left = tuple(leaving(messages))
        if not new and not left:
            return ()
        gone = {each.id for each in left}
        before = self._ingest.settings.context
        buffer = PendingWindow(
            id=self._id,
            scope=self._scope,
            messages=tuple(each.id for each in messages if each.id not in gone),
            context=tuple(each.id for each in (*held.context, *left)[-before:]) if before else (),
            speakers=tuple(dict.fromkeys((*(record.speakers if record else ()), *(each.speaker for each in new)))),
            since=record.since if record else at,
            state="buffered",
            embedded=embedded and (record is None or record.embedded),
        )
        return (buffer, *self._waiting(left, held.context, buffer, at))

    def _waiting(
        self, left: Sequence[Message], context: Sequence[Message], buffer: PendingWindow, at: datetime
    ) -> list[PendingWindow]:
        """Return the windows in which what leaves is extracted."""
        settings = self._ingest.settings
        limits = WindowLimits(settings.window, settings.window_tokens, settings.context)
        worded = [each for each in left if self._worded(each)]
        windows = windows_of(lambda *_: context, self._scope, worded, set(), limits)
        return [pending_of(each, self._scope, at, embedded=buffer.embedded) for each in windows]


def _buffered(record: PendingWindow | None, known: dict[str, Message]) -> Buffered:
    if record is None:
        return Buffered()
    messages = tuple(known[each] for each in record.messages if each in known)
    return Buffered(messages, tuple(known[each] for each in record.context if each in known))
