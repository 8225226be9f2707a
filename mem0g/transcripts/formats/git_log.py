"""Read the output of ``git log``: a commit's message is said by its author."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import count

from mem0g.errors import TranscriptError
from mem0g.model import Utterance
from mem0g.times import localized, utc
from mem0g.transcripts.json_loading import storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat

_COMMIT = re.compile(r"^commit (?P<hash>[0-9a-f]{7,64})(?: \([^\n]*\))?$", re.MULTILINE)
_HEAD = re.compile(r"\s*commit [0-9a-f]{7,64}(?: \([^\n]*\))?\n(?:Merge: [^\n]*\n)?Author: ")
_FIELD = re.compile(r"^(?P<name>[A-Z][A-Za-z]+):\s*(?P<value>[^\n]*)$", re.MULTILINE)
_TRAILER = re.compile(r"[A-Z][A-Za-z]*(?:-[a-z]+)+: [^\n]+")
"""A line such as "Signed-off-by: Ann <ann@example.org>" at the end of a message."""

_DATES = ("%a %b %d %H:%M:%S %Y %z", "%Y-%m-%d %H:%M:%S %z", "%a %b %d %H:%M:%S %Y", "%Y-%m-%d")
"""git's default, --date=iso, --date=local and --date=short."""


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Yield the messages of the commits, oldest first; merges and commits without a message are left out.

    A day of UTC is a session, so that a log that has grown keeps the positions of the days before. Diffs, statistics
    and trailers are not read.
    """
    starts = [*_COMMIT.finditer(text)]
    ends = [each.start() for each in starts[1:]] + [len(text)]
    dated = [
        (time, start["hash"], author, words)
        for start, end in zip(starts, ends, strict=False)
        for time, author, words in _read(text[start.end() : end], f"{source}, commit {start['hash'][:12]}", options)
    ]
    if len(dated) > 1 and dated[0][0] > dated[-1][0]:
        dated.reverse()
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    for time, name, author, words in dated:
        session = f"{utc(time):%Y-%m-%d}"  # the same in whatever zone the log shows its dates
        yield storable(
            Utterance(
                source=source,
                session=session,
                position=next(positions[session]),
                speaker=author,
                role="user",
                text=words,
                time=time,
                source_id=name,
            )
        )


def _read(body: str, place: str, options: ReadOptions) -> Iterator[tuple[datetime, str, str]]:
    """Yield the time, the author and the message of a commit, if it has one."""
    head, _, rest = body.lstrip("\n").partition("\n\n")
    fields = {each["name"]: each["value"].strip() for each in _FIELD.finditer(head)}
    words = _message(rest)
    if "Merge" in fields or not words:
        return
    given = fields.get("AuthorDate") or fields.get("Date", "")
    time = _time(given, options)
    if time is None:
        raise TranscriptError(f"{place}: {given[:40]!r} is not a date that can be read", hint="use git log --date=iso")
    yield time, fields.get("Author", "").partition("<")[0].strip(), words


def _message(text: str) -> str:
    """Return the indented lines with which ``text`` begins, without trailers."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.strip() and not line.startswith("    "):
            break
        lines.append(line[4:].rstrip())
    while lines and (not lines[-1] or _TRAILER.fullmatch(lines[-1])):
        del lines[-1]
    return "\n".join(lines).strip()


def _time(given: str, options: ReadOptions) -> datetime | None:
    readers: list[Callable[[str], datetime]] = [partial(_parsed, form) for form in _DATES]
    for reader in (*readers, datetime.fromisoformat, parsedate_to_datetime):
        try:
            return localized(reader(given), options.zone)
        except (ValueError, OverflowError):  # the latter for years and zones of many digits
            continue
    return None


def _parsed(form: str, given: str) -> datetime:
    return datetime.strptime(given, form)


def looks_like_a_log(text: str) -> bool:
    """Whether the text begins with a commit and its author."""
    return _HEAD.match(text[:10_000]) is not None


FORMAT = TranscriptFormat(
    name="git-log",
    about="the output of git log: the messages of commits, said by their authors",
    recognises=looks_like_a_log,
    read=read,
)
