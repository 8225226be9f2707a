"""Read WhatsApp's text exports, of iOS and Android, in the date styles of their languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from mem0g.model import Utterance
from mem0g.times import localized
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable
from mem0g.transcripts.timestamps import clock_24

_DATE = r"(?P<a>\d{1,4})(?P<separator>[./-]) ?(?P<b>\d{1,2})(?P=separator) ?(?P<c>\d{2,4})\.?"
_CLOCK = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?: ?(?P<half>[AaPp])\.? ?[Mm]\.?)?"
_HEAD = re.compile(
    rf"\u200e*(?P<bracket>\[)?{_DATE},? (?:(?:at|à|um|kl\.?|om) )?{_CLOCK}(?(bracket)\]| -) (?P<rest>.*)"
)
_NAMED = re.compile(r"\u200e?(?:~ ?)?(?P<name>[^:\n]{1,100}): ?(?P<words>.*)", re.DOTALL)

_BY_THE_APP = "\u200e"
"""The left-to-right mark before text that iOS itself writes: notices and placeholders for media."""

_INVISIBLE = str.maketrans(
    dict.fromkeys("\u00a0\u2007\u2009\u202f", " ")
    | dict.fromkeys("\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff", "")
)
"""Spaces that do not break to plain ones, marks of direction (but the app's) to nothing."""

_ATTACHED = re.compile(r"\u200e?<attached: [^<>]*>|^\u200e?[^\n]{1,250}\.\w{2,4} \(file attached\)$", re.MULTILINE)
_EDITED = re.compile(
    r"\u200e? ?<(?=[^<>\n]{0,80}\b(?:message|nachricht|mensaje|mensagem|messaggio|bericht)\b)"
    r"[^<>\n]{0,80}\b(?:edited|bearbeitet|edit(?:ó|ado|ada|aste)|modifié|modificato|bewerkt)\b[^<>\n]{0,40}>$",
    re.IGNORECASE,
)
"""What the app adds to an edited message, in seven languages; what people write in angle brackets stays."""
_LEFT_OUT = re.compile(
    r"<[^<>\n]{1,80} [^<>\n]{1,80}>"  # <Media omitted>, in any language
    r"|(?:image|photo|video|audio|sticker|GIF|document|contact card) omitted"
    r"|(?:this message was deleted|you deleted this message|waiting for this message\. this may take a while"
    r"|missed (?:group )?(?:voice|video) call(?: at [\d:. apm]+)?"
    r"|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht"
    r"|(?:se )?elimin(?:ó|aste) este mensaje|este mensaje fue eliminado"
    r"|ce message a été supprimé|(?:vous avez|tu as) supprimé ce message"
    r"|questo messaggio è stato eliminato|hai eliminato questo messaggio"
    r"|(?:esta )?mensagem (?:foi )?apagada|(?:você apagou|apagou) esta mensagem"
    r"|dit bericht is verwijderd|(?:je|u) hebt dit bericht verwijderd)\.?"
    r"|null",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\b(?:created (?:the |this )?group|changed (?:the|this|their|to|from|your)|added|removed|pinned a|joined using"
    r"|security code|end-to-end)\b"
)
"""Words before the colon that show a notice, not a name, such as 'Ann changed the subject to "Trip: Oslo"'."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A head (date and time) on ``line``, and the text up to the next head."""

    line: int
    head: re.Match[str]
    lines: list[str]


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Yield the messages that people wrote, which may have several lines. Notices and media without text are left out.

    Whether dates have the day or the month first is decided once, from all dates of the text.
    """
    entries = list(_entries(text, source))
    day_first = _is_day_first([entry.head for entry in entries])
    position = 0
    for entry in entries:
        time = _time(entry, day_first, source, options)
        speaker, words = _message("\n".join(entry.lines))
        if words:
            yield Utterance(
                source=source, session="", position=position, speaker=speaker, role="user", text=words, time=time
            )
            position += 1


def _entries(text: str, source: str) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for number, line in enumerate(text.translate(_INVISIBLE).split("\n"), 1):
        if head := _HEAD.fullmatch(line):
            if entry:
                yield entry
            entry = _Entry(number, head, [head["rest"]])
        elif entry:
            entry.lines.append(line)
        elif line.strip():
            hint = "it begins with a line like [01/03/2024, 14:05] Ann: hello"
            raise unreadable(source, number, "no date and name", hint)
    if entry:
        yield entry


def _message(text: str) -> tuple[str, str]:
    """Return the speaker and the text; "" as text for a notice, a deleted message, and media without a caption."""
    named = _NAMED.fullmatch(text)
    if named is None or _NOTICE.search(named["name"]):
        return "", ""
    words, attached = _ATTACHED.subn("", _EDITED.sub("", named["words"]))
    if words.startswith(_BY_THE_APP) and not attached:
        return "", ""
    words = words.replace(_BY_THE_APP, "").strip()
    return named["name"].strip(), "" if _LEFT_OUT.fullmatch(words) else words


def _is_day_first(heads: Sequence[re.Match[str]]) -> bool:
    """Whether 1/3 is 1 March.

    A number above 12 cannot be a month; else the order in which dates go backwards less often is taken; else the style
    decides: Android in American English writes 3/1/24, 2:05 PM, with slashes, no leading zeros and a 12-hour clock.
    """
    dates = [(int(head["c"]), int(head["b"]), int(head["a"])) for head in heads if len(head["a"]) < 3]
    for _, second, first in dates:
        if (first > 12) != (second > 12):
            return first > 12
    if_day_first = sum(earlier > later for earlier, later in pairwise(dates))
    if_month_first = sum(
        (year, first, second) > (next_year, next_first, next_second)
        for (year, second, first), (next_year, next_second, next_first) in pairwise(dates)
    )
    if if_day_first != if_month_first:
        return if_day_first < if_month_first
    return not any(head["separator"] == "/" and head["half"] for head in heads) or any(
        part.startswith("0") for head in heads for part in (head["a"], head["b"])
    )


def _time(entry: _Entry, day_first: bool, source: str, options: ReadOptions) -> datetime:
    head = entry.head
    first, second, third = int(head["a"]), int(head["b"]), int(head["c"])
    if len(head["a"]) == 4:
        year, month, day = first, second, third
    else:
        year, (day, month) = third, (first, second) if day_first else (second, first)
    year += 2000 if year < 100 else 0
    clock = clock_24(int(head["hour"]), head["half"]), int(head["minute"]), int(head["second"] or 0)
    try:
        return localized(datetime(year, month, day, *clock), options.zone)
    except (ValueError, OverflowError) as error:
        given = head[0][: head.start("rest")].strip()
        raise unreadable(
            source, entry.line, f"cannot read the time {given!r}: {error}", "no such day or hour"
        ) from error


def recognises(text: str) -> bool:
    """Whether the first line that is not blank begins as in WhatsApp's exports, and there is at least one message."""
    lines = text.translate(_INVISIBLE).lstrip().split("\n")
    if not _HEAD.fullmatch(lines[0]):
        return False
    return any((head := _HEAD.fullmatch(line)) and _NAMED.fullmatch(head["rest"]) for line in lines)


FORMAT = TranscriptFormat(
    name="whatsapp",
    about="WhatsApp's text export, of iOS or Android",
    recognises=recognises,
    read=read,
)
