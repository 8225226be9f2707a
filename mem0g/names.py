"""How the words for things are folded and normalised: names, relation names, type labels."""

from __future__ import annotations

import re
import unicodedata

LONGEST_IDENTIFIER = 64
"""Characters in a relation name or label: what Neo4j Browser shows without cutting."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def fold(name: str) -> str:
    """Fold case, width and spaces, so that spellings of one name compare equal: '  ＮＡＳＡ ' is 'nasa'."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("’", "'").split())


def normal_relation(name: str) -> str:
    """The relation name as stored and drawn: 'lives in' and 'livesIn' are LIVES_IN; 居住于 stays.

    Letters and digits of any script and ``_``, not starting with a digit, at most 64 characters.
    Empty when ``name`` has no letter and no digit.
    """
    words = _words(_CAMEL.sub(" ", name))
    return _identifier("_".join(words).upper())


def normal_label(kind: str) -> str:
    """The type as a label: 'sports team' is SportsTeam. Empty when ``kind`` has no letter and no digit."""
    return _identifier("".join(word[:1].upper() + word[1:] for word in _words(kind)))


def _words(text: str) -> list[str]:
    """Runs of letters, digits and the marks that belong to them (vowel signs), in any script."""
    normal = unicodedata.normalize("NFKC", text)
    return "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in normal).split()


def _identifier(text: str) -> str:
    if text[:1].isdigit():
        text = "_" + text
    return text[:LONGEST_IDENTIFIER].rstrip("_")
