"""Prefer what was said later where the latest statement answers a question: "Where does Ann work?", "How much is it?".

"We pay 900 for the flat" and "It's 950 since June" have no word in common and nothing says that one replaces the other.
Both fit "How much is the rent?" and have a number. So the later of the best candidates gain some points, the earlier
ones lose some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.question.present import asks_for_present, may_have_changed
from mem0g.retrieve.ranking.answer_types import answer_type
from mem0g.retrieve.ranking.follow_ups import ABOVE, TOPICAL
from mem0g.store.candidates import UNKNOWN, microseconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.candidate_set import CandidateSet
    from mem0g.retrieve.ranking.proximity import Indices, Scores

RECENT, COMPARED = 4.0, 30
"""Points by which the latest of the best candidates gains on the earliest, and how many of these are compared. Of fewer
it gains less, by the square root of their number: of two statements the later one need not be about the same."""

CLOSE = 0.5
"""By how much less than the best the latest statement may fit that is put above it."""

AFTER = 2**62
"""The position of a fact among the messages of its time: after the message that states it."""


def asks_for_latest(question: str) -> bool:
    """Whether the latest of several statements answers a question: it tells what the answer has to have, or asks for
    what holds now, and not for the past, a reason or several things.
    """
    return may_have_changed(question) and (answer_type(question) is not None or asks_for_present(question))


def add_recency(candidates: CandidateSet, total: Scores) -> None:
    """Add points to the later ones of the best candidates and take as many from the earlier ones, in ``total``.

    Only if the latest statement is asked for. What was said at a time that is not known, or after that as of which is
    asked, keeps its score. Where the question names a relation, facts of others gain nothing: "Where does Ann work?"
    does not ask where she has moved to.
    """
    if not (found := _dated(candidates)):
        return
    first, (dated, times, positions) = candidates.first, found
    best = dated[np.argsort(-total[dated], kind="stable")[:COMPARED]]
    best = best[np.lexsort((total[best], positions[best], times[best]))]
    later = np.arange(len(best)) - (len(best) - 1) / 2
    later = np.where(later > 0, later * candidates.topical[best], later)
    if candidates.anchors and candidates.named.any():
        facts = best < first
        later[facts] = np.where(candidates.named[best[facts]], later[facts], np.minimum(later[facts], 0))
    total[best] += RECENT * later / np.sqrt(max(len(best) - 1, 1) * (COMPARED - 1))


def raise_latest(candidates: CandidateSet, total: Scores) -> None:
    """Put the latest of those that fit about as well as the best right above it, if the latest is asked for."""
    if not (found := _dated(candidates)):
        return
    dated, times, positions = found
    best = dated[total[dated].argmax()]
    close = dated[(total[dated] >= total[best] - CLOSE) & (candidates.topical[dated] >= TOPICAL)]
    if len(close) and (latest := close[np.lexsort((positions[close], times[close]))[-1]]) != best:
        total[latest] = total[best] + ABOVE


def _dated(candidates: CandidateSet) -> tuple[Indices, Indices, Indices] | None:
    """Return the candidates that may be the latest, by number, and of all when they were said and at which position.

    None if there are none, or the latest is not asked for.
    """
    if candidates.question.overview or not asks_for_latest(candidates.question.text):
        return None
    columns = candidates.message_columns
    times = np.concatenate([_holding_at(candidates), columns.times])
    positions = np.concatenate([np.full(candidates.first, AFTER), np.asarray(columns.positions, np.int64)])
    dated = np.flatnonzero(candidates.eligible & (times != UNKNOWN) & ~candidates.belated)
    return (dated, times, positions) if len(dated) else None


def _holding_at(candidates: CandidateSet) -> NDArray[np.int64]:
    """Return when each fact was said; or the time as of which is asked: by their dates all of them hold then."""
    as_of, said_at = candidates.question.as_of, candidates.fact_columns.said_at
    return said_at if as_of is None else np.full(len(said_at), microseconds([as_of])[0])
