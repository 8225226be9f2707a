"""The last messages of the sessions that one call adds to, each session read once."""

from __future__ import annotations

from collections.abc import Sequence

from mem0g.model import Message, Scope
from mem0g.store.protocol import Store


class RecentMessages:
    """The last messages of sessions as of the first time that they are asked for.

    Where the messages of a call belong is asked before they are cut into windows, and what was said before them
    afterwards; both are read at once. ``most`` is how many messages are read of a session, if not more are asked for.
    """

    def __init__(self, store: Store, scope: Scope, most: int) -> None:
        self._store, self._scope, self._most = store, scope, most
        self._read: dict[tuple[str, str], tuple[Message, ...]] = {}

    def last(self, source: str, session: str, count: int | None = None) -> tuple[Message, ...]:
        """Return the last ``count`` messages of a session, oldest first, as of the first time it is asked for.

        Without a count they are as many as are read at once.
        """
        count = self._most if count is None else count
        read = self._read.get((source, session))
        if read is None or count > self._most:
            read = self._store.recent_messages(self._scope, source, session, max(count, self._most))
            self._read[source, session] = read
        return read[-count:] if count else ()

    def take(self, source: str, session: str, count: int) -> Sequence[Message]:
        """Return the same once; asked again, read them anew, as there may be others by then."""
        found = self.last(source, session, count)
        del self._read[source, session]
        return found
