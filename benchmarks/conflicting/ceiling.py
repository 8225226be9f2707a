"""How many questions have an answer that keeps to the data's own rule, that a later statement overrides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from benchmarks.conflicting.statements import FactFile, Question, names
from mem0g.names import fold

MOST_HOPS = 4
"""Facts on the way to an answer in the multi-hop questions as published."""

Edges = Mapping[str, set[str]]
"""The folded objects that hold of each folded subject."""


def ceiling(file: FactFile) -> float:
    """Percent of questions whose answer is reached over facts that hold, from a subject or object that they name.

    A file's errors that do not break this, such as a way to the answer by chance, are not seen: it is an upper bound.
    """
    edges: dict[str, set[str]] = defaultdict(set)
    for (subject, _), found in file.last.items():
        edges[subject].add(found)
    reached = sum(_is_reached(edges, each, MOST_HOPS if file.hops else 1) for each in file.questions)
    return round(100 * reached / len(file.questions), 1)


def _is_reached(edges: Edges, question: Question, hops: int) -> bool:
    answers = {fold(answer) for answer in question.answers}
    frontier = {name for name in edges if names(question.text, name)}
    for _ in range(hops):
        frontier = {found for name in frontier for found in edges.get(name, ())}
        if frontier & answers:
            return True
    return False
