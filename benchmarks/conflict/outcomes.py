"""Outcome of an answer: the current fact, a stale one, both or neither."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from benchmarks.conflict.factconsolidation import FactFile, Question, Statement, lead_to_answer, names, on_the_way
from benchmarks.report import Row

Outcome = Literal["correct", "stale", "both", "none"]

OUTCOMES: tuple[Outcome, ...] = ("correct", "stale", "both", "none")

HITS = 10
"""Number of hits for a single-hop question."""

BUDGET = 500
"""Token budget of the context for a multi-hop question."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A method's result for a question: the text, and the statements behind each of its items, in order."""

    text: str
    items: Sequence[Sequence[Statement]]


class Method(Protocol):
    """Protocol of a method to compare."""

    @property
    def name(self) -> str:
        """Its name in the rows."""
        ...

    def first(self, question: str) -> Shown:
        """Return its first ten hits."""
        ...

    def within(self, question: str) -> Shown:
        """Return its context of at most 500 tokens."""
        ...


def row(method: Method, file: FactFile, ceiling: float) -> Row:
    """Return the percentage of the questions of ``file`` by outcome.

    ``ceiling`` is the percentage whose answer follows the file's rule. For multi-hop questions, ``way`` is the share
    for which all facts that lead to the answer are shown (without them the answer may be there by chance), ``clean``
    the share for which no overridden fact of any kind is shown.
    """
    judge = multi_hop if file.hops else single_hop
    ask = method.within if file.hops else method.first
    answered = [(each, ask(each.text)) for each in file.questions]
    counts = Counter(judge(file, question, shown) for question, shown in answered)
    shares: Row = {name: _percent(counts[name], file) for name in OUTCOMES}
    if file.hops:
        shares["way"] = _percent(sum(_shows_the_way(file, *each) for each in answered), file)
        shares["clean"] = _percent(
            sum(not any(_stale(file, each) for each in shown.items) for _, shown in answered), file
        )
    return {"method": method.name, "data": file.name, **shares, "ceiling": ceiling, "n": len(file.questions)}


def _percent(count: int, file: FactFile) -> float:
    return round(100 * count / len(file.questions), 1)


def _shows_the_way(file: FactFile, question: Question, shown: Shown) -> bool:
    return lead_to_answer((each for item in shown.items for each in item if file.holds(each)), question)


def single_hop(file: FactFile, question: Question, shown: Shown) -> Outcome:
    """Return correct when the first hit is the current answer: a fact about what the question names.

    Otherwise a stale fact above the answer makes it "both", stale facts without the answer "stale".
    """
    answering = [place for place, item in enumerate(shown.items) if _answers(file, question, item)]
    if answering and answering[0] == 0 and not _stale(file, shown.items[0]):
        return "correct"
    above = shown.items[: answering[0] + 1] if answering else shown.items
    if not any(_stale(file, item) for item in above):
        return "none"
    return "both" if answering else "stale"


def multi_hop(file: FactFile, question: Question, shown: Shown) -> Outcome:
    """Return correct when the text contains the answer and no overridden fact about a step on the way to it."""
    found = any(names(shown.text, answer) for answer in question.answers)
    way = on_the_way(file, question)
    stale = any(each.key in way and not file.holds(each) for item in shown.items for each in item)
    if found:
        return "both" if stale else "correct"
    return "stale" if stale else "none"


def _answers(file: FactFile, question: Question, item: Sequence[Statement]) -> bool:
    return any(
        file.holds(each) and names(question.text, each.subject) and any(_same(each.object, a) for a in question.answers)
        for each in item
    )


def _same(one: str, other: str) -> bool:
    return names(one, other) and names(other, one)


def _stale(file: FactFile, item: Sequence[Statement]) -> bool:
    return any(not file.holds(each) for each in item)
