"""Read captions: the timed cues that WebVTT and SubRip share, and their speakers.

webvtt-py is not used: it silently leaves out broken cues of SubRip, does not give the line of a broken cue, and reads
only the first voice of a cue.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby

from mem0g.model import Utterance
from mem0g.times import WrittenTime
from mem0g.transcripts.labels import find_label
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import time_in

_STAMP = r"(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(
    r"\s*(?:(?P<hours>\d{1,4}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d{2})[.,](?P<fraction>\d{1,3})"
    rf"\s*-->\s*{_STAMP}(?:\s.*)?"
)
_LIKE_TIMING = re.compile(r"(?=.*\d:\d\d).*[-–—]>")
_FIRST_SRT_CUE = re.compile(r"\s*(?:\d+[^\S\n]*\n\s*)?\d{1,4}:\d{2}:\d{2}[,.]\d{1,3}\s*-->")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s([^<>]+)>")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")
_SOUND = re.compile(r"\[[^\]]*\]|\([^)]*\)|[♪♫][^♪♫]*[♪♫]?")
_NOT_SAID = ("NOTE", "STYLE", "REGION")
"""The first words of WebVTT blocks that are not cues."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue: ``line`` is the line number of its timing, ``id`` the text on the line above, "" if there is none."""

    line: int
    id: str
    start: timedelta
    lines: tuple[str, ...]


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Yield the utterances of captions. Consecutive cues of one speaker are joined.

    A cue without a speaker belongs to the previous one. If a line before the first cue states a date, that is the time
    of the utterances; if it states a clock time too, the start of the cue is added to it. Cues with only a sound
    ("[Music]", "♪") are left out.

    Raises TranscriptError for a timing that cannot be read, and for words before any speaker is named.
    """
    lines = text.split("\n")
    timings = [index for index, line in enumerate(lines) if _LIKE_TIMING.match(line)]
    start = _start(lines[: timings[0] if timings else None], source, options)
    said = _said(list(_cues(lines, timings, source)), source)
    for position, (speaker, run) in enumerate(groupby(said, key=lambda words: words[1])):
        (first, _, opening), *more = run
        yield Utterance(
            source=source,
            session="",
            position=position,
            speaker=speaker,
            role="user",
            text=" ".join([opening, *(words for _, _, words in more)]),
            time=_time(start, first, source),
            source_id=first.id or None,
        )


def _start(preamble: Sequence[str], source: str, options: ReadOptions) -> WrittenTime | None:
    """Return the start of the recording: the first date in the lines before the cues, None without one."""
    times = (time_in(line, options.zone, source, number) for number, line in enumerate(preamble, 1))
    return next((time for time in times if time), None)


def _time(start: WrittenTime | None, cue: Cue, source: str) -> datetime | None:
    if start is None:
        return None
    try:
        if start.precision != "second":
            return start.time
        return (start.time.astimezone(UTC) + cue.start).astimezone(start.time.tzinfo)  # clocks may change meanwhile
    except OverflowError as error:  # after the year 9999
        problem = f"no time is {cue.start} after {start.time.isoformat()}"
        raise unreadable(source, cue.line, problem, "check the date") from error


def _cues(lines: Sequence[str], timings: Sequence[int], source: str) -> Iterator[Cue]:
    """Yield the cues: each is the text from one timing to the next, without the id above the next.

    Blank lines do not separate cues: SubRip files have blank lines within cues, and cues without one between them.
    """
    ids = [_id_above(lines, index) for index in timings]
    starts = [index - bool(name) for index, name in zip(timings, ids, strict=True)]
    for index, name, end in zip(timings, ids, [*starts[1:], len(lines)], strict=False):
        yield Cue(index + 1, name, _begin(lines[index], source, index + 1), tuple(_payload(lines[index + 1 : end])))


def _id_above(lines: Sequence[str], index: int) -> str:
    above = lines[index - 1].strip() if index else ""
    is_id = above.isdecimal() or index < 2 or not lines[index - 2].strip()
    return above if is_id and not above.startswith(("WEBVTT", *_NOT_SAID)) else ""


def _begin(timing: str, source: str, number: int) -> timedelta:
    match = _TIMING.fullmatch(timing)
    if match is None:
        hint = "write 00:01:02.500 --> 00:01:04.000"
        raise unreadable(source, number, f"cannot read the cue's time {timing.strip()[:60]!r}", hint)
    return timedelta(
        hours=int(match["hours"] or 0),
        minutes=int(match["minutes"]),
        seconds=int(match["seconds"]),
        milliseconds=int(match["fraction"].ljust(3, "0")),
    )


def _payload(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that are not blank and not in a comment or a style."""
    for blank, block in groupby(lines, key=lambda line: not line.strip()):
        kept = list(block)
        if not blank and not kept[0].startswith(_NOT_SAID):
            yield from kept


def _said(cues: Sequence[Cue], source: str) -> Iterator[tuple[Cue, str, str]]:
    """Yield the cue, the speaker and the words, each time that a cue begins or the speaker changes."""
    voices = {html.unescape(name).strip() for cue in cues for name in _VOICE.findall(" ".join(cue.lines))}
    speaker = ""
    for cue in cues:
        for named, words in _by_voice(cue, voices) if voices else _by_label(cue):
            speaker = named or speaker
            if not words:
                continue
            if not speaker:
                hint = 'write "<v Name>" or "Name: " before the words'
                raise unreadable(source, cue.line, "no speaker has been named yet", hint)
            yield cue, speaker, words


def _by_voice(cue: Cue, voices: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield speakers and words; words before any voice are of whom their label names, if that is one of ``voices``."""
    before, *named = _VOICE.split(" ".join(cue.lines))
    words = _words(before)
    label = find_label(words)
    yield (label.name, _words(label.words)) if label and label.name in voices else ("", words)
    for name, words in zip(named[::2], named[1::2], strict=True):
        yield html.unescape(name).strip(), _words(words)


def _by_label(cue: Cue) -> Iterator[tuple[str, str]]:
    for line in cue.lines:
        words = _words(line)
        label = find_label(words.lstrip("> "))
        yield (label.name, _words(label.words)) if label else ("", words)


def _words(text: str) -> str:
    """Return ``text`` without markup, "" if it is only a sound."""
    words = " ".join(html.unescape(_MARKUP.sub("", text)).split())
    return "" if _SOUND.fullmatch(words) else words


def looks_like_srt(text: str) -> bool:
    """Whether the text begins with a SubRip cue: an optional number and a timing."""
    return _FIRST_SRT_CUE.match(text) is not None


def looks_like_vtt(text: str) -> bool:
    """Whether the text has the header that WebVTT requires."""
    return text.lstrip().startswith("WEBVTT")


SRT = TranscriptFormat(
    name="srt", about='SubRip captions with speakers: "Name: words"', recognises=looks_like_srt, read=read
)
VTT = TranscriptFormat(
    name="vtt",
    about='WebVTT captions with speakers: "<v Name>" or "Name: words"',
    recognises=looks_like_vtt,
    read=read,
)
