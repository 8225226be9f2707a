"""Windows whose messages are stored and whose facts are not yet; records in the store, so that a crash loses none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from mem0g.errors import Mem0gError, PromptTooLongError, ReplyTooLongError, UnusableReplyError
from mem0g.extract.protocol import Window
from mem0g.model import Message, Scope
from mem0g.store.protocol import Store
from mem0g.store.records import PendingWindow

OF_ONE_WINDOW = (UnusableReplyError, PromptTooLongError, ReplyTooLongError)
"""Errors that concern one window, which is quarantined; the next ones go on."""


def pending_of(
    window: Window, scope: Scope, at: datetime, error: Exception | None = None, *, embedded: bool = True
) -> PendingWindow:
    """Return the record of a window that waits; ``error`` is what its extraction raised, None if it was not tried."""
    bad = isinstance(error, OF_ONE_WINDOW)
    return PendingWindow(
        id=window.id,
        scope=scope,
        messages=tuple(message.id for message in window.messages),
        context=tuple(message.id for message in window.context),
        speakers=window.speakers,
        since=at,
        state="quarantined" if bad else "failed" if error else "waiting",
        problem="" if error is None else problem_of(error),
        reply=error.reply if isinstance(error, UnusableReplyError) else "",
        embedded=embedded,
    )


def problem_of(error: Exception) -> str:
    """Return the message of an error, with its class where it is not mem0g's own."""
    return str(error) if isinstance(error, Mem0gError) else f"{type(error).__name__}: {error}"


def pending_windows(store: Store, scope: Scope | None = None) -> tuple[PendingWindow, ...]:
    """Return the windows that wait in the scopes covered, or in the whole store, in the order in which they came."""
    return store.records(PendingWindow, scope)


def window_of(pending: PendingWindow, store: Store) -> Window:
    """Return the window of a record, its messages read from the store."""
    stored = {each.id: each for each in store.messages(pending.scope, [*pending.context, *pending.messages])}
    return Window(
        messages=_present(pending.messages, stored),
        context=_present(pending.context, stored),
        speakers=pending.speakers,
        scope=pending.scope,
    )


def _present(ids: Sequence[str], stored: Mapping[str, Message]) -> tuple[Message, ...]:
    return tuple(stored[each] for each in ids if each in stored)
