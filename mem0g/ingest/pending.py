"""Windows whose messages are stored and whose facts are not yet; records in the store, so that a crash loses none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from mem0g.errors import Mem0gError, PromptTooLongError, ReplyTooLongError, UnusableReplyError
from mem0g.extract.protocol import Window
from mem0g.model import Message, Scope, content_id
from mem0g.store.protocol import Store
from mem0g.store.records import PendingWindow

OF_ONE_WINDOW = (UnusableReplyError, PromptTooLongError, ReplyTooLongError)
"""Errors that concern one window, which is quarantined; the next ones go on."""


def pending_of(
    window: Window, scope: Scope, at: datetime, error: Exception | None = None, *, embedded: bool = True
) -> PendingWindow:
    """Return the record of a window that waits; ``error`` is what its extraction raised, None if it was not tried.

    Its id is of this window ``at`` this time: messages that were erased and are added again wait again, although the
    record under which they waited the first time is done.
    """
    waiting = PendingWindow(
        id=content_id("w", window.id, at.isoformat()),
        scope=scope,
        messages=tuple(message.id for message in window.messages),
        context=tuple(message.id for message in window.context),
        speakers=window.speakers,
        since=at,
        embedded=embedded,
    )
    return failed(waiting, error) if error else waiting


def failed(pending: PendingWindow, error: Exception) -> PendingWindow:
    """Return the record of a window after its extraction raised ``error``."""
    return replace(
        pending,
        state="quarantined" if isinstance(error, OF_ONE_WINDOW) else "failed",
        problem=problem_of(error),
        reply=error.reply if isinstance(error, UnusableReplyError) else "",
    )


def problem_of(error: Exception) -> str:
    """Return the message of an error, with its class where it is not mem0g's own."""
    return str(error) if isinstance(error, Mem0gError) else f"{type(error).__name__}: {error}"


def pending_windows(store: Store, scope: Scope | None = None) -> tuple[PendingWindow, ...]:
    """Return the windows that wait in the scopes covered, or in the whole store, in the order in which they came.

    Buffers of working memories are among them, as their facts are not extracted either, except for empty ones.
    """
    return tuple(each for each in store.records(PendingWindow, scope) if each.messages)


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
