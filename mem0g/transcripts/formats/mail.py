"""Read e-mail: an mbox, or one message as it is sent (.eml). Quoted text and signatures are left out."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from email import message_from_bytes, policy
from email.errors import MessageError
from email.headerregistry import BaseHeader, HeaderRegistry
from email.message import EmailMessage, Message
from email.utils import parseaddr, parsedate_to_datetime
from itertools import count

from mem0g.model import Utterance
from mem0g.times import localized
from mem0g.transcripts.json_loading import storable
from mem0g.transcripts.protocol import ReadOptions, TranscriptFormat, unreadable

_FROM_LINE = re.compile(r"^From .*\d{4}.*$", re.MULTILINE)
"""The line before each message of an mbox, which ends in its date: "From ann@x.org Fri Mar  1 09:00:00 2024"."""

_HEAD = re.compile(r"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+")
_ESCAPED_FROM = re.compile(r"^>(>*From )", re.MULTILINE)
_SIGNATURE = re.compile(r"^--\s*$", re.MULTILINE)
_COPY = re.compile(
    r"^(?:-{4,}[^\n-]+-{4,}[ \t]*$|(?:_{10,}\s*)?(?P<head>(?:\*?[^\W\d_]{2,12}:\*? [^\n]+\n){3,}))", re.MULTILINE
)
"""Where a copy of another message may begin without marks before its lines: with a rule that is named, or its head."""

_DATED = re.compile(r"\d|@")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

_PREFIX = re.compile(r"^(?:\s*(?:re|fwd?|aw|wg|sv|vs|antw|rif|tr)\s*(?:\[\d+\])?:)+\s*", re.IGNORECASE)
"""What programs put before the subject of an answer, in several languages."""

MAX_FIELD = 10_000
"""Characters of a field of the head that are read."""

MAX_MIME_FIELD = 1_000
"""Characters of a field such as Content-Type that are read: the longest in use has the name of a file, and Python's
parser takes time with the square of its length, or worse."""

_BROKEN = (MessageError, ValueError, LookupError, RecursionError, AttributeError, TypeError)
"""What Python's own parser raises for fields that are no valid mail."""

_NO_DATE = (ValueError, TypeError, OverflowError)
"""What is raised for a text that is no date of a mail."""

_BLOCKS = frozenset("p div br tr li h1 h2 h3 h4 h5 h6 blockquote table ul ol".split())
_UNSEEN = frozenset(("style", "script", "head", "title", "blockquote"))
_TAG = re.compile(r"<!--(?:.*?-->|.*)|<(?P<end>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*+)[^<>]*+>", re.DOTALL)


def read(text: str, source: str, options: ReadOptions) -> Iterator[Utterance]:
    """Read the messages in their order: speaker from the From line, session by subject, time from the Date.

    A message that only quotes, or only has attachments, is left out. A message that occurs twice is read once.
    """
    seen: set[str] = set()
    positions: defaultdict[str, Iterator[int]] = defaultdict(count)
    for number, (line, raw) in enumerate(_messages(text), 1):
        try:
            message = message_from_bytes(raw.encode("utf-8", "replace"), policy=_POLICY)
            name, words = _header(message, "message-id"), _words(message)
            speaker, subject = _speaker(message), _PREFIX.sub("", _header(message, "subject"))
        except _BROKEN as error:
            raise unreadable(source, line, f"broken message: {error}", "remove it") from error
        if words and not (name and name in seen):
            seen.add(name)
            yield storable(
                Utterance(
                    source=source,
                    session=subject,
                    position=next(positions[subject]),
                    speaker=speaker,
                    role="user",
                    text=words,
                    time=_time(message, source, f"message {number}", options),
                    source_id=name or None,
                )
            )


def _field(name: str, value: str) -> BaseHeader:
    """Return a parsed field of the head; of a long one, only its beginning is parsed."""
    most = MAX_MIME_FIELD if name.lower().startswith("content-") else MAX_FIELD
    header: BaseHeader = _PARSE_FIELD(name, value[:most])
    return header


_PARSE_FIELD = HeaderRegistry()
_POLICY = policy.EmailPolicy(header_factory=_field)


def _messages(text: str) -> Iterator[tuple[int, str]]:
    """Yield the messages with the number of their first line; an .eml is one."""
    if not text.startswith("From "):
        yield 1, text
        return
    starts = [each for each in _FROM_LINE.finditer(text) if _begins(text, each)]
    line = 1
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
        yield line, _ESCAPED_FROM.sub(r"\1", text[start.end() + 1 : end])
        line += text.count("\n", start.start(), end)


def _begins(text: str, line: re.Match[str]) -> bool:
    """Whether a message begins here: after a blank line or at the start, with a header next."""
    after_blank = line.start() == 0 or text.endswith("\n\n", 0, line.start())
    return after_blank and _HEAD.match(text, line.end() + 1) is not None


