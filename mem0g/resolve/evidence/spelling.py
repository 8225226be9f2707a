"""Whether two names are spellings of one: accents, abbreviations, a wrong letter, numbers, acronyms and dates."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from mem0g.resolve.names import ParsedName
from mem0g.text.english import MONTH, NUMBERS, ORDINALS, ROMAN_NUMERALS, month_number

_PLAIN: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_ABBREVIATED: Final = {
    "saint": "st", "sankt": "st", "sainte": "st", "ste": "st", "mount": "mt", "fort": "ft", "doctor": "dr",
    "mister": "mr", "brothers": "bros", "company": "co", "corporation": "corp", "incorporated": "inc",
    "limited": "ltd", "department": "dept", "junior": "jr", "senior": "sr", "international": "intl",
    "street": "st", "avenue": "ave", "versus": "vs",
}  # fmt: skip
_NUMBERS: Final = {
    word: str(number) for words in (ORDINALS, NUMBERS[1:], ROMAN_NUMERALS) for number, word in enumerate(words, start=1)
}
"""The numbers up to twelve as words and Roman numerals: World War II is the Second World War."""
_MIN_MISSPELLED: Final = 7
"""Letters a word needs before one of them may be wrong: Marina and Martina are two names."""
_LATIN_ACCENTS: Final = range(0x300, 0x370)
"""Accents of Latin, Greek and Cyrillic letters; marks of other scripts are vowels and consonants of their own."""
_MODIFIER_LETTERS: Final = range(0x2B0, 0x300)
"""Raised letters and half rings, as in Qurʾān."""

_SKIPPED: Final = frozenset(
    "of the and for in on at a an to by with de la le les du des da do dos der die das und et y e el il di del".split()
)
"""Words that an acronym may skip, in the languages that acronyms in English text come from."""
_OUTER: Final = frozenset(
    "inc ltd limited llc corp co plc gmbh mbh ag sa spa nv ab as asa usa us uk u.s american british".split()
)
"""Words before or after a name that its acronym leaves out: the U.S. Office of Management and Budget is the OMB."""
_MAX_ACRONYM: Final = 10
"""Letters of an acronym at most; a longer word in capitals is emphasis."""
_MAX_WORDS_PER_LETTER: Final = 3
"""Words of a name for each letter of its acronym at most; a longer text is a description."""
_MIN_TWO_LETTERS: Final = 7
"""Letters from which a word may give two to an acronym: South[e]ast in ASEAN."""

_MONTH: Final = rf"(?P<month>{MONTH})\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>\d{4})"
_DATE_FORMATS: Final = tuple(
    re.compile(form)
    for form in (
        rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?: ?,? {_YEAR})?",
        rf"{_MONTH} (?:the )?{_DAY}(?: ?,? {_YEAR})?",
        rf"{_MONTH} ?,? ?(?:of )?{_YEAR}",
        rf"{_YEAR}-(?P<month>\d\d)(?:-(?P<day>\d\d))?",
        _YEAR,
    )
)


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """Return the text folded and without accents: 'lorien' for 'Lórien', 'quran' for 'Qurʾān'."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = (char for char in decomposed if ord(char) not in _LATIN_ACCENTS and ord(char) not in _MODIFIER_LETTERS)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_PLAIN)


def plain_words(name: ParsedName) -> tuple[str, ...]:
    """Return the words of a name without accents."""
    return tuple(map(plain, name.words))


def is_same_spelling(one: ParsedName, two: ParsedName) -> bool:
    """Whether two names differ in accents, hyphens, abbreviations or repeated letters only.

    'Lórien' and 'Lorien', 'Ho-Chunk' and 'Hochunk', 'St. Louis' and 'Saint Louis', 'Saraaah' and 'Sarah'.
    """
    return _letters(one) == _letters(two) != ""


def is_misspelled(one: ParsedName, two: ParsedName) -> bool:
    """Whether two names differ in one letter within one long word: 'Zachary Berg' and 'Zakhary Berg'."""
    words, others = plain_words(one), plain_words(two)
    differing = [(a, b) for a, b in zip(words, others, strict=False) if a != b]
    if len(words) != len(others) or len(differing) != 1:
        return False
    first, second = sorted(differing[0], key=len)
    if len(first) < _MIN_MISSPELLED or (first[0], first[-1]) != (second[0], second[-1]):
        return False
    if not (first + second).isascii() or not (first + second).isalpha():
        return False
    same = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), len(first))
    return first[same + 1 :] == second[same + 1 :] or first[same:] == second[same + 1 :]


def is_same_but_for_number(one: ParsedName, two: ParsedName) -> bool:
    """Whether two names have the same words and the same number in other writing: World War II, Second World War."""
    words, number = _split_number(one)
    others, other = _split_number(two)
    return bool(number) and number == other and bool(words) and words == others


