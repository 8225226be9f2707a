"""Known conversations under a new name: an export that was renamed ("chat (1).txt") is the one that is known.

A message of a file is identified by its source, and a source by its name. Where a conversation with a new name begins
with messages that a known one has (speaker, time and text), it is that conversation: what both have is known, and only
the rest is new. So an export that has grown, under whatever name, adds what is new in it.

People are renamed, too: an address book that calls Tom "Tom (new number)" writes so in every line of its next export.
Where nearly all messages of two conversations have the same times and texts, and a name of one stands where the other
has a name that is gone, that is the person's new name. The messages keep the name under which the person is known.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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

MOST = 0.8
"""Share of the messages of a conversation, in the time that both cover, that a known one must have for a speaker of it
to be a renamed speaker of that one. Some are missing: media that an export left out, mentions of the new name."""

ENOUGH = 40
"""Characters in messages that a renamed speaker has in common with the known one, at least: to one greeting sent to two
chats, two people may answer the same in the same minute."""

TIMES_AT_ONCE = 500
"""Times that are looked up in one query."""

Key = tuple[str, datetime | None, str]


@dataclass(frozen=True, slots=True)
class MatchedMessages:
    """Messages to ingest, each once. ``renamed`` is the known source by the name that it has here, ``speakers`` the
    known name of a speaker by the new one; ``repeated`` counts the messages that came again, such as under two names,
    and ``differing`` has the ids of those that came again with another text, of which the first is taken. ``recent``
    has read the last messages of some of their sessions.
    """

    messages: list[Message]
    recent: RecentMessages
    renamed: Mapping[str, str] = field(default_factory=dict)
    speakers: Mapping[str, str] = field(default_factory=dict)
    repeated: int = 0
    differing: tuple[str, ...] = ()

    @property
    def report(self) -> Report:
        """The report of what was recognised before anything is ingested."""
        return Report(
            known=self.repeated,
            differing=self.differing,
            known_from=tuple(self.renamed.items()),
            known_speakers=tuple(self.speakers.items()),
        )


def with_known_sources(
    messages: Sequence[Message], scope: Scope, store: Store, recent: RecentMessages
) -> MatchedMessages:
    """Return the messages with those of a known conversation under another name as messages of that conversation.

    A conversation without times stays as it is; so does what a program adds, and one that the scope already has by its
    name, but for speakers who were renamed. Conversations that come together are compared with each other, too.
    """
    kept: dict[str, Message] = {}
    renamed: dict[str, str] = {}
    speakers: dict[str, str] = {}
    differing: dict[str, None] = {}
    for source, given in _by_source(messages).items():
        found = given
        if source != SOURCE and any(message.time for message in given):
            known = _Known(scope, store, recent, list(kept.values()))
            last = recent.last(source, given[0].session)
            if last and _other_speakers(last, given):
                names = known.renamed_speakers(source, given)
                speakers |= names
                found = list(_by_known_names(given, names))
            elif not last and (same := known.conversation_of(given)):
                renamed[source] = same.source
                speakers |= same.speakers
                found = known.taken_as(same, given)
        for message in found:
            if kept.setdefault(message.id, message).text != message.text:
                differing[message.id] = None
    again = len(messages) - len(kept)
    return MatchedMessages(list(kept.values()), recent, renamed, speakers, again, tuple(differing))


def _by_source(messages: Iterable[Message]) -> dict[str, list[Message]]:
    found: dict[str, list[Message]] = defaultdict(list)
    for message in messages:
        found[message.source].append(message)
    return found


def _other_speakers(last: Sequence[Message], given: Iterable[Message]) -> bool:
    """Whether one of the last known messages is given with another speaker."""
    speakers = {each.id: each.speaker for each in last}
    return any(speakers.get(message.id, message.speaker) != message.speaker for message in given)


def _key(message: Message) -> Key:
    return message.speaker, message.time, message.text


def _words(message: Message) -> Key:
    return "", message.time, message.text


def _by_known_names(messages: Iterable[Message], speakers: Mapping[str, str]) -> Iterator[Message]:
    for message in messages:
        known = speakers.get(message.speaker)
        yield replace(message, speaker=known) if known else message


@dataclass(frozen=True, slots=True)
class _Same:
    """A known conversation that a given one is: its source, what it has at the times of the given messages, and the
    known names of speakers by those that they have in the given one.
    """

    source: str
    known: Sequence[Message]
    speakers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known: the messages of the scope in the store, and ``earlier`` ones of the same call."""

    scope: Scope
    store: Store
    recent: RecentMessages
    earlier: Sequence[Message]

    def conversation_of(self, given: Sequence[Message]) -> _Same | None:
        """Return the known conversation that begins, or goes on, as ``given`` does; the first of several."""
        leading = list(islice((message for message in given if message.time), LEADING))
        said = self._said(leading)
        for source in self._sources_like(leading, said, _key):
            known = self._said(given, source)
            return _Same(source, known, _renamed_speakers(given, known))
        for source in self._sources_like(leading, said, _words):
            known = self._said(given, source)
            if speakers := _renamed_speakers(given, known):
                return _Same(source, known, speakers)
        return None

    def renamed_speakers(self, source: str, given: Sequence[Message]) -> dict[str, str]:
        """Return the known names of speakers of ``given`` who have another name in the known source."""
        return _renamed_speakers(given, self._said(given, source))

    def _sources_like(
        self, leading: Sequence[Message], said: Sequence[Message], key: Callable[[Message], Key]
    ) -> Iterator[str]:
        """Yield the known sources that have said the ``leading`` messages, compared by ``key``."""
        in_common = {
            source: len(list(_in_order(leading, (each for each in said if each.source == source), key)))
            for source in dict.fromkeys(each.source for each in said)
        }
        for source, count in sorted(in_common.items(), key=lambda each: -each[1]):
            if count == len(leading) or (count and count == self._length(source, leading[0].session)):
                yield source

    def taken_as(self, same: _Same, given: Sequence[Message]) -> list[Message]:
        """Return the messages as those of the known source: known ones as they are, new ones placed after them."""
        waiting: dict[Key, deque[Message]] = defaultdict(deque)
        for each in same.known:
            waiting[_key(each)].append(each)
        moved: Counter[str] = Counter()
        found = []
        for message in _by_known_names(given, same.speakers):
            known = waiting.get(_key(message)) if message.time else None
            if known:
                found.append(known.popleft())
                moved[message.session] = found[-1].position - message.position
            else:
                position = message.position + moved[message.session]
                given_again = replace(message, source=same.source, position=position)
                found.append(Message.of(given_again, self.scope))
        return found

    def _said(self, messages: Sequence[Message], source: str | None = None) -> list[Message]:
        """Return what is known to have been said at the times of ``messages``, in the order of its conversation.

        With ``source`` only what was said there.
        """
        times = list(dict.fromkeys(message.time for message in messages if message.time))
        stored = [
            each
            for start in range(0, len(times), TIMES_AT_ONCE)
            for each in self.store.messages_said_at(self.scope, times[start : start + TIMES_AT_ONCE])
        ]
        wanted = set(times)
        stored += [each for each in self.earlier if each.time in wanted]
        unique = {each.id: each for each in stored if each.source != SOURCE and source in (None, each.source)}
        return sorted(unique.values(), key=lambda each: (each.source, each.session, each.position))

    def _length(self, source: str, session: str) -> int:
        """Return the number of messages of a session, where it is at most ``LEADING``; else 0."""
        last = self.recent.last(source, session, LEADING + 1)
        count = len(last) or sum((each.source, each.session) == (source, session) for each in self.earlier)
        return count if count <= LEADING else 0


