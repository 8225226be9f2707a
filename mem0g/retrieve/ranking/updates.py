"""Raise the later one of two messages that answer a question about the present above the earlier one.

"We pay 900 for the flat" and "It's 950 since June" have no word in common and nothing says that one replaces the other.
Both fit "How much is the rent?", have a number, and are of one speaker: so the later one holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.question.kinds import asks_for_several
import mem0g.retrieve.question.present as P
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
RECENT=float(os.environ.get("W_RECENT",4.0)); AMONG=int(os.environ.get("W_AMONG",30)); UPD=int(os.environ.get("W_UPD",1))
RECFACT=int(os.environ.get("W_RECFACT",0))


def add_recency(candidates: CandidateSet, total: Scores) -> None:
    """Add up to RECENT points to the latest of the best candidates, and take as many from the earliest of them.

    Only if the question asks for what holds now; half of it if nothing tells what the answer has to have.
    """
    strength = RECENT * asks_for_latest(candidates.question.text)
    if candidates.question.overview or not strength:
        return
    first, columns = candidates.first, candidates.message_columns
    times = np.concatenate([candidates.fact_columns.said_at, columns.times])
    positions = np.concatenate([np.zeros(first, np.int64), np.asarray(columns.positions, np.int64)])
    telling = np.concatenate([np.ones(first, bool), candidates.telling]) 
    places = np.flatnonzero(telling)
    best = places[np.argsort(-total[places], kind="stable")][:AMONG]
    best = best[np.lexsort((positions[best], times[best]))]
    total[best] += strength * (np.arange(1, len(best) + 1) / max(len(best), 1) - CENTER)

CENTER=float(os.environ.get("W_CENTER",.5))
MODE=int(os.environ.get("W_MODE",2))
def asks_for_latest(question: str) -> float:
    if asks_in_past_tense(question): return 0.0
    if MODE == 0: return 1.0
    if P._OTHERWISE.search(question): return 0.0
    if asks_for_several(question) and not P._HOW_MANY.search(question): return 0.0
    if answer_type(question) or P._NOW.search(question) or P._WHETHER.match(question.strip()): return 1.0
    return 0.5 if MODE == 1 else 0.0

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
