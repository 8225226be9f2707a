"""Whether a text names a speaker.

A name may be a word ("rose", "tutor") or an identifier ("user 12"), whose parts are in many texts that do not mean the
speaker.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from mem0g.text.remembering import remembered
from mem0g.text.stemming import content, token_set, tokens

Capital = Literal["always", "usual", "any"]

_WORD = re.compile(r"[^\W_]+")
_OWN = frozenset(("I", "Im", "Ill", "Ive", "Id"))


@lru_cache(maxsize=4096)
def name_terms(name: str) -> frozenset[str]:
    """Return the terms of a name: its stems; for an identifier, all of them in a row as one term."""
    stems = tokens(name)
    return frozenset([" ".join(stems)] if stems and is_identifier(name) else stems)


def is_identifier(name: str) -> bool:
    """Whether a name is an identifier, such as "user 12" or "3f2a-77", whose parts alone name nobody."""
    return any(map(str.isdecimal, name))


def is_named(name: str, text: str, *, capital: Capital = "usual") -> bool:
    """Whether ``text`` has a word of the name, or the whole of an identifier.

    The word must begin with a capital: "always", never ("any"), or as is "usual" in the text: where it has capitals
    beside that of its first word and those of "I". Scripts without capitals are as if they had them.
    """
    return _is_named(name, text, capital)


@remembered
def _is_named(name: str, text: str, capital: Capital) -> bool:
    stems = token_set(name)
    if stems.isdisjoint(content(text)):
        return False
    if is_identifier(name):
        return f" {' '.join(tokens(name))} " in f" {' '.join(tokens(text))} "
    words: list[str] = _WORD.findall(text)
    cased = any(word[0].isupper() and word not in _OWN for word in words[1:])
    if capital == "any" or (capital == "usual" and not cased):
        return True
    return any(not word[0].islower() and not stems.isdisjoint(token_set(word)) for word in words)
