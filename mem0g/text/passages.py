"""Cutting a long text: into passages by headings, code, list items and paragraphs; or into pieces of one size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from mem0g.text.scripts import CJK_CHARACTER

LONGEST = 720
"""Characters of a passage at most: some 120 words of English. A CJK character counts as three, see ``size``."""

SHORT = 240
"""Characters under which a passage goes on after a heading: a heading with one line makes no passage of its own."""

BEGINNING = 110
"""Characters that an outline keeps of a passage: a heading and its first words, or a sentence."""

MAX_OUTLINED = 20
"""Maximum passages in an outline; the others are only counted."""

MAX_HEADING = 100
"""Characters kept of a heading; a longer line is no heading."""

_UNSPACED = re.compile(r"[!-~]{100,}")
"""ASCII characters without white space, more than in any word or usual address."""

_SEPARATORS = ("\n\n", "\n", ". ", "! ", "? ", "。", "！", "？", "; ", ", ", " ")
"""Separators after which a text may be cut, best first."""

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?P<text>\S.*)|[ \t]*(?P<bold>\*\*|__)(?P<strong>[^*_\n]+)(?P=bold):?[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")


class _Break(IntEnum):
    """How good a place before a line is for a cut."""

    NONE = 0
    ITEM = 1
    PARAGRAPH = 2
    HEADING = 3


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``start`` to ``end`` of a text, and the ``heading`` above them ("" if there is none)."""

    start: int
    end: int
    heading: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the text that is not blank, or a part of a long one; ``end`` is without the white space after it."""

    start: int
    end: int
    cost: int
    before: _Break
    heading: str
    titles: bool


def size(text: str) -> int:
    """Return the characters of ``text``, where a Chinese, Japanese or Korean one counts as three."""
    return len(text) if text.isascii() else len(text) + 2 * len(CJK_CHARACTER.findall(text))


def is_data(text: str) -> bool:
    """Whether most of ``text`` is ASCII in runs without white space that no language has: minified JSON, base64."""
    return 2 * sum(map(len, _UNSPACED.findall(text))) > len(text)


def cut(text: str) -> tuple[Span, ...]:
    """Return the passages of ``text``, in order, each of at most LONGEST characters (see ``size``).

    They cover all but white space, and none overlaps another. A heading begins a passage where the one before is not
    SHORT; else a passage ends after a paragraph, before an item of a list, or after a line, the best of these in its
    second half. Code stays as it is, and no line of it is taken for a heading. Takes linear time.
    """
    return tuple(_span(lines) for lines in _groups(_lines(text)))


def outlined(text: str) -> str:
    """Return the beginnings of the passages of ``text``, one per line; the text itself if it is one passage."""
    spans = cut(text)
    if len(spans) < 2:
        return text
    lines = [_beginning(text[span.start : span.end]) for span in spans[:MAX_OUTLINED]]
    more = len(spans) - len(lines)
    return "\n".join([*lines, f"… ({more} more parts)"] if more else lines)


def _beginning(passage: str) -> str:
    words = " ".join(passage.split())
    return words if len(words) <= BEGINNING else f"{words[:BEGINNING].rsplit(' ', 1)[0]} …"


def _span(lines: Sequence[_Line]) -> Span:
    """Return the span of lines, under the heading of the first of them that is none."""
    first = next((line for line in lines if not line.titles), lines[0])
    return Span(lines[0].start, lines[-1].end, first.heading)


def _groups(lines: Iterator[_Line]) -> Iterator[list[_Line]]:
    """Yield the lines of each passage."""
    held: list[_Line] = []
    cost = 0
    for line in lines:
        while held and (cost + line.cost > LONGEST or (line.before is _Break.HEADING and cost >= SHORT)):
            place = len(held) if line.before is _Break.HEADING else _best_cut(held, line, cost)
            yield held[:place]
            held = held[place:]
            cost = sum(each.cost for each in held)
        held.append(line)
        cost += line.cost
    if held:
        yield held


def _best_cut(held: Sequence[_Line], following: _Line, cost: int) -> int:
    """Return before which line to cut: the last of the best places in the second half of ``held`` or at its end."""
    best, place, before = following.before, len(held), cost
    for number in range(len(held) - 1, 0, -1):
        before -= held[number].cost
        if 2 * before < cost:
            break
        if held[number].before > best:
            best, place = held[number].before, number
    return place


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that are not blank, long ones in parts."""
    fence, heading, start, blank = "", "", 0, True
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        mark = _FENCE.match(bare)
        title = "" if fence or not bare else _title(bare)
        heading = title or heading
        if bare:
            before = _before(bare, title=title, blank=blank, code=bool(fence))
            yield from _parts(bare, start, before, heading, titles=bool(title))
        closes = bool(fence) and mark is not None and mark["fence"].startswith(fence) and not mark["info"].strip()
        if mark is not None and not fence:
            fence = mark["fence"]
        elif closes:
            fence = ""
        blank = not bare or closes
        start += len(line)


def _title(line: str) -> str:
    """Return the text of a heading ("## Next steps", "**Next steps**"), "" for another line."""
    found = _HEADING.match(line) if len(line) <= 2 * MAX_HEADING else None
    if found is None:
        return ""
    title = " ".join((found["text"] or found["strong"]).strip("#*_: \t").split())
    return title if len(title) <= MAX_HEADING else ""


def _before(line: str, *, title: str, blank: bool, code: bool) -> _Break:
    """Return how good the place before a line is for a cut. Within code only a blank line is a place at all."""
    if title:
        return _Break.HEADING
    if code:
        return _Break.ITEM if blank else _Break.NONE
    if _ITEM.match(line):
        return _Break.ITEM
    return _Break.PARAGRAPH if blank else _Break.NONE


def _parts(line: str, start: int, before: _Break, heading: str, *, titles: bool) -> Iterator[_Line]:
    """Yield a line, or the parts of one that is too long for a passage: sentences, or words."""
    cost = size(line) + 1
    if cost <= LONGEST:
        yield _Line(start, start + len(line), cost, before, heading, titles)
        return
    at_most = LONGEST * len(line) // cost if cost - 1 == len(line) else LONGEST // 3
    for part in split_text(line, max(at_most - 1, 1)):
        bare = part.rstrip()
        if bare:
            yield _Line(start, start + len(bare), size(bare) + 1, before, heading, titles)
        start += len(part)
        before = _Break.ITEM


def split_text(text: str, size: int) -> Iterator[str]:
    """Yield the text in pieces of at most ``size`` characters, cut after paragraphs, sentences or words if possible."""
    start = 0
    while len(text) - start > size:
        end = _end(text, start, start + size)
        yield text[start:end]
        start = end
    yield text[start:]


def _end(text: str, start: int, limit: int) -> int:
    """Return the best end of a piece in the second half of its allowed length."""
    low = start + (limit - start) // 2
    for separator in _SEPARATORS:
        found = text.rfind(separator, max(start, low - len(separator)), limit)
        if found >= 0:
            return found + len(separator)
    return limit
