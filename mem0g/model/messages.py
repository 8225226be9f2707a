"""What is said in a conversation: utterances, messages of a scope, and passages of long messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal

from mem0g.model.scope import Scope, content_id
from mem0g.text.code import identifier_words
from mem0g.text.passages import LONGEST, cut, is_data, size
from mem0g.times import in_zone, offset_of, utc

Role = Literal["user", "assistant", "system", "tool"]

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters of a Python string that no store keeps: NUL, and halves of surrogate pairs."""

EMBEDDED_OF_DATA = 160
"""Characters embedded of a passage of minified JSON, base64 and the like. It has twice as many word pieces as prose,
and the more of them are numbers and keys, the less its vector says; its words are found by full text.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message of a conversation, as a transcript's reader returns it: not in a scope yet.

    ``source`` names the conversation it comes from (a file's name, an export's conversation), ``session`` the session
    within it ("" when there is only one), ``position`` its place in the session, counted from 0. ``speaker`` is the
    name as shown, "" when only the role is known. ``time`` is when it was said, or None; an aware time of another zone
    becomes UTC, and ``utc_offset`` is by how many seconds that zone was ahead of UTC (0: UTC, or unknown). It says what
    day it was for the speaker, and does not count for equality. ``source_id`` is the id it has in its source ("D1:3"),
    where it has one. ``metadata`` is any JSON object of the caller's, by which a search can be filtered; see
    mem0g.metadata for its bounds.

    Raises TimeError for a time without a time zone, and for an offset of a day or more.
    """

    source: str
    session: str
    position: int
    speaker: str
    role: Role
    text: str
    time: datetime | None = None
    source_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    utc_offset: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if self.time is not None:
            given = self.time
            object.__setattr__(self, "time", utc(given))
            offset = self.utc_offset or offset_of(given)
            if offset:
                in_zone(utc(given), offset)
                object.__setattr__(self, "utc_offset", offset)

    @property
    def local_time(self) -> datetime | None:
        """``time`` in the zone in which it was said: "yesterday" is the day before its day."""
        return in_zone(self.time, self.utc_offset) if self.time and self.utc_offset else self.time


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a long message that is found and shown by itself, such as a section, a list or a block of code.

    ``start`` and ``end`` are its place in the message's text, in characters; ``heading`` is the heading above it, "" if
    there is none. The ``id`` is a hash of the message's id and the place.
    """

    id: str
    message_id: str
    start: int
    end: int
    heading: str

    def text_in(self, message: Message) -> str:
        """Return its text, as it stands in ``message``."""
        return self.text_of(message.text)

    def text_of(self, text: str) -> str:
        """Return its part of ``text``, the text of its message."""
        return text[self.start : self.end]

    def titled(self, text: str) -> str:
        """Return its part of ``text``, the text of its message, below its heading unless it contains that."""
        part = text[self.start : self.end]
        return part if self.heading in part else f"{self.heading}\n{part}"

    def embedded_text(self, speaker: str, text: str) -> str:
        """Return the text to embed, given the speaker and the text of its message; of data its beginning."""
        titled = self.titled(text)
        return f"{speaker}: {titled[:EMBEDDED_OF_DATA] if is_data(titled) else titled}"

    def searched_text(self, text: str) -> str:
        """Return the text for full-text search, with the words of its identifiers: get user by id for getUserById."""
        titled = self.titled(text)
        return " ".join([titled, *identifier_words(titled)])


def covers(text: str, passages: Sequence[Passage]) -> bool:
    """Whether ``passages`` stand in ``text`` one after the other, with nothing but white space between them."""
    end = 0
    for each in passages:
        if each.start < end or text[end : each.start].strip():
            return False
        end = each.end
    return end <= len(text) and not text[end:].strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Utterance):
    """An utterance in a scope; facts cite it as their evidence.

    ``id`` is a hash of scope, source, session, position and text: the same message again has the same id. A file that
    was renamed keeps its source (see mem0g.ingest.known_sources). For a message that a program adds, the id is a hash
    of scope, session and the message's own ``key``, as its position is only known once it is stored. ``recorded_at`` is
    when it was committed: None before that, and for messages of older versions. It does not count for equality.
    """

    id: str
    recorded_at: datetime | None = field(default=None, compare=False)

    def was_known(self, at: datetime) -> bool:
        """Whether it had been recorded by ``at`` or, without a time of recording, said by then."""
        since = self.recorded_at or self.time
        return since is None or since <= at

    @classmethod
    def of(cls, utterance: Utterance, scope: Scope, *, key: str | None = None) -> Message:
        """Return the message that ``utterance`` is in ``scope``; ``key`` identifies it in its session, if given.

        Without a speaker, the speaker of a user's message is the scope's user, of an assistant's message the scope's
        agent, if the scope has one.
        """
        given = {f.name: getattr(utterance, f.name) for f in fields(Utterance)}
        by_role = {"user": scope.user_id, "assistant": scope.agent_id}.get(utterance.role)
        given["speaker"] = utterance.speaker or by_role or utterance.role
        identity = (utterance.position, utterance.text) if key is None else ("key", key)
        place = (utterance.source, utterance.session, *identity)
        return cls(id=content_id("m", scope.user_id, scope.agent_id, scope.run_id, *place), **given)

    @property
    def spoken(self) -> str:
        """The message with its speaker."""
        return f"{self.speaker}: {self.text}"

    def passages(self) -> tuple[Passage, ...]:
        """Return the passages of a long message, in order; none for short messages and the output of tools."""
        if self.role == "tool" or size(self.text) <= LONGEST:
            return ()
        spans = cut(self.text)
        return tuple(
            Passage(content_id("p", self.id, span.start, span.end), self.id, span.start, span.end, span.heading)
            for span in (spans if len(spans) > 1 else ())
        )

    def embedded_texts(self) -> dict[str, str]:
        """Return the texts to embed, each with the speaker, by id: its own, or those of its passages in its place."""
        passages = {each.id: each.embedded_text(self.speaker, self.text) for each in self.passages()}
        return passages or {self.id: self.spoken}
