"""Captions with times: the cues that WebVTT and SubRip share, and who speaks in them.

Own code, since webvtt-py leaves out broken cues of SubRip in silence, does not say on which line one is broken, and
knows only the first voice of a cue.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from mem0g.model import Utterance
from mem0g.times import Moment
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
"""How the first line of a block begins that is no cue (WebVTT)."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Lines with a start: ``line`` is where its timing stands, ``id`` what stands above that, "" if nothing."""

    line: int
    id: str
    start: timedelta
    lines: tuple[str, ...]


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """The utterances of captions: consecutive cues of one speaker are one, a cue without a speaker is the last one's.

    Where a line before the first cue states a date, it is the time; where it states a clock too, the cue's start is
    added to it. Sounds alone ("[Music]", "♪") are left out.

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


def _start(preamble: Sequence[str], source: str, options: ReadOptions) -> Moment | None:
    """When the recording began, as the first line before the cues that has a date states it."""
    times = (time_in(line, options.zone, source, number) for number, line in enumerate(preamble, 1))
    return next((time for time in times if time), None)


def _time(start: Moment | None, cue: Cue, source: str) -> datetime | None:
    if start is None:
        return None
    try:
        return start.start + cue.start if start.precision == "second" else start.start
    except OverflowError as error:  # after the year 9999
        raise unreadable(source, cue.line, f"no time is {cue.start} after {start}", "check the date") from error


def _cues(lines: Sequence[str], timings: Sequence[int], source: str) -> Iterator[Cue]:
    """What stands between one timing and the next, the next one's id apart.

    Not the blocks between blank lines, since SubRip files have blank lines within cues, and none between two.
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
    """The lines that are not blank and not in a comment or a style."""
    for blank, block in groupby(lines, key=lambda line: not line.strip()):
        kept = list(block)
        if not blank and not kept[0].startswith(_NOT_SAID):
            yield from kept


def _said(cues: Sequence[Cue], source: str) -> Iterator[tuple[Cue, str, str]]:
    """Cue, speaker and words, as often as somebody begins to speak or a cue begins."""
    voiced = any(_VOICE.search(line) for cue in cues for line in cue.lines)
    speaker = ""
    for cue in cues:
        for named, words in (_by_voice if voiced else _by_label)(cue):
            speaker = named or speaker
            if not words:
                continue
            if not speaker:
                hint = 'write "<v Name>" or "Name: " before the words'
                raise unreadable(source, cue.line, "no speaker has been named yet", hint)
            yield cue, speaker, words


def _by_voice(cue: Cue) -> Iterator[tuple[str, str]]:
    before, *named = _VOICE.split(" ".join(cue.lines))
    yield "", _words(before)
    for name, words in zip(named[::2], named[1::2], strict=True):
        yield html.unescape(name).strip(), _words(words)


def _by_label(cue: Cue) -> Iterator[tuple[str, str]]:
    for line in cue.lines:
        words = _words(line)
        label = find_label(words.lstrip("> "))
        yield (label.name, _words(label.words)) if label else ("", words)


def _words(text: str) -> str:
    """``text`` without markup, "" when it is a sound alone."""
    words = " ".join(html.unescape(_MARKUP.sub("", text)).split())
    return "" if _SOUND.fullmatch(words) else words


def looks_like_srt(text: str) -> bool:
    """Whether the text begins with a cue of SubRip: a number or nothing, and a timing."""
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
