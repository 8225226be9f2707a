"""Secrets kept out of what is shown, stored and logged."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

HIDDEN = "***"
"""What stands where a secret stood."""

DISTINCT = 8
"""Characters from which a secret is removed from good replies too: a shorter one may be a word that was said."""

_SHORT = 4
"""Characters below which a secret is only removed where it stands as a word of its own."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ESCAPES = re.compile(r"[\\%&+]")
_HIGHEST_PORT = 65535


class Redactor:
    """Removes secrets from text, in whatever way a server writes them: as they are, in capitals, escaped as in JSON,
    URLs or HTML, or in Base64 as in basic authentication.

    ``secrets`` are passwords and keys; of those given, empty ones are ignored.
    """

    def __init__(self, secrets: Iterable[str | None] = ()) -> None:
        forms = dict.fromkeys(form for secret in secrets if secret for form in (secret, unquote(secret)))
        self._forms = sorted(forms, key=len, reverse=True)
        self._all = _pattern(self._forms)
        self._distinct = _pattern([form for form in self._forms if len(form) >= DISTINCT])

    def text(self, text: str) -> str:
        """``text`` with each secret replaced by three asterisks."""
        return self._replaced(self._all, text)

    def reply(self, text: str) -> str:
        """A good reply without secrets; those of less than 8 characters, which may be words of it, are left."""
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
    """User and password as the header of basic authentication has them."""
    return b64encode(f"{username}:{password}".encode()).decode()


def shown_address(url: str) -> str:
    """An address as it may be shown, also one that cannot be read: without user, password and query.

    What stands where the port should and is none may be a password: ``neo4j://bob:pw`` becomes ``neo4j://bob:***``.
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
    """The ways in which a character may be written, as regular expressions.

    JSON within JSON doubles backslashes, a URL within a URL percent signs. The longest come first, else an escape
    could be left in part.
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
