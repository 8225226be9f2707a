"""Redaction of secrets in what is shown, stored and logged."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

HIDDEN = "***"
"""The replacement of a secret."""

DISTINCT = 8
"""Characters from which a secret is removed from valid replies too; a shorter one may be an ordinary word."""

_SHORT = 4
"""Characters below which a secret is only removed as a whole word."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ESCAPES = re.compile(r"[\\%&+]")
_HIGHEST_PORT = 65535


class Redactor:
    """Removes secrets from text: verbatim, in any case, and escaped as in JSON, URLs or HTML.

    ``secrets`` are passwords, keys and `basic` credentials; empty ones are ignored.
    """

    def __init__(self, secrets: Iterable[str | None] = ()) -> None:
        forms = dict.fromkeys(form for secret in secrets if secret for form in (secret, unquote(secret)))
        self._forms = sorted(forms, key=len, reverse=True)
        self._all = _pattern(self._forms)
        self._distinct = _pattern([form for form in self._forms if len(form) >= DISTINCT])

    def text(self, text: str) -> str:
        """Return ``text`` with each secret replaced by HIDDEN."""
        return self._replaced(self._all, text)

    def reply(self, text: str) -> str:
        """Return a valid reply with each secret of at least DISTINCT characters replaced by HIDDEN."""
        return self._replaced(self._distinct, text)

    def _replaced(self, pattern: re.Pattern[str] | None, text: str) -> str:
        if pattern is None:
            return text
        if not _ESCAPES.search(text):  # the pattern is slow, and a reply of numbers has none of this
            lower = text.lower()
            if not any(form.lower() in lower for form in self._forms):
                return text
        return pattern.sub(HIDDEN, text)


def basic(username: str, password: str) -> str:
    """Return user and password in Base64, as in the header of basic authentication."""
    return b64encode(f"{username}:{password}".encode()).decode()


def shown_address(url: str) -> str:
    """Return an address without user, password and query, also if it is malformed.

    A port that is not a number may be a password: ``neo4j://bob:pw`` becomes ``neo4j://bob:***``.
    """
    scheme = _SCHEME.match(url)
    start = scheme[0] if scheme else ""
    place = re.split(r"[?#]", url.removeprefix(start).rpartition("@")[2], maxsplit=1)[0]
    host, slash, path = place.partition("/")
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]") or (port.isdecimal() and int(port) <= _HIGHEST_PORT):
        return f"{start}{host}{slash}{path}"
    return f"{start}{name}:{HIDDEN}"


def _pattern(secrets: list[str]) -> re.Pattern[str] | None:
    parts = []
    for secret in secrets:
        written = "".join(f"(?:{'|'.join(_written(character))})" for character in secret)
        parts.append(rf"(?<!\w){written}(?!\w)" if len(secret) < _SHORT else written)
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def _written(character: str) -> Iterator[str]:
    """Yield the ways in which a character may be written, as regular expressions.

    JSON within JSON doubles backslashes, a URL within a URL percent signs. The longest forms come first, so that no
    part of an escape remains.
    """
    units = json.dumps(character)[1:-1] if ord(character) > 0x7F else f"\\u{ord(character):04x}"
    yield "".join(rf"\\{{1,8}}u{unit}" for unit in units.split("\\u")[1:])
    yield "".join(f"%(?:25){{0,3}}{byte:02x}" for byte in character.encode("utf-8", "replace"))
    yield f"&#(?:0{{0,4}}{ord(character)}|x0{{0,4}}{ord(character):x});"
    named = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
    if character in named:
        yield f"&{named[character]};"
    if character == " ":
        yield r"\+"
    if ord(character) > 0x7F:  # bytes as Python shows them
        yield "".join(rf"\\{{1,8}}x{byte:02x}" for byte in character.encode("utf-8", "replace"))
    yield rf"\\{{0,8}}{re.escape(character)}"
