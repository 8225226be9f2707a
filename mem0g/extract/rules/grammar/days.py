"""Names of days: of the week, also abbreviated before a number, and those of a month in words."""

from __future__ import annotations

import re

from mem0g.text.english import ORDINALS, WEEKDAY_ABBREVIATIONS, WEEKDAYS

WEEKDAY = rf"(?:(?:{'|'.join(WEEKDAYS)})|(?<=last |next |this )(?:{'|'.join(WEEKDAY_ABBREVIATIONS)})\b)"
DAY_NAME = rf"(?:{WEEKDAY}|(?:{'|'.join(WEEKDAY_ABBREVIATIONS)})\b\.?)"
"""A weekday before the number of a day, also abbreviated: "sat 15 feb"."""
_TEENS = "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
_TENS = {f"twenty-{word}": 20 + number for number, word in enumerate(ORDINALS[:9], start=1)} | {
    "thirtieth": 30,
    "thirty-first": 31,
}
_DAY_WORDS = _TENS | {word: number for number, word in enumerate((*ORDINALS, *_TEENS), start=1)}
DAY_WORD = "|".join(_DAY_WORDS)
"""Days of a month in words: the first (of June)."""


def in_figures(words: str) -> str:
    """Return ``words`` with the days of a month in figures: "1 of June" for "first of June"."""
    return re.sub(DAY_WORD, lambda word: str(_DAY_WORDS[word[0].lower()]), words, flags=re.IGNORECASE)
