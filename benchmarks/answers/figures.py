"""Figures of the answers by system, budget and category."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import NormalDist, fmean

from benchmarks.answers.examination import Outcome
from benchmarks.locomo import CATEGORIES
from benchmarks.recall.scoring import SLICES
from benchmarks.report import Row
from mem0g.text.token_count import estimate_tokens

CONFIDENCE = 0.95

_MARKS = re.compile(r"[.,!?]")

_TOKEN = re.compile(r"['’]\w+|\w+(?:-\w+)*|[^\w\s]")


def wilson(right: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion, for ``right`` successes out of ``n`` (n > 0).

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), p = right/n (Wilson, JASA 22, 1927). It stays between 0 and 1,
    and is not empty when all are right.
    """
    z, p = NormalDist().inv_cdf((1 + confidence) / 2), right / n
    middle = p + z * z / (2 * n)
    spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, (middle - spread) / (1 + z * z / n)), min(1.0, (middle + spread) / (1 + z * z / n))


def rows(outcomes: Iterable[Outcome]) -> list[Row]:
    """Return a row for each system, budget and slice with questions; slices are "all" and each category's number.

    ``J`` is the percentage judged correct of the ``n`` that were judged, ``low`` and ``high`` its 95% interval;
    ``strict`` the percentage with everything essential, ``strict_low`` and ``strict_high`` its interval.
    ``failed`` questions count in no figure but the search times. ``f1`` and ``bleu1`` are percentages, ``tokens`` is
    the mean size of the contexts. Times are medians (p50) and 95th percentiles in seconds: ``search``, and ``total``
    with the answer (not the judge) over those answers whose time is known.
    """
    groups: dict[tuple[str, int | None], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.task.system, outcome.task.budget].append(outcome)
    return [
        {"method": system, "slice": name, **_limit(budget), **_figures(some)}
        for (system, budget), group in groups.items()
        for name in SLICES
        if (some := [each for each in group if name in ("all", str(each.task.asked.question.category))])
    ]


def _limit(budget: int | None) -> Row:
    return {"budget": budget} if budget else {}


def _figures(outcomes: Sequence[Outcome]) -> Row:
    judged = [each for each in outcomes if each.judged]
    known = [each.task.milliseconds / 1000 + each.seconds for each in outcomes if each.seconds is not None]
    return {
        **_marks(judged),
        "n": len(judged),
        "failed": len(outcomes) - len(judged),
        "tokens": round(fmean(estimate_tokens(each.task.context) for each in outcomes), 1),
        **_percentiles("search", [each.task.milliseconds / 1000 for each in outcomes]),
        **_percentiles("total", known),
    }


def _marks(judged: Sequence[Outcome]) -> Row:
    if not judged:
        return dict.fromkeys(("J", "low", "high", "strict", "strict_low", "strict_high", "f1", "bleu1"))
    right, strict = sum(each.correct for each in judged), sum(each.strict for each in judged)
    low, high = wilson(right, len(judged))
    strict_low, strict_high = wilson(strict, len(judged))
    pairs = [(each.answer, each.task.asked.question.answer) for each in judged]
    shares = {
        "J": right / len(judged),
        "low": low,
        "high": high,
        "strict": strict / len(judged),
        "strict_low": strict_low,
        "strict_high": strict_high,
        "f1": fmean(f1(*pair) for pair in pairs),
        "bleu1": fmean(bleu1(*pair) for pair in pairs),
    }
    return {name: round(100 * share, 1) for name, share in shares.items()}


def _percentiles(name: str, seconds: Sequence[float]) -> Row:
    import numpy as np

    values = np.percentile(seconds, (50, 95)) if seconds else (None, None)
    return {
        f"{name}_p{percent}": None if value is None else round(float(value), 4)
        for percent, value in zip((50, 95), values, strict=True)
    }


