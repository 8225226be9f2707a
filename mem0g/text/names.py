"""How the words for things are folded and normalised: names, relation names, type labels."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST_IDENTIFIER = 64
"""Characters in a relation name or label: what Neo4j Browser shows without cutting."""

LONGEST_RUN = 4096
"""Characters that are normalised at once."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])")
"""Where camel case begins a word; not within WON_1ST_PRIZE, which is normal already."""
_EMOJI_MARKS = re.compile("[\ufe00-\ufe0f\u20e3]")
"""Variation selectors and the keycap: marks to Unicode, but they belong to emoji, not to letters."""


def fold(name: str) -> str:
    """Fold case, width and spaces, so that spellings of one name compare equal: '  ＮＡＳＡ ' is 'nasa'."""
    return " ".join(normalized(name).casefold().replace("’", "'").split())


def normalized(text: str) -> str:
    """``text`` in Unicode's form NFKC; a long one in pieces cut at spaces, since sorting the marks of one run of
    combining characters takes quadratic time."""
    if len(text) <= LONGEST_RUN or text.isascii():
        return unicodedata.normalize("NFKC", text)
    parts: list[str] = []
    start = 0
    while start < len(text):
        end = start + LONGEST_RUN
        if end < len(text):
            end = text.rfind(" ", start, end) + 1 or end
        parts.append(unicodedata.normalize("NFKC", text[start:end]))
        start = end
    return "".join(parts)


@lru_cache(maxsize=4096)
def normal_relation(name: str) -> str:
    """The relation name as stored and drawn: 'lives in' and 'livesIn' are LIVES_IN; 居住于 stays.

    Letters and digits of any script and ``_``, not starting with a digit, at most 64 characters.
    Empty when ``name`` has no letter and no digit.
    """
    found = words(_CAMEL.sub(" ", name))
    return _identifier("_".join(found).upper())


def normal_label(kind: str) -> str:
    """The type as a label: 'sports team' is SportsTeam. Empty when ``kind`` has no letter and no digit."""
    return _identifier("".join(word[:1].upper() + word[1:] for word in words(kind)))


def words(text: str) -> list[str]:
    """Runs of letters, digits and the marks that belong to them (vowel signs), in any script; NFKC."""
    normal = _EMOJI_MARKS.sub("", normalized(text))
    runs = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in normal).split()
    return [run for run in runs if any(map(str.isalnum, run))]


def _identifier(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)  # again: a letter in upper case may be several
    if text[:1].isdigit():
        text = "_" + text
    return text[:LONGEST_IDENTIFIER].rstrip("_")
