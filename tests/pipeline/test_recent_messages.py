"""What was said last in a session is read once for a call, and anew for what is asked for again."""

from __future__ import annotations

from pathlib import Path

from mem0g.ingest.recent_messages import RecentMessages
from mem0g.store.protocol import commit
from mem0g.store.sqlite import SqliteStore
from tests.making import ANN, change, message


class Counting(SqliteStore):
    """A store that counts how often messages are read."""

    reads = 0

    def recent_messages(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        """See Store."""
        self.reads += 1
        return super().recent_messages(*args, **kwargs)


def test_read_once(tmp_path: Path) -> None:
    """One read serves all that ask for no more, until what was read is taken; then it may have changed."""
    said = [message(f"Turn {place}", place) for place in range(6)]
    store = Counting(tmp_path / "memory.db")
    commit(store, change(ANN, said[:5]))
    recent, place = RecentMessages(store, ANN, 3), (said[0].source, said[0].session)
    assert recent.last(*place, 1) == tuple(said[4:5])
    assert recent.last(*place, 0) == ()
    assert recent.last(*place, 3) == tuple(said[2:5])
    assert store.reads == 1
    assert recent.last(*place, 4) == tuple(said[1:5])
    assert recent.take(*place, 3) == tuple(said[2:5])
    assert store.reads == 2
    commit(store, change(ANN, said[5:]))
    assert recent.take(*place, 3) == tuple(said[3:])
    assert recent.last("another", place[1], 1) == ()
    store.close()
