"""Raise the later one of two messages that answer a question about the present above the earlier one.

"We pay 900 for the flat" and "It's 950 since June" have no word in common and nothing says that one replaces the other.
Both fit "How much is the rent?", have a number, and are of one speaker: so the later one holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.question.present import asks_for_present
from mem0g.retrieve.question.temporal_intent import asks_in_past_tense
from mem0g.retrieve.ranking.answer_types import answer_type, has
from mem0g.retrieve.ranking.succession import was_said_after

if TYPE_CHECKING:
    from mem0g.model import Message
    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.proximity import Scores

BEST, OUTDATED = 10, 5
"""How many of the best hits may be raised, and how many of the first ones others may be raised above."""

SIMILAR = 1.0
"""z-score of the cosine with the question from which on a message may be raised: it is about what is asked."""

CLOSE = 3.0
"""By how much the later message may fit less."""

APART = 6
"""Messages of one session within which a speaker goes on about the same thing rather than saying how it is now."""

ABOVE = 0.01
"""By how much the later one then has more points."""


import os
RECENT=float(os.environ.get("W_RECENT",3.0)); AMONG=int(os.environ.get("W_AMONG",30)); UPD=int(os.environ.get("W_UPD",1))
RECFACT=int(os.environ.get("W_RECFACT",0))


def add_recency(candidates: CandidateSet, total: Scores) -> None:
    """Add to the best candidates up to RECENT points, the later the more, if the question asks for what holds now."""
    question = candidates.question
    if question.overview or asks_in_past_tense(question.text):
        return
    first = candidates.first
    places = np.flatnonzero(candidates.telling) + first
    times = candidates.message_columns.times
    order = places[np.argsort(-total[places], kind="stable")][:AMONG]
    pos = np.asarray(candidates.message_columns.positions)
    order = order[np.lexsort((pos[order - first], times[order - first]))]
    total[order] += RECENT * np.arange(1, len(order) + 1) / max(len(order), 1)


def raise_updates(candidates: CandidateSet, total: Scores) -> None:
    """Raise in ``total`` each later message right above the earlier ones that it may update.

    Both are of one speaker, who is no assistant, among the best hits, and not close to each other in one session.
    """
    question = candidates.question.text
    if candidates.question.overview or not asks_for_present(question):
        return
    first, columns, found = candidates.first, candidates.message_columns, candidates.found.messages
    telling = np.concatenate([np.ones(first, bool), candidates.telling])
    best = [number - first for number in np.lexsort((-total, ~telling))[:BEST].tolist() if number >= first]
    kind, similarity = answer_type(question), candidates.similarity
    rising = [
        place
        for place in best
        if similarity[first + place] >= SIMILAR and (kind is None or has(kind, candidates.texts[place]))
    ]
    for place in sorted(best[:OUTDATED], key=lambda place: (columns.times[place], columns.positions[place])):
        for later in rising:
            close = total[first + later] <= total[first + place] <= total[first + later] + CLOSE
            if close and may_update(found[later].message, found[place].message):
                total[first + later] = total[first + place] + ABOVE


def may_update(later: Message, earlier: Message) -> bool:
    """Whether a message of the same speaker was said so long after another one that it may say how it is now."""
    if later.speaker != earlier.speaker or later.role == "assistant" or not was_said_after(later, earlier):
        return False
    together = (later.source, later.session) == (earlier.source, earlier.session)
    return not together or later.position - earlier.position > APART
