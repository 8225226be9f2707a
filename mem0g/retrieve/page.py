"""A text for a prompt as it grows: facts under their subjects, turns at the end, words counted."""

from __future__ import annotations

import math
from collections import defaultdict

from mem0g.model import Context, Fact, Hit
from mem0g.retrieve.rendering import one_line, one_more, phrase, sentence, turn
from mem0g.tokens import TOKENS_PER_WORD, words

SAID = "Said:"

Block = tuple[bool, str]
"""Lines under one heading: whether they are turns (facts about someone called Said are none), and the heading."""


class Page:
    """The lines so far. ``covered`` are the ids of the messages on which something stands that is there."""

    def __init__(self, tokens: int) -> None:
        """``tokens``: words × 1.3 that it may have at most."""
        self._most = int(tokens / TOKENS_PER_WORD)
        self._lines: dict[Block, list[str]] = defaultdict(list)
        self._open: dict[tuple[str, str], int] = {}
        self._words = 0
        self.hits: list[Hit] = []
        self.covered: set[str] = set()

    @property
    def tokens(self) -> float:
        """What it has by now."""
        return self._words * TOKENS_PER_WORD

    def covers(self, hit: Hit) -> bool:
        """Whether all the turns it stands on are there already."""
        return bool(hit.evidence) and self.covered.issuperset(hit.evidence)

    def cost(self, fact: Fact) -> int:
        """About how many words the fact in few words would add."""
        heading = 0 if (False, _heading(fact)) in self._lines else len(fact.subject.split())
        relation = 0 if (_heading(fact), fact.relation) in self._open else fact.relation.count("_") + 1
        return heading + relation + len(fact.object.split()) + (fact.valid_from is not None)

    def add_sentence(self, hit: Hit, fact: Fact) -> bool:
        """Add the fact's sentence if it fits."""
        return self._add_line(hit, (False, _heading(fact)), sentence(fact))

    def add_phrase(self, hit: Hit, fact: Fact) -> bool:
        """Add the fact in few words if they fit: to the line of its subject and relation where there is one."""
        block, key = (False, _heading(fact)), (_heading(fact), fact.relation)
        if fact.subject_id == fact.object_id:
            return self._add_line(hit, block, phrase(fact))
        if key in self._open:
            return self._add_to_line(hit, block, self._open[key], one_more(fact))
        place = len(self._lines.get(block, ()))
        if not self._add_line(hit, block, phrase(fact)):
            return False
        self._open[key] = place
        return True

    def add_turn(self, hit: Hit, terms: tuple[str, ...]) -> bool:
        """Quote the hit's message if it fits; of a long one the words around the first of ``terms``."""
        return hit.message is not None and self._add_line(hit, (True, SAID), turn(hit.message, terms))

    def context(self) -> Context:
        """The text, the turns last."""
        blocks = sorted(self._lines.items(), key=lambda block: block[0][0])
        told = ("\n".join([heading, *(f"  {line}" for line in lines)]) for (_, heading), lines in blocks)
        return Context("\n".join(told), tuple(self.hits), math.ceil(self.tokens))

    def _add_line(self, hit: Hit, block: Block, line: str) -> bool:
        if not self._has_room(words(line) + (0 if block in self._lines else words(block[1])), hit):
            return False
        self._lines[block].append(line)
        return True

    def _add_to_line(self, hit: Hit, block: Block, place: int, more: str) -> bool:
        if not self._has_room(words(more), hit):
            return False
        self._lines[block][place] += f"; {more}"
        return True

    def _has_room(self, cost: int, hit: Hit) -> bool:
        if self._words + cost > self._most:
            return False
        self._words += cost
        self.hits.append(hit)
        self.covered.update(hit.evidence)
        return True


def _heading(fact: Fact) -> str:
    return f"{one_line(fact.subject)}:"
