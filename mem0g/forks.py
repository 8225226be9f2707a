"""Whether a process is a fork of the one that opened something: locks are copied as they are, held ones for ever."""

from __future__ import annotations

import os

from mem0g.errors import StoreError


class OwnProcess:
    """The process that this is made in."""

    def __init__(self) -> None:
        self._id = os.getpid()

    @property
    def is_forked(self) -> bool:
        """Whether this is the copy of a fork."""
        return os.getpid() != self._id

    def check(self, opened: object) -> None:
        """Raise StoreError in a fork; ``opened`` is what cannot be used there."""
        if self.is_forked:
            raise StoreError(
                f"{opened} was opened by another process, of which this one is a fork",
                hint="open the memory after the fork, or let multiprocessing spawn its processes",
            )
