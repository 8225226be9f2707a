"""SubRip captions with speakers."""

from __future__ import annotations

import re

from mem0g.transcripts import cues
from mem0g.transcripts.protocol import Format

_FIRST_CUE = re.compile(r"\s*(?:\d+[^\S\n]*\n\s*)?\d{1,4}:\d{2}:\d{2}[,.]\d{1,3}\s*-->")

read = cues.utterances


def recognises(text: str) -> bool:
    """Whether it begins with a cue: a number, or nothing, and a timing."""
    return _FIRST_CUE.match(text) is not None


FORMAT = Format(
    name="srt",
    about='SubRip captions with speakers: "Name: words"',
    recognises=recognises,
    read=read,
)
