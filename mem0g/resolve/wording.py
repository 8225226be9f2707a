"""Common names in other words: the same words in another form, or a word more or less about one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from mem0g.resolve.names import Name
from mem0g.text.english import NUMBERS

_SMALL: Final = frozenset(
    "a an and or of the to in on at for from by with about into like near over under around against after before "
    "during her his their our my its some this that who which".split()
)
_DOING: Final = frozenset({"play", "playing", "do", "doing"})
"""Verbs that only say that one does it: playing football is football."""
_COUNTS: Final = frozenset(NUMBERS[2:])
_LISTING: Final = frozenset({"and", "or"})
_INDEFINITE: Final = re.compile(r"(?:an?|some|another|any) ", re.IGNORECASE)


def content(name: Name) -> frozenset[str]:
    """The words of a name that say something."""
    return frozenset(name.words) - _SMALL or frozenset(name.words)


def is_new(name: Name, text: str = "") -> bool:
    """Whether the name introduces something that was not spoken of, "a team", or the text calls it another one."""
    return _INDEFINITE.match(name.text) is not None or f"another {' '.join(name.words)}" in text.casefold()


def is_plural(name: Name) -> bool:
    """Whether the name is of several things: 'recipes', not 'class'."""
    return name.head.endswith("s") and not name.head.endswith(("ss", "us", "is"))


def counted(name: Name) -> tuple[str, ...]:
    """The words of several things without how many they are: of 'two dogs' 'dogs'."""
    first, *rest = name.words
    is_count = first in _COUNTS or first.isdecimal()
    return tuple(rest) if is_count and rest and is_plural(name) else name.words


def same_words(one: Name, two: Name) -> bool:
    """'surf' and 'surfing', 'camping trip with family' and 'family camping trip'; a plural is several things."""
    if one.words == two.words or _stems(one) != _stems(two) or _stem(one.head) != _stem(two.head):
        return False
    return not any(_are_one_and_many(word, other) for word in content(one) for other in content(two))


def says_more(one: Name, two: Name) -> bool:
    """'guitar' and 'acoustic guitar', 'petition for veterans' and 'petition': the same head, and more words about it.

    Fashion is not dance and fashion.
    """
    short, long = sorted((one, two), key=lambda name: len(content(name)))
    return content(short) < content(long) and short.head == long.head and _lists(long) <= _lists(short)


def are_of_one_sort(name: Name, names: Iterable[Name]) -> bool:
    """Whether one of the names has the same words up to its head: close friends are some of the friends."""
    return any(_up_to_head(name) == _up_to_head(each) for each in names)


def _up_to_head(name: Name) -> tuple[str, ...]:
    return name.words[: name.words.index(name.head) + 1]


def _lists(name: Name) -> bool:
    """Whether several things stand before the end of the head: 'love and loyalty', not 'box with tea and milk'."""
    return not _LISTING.isdisjoint(_up_to_head(name))


def _are_one_and_many(one: str, two: str) -> bool:
    short, long = sorted((one, two), key=len)
    return long in {f"{short}s", f"{short}es", f"{short[:-1]}ies"}


@lru_cache(maxsize=65536)
def _stems(name: Name) -> tuple[str, ...]:
    words = content(name)
    return tuple(sorted(_stem(word) for word in words - _DOING or words))


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    from mem0g.text.stemming import tokens

    return "".join(tokens(word)) or word
