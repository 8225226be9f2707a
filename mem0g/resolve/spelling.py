"""The letters of names: what is left of two spellings of one name when case, marks and punctuation are gone."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from mem0g.resolve.names import Name
from mem0g.text import english
from mem0g.text.english import ORDINALS, ROMAN_NUMERALS

_PLAIN: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_ABBREVIATED: Final = {
    "saint": "st", "sankt": "st", "sainte": "st", "ste": "st", "mount": "mt", "fort": "ft", "doctor": "dr",
    "mister": "mr", "brothers": "bros", "company": "co", "corporation": "corp", "incorporated": "inc",
    "limited": "ltd", "department": "dept", "junior": "jr", "senior": "sr", "international": "intl",
    "street": "st", "avenue": "ave", "versus": "vs",
}  # fmt: skip
NUMBERS: Final = {
    word: str(number)
    for words in (ORDINALS, english.NUMBERS[1:], ROMAN_NUMERALS)
    for number, word in enumerate(words, start=1)
}
"""The numbers up to twelve in letters, of any kind: World War II is the Second World War."""
_LONG_ENOUGH: Final = 7
"""Letters of a word of which one may be wrong: of shorter ones another is another name, as Marina and Martina."""
_MARKS_OF_LATIN: Final = range(0x300, 0x370)
"""Accents of Latin, Greek and Cyrillic letters; marks of other scripts are vowels and consonants of their own."""
_RAISED: Final = range(0x2B0, 0x300)
"""Raised letters and half rings, as in Qurʾān."""


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """The text folded, without accents: of 'Lórien' 'lorien', of 'Qurʾān' 'quran'."""
    taken_apart = unicodedata.normalize("NFKD", text.casefold())
    kept = (char for char in taken_apart if ord(char) not in _MARKS_OF_LATIN and ord(char) not in _RAISED)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_PLAIN)


def plain_words(name: Name) -> tuple[str, ...]:
    """The words of a name without accents."""
    return tuple(map(plain, name.words))


def is_same_spelling(one: Name, two: Name) -> bool:
    """'Lórien' and 'Lorien', 'Ho-Chunk' and 'Hochunk', 'St. Louis' and 'Saint Louis', 'Saraaah' and 'Sarah'."""
    return _letters(one) == _letters(two) != ""


def is_misspelled(one: Name, two: Name) -> bool:
    """'Zachary Berg' and 'Zakhary Berg', 'Tobolsk' and 'Tobolesk': one letter within one long word."""
    words, others = plain_words(one), plain_words(two)
    differing = [(a, b) for a, b in zip(words, others, strict=False) if a != b]
    if len(words) != len(others) or len(differing) != 1:
        return False
    first, second = sorted(differing[0], key=len)
    if len(first) < _LONG_ENOUGH or (first[0], first[-1]) != (second[0], second[-1]) or not _is_latin(first + second):
        return False
    same = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), len(first))
    return first[same + 1 :] == second[same + 1 :] or first[same:] == second[same + 1 :]


def is_same_but_for_number(one: Name, two: Name) -> bool:
    """'World War II' and 'Second World War': the same words in order, and the same number wherever it stands."""
    words, number = _number_apart(one)
    others, other = _number_apart(two)
    return bool(number) and number == other and bool(words) and words == others


def _is_latin(letters: str) -> bool:
    return letters.isascii() and letters.isalpha()


@lru_cache(maxsize=65536)
def _letters(name: Name) -> str:
    words = plain_words(name)
    shortened = [re.sub(r"([a-z])\1{2,}", r"\1", _ABBREVIATED.get(word, word)) for word in words if word not in NUMBERS]
    numbers = [word for word in words if word in NUMBERS]
    return f"{name.owner}'s " * bool(name.owner) + "".join(filter(str.isalnum, "".join((*shortened, *numbers))))


def _number_apart(name: Name) -> tuple[tuple[str, ...], str]:
    words = plain_words(name)
    numbers = [NUMBERS.get(word, word) for word in words if word in NUMBERS or word.isdigit()]
    rest = tuple(word for word in words if word not in NUMBERS and not word.isdigit())
    return rest, " ".join(numbers)
