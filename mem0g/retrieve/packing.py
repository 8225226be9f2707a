"""The best hits that fit a token budget, as text.

Sentences until a quarter of the budget is used, then one raw turn for each 250 tokens as insurance against what the
extractor missed, then the rest in few words: facts as "relation object (date)". A fact all of whose turns are there
already loses 0.3 once. Measured on LOCOMO: short facts alone find more evidence but lose the words of the answers.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Sequence

from mem0g.model import Context, Hit
from mem0g.retrieve.rendering import one_line, phrase, sentence, turn
from mem0g.tokens import TOKENS_PER_WORD, words

WHOLE_SENTENCES = 0.25
"""Share of the budget that goes to whole sentences."""

TOKENS_PER_TURN = 250
"""Budget for which one raw turn is quoted at least."""

REPEATED = 0.3
"""What a fact loses when its evidence is there already."""

MOST_MISSES = 20
"""Hits in a row that do not fit, after which the text counts as full."""

SAID = "Said:"


class _Page:
    """The text as it grows: lines under headings, words counted."""

    def __init__(self, budget: int) -> None:
        self._most = int(budget / TOKENS_PER_WORD)
        self._lines: dict[tuple[bool, str], list[str]] = defaultdict(list)
        self.words = 0
        self.hits: list[Hit] = []
        self.covered: set[str] = set()

    def add(self, hit: Hit, heading: str, line: str) -> bool:
        """Add the line if it fits."""
        block = (hit.message is not None, heading)  # facts about someone called Said are no turns
        cost = words(line) + (0 if block in self._lines else words(heading))
        if self.words + cost > self._most:
            return False
        self._lines[block].append(line)
        self.words += cost
        self.hits.append(hit)
        self.covered.update(hit.evidence)
        return True

    def covers(self, hit: Hit) -> bool:
        """Whether all the turns it stands on are there already."""
        return bool(hit.evidence) and self.covered.issuperset(hit.evidence)

    def context(self) -> Context:
        """The text, the turns last."""
        blocks = sorted(self._lines.items(), key=lambda block: block[0][0])
        told = ("\n".join([heading, *(f"  {line}" for line in lines)]) for (_, heading), lines in blocks)
        return Context("\n".join(told), tuple(self.hits), math.ceil(self.words * TOKENS_PER_WORD))


class _Queue:
    """Hits by score; one whose evidence is there already comes back once, later, or not at all if it is a turn."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._heap = [(-hit.score, place, False, hit) for place, hit in enumerate(hits)]
        heapq.heapify(self._heap)

    def next(self, page: _Page) -> Hit | None:
        """The best hit left."""
        while self._heap:
            score, place, lowered, hit = heapq.heappop(self._heap)
            if not page.covers(hit) or lowered:
                return hit
            if hit.fact:
                heapq.heappush(self._heap, (score + REPEATED, place, True, hit))
        return None


def pack(hits: Sequence[Hit], terms: tuple[str, ...], tokens: int) -> Context:
    """The context of at most ``tokens`` (words × 1.3) that ``hits``, best first, make; ``terms`` are the question's."""
    page, queue = _Page(tokens), _Queue(hits)
    _fill(page, queue, terms, whole=True, until=WHOLE_SENTENCES * tokens)
    _insure(page, hits, terms, tokens // TOKENS_PER_TURN)
    _fill(page, queue, terms, whole=False, until=tokens)
    return page.context()


def _fill(page: _Page, queue: _Queue, terms: tuple[str, ...], *, whole: bool, until: float) -> None:
    misses = 0
    while page.words * TOKENS_PER_WORD < until and misses < MOST_MISSES:
        hit = queue.next(page)
        if hit is None:
            return
        misses = 0 if _add(page, hit, terms, whole=whole) else misses + 1


def _insure(page: _Page, hits: Sequence[Hit], terms: tuple[str, ...], turns: int) -> None:
    """Quote the best turns that are not covered yet, until there are ``turns`` in all."""
    missing = turns - sum(hit.message is not None for hit in page.hits)
    for hit in hits:
        if missing <= 0:
            return
        if hit.message and not page.covers(hit) and _add(page, hit, terms, whole=True):
            missing -= 1


def _add(page: _Page, hit: Hit, terms: tuple[str, ...], *, whole: bool) -> bool:
    if hit.fact:
        heading = f"{one_line(hit.fact.subject)}:"
        if whole and page.add(hit, heading, sentence(hit.fact)):
            return True
        return page.add(hit, heading, phrase(hit.fact))
    return hit.message is not None and page.add(hit, SAID, turn(hit.message, terms))
