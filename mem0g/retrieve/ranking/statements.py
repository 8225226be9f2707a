"""Distinguish messages and passages that state something from those that ask, acknowledge or quote a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mem0g.retrieve.ranking.wording import ASKS, SAYS, STATES
from mem0g.store.candidates import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mem0g.retrieve.ranking.proximity import Indices
    from mem0g.retrieve.ranking.said import Wordings

FORMULA = 3
"""Messages with the same words from which on these are a formula: "Got it, thanks for telling me!"."""

ANSWERS_WITHIN = FARTHEST = 3
"""Messages after a question of which one may answer it, and how far back any are looked for."""

TOGETHER = 7 * 24 * 3600 * 10**6
"""Microseconds within which a message may answer or continue another one: in a session that never ends, what was said
weeks later is about something else."""


class Statements:
    """Which of some messages state something; see ``stating``.

    ``wordings``: theirs, and the number of the normal text of the question asked. ``speakers``: a number for each.
    ``sessions`` and ``positions`` place them in their conversations, session -1 where that is not known; ``times`` are
    microseconds since 1970, or UNKNOWN. ``follows`` is the place of the nearest question that each follows closely, -1
    if none, shape (messages,); ``answered`` the same of questions of somebody else, which it may answer.
    """

    def __init__(
        self,
        wordings: tuple[Wordings, int],
        speakers: NDArray[np.int32],
        sessions: Indices,
        positions: Indices,
        times: NDArray[np.int64],
    ) -> None:
        self.wordings, self._asked = wordings
        self._times = times
        self._known = sessions >= 0
        self._keys = sessions * (int(np.ptp(positions)) + FARTHEST + 1 if len(positions) else 1) + positions
        self._order = np.argsort(self._keys, kind="stable")
        self._ordered = self._keys[self._order]
        self._before: dict[int, Indices] = {}
        self.follows = self._follows()
        own = (self.follows >= 0) & (speakers[self.follows] == speakers) if len(speakers) else self.follows >= 0
        self.answered = np.where(own, -1, self.follows)

    def stating(self, tools: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which messages state something, shape (messages,).

        It does not if it only asks, echoes the question asked, acknowledges, or is the output of one of ``tools``. A
        few words count if they are in the first person, or right after a question that they may answer.
        """
        flags, normals = self.wordings.flags, self.wordings.normals
        states = (flags & SAYS > 0) | ((flags & STATES > 0) & (self.answered >= 0))
        echo = (flags & ASKS > 0) & (normals == self._asked)
        stating: NDArray[np.bool_] = states & ~tools & ~echo & (np.bincount(normals, minlength=1)[normals] < FORMULA)
        return stating

    def before(self, back: int) -> Indices:
        """Return the place of the message ``back`` positions before each in its session, -1 if it is not there.

        ``back`` is at most FARTHEST.
        """
        if back not in self._before:
            found = np.full(len(self._keys), -1)
            at = self._ordered.searchsorted(self._keys - back)
            (there,) = (self._known & (self._ordered[at] == self._keys - back)).nonzero()
            earlier = self._order[at[there]]
            near = self._are_together(there, earlier)
            found[there[near]] = earlier[near]
            self._before[back] = found
        return self._before[back]

    def _are_together(self, later: Indices, earlier: Indices) -> NDArray[np.bool_]:
        """Return which of the pairs of messages were said within TOGETHER, as far as is known."""
        one, other = self._times[later], self._times[earlier]
        near: NDArray[np.bool_] = (one == UNKNOWN) | (other == UNKNOWN) | (np.abs(one - other) <= TOGETHER)
        return near

    def _follows(self) -> Indices:
        found = np.full(len(self._keys), -1)
        asks, says = self.wordings.flags & ASKS > 0, self.wordings.flags & SAYS > 0
        if not asks.any():
            return found
        # Of a message in passages the last one found is in its position: there it asks.
        left = np.flatnonzero(self._known & ~asks)
        for back in range(1, ANSWERS_WITHIN + 1):
            at = self._ordered.searchsorted(self._keys[left] - back, side="right") - 1
            there = (at >= 0) & (self._ordered[at] == self._keys[left] - back)
            left, before = left[there], self._order[at[there]]
            asking = asks[before] & self._are_together(left, before)
            found[left[asking]] = before[asking]
            left = left[~asking & ~says[before]]
        return found
