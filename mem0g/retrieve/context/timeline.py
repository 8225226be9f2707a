"""The context for a question about the whole of a conversation: a time line of short lines.

The messages of a user with the replies that follow each are one entry. Entries are chosen by how well they fit the
question's topic, each raised by those beside it; without a topic by what says most in each session, or in as many
sessions in a row as leave a line for each. They are shown in
order of time under their days, in a few words each, so that as many as possible fit: the answer is spread over the
conversation.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from statistics import fmean

from mem0g.model import Context, Hit, Message
from mem0g.retrieve.context.filler import is_filler
from mem0g.retrieve.context.gist import Gists
from mem0g.retrieve.context.rendering import details, one_line
from mem0g.retrieve.context.secrets import keeps_secret
from mem0g.retrieve.question.kinds import Overview
from mem0g.text.stemming import token_set
from mem0g.text.token_count import TOKENS_PER_WORD, count_words

NEIGHBOUR = 0.3
"""Share of the score of the better neighbour that an entry gets: what is asked about is rarely said in one message."""

NAMED = 2.0
"""What an entry gains that has the names and numbers in the topic ("… with Douglas") of an order, a summary or a
development. A count is of things that often are not named again."""

SOURCE, BEST = 0.3, 5
"""What an entry loses of the difference between its conversation and the one that fits best, by the mean score of so
many of their best entries: what is asked about is the matter of some conversations, and mentioned by the way in others.
In a scope of seven BEAM chats it brings 4 to 8 points of the evidence of an order within 500 and 2000 tokens."""

MISSES = 20
"""Entries in a row that do not fit after which no more are tried."""

SAMPLED = 8
"""Entries of a page that are looked at for the one that says most."""

FEWEST, PER_TOKENS = 10, 350
"""Words of a line, and the tokens of the budget for one more: a small budget is for many entries, not for long ones."""

FOR_NUMBERS = 4
"""Words more of a line for a count: a number needs what it is of."""

FOR_REPLIES = 600
"""Tokens, after as many, for which lines with replies get another word: what a summary needs has to stand on one line.
On six chats of BEAM its best line has a tenth more of the words of a point of the answer within 2000 tokens."""

LONGER = 3
"""Times so many words a line gets where all entries fit, the best first."""

WITH_REPLY, REPLY = 0.75, 0.45
"""Shares of these words for a message and for the reply, where a line shows both."""

LINES, WITH_REPLIES = "Time line:", "Time line (→ the reply):"

_DIGITS = re.compile(r"(\d+)")

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """A message and the replies that follow it, each with its score."""

    messages: tuple[Hit, ...]
    score: float = 0.0

    @property
    def first(self) -> Message:
        """The message that it begins with."""
        assert self.messages[0].message is not None
        return self.messages[0].message


def timeline(
    hits: Iterable[Hit], gists: Gists, overview: Overview, tokens: int, repeated: Collection[str] = ()
) -> Context:
    """Return the messages among ``hits`` that fit the topic best as a time line of at most ``tokens``.

    Of a question for an order or a count only what users said is shown, of others what was replied as well. A question
    without a topic gets what says most in each session. Messages ``repeated``, by their ids, and the replies to them
    are left out: what they say stands above the time line.
    """
    replies = overview.kind in ("summary", "development")
    most = FEWEST + tokens // PER_TOKENS + (FOR_NUMBERS if overview.kind == "count" else 0)
    most += max(0, tokens // FOR_REPLIES - 1) if replies else 0
    names = details(overview.topic) if overview.kind != "count" else frozenset()
    entries = [each for each in paired(hits) if each.first.id not in repeated]
    told = [each for each in raised(naming(entries, names)) if _tells(each, overview.topic, replies=replies)]
    words = int(tokens / TOKENS_PER_WORD)
    entries = told if overview.topic else spread(told, gists, most, lines=max(words // most, 1))
    page = _Page(gists, words, most, replies=replies, named=_users(entries) > 1)
    misses = 0
    for place in sorted(range(len(entries)), key=lambda place: (-entries[place].score, place)):
        misses = 0 if page.add(entries[place], place) else misses + 1
        if misses == MISSES:
            break
    page.lengthen()
    return page.context()


def paired(hits: Iterable[Hit]) -> list[Entry]:
    """Return the messages in order of time, each with the replies of an assistant that directly follow it."""
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.message and (hit.message.id not in best or hit.score > best[hit.message.id].score):
            best[hit.message.id] = hit
    entries: list[Entry] = []
    for hit in sorted(best.values(), key=_order):
        message, last = hit.message, entries[-1].messages[-1].message if entries else None
        if (
            message
            and last
            and message.role == "assistant"
            and entries[-1].first.role == "user"
            and _follows(message, last)
        ):
            entries[-1] = Entry((*entries[-1].messages, hit))
        else:
            entries.append(Entry((hit,)))
    return [replace(each, score=sum(hit.score for hit in each.messages) / len(each.messages)) for each in entries]


def naming(entries: Sequence[Entry], names: Collection[str]) -> list[Entry]:
    """Return the entries, with NAMED, or a share, more for those in which users give ``names`` or some (stems)."""
    if not names:
        return list(entries)
    shares = (len(token_set(each.first.text).intersection(names)) / len(names) for each in entries)
    return [replace(each, score=each.score + NAMED * share) for each, share in zip(entries, shares, strict=True)]


def raised(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries with scores that those beside them raise, and that conversations about other things lower."""

    def beside(place: int) -> float:
        near = (entries[other] for other in (place - 1, place + 1) if 0 <= other < len(entries))
        return max((each.score for each in near if _session(each.first) == _session(entries[place].first)), default=0.0)

    near = [replace(each, score=each.score + NEIGHBOUR * beside(place)) for place, each in enumerate(entries)]
    scores: dict[str, list[float]] = {}
    for each in near:
        scores.setdefault(each.first.source, []).append(each.score)
    fits = {source: fmean(sorted(held)[-BEST:]) for source, held in scores.items()}
    best = max(fits.values(), default=0.0)
    return [replace(each, score=each.score - SOURCE * (best - fits[each.first.source])) for each in near]


