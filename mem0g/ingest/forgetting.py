"""What mem0g's own notes hold of a message, taken out when the message is erased."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from mem0g.history.erasing import SCRUBBED, NoteChanges
from mem0g.ingest import pending
from mem0g.ingest.ledger import REPLY
from mem0g.ingest.review import KIND as REVIEW
from mem0g.model import Message, content_id
from mem0g.store.note import Note
from mem0g.store.protocol import Transaction


def notes_without(message: Message | None, transaction: Transaction, gone: Collection[str]) -> NoteChanges:
    """What becomes of the notes of a scope when a message, if one is given, and the facts ``gone`` are erased.

    Windows that wait go on without the message; the summary of its conversation and kept replies are removed. Which
    reply was made from which message is not known: all that are kept in the scope go, and are asked for again. What is
    held for review goes on without the facts, and without the reasons that were given beside them.
    """
    held = list(_held_without(transaction.notes(REVIEW), gone))
    kept = NoteChanges(
        notes=tuple(note for note in held if (note.body or {})["retirements"]),
        removed=tuple(note.key for note in held if not (note.body or {})["retirements"]),
    )
    return kept if message is None else _without_message(message, transaction, kept)


def _without_message(message: Message, transaction: Transaction, kept: NoteChanges) -> NoteChanges:
    from mem0g.ingest.summaries import KIND as SUMMARY  # loads what a model is asked with

    windows = [note for note in transaction.notes(pending.KIND) if note.body and _names(note, message.id)]
    summary = content_id("s", message.source)
    told = [note.key for note in transaction.notes(SUMMARY) if note.key == summary]
    return NoteChanges(
        notes=(*kept.notes, *_windows_without(windows, message.id)),
        removed=(*kept.removed, *(note.key for note in windows if message.id in (note.body or {})["messages"]), *told),
        replies=tuple(note.key for note in transaction.notes(REPLY)),
    )


def _held_without(notes: Iterable[Note], gone: Collection[str]) -> Iterator[Note]:
    """The notes that name one of these facts, without them and without reasons."""
    for note in notes:
        rows = (note.body or {})["retirements"]
        if any(row["fact"] in gone or row["successor"] in gone for row in rows):
            left = [
                {**row, "reason": SCRUBBED, "successor": None if row["successor"] in gone else row["successor"]}
                for row in rows
                if row["fact"] not in gone
            ]
            yield replace(note, body={**(note.body or {}), "retirements": left})


def _names(note: Note, message: str) -> bool:
    body = note.body or {}
    return message in (*body["messages"], *body["context"])


def _windows_without(notes: list[Note], message: str) -> Iterator[Note]:
    """The windows of which something is left; one that lost a message of its own has another id."""
    for note in notes:
        window = pending.pending_of_note(note)
        left = tuple(each for each in window.messages if each != message)
        context = tuple(each for each in window.context if each != message)
        if left:
            renamed = window.id if left == window.messages else content_id("w", *left)
            yield pending.note_of(replace(window, id=renamed, messages=left, context=context, problem="", reply=""))
