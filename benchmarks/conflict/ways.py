"""Paths from what a question names to its answer, over facts from subject to object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from benchmarks.conflict.statements import FactFile, Key, Question, Statement, names
from mem0g.text.names import fold

MOST_HOPS = 4
"""Maximum facts on the path to an answer in the multi-hop questions as published."""


def ceiling(file: FactFile) -> float:
    """Return the percentage of questions whose answer follows the file's own rule: current facts lead to it.

    In the others the answer is an overridden fact's. This is an upper bound, as paths by chance are not excluded.
    """
    reached = sum(lead_to_answer(file.holding, each, MOST_HOPS if file.hops else 1) for each in file.questions)
    return round(100 * reached / len(file.questions), 1)


def lead_to_answer(statements: Iterable[Statement], question: Question, hops: int = MOST_HOPS) -> bool:
    """Whether ``statements`` lead from a name in the question to an answer of it."""
    answers = {fold(answer) for answer in question.answers}
    return any(fold(each.object) in answers for each in _led_to(statements, question, hops))


def on_the_way(file: FactFile, question: Question) -> set[Key]:
    """Return the keys of the current facts that lead to the answer; if none do, of all facts reached from the names."""
    led = _led_to(file.holding, question, MOST_HOPS)
    wanted = {fold(answer) for answer in question.answers}
    way: dict[Key, None] = {}
    for _ in range(MOST_HOPS):
        way |= {each.key: None for each in led if fold(each.object) in wanted}
        wanted |= {subject for subject, _ in way}
    return set(way) or {each.key for each in led}


def _led_to(statements: Iterable[Statement], question: Question, hops: int) -> list[Statement]:
    """Return the statements on the paths from the names in the question, up to ``hops`` long."""
    told: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        told[fold(statement.subject)].append(statement)
    frontier = {name for name in told if names(question.text, name)}
    reached, led = set(frontier), []
    for _ in range(hops):
        new = [each for name in sorted(frontier) for each in told.get(name, ())]
        led += new
        frontier = {fold(each.object) for each in new} - reached
        reached |= frontier
    return led
