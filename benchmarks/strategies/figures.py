"""The figures of strategies: one row for each strategy and budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from benchmarks.answers.examination import Outcome
from benchmarks.locomo import CATEGORIES
from benchmarks.report import Row
from benchmarks.strategies.running import Asked, Run
from benchmarks.timing import percentile
from mem0g.strategies import STRATEGIES

_ORDER = {name: place for place, name in enumerate(STRATEGIES)}


def rows(done: Run, outcomes: Sequence[Outcome] = ()) -> list[Row]:
    """Return a row for each strategy and budget.

    ``recall`` is the mean share of a question's gold turns that is covered, also by category, ``words`` that of its
    answer's words in the text, both in percent; ``tokens`` the mean size of a context. ``calls`` are those of a model
    for each message added, ``add_ms`` and ``context_ms`` medians of processor time. With ``outcomes``: the percentages
    judged right (``J``) and strictly right, of those that could be judged.
    """
    groups: dict[tuple[str, int | None], list[Asked]] = defaultdict(list)
    for each in done.asked:
        groups[each.strategy, each.budget].append(each)
    judged = _judged(outcomes)
    return [
        {
            "strategy": strategy,
            **({"budget": budget} if budget else {}),
            **_found(group),
            "calls": round(done.added[strategy].calls_per_message, 2),
            "add_ms": percentile(done.added[strategy].milliseconds, 50),
            "context_ms": percentile([each.milliseconds for each in group], 50),
            "n": len(group),
            **judged.get((strategy, budget), {}),
        }
        for (strategy, budget), group in sorted(groups.items(), key=lambda each: (_ORDER[each[0][0]], each[0][1] or 0))
    ]


def tables(found: Sequence[Row]) -> Mapping[str, list[Row]]:
    """Return the tables to print: what is found at which cost, and evidence recall by category."""
    categories = set(CATEGORIES.values())
    return {
        "evidence and cost": [{key: row[key] for key in row if key not in categories} for row in found],
        "evidence recall by category": [
            {key: row[key] for key in row if key in ("strategy", "budget") or key in categories} for row in found
        ],
    }


def _found(group: Sequence[Asked]) -> Row:
    told = [each.score.words for each in group if each.score.words is not None]
    found: Row = {
        "recall": _percent([each.score.recall for each in group]),
        "words": _percent(told),
        "tokens": round(fmean(each.score.tokens for each in group)),
    }
    for number, category in CATEGORIES.items():
        some = [each.score.recall for each in group if each.question.category == number]
        if some:
            found[category] = _percent(some)
    return found


def _judged(outcomes: Sequence[Outcome]) -> Mapping[tuple[str, int | None], Row]:
    groups: dict[tuple[str, int | None], list[Outcome]] = defaultdict(list)
    for each in outcomes:
        groups[each.task.system, each.task.budget].append(each)
    made: dict[tuple[str, int | None], Row] = {}
    for key, group in groups.items():
        counted = [each for each in group if each.judged]
        if counted:
            made[key] = {
                "J": _percent([each.correct for each in counted]),
                "strict": _percent([each.strict for each in counted]),
                "judged": len(counted),
            }
    return made


def _percent(shares: Sequence[float]) -> float:
    return round(100 * fmean(shares), 1) if shares else 0.0
