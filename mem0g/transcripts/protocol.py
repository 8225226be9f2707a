"""The protocol of a transcript format: how its text is recognised, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from mem0g.errors import TranscriptError
from mem0g.model import Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Options of a reader.

    ``zone`` is the time zone of times that state none, and the one that says what day it was at times in UTC.
    ``sample`` is the id of the conversation to read, of a format that holds several. ``speaker`` is the author of texts
    that name none, such as notes; "" for the user of the scope. ``columns`` names the columns of a table by what they
    hold ({"text": "body"}), ``names`` people by the ids that messages mention them by.
    """

    zone: tzinfo = UTC
    sample: str | None = None
    speaker: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


Reader = Callable[[str, str, ReadOptions], Iterable[Utterance]]
"""Takes the text, the name of its source and the options, and returns the utterances in order.

Positions are counted from 0 within source and session, so that a text that has grown keeps the positions it had.
Raises TranscriptError, naming the source and the line or message, for what cannot be read.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFormat:
    """A transcript format.

    ``name`` is what ``--format`` takes, ``about`` a line of description. ``recognises`` returns whether a text is of
    this format; it is called for every file, so it should be fast, and should also return True for a text that is
    broken further down, so that the error names the line. ``samples`` takes text and source and returns the ids that
    ``ReadOptions.sample`` may have; None for formats that hold one conversation.
    """

    name: str
    about: str
    recognises: Callable[[str], bool]
    read: Reader
    samples: Callable[[str, str], Sequence[str]] | None = None


def unreadable(source: str, place: int | str, problem: str, hint: str | None = None) -> TranscriptError:
    """Return the error for ``problem`` at ``place``: a line number from 1, or words such as "message 3"."""
    where = f"line {place}" if isinstance(place, int) else place
    return TranscriptError(f"{source}, {where}: {problem}", hint=hint)