def is_acronym(short: ParsedName, long: ParsedName) -> bool:
    """Whether ``short`` is an acronym of ``long``: UN of United Nations, CS:GO of Counter-Strike: Global Offensive."""
    letters = _acronym_letters(short.text)
    if not letters:
        return False
    words = tuple(plain(word) for part in long.words for word in re.findall(r"[^\W_]+", part))
    if not max(1, len(short.words)) < len(words) <= _MAX_WORDS_PER_LETTER * len(letters):
        return False
    starts = (0, 1) if words[0] in _OUTER and len(words) > 2 else (0,)
    return any(_abbreviates(letters, words[start:]) for start in starts)


def initials(name: ParsedName) -> frozenset[str]:
    """Return the folded acronyms that the first letters of a name make, with and without its small words."""
    words = [plain(word) for part in name.words for word in re.findall(r"[^\W_]+", part)]
    found = {"".join(word[0] for word in kept) for kept in (words, [word for word in words if word not in _SKIPPED])}
    return frozenset(each for each in found if 2 <= len(each) <= _MAX_ACRONYM and len(words) >= 2)


def is_same_date(one: ParsedName, two: ParsedName) -> bool:
    """Whether both are dates that give the same year, month and day: 5 May 1990, May 5th, 1990 and 1990-05-05."""
    first = _date(one.text)
    return first is not None and first == _date(two.text)


@lru_cache(maxsize=65536)
def _letters(name: ParsedName) -> str:
    words = plain_words(name)
    short = [re.sub(r"([a-z])\1{2,}", r"\1", _ABBREVIATED.get(word, word)) for word in words if word not in _NUMBERS]
    numbers = [word for word in words if word in _NUMBERS]
    return f"{name.owner}'s " * bool(name.owner) + "".join(filter(str.isalnum, "".join((*short, *numbers))))


def _split_number(name: ParsedName) -> tuple[tuple[str, ...], str]:
    """Return the words that are no numbers, and the numbers in digits."""
    words = plain_words(name)
    numbers = [_NUMBERS.get(word, word) for word in words if word in _NUMBERS or word.isdigit()]
    rest = tuple(word for word in words if word not in _NUMBERS and not word.isdigit())
    return rest, " ".join(numbers)


@lru_cache(maxsize=65536)
def _acronym_letters(text: str) -> str:
    """Return the folded letters of an acronym, "" for any other text: 'csgo' for 'CS:GO', 'pow' for 'POWs'."""
    letters = "".join(char for char in text if char.isalnum())
    if letters.endswith("s") and letters[:-1].isupper() and len(letters) > 2:
        letters = letters[:-1]
    capitals = sum(char.isupper() for char in letters)
    runs = re.findall(r"[^\W_]+", text)
    is_one = len(letters) <= _MAX_ACRONYM and all(run[0].isupper() or run.isdigit() for run in runs)
    short_runs = len(runs) == 1 or all(len(run) <= 2 or run.isupper() for run in runs)
    return plain(letters) if is_one and short_runs and capitals >= 2 and capitals * 2 > len(letters) else ""


@lru_cache(maxsize=65536)
def _abbreviates(letters: str, words: tuple[str, ...], begun: bool = False) -> bool:
    """Whether the letters are the beginnings of the words in order; small words may be skipped."""
    if not words:
        return not letters
    word, rest = words[0], words[1:]
    if not letters:
        return all(each in _SKIPPED or each in _OUTER for each in words)
    if begun and word in _SKIPPED and _abbreviates(letters, rest, True):
        return True
    return any(_abbreviates(letters[size:], rest, True) for size in _prefix_sizes(letters, word))


def _prefix_sizes(letters: str, word: str) -> list[int]:
    """Return how many letters a word may give: its first, all of a number, two of a long word."""
    sizes = [1] if letters[0] == word[0] else []
    if word in _NUMBERS or word.isdigit():
        sizes += [len(form) for form in _forms_of_number(word) if letters.startswith(form)]
    if word in _OUTER and letters.startswith(word):
        sizes.append(len(word))
    if sizes and len(word) >= _MIN_TWO_LETTERS and len(letters) > 1 and letters[1] in word[3:]:
        sizes.append(2)
    return sizes


def _forms_of_number(number: str) -> set[str]:
    value = _NUMBERS.get(number, number)
    return {value, *(word for word, other in _NUMBERS.items() if other == value)}


@lru_cache(maxsize=8192)
def _date(text: str) -> tuple[int, int, int] | None:
    """Return year, month and day of a date, 0 for what it leaves out; None for any other text."""
    for form in _DATE_FORMATS:
        if found := form.fullmatch(text.casefold()):
            parts = found.groupdict()
            return int(parts.get("year") or 0), _month(parts.get("month") or "0"), int(parts.get("day") or 0)
    return None


def _month(name: str) -> int:
    if name.isdigit():
        return int(name)
    return month_number(name)
