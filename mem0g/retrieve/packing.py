"""The best hits that fit a token budget, as text.

Sentences until a tenth of the budget is used, then one raw turn for each 500 tokens as insurance against what the
extractor missed, then the rest in few words: facts as "relation object (date)", several of one relation in one line,
what takes few words before what takes many. A fact all of whose turns are there already comes later. Measured on
LOCOMO: short facts alone find more evidence but lose the words of the answers.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from mem0g.model import Context, Hit
from mem0g.retrieve.page import Page

WHOLE_SENTENCES = 0.1
"""Share of the budget that goes to whole sentences: with a quarter the text has up to a point more of the answers'
words and half a point less of the evidence."""

TOKENS_PER_TURN = 500
"""Budget for which one raw turn is quoted at least."""

REPEATED = 0.5
"""What a fact loses when its evidence is there already: from 0.3 to 1.2 recall is the same."""

PER_WORD, PER_TURN = 0.1, 0.5
"""What a fact in few words loses for each of them, and a turn for its length: so that room goes to more of them."""

MOST_MISSES = 20
"""Hits in a row that do not fit, after which the text counts as full."""


class _Queue:
    """Hits by score; one whose evidence is there already comes back once, later, or not at all if it is a turn."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        """``hits`` are in falling order, which makes a heap."""
        self._heap = [(-hit.score, place, False, hit) for place, hit in enumerate(hits)]

    def next(self, page: Page) -> Hit | None:
        """The best hit left."""
        while self._heap:
            score, place, lowered, hit = heapq.heappop(self._heap)
            if not page.covers(hit) or lowered:
                return hit
            if hit.fact:
                heapq.heappush(self._heap, (score + REPEATED, place, True, hit))
        return None

    def short_ones_first(self, page: Page) -> None:
        """Order what is left by score less what its words cost."""
        self._heap = [
            (score + (PER_WORD * page.cost(hit.fact) if hit.fact else PER_TURN), place, lowered, hit)
            for score, place, lowered, hit in self._heap
        ]
        heapq.heapify(self._heap)


def pack(hits: Sequence[Hit], terms: tuple[str, ...], tokens: int) -> Context:
    """The context of at most ``tokens`` (words × 1.3) that ``hits``, best first, make; ``terms`` are the question's."""
    page, queue = Page(tokens), _Queue(hits)
    _fill(page, queue, terms, whole=True, until=WHOLE_SENTENCES * tokens)
    _insure(page, hits, terms, tokens // TOKENS_PER_TURN)
    queue.short_ones_first(page)
    _fill(page, queue, terms, whole=False, until=tokens)
    return page.context()


def _fill(page: Page, queue: _Queue, terms: tuple[str, ...], *, whole: bool, until: float) -> None:
    misses = 0
    while page.tokens < until and not page.full and misses < MOST_MISSES:
        hit = queue.next(page)
        if hit is None:
            return
        misses = 0 if _add(page, hit, terms, whole=whole) else misses + 1


def _insure(page: Page, hits: Sequence[Hit], terms: tuple[str, ...], turns: int) -> None:
    """Quote the best turns that are not covered yet, until there are ``turns`` in all."""
    missing = turns - sum(hit.message is not None for hit in page.hits)
    for hit in hits:
        if missing <= 0:
            return
        if hit.message and not page.covers(hit) and page.add_turn(hit, terms):
            missing -= 1


def _add(page: Page, hit: Hit, terms: tuple[str, ...], *, whole: bool) -> bool:
    if hit.fact is None:
        return page.add_turn(hit, terms)
    return (whole and page.add_sentence(hit, hit.fact)) or page.add_phrase(hit, hit.fact)
