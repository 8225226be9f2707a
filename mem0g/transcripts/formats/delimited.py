"""Read a table of messages: CSV or TSV with a header, one message a row."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from io import StringIO
from itertools import count

from mem0g.errors import TranscriptError
from mem0g.model import Role, Utterance
from mem0g.transcripts.formats.openai import ROLES
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import read_timestamp, time_in

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "message", "content", "body", "msg", "message text", "utterance", "comment", "note"),
    "speaker": ("speaker", "author", "sender", "from", "name", "user", "username", "user name", "sender name", "who"),
    "time": ("time", "timestamp", "date", "datetime", "date time", "created at", "sent at", "when", "created"),
    "role": ("role",),
    "session": ("session", "conversation", "conversation id", "thread", "chat", "channel", "session id"),
    "id": ("id", "message id", "uuid"),
}
"""What a column can hold, and the usual names of it, most usual first: in lower case, words apart by a blank."""

DELIMITERS = ",\t;|"
"""The characters that may stand between cells."""

MAX_HEADER = 10_000
"""Characters of a header at most; a longer first line is prose."""

LONGEST_CELL = 2**31 - 1
"""Characters of a cell at most: any, as the text is in memory; Python's own limit of 131,072 is for all its readers."""

_NUMBERS = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?P<clock>\D.*)?")
_BETWEEN_WORDS = re.compile(r"[\s_-]+")


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read one message a row. ``options.columns`` names the columns that do not have a usual name.

    Rows without text are left out. A row without a speaker is said by ``options.speaker``, or by its role. Positions
    count within the session.
    """
    rows = _rows(text, source)
    _, header = next(rows, (1, []))
    columns = _columns(header, source, options.columns)
    table = [(line, {what: row[place].strip() for what, place in columns.items()}) for line, row in rows]
    day_first = _is_day_first(cells.get("time", "") for _, cells in table)
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    for line, cells in table:
        if cells["text"]:
            session = cells.get("session", "")
            role = _role(cells.get("role", ""), source, line)
            yield Utterance(
                source=source,
                session=session,
                position=next(positions[session]),
                speaker=cells.get("speaker") or (options.speaker if role == "user" else ""),
                role=role,
                text=cells["text"],
                time=_time(cells.get("time", ""), day_first, source, line, options),
                source_id=cells.get("id") or None,
            )


def recognises(text: str) -> bool:
    """Whether the first line names a column of texts, and one of speakers, roles or times, by usual names."""
    known = _usual(_header(text))
    return "text" in known and not known.keys().isdisjoint(("speaker", "role", "time"))


def has_columns(text: str, columns: Mapping[str, str]) -> bool:
    """Whether the first line is a header with these columns."""
    names = {_plain(each) for each in _header(text)}
    return len(names) > 1 and all(_plain(name) in names for name in columns.values())


def check_columns(columns: Mapping[str, str]) -> None:
    """Raise TranscriptError for a kind of column that there is not."""
    for what in columns:
        if what not in COLUMNS:
            raise TranscriptError(f"unknown kind of column {what[:40]!r}", hint=f"one of {', '.join(COLUMNS)}")


def is_table(text: str) -> bool:
    """Whether the first lines have the same number of cells, more than one, as a table has."""
    start = text[: 20 * MAX_HEADER]
    _take_long_cells()
    try:
        rows = [
            row for _, row in zip(range(10), csv.reader(StringIO(start), delimiter=_delimiter(start)), strict=False)
        ]
    except csv.Error:
        return False
    return len(rows) > 1 and len(rows[0]) > 1 and len({len(row) for row in rows if row}) == 1


def _rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank with the number of their last line; short ones are filled up."""
    width = 0
    _take_long_cells()
    reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        for row in reader:
            width = width or len(row)
            if len(row) > width:
                hint = "put a text that holds the delimiter in quotes"
                raise unreadable(source, reader.line_num, f"{len(row)} cells, but the header has {width}", hint)
            if any(map(str.strip, row)):
                yield reader.line_num, row + [""] * (width - len(row))
    except csv.Error as error:
        hint = "put texts in double quotes, and double the quotes within them"
        raise unreadable(source, reader.line_num, f"broken table: {error}", hint) from error


def _take_long_cells() -> None:
    """Raise the limit that all readers of the process share, never lower it."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))


def _delimiter(text: str) -> str:
    """Return the delimiter that the first line has most of."""
    first = text.lstrip("\n")[:MAX_HEADER].split("\n", 1)[0]
    return max(DELIMITERS, key=first.count)


def _header(text: str) -> Sequence[str]:
    first = text.lstrip("\n")[: MAX_HEADER + 1].split("\n", 1)[0]
    if len(first) > MAX_HEADER:
        return ()
    try:
        return next(csv.reader([first], delimiter=_delimiter(first)), ())
    except csv.Error:
        return ()


def _columns(header: Sequence[str], source: str, given: Mapping[str, str]) -> dict[str, int]:
    """Return the places of the columns by what they hold. Raises TranscriptError where that of the texts is missing."""
    listed = ", ".join(each[:40] for each in header[:20]) or "none"
    places = {_plain(name): place for place, name in reversed(list(enumerate(header)))}
    found = _usual(header)
    for what, name in given.items():
        if _plain(name) not in places:
            raise TranscriptError(f"{source} has no column {name!r}", hint=f"its columns are {listed}")
        found = {other: place for other, place in found.items() if place != places[_plain(name)]}
        found[what] = places[_plain(name)]
    if "text" not in found:
        hint = f"name it: --column text=NAME; the columns are {listed}"
        raise TranscriptError(f"{source} has no column of messages", hint=hint)
    return found


def _usual(header: Sequence[str]) -> dict[str, int]:
    names = [_plain(each) for each in header]
    usual = {what: [names.index(name) for name in known if name in names] for what, known in COLUMNS.items()}
    return {what: places[0] for what, places in usual.items() if places}


def _plain(name: str) -> str:
    return _BETWEEN_WORDS.sub(" ", name).strip().casefold()


def _role(given: str, source: str, line: int) -> Role:
    if not given:
        return "user"
    if given.casefold() in ROLES:
        return ROLES[given.casefold()]
    raise unreadable(source, line, f"unknown role {given[:40]!r}", f"one of {', '.join(ROLES)}")


def _is_day_first(times: Iterator[str]) -> bool | None:
    """Return whether 1/3/2024 is 1 March, by all times of the table; None if nothing tells."""
    for found in filter(None, map(_NUMBERS.fullmatch, times)):
        first, second = int(found[1]), int(found[3])
        if first > 12 or second > 12 or found[2] == ".":
            return second <= 12
    return None


def _time(given: str, day_first: bool | None, source: str, line: int, options: ReadOptions) -> datetime | None:
    if not given:
        return None
    numbers = _NUMBERS.fullmatch(given)
    if numbers is None:
        try:
            return read_timestamp(given, options.zone, source, line)
        except TranscriptError:
            moment = time_in(given, options.zone, source, line)
            if moment is None:
                raise
            return moment.time
    if day_first is None:
        raise unreadable(source, line, f"{given[:40]!r} has the day or the month first", "write 2024-03-01")
    day, month = (numbers[1], numbers[3]) if day_first else (numbers[3], numbers[1])
    written = f"{numbers[4]}-{month:0>2}-{day:0>2}{numbers['clock'] or ''}"
    moment = time_in(written, options.zone, source, line)
    return moment.time if moment else None


FORMAT = TranscriptFormat(
    name="csv",
    about="a table (CSV or TSV): one message a row, with a header that names the columns",
    recognises=recognises,
    read=read,
)
