"""Windows whose messages are stored and whose facts are not yet: kept in the store, so that no crash loses one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from mem0g.errors import Mem0gError, PromptTooLongError, ReplyTooLongError, UnusableReplyError
from mem0g.extract.protocol import Window
from mem0g.model import Message, Scope
from mem0g.store.protocol import Store
from mem0g.store.records import PendingWindow

OF_ONE_WINDOW = (UnusableReplyError, PromptTooLongError, ReplyTooLongError)
"""Errors that the next window need not have: the window alone is put aside."""


def pending_of(
    window: Window, scope: Scope, at: datetime, error: Exception | None = None, *, embedded: bool = True
) -> PendingWindow:
    """The window as one that waits; because of ``error``, if it was tried."""
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
    """What went wrong, in words: of an error that is not mem0g's own, its class too."""
    return str(error) if isinstance(error, Mem0gError) else f"{type(error).__name__}: {error}"


def pending_windows(store: Store, scope: Scope | None = None) -> tuple[PendingWindow, ...]:
    """Return the windows that wait in the scopes covered, or in the whole store, in the order in which they came."""
    return store.records(PendingWindow, scope)


def window_of(pending: PendingWindow, store: Store) -> Window:
    """The window again, its messages read from the store."""
    said = {each.id: each for each in store.messages(pending.scope, [*pending.context, *pending.messages])}
    return Window(
        messages=_there(pending.messages, said),
        context=_there(pending.context, said),
        speakers=pending.speakers,
        scope=pending.scope,
    )


def _there(ids: Sequence[str], said: Mapping[str, Message]) -> tuple[Message, ...]:
    return tuple(said[each] for each in ids if each in said)
