"""Conversations whose reference triples invalidate earlier ones: are those candidates, and are they retired?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.conflict import retired, shown
from benchmarks.conflict.references import read_gold
from benchmarks.conflict.retired import Retired, retired_by, retired_by_rules
from benchmarks.conflict.shown import Known, Shown, shown_by_engine
from benchmarks.embedders import CachedEmbedder
from benchmarks.report import Row, note
from benchmarks.timing import percentile
from mem0g.errors import InputError

if TYPE_CHECKING:
    from mem0g.embed.protocol import Embedder

ALL = "locomo"
"""Name of all conversations together in the rows."""


def measured(data: Path, triples: Path, embedder: Embedder) -> list[Row]:
    """Return the rows of all conversations together, by method, and the engine's by conversation.

    ``candidates``: the known facts shown to a resolver. ``shown`` is the share of gold pairs whose old fact is shown
    beside the new one, ``mean`` and ``p95`` are the numbers of facts shown beside a triple, ``calls`` the windows that
    would need a model and ``prompt_tokens`` the size of their prompts (words × 1.3), both per hundred messages.

    ``retirements``: the facts retired without a model. ``precision`` and ``recall`` against the gold, and
    ``false_per_1000`` facts; see benchmarks.conflict.retired for pairs whose facts were merged or retired before.

    Raises InputError and TripleError for files that are missing or malformed, and InputError when there is no gold.
    """
    golds = read_gold(data, triples)
    if not any(gold.pairs for gold in golds):
        raise InputError(f"no triple of {triples} invalidates another", hint="name the folder of reference triples")
    once = CachedEmbedder(embedder)
    choices: dict[str, list[Shown]] = {}
    ends: dict[str, list[Retired]] = {}
    for gold in golds:
        known = Known(gold, once)
        choices.setdefault("mem0g", []).append(shown_by_engine(gold, once))
        ends.setdefault("mem0g-rules", []).append(retired_by_rules(gold, once))
        for name, choice in shown.BASELINES.items():
            choices.setdefault(name, []).append(known.shown(choice))
        for name, rule in retired.BASELINES.items():
            ends.setdefault(name, []).append(retired_by(rule, known))
        note(f"{gold.conversation.id}: {len(gold.triples)} triples, {len(gold.pairs)} make an earlier one untrue")
    return [*_of_candidates(choices), *_of_retirements(ends)]


def tables(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows as printed, by part."""
    parts = dict.fromkeys(row["part"] for row in rows)
    return {
        part: [{name: row[name] for name in row if name != "part"} for row in rows if row["part"] == part]
        for part in parts
    }


def _of_candidates(choices: Mapping[str, Sequence[Shown]]) -> Iterable[Row]:
    for name, each in choices.items():
        yield _candidates(name, ALL, each)
    for one in choices["mem0g"]:
        yield _candidates("mem0g", one.gold.conversation.id, [one])


def _of_retirements(ends: Mapping[str, Sequence[Retired]]) -> Iterable[Row]:
    for name, each in ends.items():
        yield _retirements(name, ALL, each)
    for one in ends["mem0g-rules"]:
        yield _retirements("mem0g-rules", one.gold.conversation.id, [one])


def _candidates(method: str, data: str, choices: Sequence[Shown]) -> Row:
    pairs = sum(len(each.gold.pairs) for each in choices)
    counts = [count for each in choices for count in each.counts]
    messages = sum(len(each.gold.conversation.turns) for each in choices)
    calls = [each.calls for each in choices if each.calls is not None]
    tokens = [each.tokens for each in choices if each.tokens is not None]
    return {
        "part": "candidates",
        "method": method,
        "data": data,
        "shown": _percent(sum(each.found for each in choices), pairs),
        "mean": round(sum(counts) / len(counts), 2) if counts else None,
        "p95": percentile(counts, 95) if counts else None,
        "calls": _percent(sum(calls), messages) if calls else None,
        "prompt_tokens": _percent(sum(tokens), messages) if tokens else None,
        "n": pairs,
    }


def _retirements(method: str, data: str, ends: Sequence[Retired]) -> Row:
    made, right = (sum(map(len, each)) for each in ([e.pairs for e in ends], [e.right for e in ends]))
    pairs, facts = sum(len(each.gold.pairs) for each in ends), sum(each.facts for each in ends)
    return {
        "part": "retirements",
        "method": method,
        "data": data,
        "precision": _percent(right, made),
        "recall": _percent(sum(each.found for each in ends), pairs),
        "retired": made,
        "false_per_1000": round(1000 * (made - right) / facts, 2) if facts else None,
        "n": pairs,
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None
