"""Read notes and documents, in Markdown or plain text: a section is a message of their author."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.text.passages import split_text
from mem0g.text.scripts import CJK_CHARACTER
from mem0g.transcripts.formats.delimited import is_table
from mem0g.transcripts.formats.text import FENCE, FRONT_MATTER, Heading, content_lines, find_heading
from mem0g.transcripts.json_loading import is_json
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat
from mem0g.transcripts.timestamps import time_in

LONGEST = 4_000
"""Characters of a message at most: some 700 words. A longer section is cut into several at its paragraphs."""

LOOKED_AT = 200
"""Number of lines that are read to recognise prose."""

SENTENCE = 4
"""Words of a line at least that is taken for prose."""

_SETEXT = re.compile(r"^(?P<title>[^\s#>|*+-][^\n]*)\n(?P<mark>=+|-{3,})[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PICTURE = re.compile(r"!\[(?P<caption>[^\[\]\n]{0,500})\]\([^)\n]{0,2000}\)")
_LINK = re.compile(r"\[(?P<label>[^\[\]\n]{1,500})\]\([^)\n]{0,2000}\)")
_WIKI_LINK = re.compile(r"!?\[\[(?:[^\[\]|\n]{0,500}\|)?(?P<label>[^\[\]|\n]{1,500})\]\]")
_WRITTEN = re.compile(
    r"^(?:date|created|created_at|created-at)[ \t]*:[ \t]*(?P<when>[^\n]+)$", re.MULTILINE | re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[,.;:!?…\"”')]*")
_NOT_PROSE = re.compile(r"\s*(?:[\[{<(]?\d{1,4}[-:./]\d|[\[{<|]|(?:import|from|def|class|return|SELECT|INSERT)\b)")
"""Starts of lines of logs, of tables and of programs."""


@dataclass(frozen=True, slots=True)
class _Title:
    """A heading above the current line, and the time of what is below it."""

    name: str
    rank: float
    time: datetime | None


@dataclass(slots=True)
class _Section:
    """The lines under a heading, and when they were written."""

    path: str
    time: datetime | None
    lines: list[str] = field(default_factory=list)

    def messages(self) -> Iterator[str]:
        """Yield the text, long text in pieces, each under the headings."""
        body = "\n".join(self.lines).strip()
        for piece in split_text(body, LONGEST) if body else ():
            yield f"# {self.path}\n\n{piece.strip()}" if self.path else piece.strip()


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read a message for each section, said by ``options.speaker``; its headings are its session, and its first line.

    So an edit of one section leaves the messages of the others as they were. A heading or a line with a date is the
    time of what is below it, else the date in the front matter is.
    """
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    for section in _sections(text, source, options):
        for words in section.messages():
            yield Utterance(
                source=source,
                session=section.path,
                position=next(positions[section.path]),
                speaker=options.speaker,
                role="user",
                text=words,
                time=section.time,
            )


def _sections(text: str, source: str, options: ReadOptions) -> Iterator[_Section]:
    written = _written(text, source, options)
    section, in_code = _Section("", written), False
    above: list[_Title] = []
    for number, line in content_lines(_plain(text)):
        in_code ^= FENCE.match(line) is not None
        heading = None if in_code else find_heading(line)
        if heading is None:
            section.lines.append(line.rstrip() if in_code else _without_links(line).rstrip())
            continue
        yield section
        rank = _rank(heading, above)
        above = [each for each in above if each.rank < rank]
        inherited = above[-1].time if above else written
        above.append(_Title(heading.name, rank, _time_of(heading, source, number, options) or inherited))
        section = _Section(" / ".join(each.name for each in above if each.name), above[-1].time)
    yield section


def _rank(heading: Heading, above: Sequence[_Title]) -> float:
    """Return the level of a heading; a line that is a date comes just under the heading above it."""
    if heading.level:
        return heading.level
    before = next((each.rank for each in above if each.rank % 1 or not each.rank), None)
    return before if before is not None else above[-1].rank + 0.5 if above else 0


def _time_of(heading: Heading, source: str, number: int, options: ReadOptions) -> datetime | None:
    """Return the date of a heading. In a title, unlike a line that is a date, a day that does not exist is none."""
    try:
        moment = time_in(heading.name, options.zone, source, number)
    except TranscriptError:
        if heading.level == 0:
            raise
        return None
    return moment.time if moment else None


def _written(text: str, source: str, options: ReadOptions) -> datetime | None:
    """Return the date of the front matter."""
    front = FRONT_MATTER.match(text)
    given = _WRITTEN.search(front[0]) if front else None
    moment = time_in(given["when"], options.zone, source, "front matter") if given else None
    return moment.time if moment else None


def _plain(text: str) -> str:
    """Return the text without comments, with headings that are underlined as "# ..."; lines keep their numbers."""
    shown = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    front = FRONT_MATTER.match(shown)
    start = front.end() if front else 0
    level = {"=": "#", "-": "##"}
    return shown[:start] + _SETEXT.sub(lambda found: f"{level[found['mark'][0]]} {found['title']}\n", shown[start:])


def _without_links(line: str) -> str:
    """Return the line with captions for pictures, and labels for links."""
    line = _PICTURE.sub(lambda found: f"[photo: {found['caption']}]" if found["caption"].strip() else "", line)
    return _WIKI_LINK.sub(r"\g<label>", _LINK.sub(r"\g<label>", line))


def recognises(text: str) -> bool:
    """Whether at least half of the first lines are prose, list items or headings, and one of them is a sentence.

    Programs, settings, logs, tables and web pages are not.
    """
    start = text[:100_000]
    if is_json(start) or start.lstrip().startswith(("<", "#!")) or is_table(start):
        return False
    lines: list[str] = []
    in_code = False
    for _, line in content_lines(_plain(start)):
        fence = FENCE.match(line) is not None
        in_code ^= fence
        if line.strip() and not in_code and not fence:
            lines.append(line)
    lines = lines[:LOOKED_AT]
    prose = sum(map(_is_prose, lines))
    return prose > 0 and 2 * (prose + sum(find_heading(line) is not None for line in lines)) >= len(lines)


def _is_prose(line: str) -> bool:
    if _NOT_PROSE.match(line) or find_heading(line):
        return False
    words = line.strip().lstrip("-*+>•").split()
    worded = sum(_WORD.fullmatch(word) is not None for word in words)
    return len(CJK_CHARACTER.findall(line)) >= 2 * SENTENCE or (len(words) >= SENTENCE and 4 * worded >= 3 * len(words))


FORMAT = TranscriptFormat(
    name="notes",
    about="notes and documents in Markdown or plain text: a section is a message of their author",
    recognises=recognises,
    read=read,
)
