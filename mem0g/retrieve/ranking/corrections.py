"""Rank what corrects the message just before it above that message.

"Train gets in at 16.40" and "ignore that, it's 18.10" have no word in common: what is corrected is told by where the
correction stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from mem0g.retrieve.ranking.answer_types import answer_type
from mem0g.retrieve.ranking.said import ENDS
from mem0g.text.corrections import corrects
from mem0g.text.languages import word_set

if TYPE_CHECKING:
    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.proximity import Scores

WITHIN = 3
"""Messages back to one that its speaker may correct; somebody else corrects the last one or the one before."""

CORRECTED = 10
"""How many of the best hits may be corrected."""

ABOVE = 0.01
"""By how many points the correction stands above."""

_THAT: Final = frozenset("that it this them das es damit eso lo ça dat het".split())


def raise_corrections(candidates: CandidateSet, total: Scores) -> None:
    """Raise each message that corrects one of the best just before it right above that one, in ``total``.

    It has to have what the question asks for. Where that is not known, one that ends "that" corrects, too: "gave that
    up at new year".
    """
    first, texts, speakers = candidates.first, candidates.texts, candidates.message_columns.speakers
    order = np.lexsort((-total, ~candidates.eligible))[:CORRECTED]
    best = {number - first for number in order.tolist() if number >= first}
    untyped = answer_type(candidates.question.text) is None
    fits = candidates.telling & (untyped | (candidates.typed[first:] > 0))
    ends = fits & untyped & (candidates.revising & ENDS > 0)
    for back in range(1, WITHIN + 1):
        before = candidates.before(back)
        for later in np.flatnonzero(fits & (before >= 0)).tolist():
            earlier = int(before[later])
            if earlier not in best or (back == WITHIN and speakers[later] != speakers[earlier]):
                continue
            if corrects(texts[later]) or (ends[later] and not _THAT.isdisjoint(word_set(texts[later]))):
                total[first + later] = max(total[first + later], total[first + earlier] + ABOVE)
