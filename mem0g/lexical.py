"""Words as keyword search sees them: folded, stemmed, stop words out; Chinese, Japanese and Korean by bigrams."""

from __future__ import annotations

import re
from functools import lru_cache

import snowballstemmer

from mem0g.names import fold, words

STOP_WORDS = frozenset(
    "a about after all also am an and any are as at be because been before being but by can could did do does doing "
    "during each for from had has have having he her here hers him his how i if in into is it its just me more most my "
    "no nor not of off on once only or other our out over own s same she should so some such t than that the their "
    "theirs them then there these they this those through to too under until up very was we were what when where which "
    "while who whom why will with would you your yours".split()
)
"""English function words: they say nothing about which fact is meant (the usual list of Snowball, shortened)."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUNS = re.compile(f"[{_CJK}]+|[^{_CJK}]+")
_STEMMER = snowballstemmer.stemmer("english")


def tokens(text: str) -> list[str]:
    """The stems of ``text`` in order, stop words left out; a run of CJK characters gives its overlapping bigrams."""
    found: list[str] = []
    runs = (run for word in words(fold(text)) for run in _RUNS.findall(word))
    for run in runs:
        if re.match(f"[{_CJK}]", run):
            found += [run[i : i + 2] for i in range(max(1, len(run) - 1))]
        elif run not in STOP_WORDS:
            found.append(_stem(run))
    return found


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))
