"""Windows whose messages are stored and whose facts are not yet: notes in the store, so that no crash loses one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from mem0g.errors import Mem0gError, PromptTooLongError, ReplyTooLongError, UnusableReplyError
from mem0g.extract.protocol import Window
from mem0g.model import Message, Scope
from mem0g.store.note import Note
from mem0g.store.protocol import Store

KIND = "window"
"""The kind of note."""

State = Literal["waiting", "failed", "quarantined"]

OF_ONE_WINDOW = (UnusableReplyError, PromptTooLongError, ReplyTooLongError)
"""Errors that the next window need not have: the window alone is put aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A window to be extracted yet: its messages and those before it, by id.

    ``waiting`` was not tried yet; ``failed`` is tried again by whatever works off the scope (``problem`` says why);
    ``quarantined`` had a reply that could not be used (``reply`` is its raw text), or is too long for the model however
    it is halved, and waits for `mem0g retry`.
    """

    id: str
    scope: Scope
    messages: tuple[str, ...]
    context: tuple[str, ...]
    speakers: tuple[str, ...]
    since: datetime
    state: State = "waiting"
    problem: str = ""
    reply: str = ""
    embedded: bool = True


def pending_of(
    window: Window, scope: Scope, at: datetime, error: Exception | None = None, *, embedded: bool = True
) -> Pending:
    """The window as one that waits; because of ``error``, if it was tried."""
    bad = isinstance(error, OF_ONE_WINDOW)
    return Pending(
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


def note_of(pending: Pending) -> Note:
    """The note that keeps it."""
    body: dict[str, Any] = {name: getattr(pending, name) for name in ("state", "problem", "reply", "embedded")}
    body |= {"messages": list(pending.messages), "context": list(pending.context), "since": pending.since.isoformat()}
    return Note(scope=pending.scope, kind=KIND, key=pending.id, body=body | {"speakers": list(pending.speakers)})


def struck(pending: Pending) -> Note:
    """The note that says that it waits no more."""
    return Note(scope=pending.scope, kind=KIND, key=pending.id, body=None)


def pending_windows(store: Store, scope: Scope | None = None) -> tuple[Pending, ...]:
    """The windows that wait in the scopes covered, or in the whole store, in the order in which they came."""
    return tuple(pending_of_note(note) for note in store.notes(KIND, scope) if note.body is not None)


def pending_of_note(note: Note) -> Pending:
    """The window that a note keeps, which is not struck out."""
    body = note.body or {}
    return Pending(
        id=note.key,
        scope=note.scope,
        messages=tuple(body["messages"]),
        context=tuple(body["context"]),
        speakers=tuple(body["speakers"]),
        since=datetime.fromisoformat(body["since"]),
        state=body["state"],
        problem=body["problem"],
        reply=body["reply"],
        embedded=body.get("embedded", True),
    )


def window_of(pending: Pending, store: Store) -> Window:
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
