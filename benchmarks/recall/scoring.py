"""Two measures of equal rank: the shares of a question's gold turns, and of its answer's words, that a result has."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from benchmarks.locomo import CATEGORIES, Question
from mem0g.text.stemming import tokens as stems

TOKENS_PER_WORD = 1.3
"""Tokens of English prose per word, the same estimate for every method."""

TWO_PEOPLE = "two people"

SLICES = ("all", *map(str, CATEGORIES), TWO_PEOPLE)
"""All questions, those of each category, and those that name both speakers."""

_MONTHS = {name.casefold(): str(number) for number, name in enumerate(month_name) if name}

_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b(?=,? \d)|(?<=\d )(?:{'|'.join(_MONTHS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Returned:
    """A method's result for a question: its text, and the ids of the turns it covers."""

    text: str
    turns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """Shares of a question's turns and answer words that a result covers, and the tokens used.

    The share of words is None for an answer without words.
    """

    slices: frozenset[str]
    recall: float
    tokens: float
    words: float | None


def tokens(text: str) -> float:
    """Return the estimated tokens of ``text``: words × 1.3."""
    return len(text.split()) * TOKENS_PER_WORD


def score(question: Question, returned: Returned) -> Score:
    """Score ``returned`` against the question's gold."""
    covered = len(question.gold & returned.turns) / len(question.gold)
    slices = {"all", str(question.category), *([TWO_PEOPLE] if question.names_two else [])}
    answer = words(question.answer)
    share = len(answer & words(returned.text)) / len(answer) if answer else None
    return Score(frozenset(slices), covered, tokens(returned.text), share)


def words(text: str) -> frozenset[str]:
    """Return the stems of ``text`` without stop words; "7 May 2023" and "2023-05-07" give the same."""
    dated = _MONTH.sub(lambda month: _MONTHS[month[0].casefold()], text)
    return frozenset(stem.lstrip("0") or stem for stem in stems(dated))


def rows(method: str, limit: dict[str, int], scores: Sequence[Score]) -> list[dict[str, Any]]:
    """Return a row for each slice that has questions; ``limit`` is {"budget": tokens}, {"k": hits} or {}.

    ``recall`` is the mean share of gold turns covered, ``words`` the mean share of the answer's words in the text,
    ``hit`` the share of questions with at least one gold turn covered, ``full`` with all; all in percent. ``tokens``
    is the mean, ``n`` the number of questions.
    """
    sliced = {name: [each for each in scores if name in each.slices] for name in SLICES}
    return [{"method": method, "slice": name, **limit, **_means(some)} for name, some in sliced.items() if some]


def _means(scores: Sequence[Score]) -> dict[str, float]:
    return {
        "recall": _percent(each.recall for each in scores),
        "words": _percent(each.words for each in scores if each.words is not None),
        "hit": _percent(each.recall > 0 for each in scores),
        "full": _percent(each.recall == 1 for each in scores),
        "tokens": round(fmean(each.tokens for each in scores), 1),
        "n": len(scores),
    }


def _percent(shares: Iterable[float]) -> float:
    known = list(shares)
    return round(100 * fmean(known), 2) if known else 0.0
