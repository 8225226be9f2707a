"""How common nouns compare: the same words in another form, or with more words (guitar, acoustic guitar)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from mem0g.resolve.names import ParsedName

_SMALL: Final = frozenset(
    "a an and or of the to in on at for from by with about into like near over under around against after before "
    "during her his their our my its some this that who which".split()
)
_LIGHT_VERBS: Final = frozenset({"play", "playing", "do", "doing"})
"""Verbs that add nothing to an activity: playing football is football."""
_CONJUNCTIONS: Final = frozenset({"and", "or"})
_INDEFINITE: Final = re.compile(r"(?:an?|some|another|any) ", re.IGNORECASE)


def content_words(name: ParsedName) -> frozenset[str]:
    """Return the words of a name without articles, prepositions and the like; all of them if there are no others."""
    return frozenset(name.words) - _SMALL or frozenset(name.words)


def is_new(name: ParsedName, text: str = "") -> bool:
    """Whether the name introduces something new: it has an indefinite article, or ``text`` calls it another one."""
    return _INDEFINITE.match(name.text) is not None or f"another {' '.join(name.words)}" in text.casefold()


def is_plural(name: ParsedName) -> bool:
    """Whether the name is a plural: 'recipes', not 'class'."""
    return name.head.endswith("s") and not name.head.endswith(("ss", "us", "is"))


def has_same_words(one: ParsedName, two: ParsedName) -> bool:
    """Whether two names have the same words in another form or order; a plural is another thing.

    'surf' and 'surfing', 'camping trip with family' and 'family camping trip'.
    """
    if one.words == two.words or _stems(one) != _stems(two) or _stem(one.head) != _stem(two.head):
        return False
    return not any(_is_plural_of_other(word, other) for word in content_words(one) for other in content_words(two))


def is_more_specific(one: ParsedName, two: ParsedName) -> bool:
    """Whether one name has the same head as the other and more words: 'guitar' and 'acoustic guitar', in either order.

    A list of several things is not more specific: 'fashion' and 'dance and fashion'.
    """
    short, long = sorted((one, two), key=lambda name: len(content_words(name)))
    return content_words(short) < content_words(long) and short.head == long.head and _is_list(long) <= _is_list(short)


def is_same_up_to_head(name: ParsedName, names: Iterable[ParsedName]) -> bool:
    """Whether one of ``names`` has the same words up to its head: for 'friends', 'friends from church' has."""
    return any(_up_to_head(name) == _up_to_head(each) for each in names)


def _up_to_head(name: ParsedName) -> tuple[str, ...]:
    return name.words[: name.words.index(name.head) + 1]


def _is_list(name: ParsedName) -> bool:
    """Whether a conjunction stands before the head: 'love and loyalty', not 'box with tea and milk'."""
    return not _CONJUNCTIONS.isdisjoint(_up_to_head(name))


def _is_plural_of_other(one: str, two: str) -> bool:
    short, long = sorted((one, two), key=len)
    return long in {f"{short}s", f"{short}es", f"{short[:-1]}ies"}


@lru_cache(maxsize=65536)
def _stems(name: ParsedName) -> tuple[str, ...]:
    words = content_words(name)
    return tuple(sorted(_stem(word) for word in words - _LIGHT_VERBS or words))


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    from mem0g.text.stemming import tokens

    return "".join(tokens(word)) or word