def spread(entries: Sequence[Entry], gists: Gists, most: int, *, lines: int) -> list[Entry]:
    """Return entries with scores that put the one of each page that says most before the second of any.

    A page is a session; where there are more sessions than ``lines``, it is as many sessions in a row as leave a line
    for each page, so that a small budget is spread over a long history as well. Of a page that has more, SAMPLED
    entries are looked at, and never fewer in all than fill the lines several times: what this costs depends on the
    budget, not on the history.
    """
    sessions: dict[tuple[str, str], list[Entry]] = {}
    for each in entries:
        sessions.setdefault(_session(each.first), []).append(each)
    held = list(sessions.values())
    size = math.ceil(len(held) / lines)
    pages = [list(chain(*held[first : first + size])) for first in range(0, len(held), size)] if held else []
    sampled = max(SAMPLED, SAMPLED * lines // max(len(pages), 1))
    ranks: dict[str, int] = {}
    for page in pages:
        step = max(1, math.ceil(len(page) / sampled))
        looked_at = sorted(page[::step], key=lambda each: -gists.weight(each.first.text, most))
        ranks |= {each.first.id: rank for rank, each in enumerate(looked_at)}
    return [replace(each, score=-float(ranks[each.first.id])) for each in entries if each.first.id in ranks]


class _Page:
    """A time line that grows by the best entries, as far as they fit."""

    def __init__(self, gists: Gists, words: int, most: int, *, replies: bool, named: bool) -> None:
        self._gists, self._most, self._replies, self._named = gists, most, replies, named
        self._heading = WITH_REPLIES if replies else LINES
        self._left = words - count_words(self._heading)
        self._words = words
        self._lines: dict[int, tuple[Entry, str]] = {}
        self._days: set[str] = set()
        self._told: set[str] = set()
        self._stems: Counter[str] = Counter()

    def add(self, entry: Entry, place: int) -> bool:
        """Add the entry at its place in time, if it fits and says something new; return whether it did."""
        line, day = self._line(entry, self._most), _day(entry.first)
        cost = count_words(line) + (0 if day in self._days else count_words(day))
        if not line or line in self._told or cost > self._left:
            return False
        self._lines[place] = entry, line
        self._left -= cost
        self._days.add(day)
        self._told.add(line)
        self._stems.update(token_set(line))
        return True

    def lengthen(self) -> None:
        """Give the lines more words as far as they fit, the best entries first."""
        for place, (entry, line) in sorted(self._lines.items(), key=lambda each: -each[1][0].score):
            self._stems.subtract(token_set(line))
            longer = self._line(entry, LONGER * self._most)
            cost = count_words(longer) - count_words(line)
            if 0 < cost <= self._left:
                self._lines[place], line = (entry, longer), longer
                self._left -= cost
            self._stems.update(token_set(line))

    def context(self) -> Context:
        """Return the lines under their days."""
        text, before = [self._heading], ""
        hits: list[Hit] = []
        for _, (entry, line) in sorted(self._lines.items()):
            day = _day(entry.first)
            text += [day] if day != before else []
            text.append(f"  {line}")
            hits += entry.messages if self._replies else entry.messages[:1]
            before = day
        if not hits:
            return Context("", (), 0)
        return Context("\n".join(text), tuple(hits), math.ceil((self._words - self._left) * TOKENS_PER_WORD))

    def _line(self, entry: Entry, words: int) -> str:
        asked, *answers = (hit.message for hit in entry.messages if hit.message)
        most = round(words * WITH_REPLY) if self._replies else words
        if asked.role == "assistant":
            said = self._gists.reply(asked.text, words, told=self._stems)
        else:
            said = self._gists.of(asked.text, most)
        if answers and self._replies:
            reply = self._gists.reply(answers[0].text, round(words * REPLY), said=token_set(said), told=self._stems)
            said += f" → {reply}" if reply else ""
        return one_line(f"{asked.speaker}: {said}" if said and self._named else said)


def _tells(entry: Entry, topic: str, *, replies: bool) -> bool:
    if keeps_secret(entry.first.text, topic):
        return False
    return (replies or entry.first.role == "user") and not all(
        is_filler(hit.message) for hit in entry.messages if hit.message
    )


def _users(entries: Iterable[Entry]) -> int:
    return len({each.first.speaker for each in entries if each.first.role == "user"})


def _follows(message: Message, other: Message) -> bool:
    return _session(message) == _session(other) and message.position == other.position + 1


def _session(message: Message) -> tuple[str, str]:
    return message.source, message.session


def _day(message: Message) -> str:
    """Return the line above the entries of a day, or of a session without a time."""
    day = message.local_time
    return f"{day.date().isoformat()}:" if day else f"{one_line(message.session) or 'undated'}:"


def order_of(message: Message) -> tuple[datetime, list[tuple[int, str]], int]:
    """Return what orders messages: day, source and session, place; "batch 10" comes after "batch 2"."""
    names = [part for name in _session(message) for part in (*_DIGITS.split(name), "")]
    numbered = [(int(part), "") if part.isdecimal() else (0, part) for part in names]
    return message.time or _NEVER, numbered, message.position


def _order(hit: Hit) -> tuple[datetime, list[tuple[int, str]], int]:
    assert hit.message is not None
    return order_of(hit.message)
