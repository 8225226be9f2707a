"""Texts for baselines to rank and pack into a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.recall.scoring import TOKENS_PER_WORD, Returned
from mem0g.model import Fact, Triple, Utterance


@dataclass(frozen=True, slots=True)
class Line:
    """A line of rendered text and the ids of the turns it covers."""

    text: str
    turns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """A ``text`` to rank, and the ``lines`` it is rendered as."""

    text: str
    lines: tuple[Line, ...]


def fact_passage(fact: Triple | Fact, turns: Iterable[str]) -> Passage:
    """Return a fact's sentence as a passage that covers ``turns``: "(2023-05-07) Ada moved to Oslo.", or "- " if
    undated.
    """
    lead = f"({fact.valid_from})" if fact.valid_from else "-"
    return Passage(fact.text, (Line(f"{lead} {fact.text}", frozenset(turns)),))


def window_passages(turns: Sequence[Utterance], radius: int = 1) -> list[Passage]:
    """Return a passage for each turn, with up to ``radius`` turns before and after it in its session; a line a turn."""
    passages = []
    for place, turn in enumerate(turns):
        near = turns[max(0, place - radius) : place + radius + 1]
        lines = tuple(_turn_line(each) for each in near if each.session == turn.session)
        passages.append(Passage(" ".join(line.text for line in lines), lines))
    return passages


def turn_passage(turn: Utterance) -> Passage:
    """Return a turn as a passage of one line."""
    return Passage(turn.text, (_turn_line(turn),))


def pack(ranked: Iterable[Passage], budget: float) -> Returned:
    """Return the passages that fit ``budget`` tokens, packed greedily; those that do not fit are skipped.

    A line that is already included is not repeated and costs nothing.
    """
    taken: dict[Line, None] = {}
    words = 0
    for passage in ranked:
        new = [line for line in passage.lines if line not in taken]
        cost = sum(len(line.text.split()) for line in new)
        if (words + cost) * TOKENS_PER_WORD <= budget:
            taken.update(dict.fromkeys(new))
            words += cost
    return _returned(taken)


def first(ranked: Iterable[Passage], k: int) -> Returned:
    """Return the first ``k`` passages."""
    chosen = [passage for passage, _ in zip(ranked, range(k), strict=False)]
    return _returned(dict.fromkeys(line for passage in chosen for line in passage.lines))


def _turn_line(turn: Utterance) -> Line:
    return Line(f"{turn.speaker}: {turn.text}", frozenset([turn.source_id] if turn.source_id else []))


def _returned(lines: Iterable[Line]) -> Returned:
    kept = list(lines)
    return Returned("\n".join(line.text for line in kept), frozenset().union(*(line.turns for line in kept)))
