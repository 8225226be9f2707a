"""What an answer is worth: the current fact, a stale one, both or neither."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from benchmarks.conflicting.statements import FactFile, Question, Statement, names
from benchmarks.conflicting.ways import lead_to_answer, on_the_way
from benchmarks.report import Row

Outcome = Literal["correct", "stale", "both", "none"]
OUTCOMES: tuple[Outcome, ...] = ("correct", "stale", "both", "none")

FIRST = 10
"""Hits that a single-hop question may bring."""

BUDGET = 500
"""Tokens that the context of a multi-hop question may have."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a method gives for a question: the text, and the statements on which each of its items stands, in order."""

    text: str
    items: Sequence[Sequence[Statement]]


class Method(Protocol):
    """What is compared."""

    @property
    def name(self) -> str:
        """As the rows call it."""
        ...

    def first(self, question: str) -> Shown:
        """Its first ten hits."""
        ...

    def within(self, question: str) -> Shown:
        """Its context of at most 500 tokens."""
        ...


def row(method: Method, file: FactFile, ceiling: float) -> Row:
    """Percent of the questions of ``file`` by outcome; ``ceiling``: of those whose answer keeps to the file's rule.

    Of multi-hop questions ``way`` is the share for which all facts that lead to the answer are shown (without them it
    may stand there by chance), ``clean`` the share for which no overridden fact is shown, about whatever.
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
    """Correct when the first hit is the current answer: a fact about what the question names.

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
    """Correct when the answer stands in the text and no overridden fact about a step on the way to it does."""
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
