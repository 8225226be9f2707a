"""Read plain text or Markdown: "Name: words", with sessions under headings and date lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from mem0g.model import Role, Utterance
from mem0g.transcripts.labels import Label, find_label
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import is_date_line, time_in

ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "system": "system",
}
"""Roles by the labels that name them; the utterance then has no speaker's name."""

FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n.*?\n---[ \t]*(?=\n)", re.DOTALL)
_HEADING = re.compile(r"(?P<level>#{1,6})\s+(?P<title>.*)")
_RULE = re.compile(r"\s*([-*_=])(?:\s*\1){2,}\s*")
FENCE = re.compile(r"\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that starts a session. A date line has level 0, above all headings."""

    level: int
    name: str


@dataclass(slots=True)
class _Session:
    """The current session. Under a heading without a date it has the date of the heading one level up."""

    name: str = ""
    time: datetime | None = None
    times: dict[int, datetime | None] = field(default_factory=dict)
    """The times of the current headings, by level."""

    def open(self, heading: Heading, time: datetime | None) -> None:
        self.times = {level: stated for level, stated in self.times.items() if level < heading.level}
        above = self.times[max(self.times)] if self.times else None
        self.name, self.time = heading.name, time or above
        self.times[heading.level] = self.time


@dataclass(frozen=True, slots=True)
class _Turn:
    """An utterance that is being read; its lines are not complete yet."""

    line: int
    name: str
    session: str
    time: datetime | None
    lines: list[str]


@dataclass(slots=True)
class _Marks:
    """Finds headings and labels, and remembers how this transcript's speakers are written."""

    first: Label | None = None
    speakers: set[str] = field(default_factory=set)
    in_code: bool = False

    def read(self, line: str) -> Heading | Label | None:
        """Return the heading or speaker's label that ``line`` begins with, None if it continues the utterance."""
        if FENCE.match(line):
            self.in_code = not self.in_code
            return None
        heading = None if self.in_code else find_heading(line)
        label = None if heading else find_label(line)
        if label is None or not self._is_speaker(label):
            return heading
        self.first = self.first or label
        self.speakers.add(label.name)
        self.in_code = False
        return label

    def _is_speaker(self, label: Label) -> bool:
        """Whether it is written like the first label: on a line of its own only if that is, or if the name is known."""
        if self.first is None:
            return True
        if label.style != self.first.style:
            return False
        return label.name in self.speakers or (not self.in_code and bool(label.words or not self.first.words))


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read utterances that each begin with a speaker's label; lines without one continue the utterance.

    A heading or a date line starts a session and is its name; its date is the time of the session's utterances.
    """
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    for turn in _turns(text, source, options):
        words = "\n".join(turn.lines).strip()
        if not words:
            raise unreadable(source, turn.line, "a message without text", f"say what {turn.name} said, or remove it")
        role = ROLES.get(turn.name.casefold())
        yield Utterance(
            source=source,
            session=turn.session,
            position=next(positions[turn.session]),
            speaker="" if role else turn.name,
            role=role or "user",
            text=words,
            time=turn.time,
        )


def _turns(text: str, source: str, options: ReadOptions) -> Iterator[_Turn]:
    marks, session = _Marks(), _Session()
    turn: _Turn | None = None
    for number, line in content_lines(text):
        mark = marks.read(line)
        if mark is None and turn:
            turn.lines.append(line.rstrip())
        elif mark is None and line.strip():
            raise unreadable(source, number, "no speaker has been named yet", 'begin each message with "Name: "')
        elif mark and turn:
            yield turn
            turn = None
        if isinstance(mark, Label):
            turn = _Turn(number, mark.name, session.name, session.time, [mark.words])
        elif mark:
            moment = time_in(mark.name, options.zone, source, number)
            session.open(mark, moment.time if moment else None)
    if turn:
        yield turn


def content_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines and their numbers, without YAML front matter and horizontal rules."""
    body = FRONT_MATTER.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(body.split("\n"), 1):
        if not _RULE.fullmatch(line):
            yield number, line


def find_heading(line: str) -> Heading | None:
    """Return the heading or the date that a line is, None for another line."""
    heading = _HEADING.fullmatch(line.strip())
    if heading:
        return Heading(len(heading["level"]), heading["title"].rstrip("# ").strip("*_ "))
    return Heading(0, line.strip(" \t*_-=—–#[]")) if is_date_line(line) else None


def recognises(text: str) -> bool:
    """Whether the first line that is no heading and no date has a label, and some speaker comes back or is a role.

    Labels that are all different are the keys of a list of settings or the head of a letter; two may be a short
    dialogue, if they are capitalised.
    """
    lines = [line for _, line in content_lines(text) if line.strip() and not find_heading(line)]
    first = find_label(lines[0]) if lines else None
    if first is None:
        return False
    labels = [label for line in lines if (label := find_label(line)) and label.style == first.style]
    names = {label.name for label in labels}
    return (
        len(names) < len(labels)
        or first.name.casefold() in ROLES
        or (len(names) <= 2 and not any(name.islower() for name in names))
    )


FORMAT = TranscriptFormat(
    name="text",
    about='plain text or Markdown: "Name: words", sessions under headings or lines with a date',
    recognises=recognises,
    read=read,
)
