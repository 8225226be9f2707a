"""How the words for things are folded and normalised: names, relation names, type labels."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mem0g.text.scripts import CJK_RUN

LONGEST_IDENTIFIER = 64
"""Characters in a relation name or label: what Neo4j Browser shows without cutting."""

LONGEST_RUN = 4096
"""Characters that are normalised at once."""

SMALL_WORDS = frozenset("a an and as at by de for from in is la le of on or the to with".split())
"""Words of names that say nothing about whom they name."""

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


def name_tokens(name: str) -> frozenset[str]:
    """Return the tokens by which a store finds names that share a word: folded, without possessive 's and small words.

    A run of Chinese, Japanese or Korean characters gives its overlapping pairs. Small words stay where a name has no
    others, so that the result is empty only for a name without letters and digits.
    """
    found: set[str] = set()
    for word in re.findall(r"[^\W_]+", fold(name).replace("'s", "")):
        if CJK_RUN.fullmatch(word):
            found |= {word[at : at + 2] for at in range(max(1, len(word) - 1))}
        else:
            found.add(word)
    return frozenset(found - SMALL_WORDS or found)


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
