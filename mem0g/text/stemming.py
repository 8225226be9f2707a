"""Words as keyword search sees them: folded, stemmed, stop words out; Chinese, Japanese and Korean by characters."""

from __future__ import annotations

import re
from functools import lru_cache
from threading import Lock

import snowballstemmer

from mem0g.text.english import STOP_WORDS
from mem0g.text.names import fold, words
from mem0g.text.scripts import CJK, CJK_CHARACTER, HAN

STOP_CHARACTERS = frozenset(
    "的了着过得地是在有和与及或也都就还很太又再没不别吗呢吧啊呀哦嗯个这那哪么什谁怎我你您他她它们咱自己上下里来去要会能到从把被给让跟对为向"
    "于以而且但却如果因所之其此些每某"
)
"""Chinese characters that stand in sentences about anything: alone they say nothing, in a pair they may."""

_IDEOGRAPH = re.compile(f"[{HAN}]")
_RUNS = re.compile(f"[{CJK}]+|[^{CJK}]+")
_STEMMER = snowballstemmer.stemmer("english")
_STEMMING = Lock()
"""The stemmer keeps the word that it works on in itself, so one thread at a time may use it."""


def tokens(text: str) -> list[str]:
    """The stems of ``text`` in order, stop words left out; a run of CJK characters gives what ``_characters`` says."""
    found: list[str] = []
    runs = (run for word in words(fold(text)) for run in _RUNS.findall(word))
    for run in runs:
        if CJK_CHARACTER.match(run):
            found += _characters(run)
        elif run not in STOP_WORDS:
            found.append(_stem(run))
    return found


@lru_cache(maxsize=65536)
def token_set(text: str) -> frozenset[str]:
    """The distinct stems of a short text that is asked for again and again: a name, a relation."""
    return frozenset(tokens(text))


def _characters(run: str) -> list[str]:
    """The overlapping pairs of a run, then its ideographs one by one, as a Chinese word may be one character.

    "Father" is 父亲, 爸爸 and 爸: pairs alone find none by another. By keywords alone, the
    single characters bring the turn asked for first in 45 of 100 questions about Chinese dialogues, pairs in 39.
    """
    if len(run) == 1:
        return [run]
    pairs = [run[place : place + 2] for place in range(len(run) - 1)]
    return pairs + [each for each in _IDEOGRAPH.findall(run) if each not in STOP_CHARACTERS]


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    with _STEMMING:
        return str(_STEMMER.stemWord(word))