def _in_order(
    messages: Iterable[Message], known: Iterable[Message], key: Callable[[Message], Key]
) -> Iterator[Message]:
    """Yield the leading messages that are known, up to the first that is not; each known one counts once."""
    left = Counter(map(key, known))
    for message in messages:
        if not left[key(message)]:
            return
        left[key(message)] -= 1
        yield message


def _matched(messages: Iterable[Message], known: Iterable[Message]) -> Iterator[Message]:
    """Yield the messages with a time that are known; each known one counts once."""
    left = Counter(map(_key, known))
    for message in messages:
        if message.time and left[_key(message)]:
            left[_key(message)] -= 1
            yield message


def _renamed_speakers(given: Sequence[Message], known: Sequence[Message]) -> dict[str, str]:
    """Return the known names of speakers of ``given`` who have another name in the conversation ``known``."""
    kept = {each.speaker for each in _matched(given, known)}
    names = _new_names(given, known, kept)
    matched = list(_matched(_by_known_names(given, names), known))
    new = sum(len(each.text) for each in matched if each.speaker in names.values())
    if new < ENOUGH:
        return {}
    times = [each.time for each in known if each.time]
    first, last = min(times), max(times)
    in_both = sum(each.time is not None and first <= each.time <= last for each in given)
    return names if len(matched) >= MOST * in_both else {}


def _new_names(given: Sequence[Message], known: Sequence[Message], kept: Collection[str]) -> dict[str, str]:
    """Return a known name for each new one that stands where that one stood, those with the most messages first.

    A known name that ``given`` has, too, is not taken, nor is one twice. Names ``kept`` are not new.
    """
    speakers = {each.speaker for each in given}
    by_words: dict[Key, set[str]] = defaultdict(set)
    for each in known:
        if each.speaker not in speakers:
            by_words[_words(each)].add(each.speaker)
    votes = Counter((each.speaker, old) for each in given for old in sorted(by_words.get(_words(each), ())))
    names: dict[str, str] = {}
    for (new, old), _ in votes.most_common():
        if new not in kept and new not in names and old not in names.values():
            names[new] = old
    return names
