"""What a program hands to ``Memory.add`` as utterances: they happen now, after what the scope heard before."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from datetime import datetime

from mem0g.errors import InputError
from mem0g.model import Scope, Utterance
from mem0g.store.protocol import Store

SOURCE = "added"
"""The source of messages that come from a program, not from a transcript."""


def given_messages(
    messages: str | Iterable[Utterance | Mapping[str, object]], scope: Scope, store: Store, at: datetime
) -> list[Utterance]:
    """Utterances as they are; one text, or messages as in the OpenAI API, as said at ``at`` and last of their session.

    Raises InputError for a message that cannot be read.
    """
    said = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
    given: list[object] = list(said)
    read = [each for each in given if isinstance(each, Utterance)]
    if len(read) == len(given):
        return read
    if read:
        raise InputError("utterances and messages are mixed", hint="add them one kind after the other")
    return _following(given, scope, store, at)


def _following(given: list[object], scope: Scope, store: Store, at: datetime) -> list[Utterance]:
    from mem0g.transcripts.openai_message import utterances
    from mem0g.transcripts.protocol import Options

    places = ((f"message {number}", each) for number, each in enumerate(given, start=1))
    read = list(utterances(places, SOURCE, Options()))
    first = {session: _next_position(scope, store, session) for session in {each.session for each in read}}
    return [
        dataclasses.replace(each, position=first[each.session] + each.position, time=each.time or at) for each in read
    ]


def _next_position(scope: Scope, store: Store, session: str) -> int:
    last = store.recent_messages(scope, SOURCE, session, 1)
    return last[0].position + 1 if last else 0