def tables(found: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the tables to print, by title: scores, scores by category, times; one line per system and budget."""
    overall = [row for row in found if row["slice"] == "all"]
    return {
        "judged right (J) and strictly right of all questions": [_marked(row) for row in overall],
        "judged right by category: J (95%) n": _by_category(found, "J"),
        "strictly right by category: strict (95%) n": _by_category(found, "strict"),
        "by category as in the Mem0 paper, and strict: F1 / BLEU-1 / J / strict": _as_in_the_paper(found),
        "seconds, p50/p95": [_timed(row) for row in overall],
    }


def _by_category(found: Sequence[Row], figure: str) -> list[Row]:
    lines: dict[tuple[object, object], Row] = {}
    for row in found:
        line = lines.setdefault((row["method"], row.get("budget")), _system(row))
        if row["slice"] != "all":
            line[row["slice"]] = f"{row[figure]} ({_interval(row, figure)}) {row['n']}" if row["n"] else ""
    return list(lines.values())


def _as_in_the_paper(found: Sequence[Row]) -> list[Row]:
    lines: dict[tuple[object, object], Row] = {}
    for row in found:
        line = lines.setdefault((row["method"], row.get("budget")), _system(row))
        if row["slice"] != "all":
            name = CATEGORIES[int(row["slice"])]
            line[name] = f"{row['f1']} / {row['bleu1']} / {row['J']} / {row['strict']}" if row["n"] else ""
    return list(lines.values())


def _marked(row: Row) -> Row:
    failed = {"failed": row["failed"]} if row["failed"] else {}
    marks = {"J": row["J"], "J 95%": _interval(row, "J"), "strict": row["strict"]}
    marks |= {"strict 95%": _interval(row, "strict"), "n": row["n"], **failed}
    return _system(row) | marks | {"F1": row["f1"], "BLEU-1": row["bleu1"], "tokens": row["tokens"]}


def _timed(row: Row) -> Row:
    return _system(row) | {name: _times(row, name) for name in ("search", "total")}


def _system(row: Row) -> Row:
    return {"method": row["method"], "budget": row.get("budget")}


def _interval(row: Row, figure: str) -> str:
    prefix = "" if figure == "J" else f"{figure}_"
    return f"{row[f'{prefix}low']:.0f}-{row[f'{prefix}high']:.0f}" if row["n"] else ""


def _times(row: Row, name: str) -> str:
    values = (row[f"{name}_p50"], row[f"{name}_p95"])
    return "" if None in values else "/".join(f"{value:.3f}" for value in values)


def details(outcomes: Iterable[Outcome]) -> list[Row]:
    """Return one row per question with its answer and labels, for reading."""
    return [
        {
            "method": each.task.system,
            **_limit(each.task.budget),
            "sample": each.task.asked.sample,
            "category": each.task.asked.question.category,
            "question": each.task.asked.question.text,
            "gold": each.task.asked.question.answer,
            "answer": each.answer,
            "label": each.judged.label if each.judged else None,
            "strict": each.judged.strict if each.judged else None,
            "reason": each.judged.reason if each.judged else None,
            **({"problem": each.problem} if each.problem else {}),
            "tokens": estimate_tokens(each.task.context),
            "seconds": each.seconds,
            "key": each.key,
        }
        for each in outcomes
    ]


def f1(answer: str, gold: str) -> float:
    """Return 2PR/(P+R) of the two *sets* of words; 0 when either is empty or they share none.

    Words are lower case, without . , ! ?, as in evaluation/metrics/utils.py of mem0ai/mem0. LOCOMO's own evaluation
    differs: it counts repeated words, stems them and drops articles.
    """
    said, expected = (set(_MARKS.sub(" ", text.lower()).split()) for text in (answer, gold))
    shared = len(said & expected)
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def bleu1(answer: str, gold: str) -> float:
    """Return the BLEU-1 score (Papineni et al., ACL 2002).

    It is the clipped unigram precision, times exp(1 - gold/answer) (in words) when the answer is shorter. Equal to
    nltk's sentence_bleu with weights (1, 0, 0, 0), whose smoothing does not affect single words. Words are lower case;
    punctuation marks and "'s" are separate words, as in nltk's word_tokenize.
    """
    said, expected = (_TOKEN.findall(text.lower()) for text in (answer, gold))
    shared = (Counter(said) & Counter(expected)).total()
    if not shared:
        return 0.0
    brevity = min(1.0, math.exp(1 - len(expected) / len(said)))
    return brevity * shared / len(said)
