"""Quality of a method's nodes against gold: over pairs of different names, and B³ over mentions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.merge.scenes import End, Scene
from benchmarks.report import Row
from mem0g.text.names import fold

Pair = tuple[str, str]
"""Two folded names, sorted."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Pairs of different names of one scope: those that a method joined, those of gold, and their total number."""

    found: frozenset[Pair]
    gold: frozenset[Pair]
    pairs: int


@dataclass(frozen=True, slots=True)
class Shared:
    """For one mention: the share of its node that has its label, and the share of its label that is in its node."""

    precision: float
    recall: float


def figures(scenes: Sequence[Scene], nodes: Sequence[Sequence[str]]) -> Row:
    """Return the figures in percent, all scenes together; ``nodes`` are those of each scene's ends."""
    joined, shared = [], []
    for scene, found in zip(scenes, nodes, strict=True):
        judged = [(end, node) for end, node in zip(scene.ends, found, strict=True) if end.label]
        joined.append(pairs(judged))
        shared += b_cubed(judged)
    return {**_of_pairs(joined), **_of_mentions(shared), "n": len(shared)}


def pairs(judged: Sequence[tuple[End, str]]) -> Joined:
    """Return the pairs of different names (ignoring case and spaces) that share a node, and that share a label."""
    names = {fold(end.name) for end, _ in judged}
    return Joined(
        _together((node, end.name) for end, node in judged),
        _together((end.label, end.name) for end, _ in judged),
        len(names) * (len(names) - 1) // 2,
    )


def b_cubed(judged: Sequence[tuple[End, str]]) -> list[Shared]:
    """Return B³ of each mention (Bagga and Baldwin, 1998), in order."""
    by_node, by_label = defaultdict(set), defaultdict(set)
    for place, (end, node) in enumerate(judged):
        by_node[node].add(place)
        by_label[end.label].add(place)
    shared = []
    for end, node in judged:
        both = len(by_node[node] & by_label[end.label])
        shared.append(Shared(both / len(by_node[node]), both / len(by_label[end.label])))
    return shared


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _of_pairs(joined: Sequence[Joined]) -> Row:
    found = sum(len(each.found) for each in joined)
    gold = sum(len(each.gold) for each in joined)
    right = sum(len(each.found & each.gold) for each in joined)
    others = sum(each.pairs for each in joined) - gold
    precision, recall = right / found if found else 1.0, right / gold if gold else 1.0
    return {
        "precision": _percent(precision),
        "recall": _percent(recall),
        "f1": _percent(f1(precision, recall)),
        "wrong_pairs": found - right,
        "false_merges": round(100 * (found - right) / others, 2) if others else None,
    }


def _of_mentions(shared: Sequence[Shared]) -> Row:
    precision = sum(each.precision for each in shared) / len(shared)
    recall = sum(each.recall for each in shared) / len(shared)
    return {
        "b3_precision": _percent(precision),
        "b3_recall": _percent(recall),
        "b3_f1": _percent(f1(precision, recall)),
    }


def _together(grouped: Iterable[tuple[Hashable, str]]) -> frozenset[Pair]:
    names = defaultdict(set)
    for group, name in grouped:
        names[group].add(fold(name))
    return frozenset(pair for each in names.values() for pair in combinations(sorted(each), 2))


def _percent(share: float) -> float:
    return round(100 * share, 1)
