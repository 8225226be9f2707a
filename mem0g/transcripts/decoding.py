"""Decode the bytes of a transcript."""

from __future__ import annotations

import codecs
import re

from mem0g.errors import TranscriptError

_MARKS = (
    # UTF-32's little-endian mark begins with UTF-16's, so it is looked for first.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MESSAGES = re.compile(rb"(?<=\n)(?=From )")
_CHARSET = re.compile(rb"charset=\"?([\w.:-]{1,40})", re.IGNORECASE)
_HALF_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(data: bytes, source: str) -> str:
    """Decode UTF-8, or UTF-16 or UTF-32 with a byte order mark, and return the text as ``normal`` does.

    Raises TranscriptError naming the source when the bytes are not text.
    """
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and b"\0" in data:
        raise _binary(source)
    try:
        if data.startswith(b"From "):
            return normal(_decoded_mail(data), source)
        return normal(data.decode(encoding), source)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TranscriptError(f"{source}, line {line}: not {encoding.upper()}", hint="save it as UTF-8") from error


def _decoded_mail(data: bytes) -> str:
    """Decode an mbox, in which each message may have another encoding: UTF-8, else the one it states, else Latin."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "".join(map(_decoded_message, _MESSAGES.split(data)))


def _decoded_message(data: bytes) -> str:
    stated = _CHARSET.search(data)
    for encoding in ("utf-8", stated[1].decode() if stated else "cp1252"):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", "replace")


def normal(text: str, source: str) -> str:
    """Return ``text`` without a byte order mark, with "\\n" as line ends and U+FFFD for halves of surrogates.

    Raises TranscriptError naming the source when it is empty or holds a NUL.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise _binary(source)
    if not text.strip():
        raise TranscriptError(f"{source} is empty", hint="give a transcript with at least one message")
    return _HALF_SURROGATE.sub("\ufffd", text)


def _binary(source: str) -> TranscriptError:
    return TranscriptError(f"{source} is binary, not text", hint="give a transcript, or a zip archive of them")
