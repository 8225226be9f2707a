"""How much of a message the facts that cite it say: such a message counts less than its facts, which are shorter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.ranking.said import CONTENT, NAME

if TYPE_CHECKING:
    from mem0g.retrieve.ranking.proximity import Indices, Scores
    from mem0g.retrieve.ranking.said import Said

Citing = tuple["Indices", "Indices"]
"""Pairs of the number of a fact and the place of a message that it cites."""

TOLD = 0.4
"""Share of a message's words from which on its facts count as saying all of it, in fewer words."""

FAR, NEAR = 1.5, 0.5
"""By how much less similar to the question than their message facts are that repeat nothing of what is asked there, and
that count in full: "Sleep average is 7 h now. And I signed up for the half marathon" says more than its fact, the race.
"""


def repeated(messages: Said, facts: Said, citing: Citing, size: int) -> Scores:
    """Return the share of each message's words that its facts repeat, shape (size,): 1 from TOLD of them on."""
    of, words, kinds = messages.pairs
    own = kinds & (CONTENT | NAME) == CONTENT
    of, words = of[own], words[own]
    numbers, places = citing
    having, stated = facts.words_of(numbers)
    column = np.full(int(max(words.max(initial=0), stated.max(initial=0))) + 1, -1)
    column[words] = 0
    column[column == 0] = np.arange(np.count_nonzero(column == 0))
    also_stated = np.zeros((size, int(column.max(initial=-1)) + 1), dtype=bool)
    also = column[stated] >= 0
    also_stated[places[having[also]], column[stated[also]]] = True
    said = np.bincount(of, minlength=size)
    stating = np.bincount(of[also_stated[of, column[words]]], minlength=size)
    shares: Scores = np.divide(stating, np.maximum(TOLD * said, 1e-9), dtype=np.float64)
    return np.minimum(shares, 1)


def as_typed(asked: Scores, of_facts: Scores, citing: Citing) -> Scores:
    """Return how much of what messages have of the type ``asked`` for facts have too, 0 to 1, shape (messages,)."""
    best = _best(of_facts, citing, np.zeros(len(asked)))
    return np.divide(best, asked, out=np.ones(len(asked)), where=asked > best)


def as_similar(similarity: Scores, of_facts: Scores, citing: Citing) -> Scores:
    """Return how nearly facts are as similar to the question as their messages, 0 to 1, shape (messages,)."""
    farther = similarity - _best(of_facts, citing, np.full(len(similarity), -np.inf))
    near: Scores = np.clip((FAR - farther) / (FAR - NEAR), 0, 1)
    return near


def _best(of_facts: Scores, citing: Citing, least: Scores) -> Scores:
    """Return the highest of its facts for each message, and ``least`` for one without facts."""
    facts, places = citing
    np.maximum.at(least, places, of_facts[facts])
    return least
