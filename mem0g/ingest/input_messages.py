"""Read what a program passes to ``Memory.add`` as messages: they are said now, after those that the scope has."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from mem0g.errors import InputError, ScopeError, quoted
from mem0g.ingest.recent_messages import RecentMessages
from mem0g.metadata import checked_metadata
from mem0g.model import MAX_NAME_LENGTH, UNSTORABLE, Message, Scope, Utterance
from mem0g.store.protocol import Transaction

CLOCKS_DIFFER = timedelta(days=1)
"""By how much a clock may be behind that of another computer, or of what it was before; more is no error of a clock."""

SOURCE = "added"
"""The source of messages that come from a program, not from a transcript."""


def given_messages(
    messages: str | Iterable[Utterance | Mapping[str, object]], scope: Scope, recent: RecentMessages, at: datetime
) -> list[Message]:
    """Return utterances of a transcript, one text, or messages as in the OpenAI API as messages of the scope.

    Utterances keep their positions and times. The others are said at ``at``, where they have no time of their own, and
    come last in their session, by their time as well (see CLOCKS_DIFFER). They are identified by their own ``id``
    within the session, so that adding one again changes nothing; without one by an id that no other call makes, since
    equal words said twice are two messages. Their positions are expected ones: ``placed`` sets the final ones in the
    transaction that stores them.

    Raises InputError for a message that cannot be read.
    """
    if not isinstance(messages, Iterable) or isinstance(messages, (bytes, bytearray, Mapping)):
        single = isinstance(messages, Mapping)
        hint = "give a text, messages, or what a file says: read_files([path]).utterances"
        raise InputError(
            f"messages are given as {type(messages).__name__}: {str(messages)[:80]!r}",
            hint="put a single message into a list" if single else hint,
        )
    given: list[object] = [{"role": "user", "content": messages}] if isinstance(messages, str) else list(messages)
    utterances = [each for each in given if isinstance(each, Utterance)]
    if len(utterances) == len(given):
        for number, each in enumerate(utterances, start=1):
            for name in ("source", "session", "speaker", "text", "source_id"):
                check_storable(getattr(each, name) or "", f"the {name} of utterance {number}")
        return [Message.of(utterance, scope) for utterance in utterances]
    if utterances:
        raise InputError("utterances and messages are mixed", hint="add them one kind after the other")
    return _from_api(given, scope, recent, at)


def check_lengths(messages: Sequence[Message], longest: int) -> None:
    """Raise InputError, naming its place, for a message of more than ``longest`` characters or an overlong speaker."""
    for number, message in enumerate(messages, start=1):
        place = f"message {number} (position {message.position} of {message.source[:80]!r})"
        check_text(message.text, place, longest)
        if len(message.speaker) > MAX_NAME_LENGTH:
            hint = f"at most {MAX_NAME_LENGTH:,}: name who speaks"
            raise InputError(f"the speaker of {place} has {len(message.speaker):,} characters", hint=hint)


def noted(messages: Sequence[Message], metadata: Mapping[str, Any] | None) -> list[Message]:
    """Return messages with ``metadata`` under what each has itself. Raises InputError for what cannot be stored."""
    common = checked_metadata(metadata)

    def with_common(number: int, message: Message) -> Message:
        name = f"the metadata of message {number}"
        own = checked_metadata(message.metadata, name)
        return dataclasses.replace(message, metadata=checked_metadata({**common, **own}, name))

    return [
        with_common(number, each) if common or each.metadata != {} else each
        for number, each in enumerate(messages, start=1)
    ]


def check_text(text: str, name: str, longest: int) -> None:
    """Raise InputError, naming it, for text of more than ``longest`` characters or with one that no store keeps."""
    if len(text) > longest:
        hint = f"at most {longest:,}: cut it into several, or raise Settings.longest_message"
        raise InputError(f"{name} has {len(text):,} characters", hint=hint)
    check_storable(text, name)


def check_storable(text: str, name: str) -> None:
    """Raise InputError, naming it, for text with a character that no store keeps."""
    if UNSTORABLE.search(text):
        raise InputError(f"{name} holds a NUL or half of a surrogate pair", hint="remove it")


def added_sessions(messages: Iterable[Message]) -> set[tuple[str, str]]:
    """Return the sessions (source and session) in which ``placed`` asks for the next position."""
    return {(message.source, message.session) for message in messages if message.source == SOURCE}


def may_be_stored(message: Message) -> bool:
    """Whether a message may be stored already: one that a program adds without an id of its own is always new."""
    return message.source != SOURCE or message.source_id is not None


def placed(messages: Sequence[Message], transaction: Transaction) -> tuple[Message, ...]:
    """Return new messages with their final positions: those that a program adds come last in their session."""
    following: dict[str, int] = {}
    found = []
    for message in messages:
        if message.source == SOURCE:
            if message.session not in following:
                following[message.session] = transaction.next_position(SOURCE, message.session)
            found.append(dataclasses.replace(message, position=following[message.session]))
            following[message.session] += 1
        else:
            found.append(message)
    return tuple(found)


def _from_api(given: list[object], scope: Scope, recent: RecentMessages, at: datetime) -> list[Message]:
    from mem0g.transcripts.formats.openai import read_messages
    from mem0g.transcripts.protocol import ReadOptions

    for number, each in enumerate(given, start=1):
        _check_scope(each, number, scope)
    places = ((f"message {number}", each) for number, each in enumerate(given, start=1))
    read = list(read_messages(places, SOURCE, ReadOptions()))
    sessions = {each.session for each in read}
    first = {session: _next_position(recent, session) for session in sessions}
    said = {session: _time_to_give(recent, session, at) for session in sessions}
    call = uuid4().hex
    return [
        Message.of(
            dataclasses.replace(
                each, position=first[each.session] + each.position, time=each.time or said[each.session]
            ),
            scope,
            key=f"id:{each.source_id}" if each.source_id else f"{call}:{place}",
        )
        for place, each in enumerate(read)
    ]


def _next_position(recent: RecentMessages, session: str) -> int:
    last = recent.last(SOURCE, session, 1)
    return last[0].position + 1 if last else 0


def _time_to_give(recent: RecentMessages, session: str, at: datetime) -> datetime:
    """Return the time of messages without one: ``at``, or that of the session's last message, if clocks may differ.

    What is said last has to have the latest time: otherwise a move would count as one from before the last home.
    """
    last = recent.last(SOURCE, session, 1)
    time = last[0].time if last else None
    return time if time and at < time <= at + CLOCKS_DIFFER else at


def _check_scope(message: object, number: int, scope: Scope) -> None:
    """Raise ScopeError for a message that names another scope than that of the call, which decides where it goes."""
    if not isinstance(message, Mapping):
        return
    for key in (field.name for field in dataclasses.fields(Scope)):
        named = message.get(key)
        if named is not None and named != getattr(scope, key):
            hint = f"give {key} to the call; one call is for one scope"
            raise ScopeError(f"message {number} names {key} {quoted(str(named))}, but is added to {scope}", hint=hint)
