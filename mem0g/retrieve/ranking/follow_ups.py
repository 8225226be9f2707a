"""Put what a conversation came to before what led up to it, where both answer a question about as well.

"Where shall we have the party?" is followed by "There's the hotel in Salthill", and then by "Going with the clubhouse,
paid the deposit". What is said later in the same talk is more often how it was left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.proximity import Scores

CLOSE = 0.7
"""By how much less than the best hit the later message may fit."""

TOPICAL = 0.5
"""How much the later message has to be about what is asked itself (see ``CandidateSet.topical``): of few candidates all
fit about as well."""

TALK = 6
"""Messages of one session within which a talk goes on about the same thing."""

COMPARED = 12
"""How many of the best hits may be what the talk came to."""

ABOVE = 0.01
"""By how many points it then stands above the best hit."""


def raise_follow_up(candidates: CandidateSet, total: Scores) -> None:
    """Raise the message right above the best hit, a message as well, with which the talk went on from it.

    It is the last of those that fit nearly as well, each within TALK messages of the one before, with no fact among
    them that fits better. Neither an assistant's, as advice follows what a question is about, nor one that is less
    about those whom the question is about.
    """
    first, about = candidates.first, candidates.about
    order = np.lexsort((-total, ~candidates.eligible))[:COMPARED].tolist()
    if candidates.question.overview or not order or order[0] < first or not candidates.eligible[order[0]]:
        return
    telling = candidates.telling & ~candidates.belated[first:] & (candidates.topical[first:] >= TOPICAL)
    telling &= ~(candidates.has_role("assistant") | candidates.has_role("tool"))
    best = raised = order[0]
    last = candidates.found.messages[best - first].message
    for number in order[1:]:
        if number < first or total[number] < total[best] - CLOSE:
            break
        if not telling[number - first] or about[number - first] < about[raised - first]:
            continue
        said = candidates.found.messages[number - first].message
        together = (said.source, said.session) == (last.source, last.session)
        if together and 0 < said.position - last.position <= TALK:
            last, raised = said, number
    if raised != best:
        total[raised] = total[best] + ABOVE
