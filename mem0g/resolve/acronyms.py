"""Acronyms and what they stand for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mem0g.resolve.names import Name
from mem0g.resolve.spelling import NUMBERS, plain

_SMALL: Final = frozenset(
    "of the and for in on at a an to by with de la le les du des da do dos der die das und et y e el il di del".split()
)
"""Words that an acronym may pass over, in the languages that acronyms in English text come from."""
_AROUND: Final = frozenset(
    "inc ltd limited llc corp co plc gmbh mbh ag sa spa nv ab as asa usa us uk u.s american british".split()
)
"""Words before or after a name that its acronym leaves out: the U.S. Office of Management and Budget is the OMB."""
_LONGEST: Final = 10
"""Letters of an acronym; longer words in capitals are shouted."""
_WORDS_A_LETTER: Final = 3
"""Words of a name for each letter of its acronym at most; more is a description."""
_LONG_WORD: Final = 7
"""Letters from which a word may give two: South[e]ast in ASEAN."""


def is_acronym(short: Name, long: Name) -> bool:
    """CS:GO and Counter-Strike: Global Offensive, UN and United Nations, UK and United Kingdom."""
    letters = _letters(short.text)
    if not letters:
        return False
    words = tuple(plain(word) for part in long.words for word in re.findall(r"[^\W_]+", part))
    if not max(1, len(short.words)) < len(words) <= _WORDS_A_LETTER * len(letters):
        return False
    return any(_spell(letters, words[start:]) for start in _starts(words))


def initials(name: Name) -> frozenset[str]:
    """The acronyms that the first letters of a name make, folded, with its small words and without."""
    words = [plain(word) for part in name.words for word in re.findall(r"[^\W_]+", part)]
    found = {"".join(word[0] for word in kept) for kept in (words, [word for word in words if word not in _SMALL])}
    return frozenset(each for each in found if 2 <= len(each) <= _LONGEST and len(words) >= 2)


def _starts(words: tuple[str, ...]) -> tuple[int, ...]:
    return (0, 1) if words[0] in _AROUND and len(words) > 2 else (0,)


@lru_cache(maxsize=65536)
def _letters(text: str) -> str:
    """The letters of an acronym, folded; "" of what is none: of 'CS:GO' 'csgo', of 'U. S.' 'us', of 'POWs' 'pow'."""
    letters = "".join(char for char in text if char.isalnum())
    if letters.endswith("s") and letters[:-1].isupper() and len(letters) > 2:
        letters = letters[:-1]
    capitals = sum(char.isupper() for char in letters)
    runs = re.findall(r"[^\W_]+", text)
    is_one = len(letters) <= _LONGEST and all(run[0].isupper() or run.isdigit() for run in runs)
    short_runs = len(runs) == 1 or all(len(run) <= 2 or run.isupper() for run in runs)
    return plain(letters) if is_one and short_runs and capitals >= 2 and capitals * 2 > len(letters) else ""


@lru_cache(maxsize=65536)
def _spell(letters: str, words: tuple[str, ...], begun: bool = False) -> bool:
    """Whether the letters are the beginnings of the words in order, small words where wanted."""
    if not words:
        return not letters
    word, rest = words[0], words[1:]
    if not letters:
        return all(each in _SMALL or each in _AROUND for each in words)
    if begun and word in _SMALL and _spell(letters, rest, True):
        return True
    return any(_spell(letters[taken:], rest, True) for taken in _taken(letters, word))


def _taken(letters: str, word: str) -> list[int]:
    """How many letters a word may give: its first, a number whole, of a long word two."""
    found = [1] if letters[0] == word[0] else []
    if word in NUMBERS or word.isdigit():
        found += [len(form) for form in _forms(word) if letters.startswith(form)]
    if word in _AROUND and letters.startswith(word):
        found.append(len(word))
    if found and len(word) >= _LONG_WORD and len(letters) > 1 and letters[1] in word[3:]:
        found.append(2)
    return found


def _forms(number: str) -> set[str]:
    value = NUMBERS.get(number, number)
    return {value, *(word for word, other in NUMBERS.items() if other == value)}
