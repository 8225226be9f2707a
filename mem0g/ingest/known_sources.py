"""Known conversations under a new name: an export that was renamed ("chat (1).txt") is the one that is known.

A message of a file is identified by its source, and a source by its name. Where a conversation with a new name begins
with messages that a known one has (speaker, time and text), it is that conversation: what both have is known, and only
the rest is new. So an export that has grown, under whatever name, adds what is new in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from mem0g.ingest.input_messages import SOURCE
from mem0g.ingest.recent_messages import RecentMessages
from mem0g.ingest.report import Report
from mem0g.model import Message, Scope
from mem0g.store.protocol import Store

LEADING = 3
"""How many of its first messages with a time a conversation must have in common with a known one to be that one; fewer
only if one of the two has no more. Two chats may both begin with a wish for the new year, but not with the same three
messages."""

TIMES_AT_ONCE = 500
"""Times that are looked up in one query."""

Key = tuple[str, datetime | None, str]


@dataclass(frozen=True, slots=True)
class MatchedMessages:
    """Messages to ingest, each once. ``renamed`` is the known source by the name that it has here; ``repeated``
    counts the messages that came under two names. ``recent`` has read the last messages of some of their sessions.
    """

    messages: list[Message]
    recent: RecentMessages
    renamed: Mapping[str, str] = field(default_factory=dict)
    repeated: int = 0

    @property
    def report(self) -> Report:
        """The report of what was recognised before anything is ingested."""
        return Report(known=self.repeated, known_from=tuple(self.renamed.items()))


def with_known_sources(
    messages: Sequence[Message], scope: Scope, store: Store, recent: RecentMessages
) -> MatchedMessages:
    """Return the messages with those of a known conversation under another name as messages of that conversation.

    A conversation without times, or one that the scope already has by its name, stays as it is; so does what a program
    adds. Conversations that come together are compared with each other, too.
    """
    kept: dict[str, Message] = {}
    renamed: dict[str, str] = {}
    for source, given in _by_source(messages).items():
        found = given
        if _may_be_known(source, given, recent):
            known = _Known(scope, store, recent, list(kept.values()))
            if name := known.source_of(given):
                renamed[source] = name
                found = known.taken_as(name, given)
        for message in found:
            kept.setdefault(message.id, message)
    return MatchedMessages(list(kept.values()), recent, renamed, len(messages) - len(kept))


def _by_source(messages: Iterable[Message]) -> dict[str, list[Message]]:
    found: dict[str, list[Message]] = defaultdict(list)
    for message in messages:
        found[message.source].append(message)
    return found


def _may_be_known(source: str, given: Sequence[Message], recent: RecentMessages) -> bool:
    """Whether the source has times, and the scope has none of that name."""
    if source == SOURCE or all(message.time is None for message in given):
        return False
    return not recent.last(source, given[0].session, 1)


def _key(message: Message) -> Key:
    return message.speaker, message.time, message.text


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known: the messages of the scope in the store, and ``earlier`` ones of the same call."""

    scope: Scope
    store: Store
    recent: RecentMessages
    earlier: Sequence[Message]

    def source_of(self, given: Sequence[Message]) -> str | None:
        """Return the name of the known source that begins, or goes on, as ``given`` does; the first of several."""
        leading = list(islice((message for message in given if message.time), LEADING))
        said = self._said(leading)
        in_common = {
            source: len(list(_in_order(leading, (each for each in said if each.source == source))))
            for source in dict.fromkeys(each.source for each in said)
        }
        for source, count in sorted(in_common.items(), key=lambda each: -each[1]):
            if count == len(leading) or (count and count == self._length(source, leading[0].session)):
                return source
        return None

    def taken_as(self, source: str, given: Sequence[Message]) -> list[Message]:
        """Return the messages as those of the known source: known ones as they are, new ones placed after them."""
        waiting: dict[Key, deque[Message]] = defaultdict(deque)
        for each in self._said(given):
            if each.source == source:
                waiting[_key(each)].append(each)
        moved: Counter[str] = Counter()
        found = []
        for message in given:
            known = waiting.get(_key(message)) if message.time else None
            if known:
                found.append(known.popleft())
                moved[message.session] = found[-1].position - message.position
            else:
                position = message.position + moved[message.session]
                given_again = replace(message, source=source, position=position)
                found.append(Message.of(given_again, self.scope))
        return found

    def _said(self, messages: Sequence[Message]) -> list[Message]:
        """Return what is known to have been said at the times of ``messages``, in the order of its conversation."""
        times = list(dict.fromkeys(message.time for message in messages if message.time))
        stored = [
            each
            for start in range(0, len(times), TIMES_AT_ONCE)
            for each in self.store.messages_said_at(self.scope, times[start : start + TIMES_AT_ONCE])
        ]
        wanted = set(times)
        stored += [each for each in self.earlier if each.time in wanted]
        unique = {each.id: each for each in stored if each.source != SOURCE}
        return sorted(unique.values(), key=lambda each: (each.source, each.session, each.position))

    def _length(self, source: str, session: str) -> int:
        """Return the number of messages of a session, where it is at most ``LEADING``; else 0."""
        last = self.recent.last(source, session, LEADING + 1)
        count = len(last) or sum((each.source, each.session) == (source, session) for each in self.earlier)
        return count if count <= LEADING else 0


def _in_order(messages: Iterable[Message], known: Iterable[Message]) -> Iterator[Message]:
    """Yield the leading messages that are known, up to the first that is not; each known one counts once."""
    left = Counter(map(_key, known))
    for message in messages:
        if not left[_key(message)]:
            return
        left[_key(message)] -= 1
        yield message
