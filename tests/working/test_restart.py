"""A process that ends at any point: nothing acknowledged is lost, and nothing is there twice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mem0g import Memory, WorkingMemory
from mem0g.store.change import Change
from mem0g.store.sqlite import SqliteStore
from mem0g.store.sqlite.transaction import SqliteTransaction
from mem0g.testing import HashingEmbedder
from tests.working.chats import Chat, assistant, user, words

ROOT = Path(__file__).parents[2]
TALK = [
    each for n in range(8) for each in (user(f"I like dish number {n}.", id=f"u{n}"), assistant(f"Dish {n} it is."))
]


def opened(store: Any) -> Memory:
    """Return a memory that extracts by rules."""
    return Memory.open(store, embedder=HashingEmbedder(), extractor="rules")


def session(memory: Memory) -> WorkingMemory:
    """Return the working memory of the one session."""
    return WorkingMemory(memory, user_id="ann", session="s", token_limit=50, flush_size=8, count_tokens=words)


class Stopped(BaseException):
    """The process ends here."""


class Mortal(SqliteStore):
    """A store whose process ends at the commit of that number, before or after it."""

    commits, fatal, after = 0, 0, False

    def write(self, scope: Any, work: Callable[[SqliteTransaction], Any]) -> Any:
        """See Store."""
        self.commits += 1
        if self.commits == self.fatal and not self.after:
            raise Stopped
        done = super().write(scope, work)
        if self.commits == self.fatal:
            raise Stopped
        return done


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("fatal", range(2, 26, 6))
def test_stopped_at_any_commit(tmp_path: Path, fatal: int, after: bool) -> None:
    """What was acknowledged is in the buffer or was extracted; appending the rest again completes the conversation."""
    store = Mortal(tmp_path / "m.db")
    store.fatal, store.after = fatal, after
    memory = opened(store)
    acknowledged: list[Chat] = []
    try:
        chat = session(memory)
        for message in TALK:
            chat.append(message, wait=True)
            acknowledged.append(message)
    except Stopped:
        pass
    store.fatal = 0
    memory.close()
    with opened(tmp_path / "m.db") as memory:
        chat = session(memory)
        stored = [each.text for each in memory.messages(user_id="ann")]
        assert stored[: len(acknowledged)] == [each["content"] for each in acknowledged]
        left = TALK[len(acknowledged) :]
        if left and left[0]["role"] == "assistant" and len(stored) > len(acknowledged):
            left = left[1:]  # it has no id, and was stored
        for message in left:
            chat.append(message, wait=True)
        assert [each.text for each in memory.messages(user_id="ann")] == [each["content"] for each in TALK]
        shown = chat.messages()
        assert [each["content"] for each in shown] == [each["content"] for each in TALK[-len(shown) :]]
        assert chat.tokens() <= 35
        chat.flush()
        facts = [fact.object for fact in memory.facts(user_id="ann")]
        assert sorted(facts) == [f"dish number {n}" for n in range(8)]
        assert (memory.pending(user_id="ann"), memory.verify()) == ((), ())


KILLED = """
import os, sys
from mem0g.store.change import Change
from mem0g.store.sqlite.transaction import SqliteTransaction
from tests.working.test_restart import TALK, opened, session

memory = opened(sys.argv[1])
commit = SqliteTransaction.commit

def dying(self, change):
    commit(self, change)
    if len(change.windows) > 1:
        os._exit(9)

chat = session(memory)
for place, message in enumerate(TALK):
    if place == 9:
        SqliteTransaction.commit = dying
    chat.append(message)
    print(place, flush=True)
"""


@pytest.mark.slow
def test_killed_between_append_and_flush(tmp_path: Path) -> None:
    """A real process, killed within the commit that takes messages out of the buffer: none of it has happened."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "m.db")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 9, done.stderr
    said = len(done.stdout.split())
    with opened(tmp_path / "m.db") as memory:
        assert [each.text for each in memory.messages(user_id="ann")] == [each["content"] for each in TALK[:said]]
        chat = session(memory)
        for message in TALK[said:]:
            chat.append(message, wait=True)
        chat.flush()
        assert sorted(fact.object for fact in memory.facts(user_id="ann")) == [f"dish number {n}" for n in range(8)]


def test_windows_of_a_process_that_ended_are_extracted(tmp_path: Path) -> None:
    """Messages that had left the buffer wait in the store; the next process extracts them with its first message."""
    with opened(tmp_path / "m.db") as memory:
        chat = session(memory)

        def nothing(waiting: Sequence[Any]) -> Any:
            raise OSError("the process has other worries")

        memory.writer._ingest.extractor.extract = nothing  # type: ignore[method-assign, assignment]
        for message in TALK:
            chat.append(message)
        memory.writer.wait()
        assert {each.state for each in memory.pending(user_id="ann")} == {"buffered", "failed", "waiting"}
    with opened(tmp_path / "m.db") as memory:
        session(memory).append("Hi.", wait=True)
        assert {each.state for each in memory.pending(user_id="ann")} == {"buffered"}
        assert memory.facts(user_id="ann")


def test_a_copy_goes_on(tmp_path: Path) -> None:
    """The buffer is part of what is copied and exported."""
    with opened(tmp_path / "one.db") as memory, opened(tmp_path / "two.db") as other:
        session(memory).append(TALK[:4])
        with memory.store.snapshot() as snapshot:
            changes: list[Change] = list(snapshot.changes)
        other.store.claim_embedder(other.embedder.name, other.embedder.dimensions)
        other.store.load(iter(changes), embedder=(other.embedder.name, other.embedder.dimensions))
        assert session(other).messages() == session(memory).messages() != []
