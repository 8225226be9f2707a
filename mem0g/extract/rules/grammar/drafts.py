"""Text that a message asks to write, translate or correct: its "I" is whoever the text is of."""

from __future__ import annotations

import re

_ASKING = (
    r"(?:(?:ok(?:ay)?|hi|hey|hello|so|and|also|now|then|thanks|please|kindly|(?:can|could|would|will) you"
    r"|help me(?: to)?|I (?:want|need|would like|'d like) you to|let's)[,!]? +)*"
)
_TEXT = (
    r"(?:e-?mail|mail|letter|message|text|reply|response|answer|note|post|tweet|caption|speech"
    r"|story|poem|dialogue|conversation|script|scene|monologue|paragraph|sentences?|essay|article|review|ad|draft)"
)
_NEW = rf"(?:write|draft|compose)\b[^.:!?\n]{{0,100}}?\b{_TEXT}"
_GIVEN = (
    r"(?:translate|re-?write|re-?phrase|paraphrase|proof-?read|polish|re-?word|summari[sz]e|shorten|edit|correct)\b"
    rf"[^.:!?\n]{{0,100}}?\b(?:{_TEXT}|this|these|following)"
)
_REQUEST = re.compile(
    rf"(?:^|(?<=[.!?\n] )|(?<=\n)){_ASKING}(?:{_NEW}|{_GIVEN})\b[^.:!?\n]{{0,60}}:(?=\s)", re.IGNORECASE
)
"""A request that ends in a colon, after which the text or what it is to say follows."""


def without_draft(text: str) -> str:
    """Return ``text`` without what follows a request to write or change it: "Write an email: Hi, I'm Susan."."""
    match = _REQUEST.search(text)
    return text[: match.end()] if match else text
