"""WebVTT captions with speakers."""

from __future__ import annotations

from mem0g.transcripts import cues
from mem0g.transcripts.protocol import Format

read = cues.utterances


def recognises(text: str) -> bool:
    """Whether it has the head that WebVTT requires."""
    return text.lstrip().startswith("WEBVTT")


FORMAT = Format(
    name="vtt",
    about='WebVTT captions with speakers: "<v Name>" or "Name: words"',
    recognises=recognises,
    read=read,
)