def _header(message: EmailMessage, name: str) -> str:
    """Return a field of the head on one line: as it stands if it is too broken to be read, cut if it is too long."""
    raw = next((str(value) for field, value in message.raw_items() if field.lower() == name), "")
    try:
        value = str(message.get(name) or "") if len(raw) <= MAX_FIELD else raw
    except _BROKEN:
        value = raw
    return " ".join(value[:MAX_FIELD].split())


def _speaker(message: EmailMessage) -> str:
    given = _header(message, "from")
    try:
        name, address = parseaddr(given)
    except _BROKEN:
        return given[:100]
    return name.strip() or address.partition("@")[0]


def _time(message: EmailMessage, source: str, place: str, options: ReadOptions) -> datetime | None:
    """Return the Date, or where it cannot be read when the last server received the message; None without a Date."""
    given = _header(message, "date")
    if not given:
        return None
    try:
        return _instant(given, options)
    except _NO_DATE as error:
        received = _header(message, "received").rpartition(";")[2]
        with suppress(*_NO_DATE):
            return _instant(received, options)
        hint = "write it as in Fri, 01 Mar 2024 09:00:00 +0100"
        raise unreadable(source, place, f"cannot read the time {given[:40]!r}", hint) from error


def _instant(given: str, options: ReadOptions) -> datetime:
    return localized(parsedate_to_datetime(given), options.zone)


def _words(message: EmailMessage) -> str:
    """Return what the author wrote: the plain text, or that of the HTML, without quotes and signature."""
    part = message.get_body(("plain", "html"))
    if part is None or part.is_multipart():
        return ""
    text = _decoded(part)
    if part.get_content_type() == "text/html":
        text = _html_text(text)
    text = _SIGNATURE.split(text.replace("\r\n", "\n"), maxsplit=1)[0]
    copies = (each for each in _COPY.finditer(text) if each["head"] is None or _YEAR.search(each["head"]))
    copy = next(copies, None)
    return _without_quotes(text[: copy.start()] if copy else text)


def _without_quotes(text: str) -> str:
    """Return the text without quoted lines, and without the lines before them that say who wrote them and when.

    In any language these end in a colon, and have a date or an address.
    """
    kept: list[str] = []
    for line in text.split("\n"):
        if not line.startswith(">"):
            kept.append(line)
            continue
        last = next((place for place in range(len(kept) - 1, -1, -1) if kept[place].strip()), -1)
        if last >= 0 and kept[last].rstrip().endswith(":"):
            first = last if _DATED.search(kept[last]) else last - 1
            if first >= 0 and _DATED.search(kept[first]):
                del kept[first:]
    return "\n".join(kept).strip()


def _decoded(part: Message) -> str:
    """Return the text of a part. What is not encoded for transport was decoded with the file, as UTF-8."""
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    encoded = str(part.get("content-transfer-encoding", "")).strip().lower() in ("base64", "quoted-printable")
    charset = part.get_content_charset("utf-8") if encoded or data.isascii() else "utf-8"
    try:
        return data.decode(charset, "replace")
    except LookupError:  # a character set that Python does not know
        return data.decode("utf-8", "replace")


def _html_text(text: str) -> str:
    """Return the text of HTML, a line for each block, without quoted messages. Takes linear time."""
    found: list[str] = []
    unseen: list[str] = []
    last = 0
    for mark in _TAG.finditer(text):
        if not unseen:
            found.append(" ".join(text[last : mark.start()].split("\n")))
        last, tag = mark.end(), (mark["tag"] or "").lower()
        if tag in _UNSEEN and not mark["end"]:
            unseen.append(tag)
        elif unseen and tag == unseen[-1]:
            unseen.pop()
        if tag in _BLOCKS:
            found.append("\n")
    found += [] if unseen else [text[last:]]
    lines = html.unescape("".join(found)).split("\n")
    return re.sub(r"\n{3,}", "\n\n", "\n".join(" ".join(line.split()) for line in lines))


def recognises(text: str) -> bool:
    """Whether the text begins as an mbox does, or with the head of a message: who sent it, and when or as what."""
    if text.startswith("From "):
        first = _FROM_LINE.match(text)
        return first is not None and _begins(text, first)
    head = _HEAD.match(text)
    names = {line.partition(":")[0].lower() for line in head[0].split("\n") if line[:1].strip()} if head else set()
    return "from" in names and not names.isdisjoint(("message-id", "date", "mime-version"))


FORMAT = TranscriptFormat(
    name="mail",
    about="e-mail: an mbox, or one message (.eml), without quotes and signatures",
    recognises=recognises,
    read=read,
)
