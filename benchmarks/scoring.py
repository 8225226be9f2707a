"""Evidence recall: which of the turns that answer a question what was returned covers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from benchmarks.locomo import CATEGORIES, Question

TOKENS_PER_WORD = 1.3
"""Tokens of English prose per word, the same estimate for every method."""

SLICES = ("all", *map(str, CATEGORIES))
"""All questions, and those of each category."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a method gives for a question: its text, and the ids of the turns that this covers."""

    text: str
    turns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Score:
    """Of one question: the share of its turns that is covered, and the tokens it took."""

    category: int
    recall: float
    tokens: float


def tokens(text: str) -> float:
    """The tokens that ``text`` is taken to cost: words × 1.3."""
    return len(text.split()) * TOKENS_PER_WORD


def score(question: Question, returned: Returned) -> Score:
    """How well ``returned`` covers the question's gold."""
    covered = len(question.gold & returned.turns) / len(question.gold)
    return Score(question.category, covered, tokens(returned.text))


def rows(method: str, limit: dict[str, int], scores: Sequence[Score]) -> list[dict[str, Any]]:
    """A row for each slice that has questions; ``limit`` is {"budget": tokens} or {"k": hits}.

    ``recall`` is the mean share of gold turns covered, ``hit`` the share of questions with at least one covered,
    ``full`` with all; percent. ``tokens`` is the mean, ``n`` the number of questions.
    """
    sliced = {name: [each for each in scores if name in ("all", str(each.category))] for name in SLICES}
    return [{"method": method, "slice": name, **limit, **_means(some)} for name, some in sliced.items() if some]


def _means(scores: Sequence[Score]) -> dict[str, float]:
    return {
        "recall": _percent(each.recall for each in scores),
        "hit": _percent(each.recall > 0 for each in scores),
        "full": _percent(each.recall == 1 for each in scores),
        "tokens": round(fmean(each.tokens for each in scores), 1),
        "n": len(scores),
    }


def _percent(shares: Iterable[float]) -> float:
    return round(100 * fmean(shares), 2)
