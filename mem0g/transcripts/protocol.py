"""The seam between a transcript's text and its utterances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from mem0g.errors import TranscriptError
from mem0g.model import Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a reader is told besides the text.

    A time that states no zone is in ``zone``. ``sample`` picks one conversation of a format that holds several by id.
    """

    zone: tzinfo = UTC
    sample: str | None = None


Reader = Callable[[str, str, Options], Iterable[Utterance]]
"""Text, the source's name and options in, utterances in order out.

A position is counted from 0 within source and session, so that a grown text keeps those it had. Raises TranscriptError
naming the source and the line (or the message) for what it cannot read.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A way to write a conversation down.

    ``about`` is one line for people. ``recognises`` looks at the content, also of a text that is broken further down,
    and is cheap. ``samples`` lists the ids that ``Options.sample`` may name, None for a format without any.
    """

    name: str
    about: str
    recognises: Callable[[str], bool]
    read: Reader
    samples: Callable[[str, str], Sequence[str]] | None = None


def unreadable(source: str, place: int | str, problem: str, hint: str | None = None) -> TranscriptError:
    """The error to raise for ``problem`` at ``place``: a line counted from 1, or words such as "message 3"."""
    where = f"line {place}" if isinstance(place, int) else place
    return TranscriptError(f"{source}, {where}: {problem}", hint=hint)
