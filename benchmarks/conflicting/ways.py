"""The ways from what a question names to its answer, over facts from subject to object."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from benchmarks.conflicting.statements import FactFile, Key, Question, Statement, names
from mem0g.text.names import fold

MOST_HOPS = 4
"""Facts on the way to an answer in the multi-hop questions as published."""


def ceiling(file: FactFile) -> float:
    """Percent of questions whose answer keeps to the file's own rule: facts that hold lead to it.

    In the others the answer is an overridden fact's. A way by chance is not seen: it is an upper bound.
    """
    reached = sum(lead_to_answer(file.holding, each, MOST_HOPS if file.hops else 1) for each in file.questions)
    return round(100 * reached / len(file.questions), 1)


def lead_to_answer(statements: Iterable[Statement], question: Question, hops: int = MOST_HOPS) -> bool:
    """Whether ``statements`` lead from a name in the question to an answer of it."""
    answers = {fold(answer) for answer in question.answers}
    return any(fold(each.object) in answers for each in _led_to(statements, question, hops))


def on_the_way(file: FactFile, question: Question) -> set[Key]:
    """What the facts that hold and lead to the answer are about; of all that the names lead to, where none does."""
    led = _led_to(file.holding, question, MOST_HOPS)
    wanted = {fold(answer) for answer in question.answers}
    way: dict[Key, None] = {}
    for _ in range(MOST_HOPS):
        way |= {each.key: None for each in led if fold(each.object) in wanted}
        wanted |= {subject for subject, _ in way}
    return set(way) or {each.key for each in led}


def _led_to(statements: Iterable[Statement], question: Question, hops: int) -> list[Statement]:
    """The statements on the ways from the names in the question, at most ``hops`` far."""
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
