"""Normal forms of names, relation names and type labels."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mem0g.text.scripts import CJK_RUN

_USER = frozenset(("i", "me", "myself", "user", "the user"))

MAX_IDENTIFIER = 64
"""Characters of a relation name or label; Neo4j Browser shows that many without truncation."""

_MAX_RUN = 4096
"""Characters normalised at once."""

SMALL_WORDS = frozenset("a an and as at by de for from in is la le of on or the to with".split())
"""Function words in names, which do not distinguish one name from another."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])")
"""The beginnings of words in camel case; none in WON_1ST_PRIZE, which is normal already."""
_ASCII_SPACES = "".join(char if char.isalnum() else " " for char in map(chr, range(128)))
_EMOJI_MARKS = re.compile("[\ufe00-\ufe0f\u20e3]")
"""Variation selectors and the keycap: Unicode classes them as marks, but they belong to emoji, not to letters."""


def fold(name: str) -> str:
    """Return ``name`` with case, width and spaces folded, so that its spellings are equal: 'nasa' for '  ＮＡＳＡ '."""
    if name.isascii():  # the same in less time
        return " ".join(name.lower().split())
    return " ".join(normalized(name).casefold().replace("’", "'").split())


def lowered(text: str) -> str:
    """Return ``text`` folded to be split into words: unlike ``fold``, it may leave spaces as they are, to save time."""
    return text.lower() if text.isascii() else fold(text)


def normalized(text: str) -> str:
    """Return ``text`` in Unicode's form NFKC.

    A long text is normalised in pieces cut at spaces: sorting the marks of one run of combining characters takes
    quadratic time.
    """
    if len(text) <= _MAX_RUN or text.isascii():
        return unicodedata.normalize("NFKC", text)
    parts: list[str] = []
    start = 0
    while start < len(text):
        end = start + _MAX_RUN
        if end < len(text):
            end = text.rfind(" ", start, end) + 1 or end
        parts.append(unicodedata.normalize("NFKC", text[start:end]))
        start = end
    return "".join(parts)


def is_user(name: str) -> bool:
    """Whether a name stands for the user: "I", "me", "user"."""
    return fold(name) in _USER


@lru_cache(maxsize=4096)
def normal_relation(name: str) -> str:
    """Return the stored form of a relation name: LIVES_IN for 'lives in' and 'livesIn'; 居住于 stays.

    It has letters and digits of any script and ``_``, does not start with a digit, and has at most MAX_IDENTIFIER
    characters; it is empty if ``name`` has no letter and no digit.
    """
    found = words(_CAMEL.sub(" ", name))
    return _identifier("_".join(found).upper())


def triple_sentence(subject: str, relation: str, obj: str) -> str:
    """Return a triple as a sentence: "Ann lives in Oslo." for lives_in, LIVES_IN and livesIn."""
    name = normal_relation(relation) if relation.isalnum() else relation
    verb = name.replace("_", " ")
    return " ".join(f"{subject} {verb.lower() if verb.isupper() else verb} {obj.strip()}.".split())


def statement_key(subject: str, relation: str, obj: str) -> tuple[str, str, str]:
    """Return what is equal for statements of the same ends and relation, however their names are spelt."""
    return fold(subject), normal_relation(relation), fold(obj)


def normal_label(kind: str) -> str:
    """Return the label of a type: SportsTeam for 'sports team'; empty if ``kind`` has no letter and no digit."""
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
    """Return the runs of letters, digits and their marks (vowel signs), in any script, in form NFKC."""
    if text.isascii():  # the same in a twentieth of the time
        return text.translate(_ASCII_SPACES).split()
    normal = _EMOJI_MARKS.sub("", normalized(text))
    runs = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in normal).split()
    return [run for run in runs if any(map(str.isalnum, run))]


def _identifier(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)  # again: a letter in upper case may be several
    if text[:1].isdigit():
        text = "_" + text
    return text[:MAX_IDENTIFIER].rstrip("_")
