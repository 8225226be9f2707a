"""Count what contexts cover: shares of the evidence by method, budget and ability, and what was said to be unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from benchmarks.beam.methods import Found, Method
from benchmarks.beam.reading import ABSTENTION, BeamChat, BeamQuestion
from benchmarks.recall.scoring import tokens
from benchmarks.report import Row

ALL = "all"
"""The slice of all questions that have evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of a chat, and the context of a method for it within a budget; ``budget`` is None without one."""

    chat: str
    question: BeamQuestion
    method: str
    budget: int | None
    found: Found

    @property
    def covered(self) -> float | None:
        """The share of the evidence covered, None for a question without evidence."""
        gold = self.question.gold
        return len(gold & self.found.messages) / len(gold) if gold else None

    @property
    def described(self) -> Row:
        """The question and what was asked for, to begin a row for reading with."""
        question = {"chat": self.chat, "ability": self.question.ability, "question": self.question.text}
        return {**question, "method": self.method, "budget": self.budget}


def ask(method: Method, chat: BeamChat, budgets: Sequence[int]) -> Iterator[Asked]:
    """Yield the contexts of a method for all questions of a chat, within each of the budgets."""
    for budget in budgets:
        for question in chat.questions:
            found = method.within(question.text, budget)
            yield Asked(chat=chat.name, question=question, method=method.name, budget=budget, found=found)


def rows(given: Iterable[Asked]) -> list[Row]:
    """Return a row for each method, budget and slice: "all", and each ability; figures are percentages.

    ``evidence`` is the mean share of the evidence messages covered, ``hit`` the share of questions with at least one of
    them, ``full`` with all. ``unknown`` is the share of questions whose context says that nothing is known: right for
    abstention, wrong for all others. ``tokens`` is the mean size of a context, ``n`` the number of questions.
    """
    kept: dict[tuple[str, int | None, str], list[Asked]] = {}
    for each in given:
        ability = each.question.ability
        for name in (ability,) if ability == ABSTENTION else (ALL, ability):
            kept.setdefault((each.method, each.budget, name), []).append(each)
    order = sorted(kept.items(), key=lambda item: (item[0][0] != "mem0g", item[0][2] != ALL))
    return [
        {"method": method, "budget": budget, "slice": name, **_figures(some)} for (method, budget, name), some in order
    ]


def _figures(some: Sequence[Asked]) -> Row:
    covered = [each.covered for each in some if each.covered is not None]
    unknown = [not each.found.known for each in some if each.found.known is not None]
    return {
        "evidence": percent(covered),
        "hit": percent([share > 0 for share in covered]),
        "full": percent([share == 1 for share in covered]),
        "unknown": percent(unknown),
        "tokens": round(fmean(tokens(each.found.text) for each in some), 1),
        "n": len(some),
    }


def percent(shares: Sequence[float]) -> float | None:
    """Return the mean share in percent, None when there is none."""
    return round(100 * fmean(shares), 2) if shares else None


def details(given: Iterable[Asked]) -> list[dict[str, Any]]:
    """Return for each question of mem0g what was covered and what was missed, for reading by cause."""
    return [
        {
            **each.described,
            "covered": _ordered(each.question.gold & each.found.messages),
            "missed": _ordered(each.question.gold - each.found.messages),
            "known": each.found.known,
        }
        for each in given
        if each.found.known is not None
    ]


def _ordered(ids: Iterable[str]) -> list[str]:
    return sorted(ids, key=lambda each: (len(each), each))


def table(found: Sequence[Row], method: str, figure: str) -> list[Row]:
    """Return one figure of a method as a table: a row for each slice, a column for each budget."""
    made: dict[str, Row] = {}
    for row in found:
        if row["method"] == method and row[figure] is not None:
            made.setdefault(row["slice"], {"slice": row["slice"]})[str(row["budget"] or figure)] = row[figure]
    return [each | {"n": _count(found, method, name)} for name, each in made.items()]


def _count(found: Sequence[Row], method: str, name: str) -> int:
    return next(int(row["n"]) for row in found if (row["method"], row["slice"]) == (method, name))
