"""Replies that arrive while another process holds the file's write lock are neither lost nor paid for twice."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from threading import Event
from typing import Any

import pytest

from mem0g.errors import LockedStoreError
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.store.address import open_store
from tests.llm.server import Server
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import ANN, Place, leftovers, opened, texts

SAID = "Ann lives in Oslo."
HOLDER = """
import sqlite3, sys, time
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
if len(sys.argv) > 2:
    time.sleep(float(sys.argv[2]))
else:
    sys.stdin.readline()
held.execute("COMMIT")
print("released", flush=True)
sys.stdin.readline()
"""
"""Holds the write lock of a file: for so many seconds, else until it is sent a line."""


class Holding:
    """Processes that take a file's write lock when the model is asked."""

    def __init__(self, model: Model, place: Place) -> None:
        self._place = place
        self._seconds: list[str] = []
        self.process: subprocess.Popen[str] | None = None
        self.held = Event()
        model.says(self._answer, "extract", 1)

    def of(self, seconds: float) -> None:
        """Hold the lock for the given seconds, instead of until ``release``."""
        self._seconds = [str(seconds)]

    def _answer(self, prompt: Prompt) -> Any:
        command = [sys.executable, "-c", HOLDER, self._place.address, *self._seconds]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._said() == "held"
        self.held.set()
        return good(prompt)

    def release(self) -> None:
        """Release the lock."""
        assert self.process is not None
        assert self.process.stdin is not None
        print(file=self.process.stdin, flush=True)
        assert self._said() == "released"

    def _said(self) -> str:
        assert self.process is not None
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.communicate()


@pytest.fixture
def holding(model: Model, file: Place) -> Iterator[Holding]:
    """A lock taken during the model's first reply."""
    made = Holding(model, file)
    yield made
    made.end()


@pytest.mark.slow
def test_a_writer_waits_its_turn(file: Place, server: Server, model: Model, holding: Holding) -> None:
    """A lock held by another process for seven seconds only delays an ingest."""
    holding.of(7)
    with opened(file, server) as memory:
        report = memory.add(SAID, **ANN)
        assert (report.messages, report.facts, model.count()) == (1, 1, 1)
        assert leftovers(memory) == (0, 0)


def test_readers_go_on_meanwhile(file: Place, server: Server, holding: Holding) -> None:
    """While a thread waits for the write lock, others of the process search and read."""
    with opened(file, server) as memory:
        memory.add("Ann likes tea.", **ANN, wait=False)
        while not holding.held.is_set():
            assert memory.stats(**ANN).messages == 1
        assert memory.facts(**ANN) == ()
        assert memory.messages(**ANN)[0].text == "Ann likes tea."
        holding.release()
        memory.flush()
        assert texts(memory) == ["Ann likes tea."]


def test_a_reply_that_cannot_be_stored(file: Place, server: Server, model: Model, holding: Holding) -> None:
    """After the timeout the error says that the reply is kept, and it is used when the messages are added again."""
    with opened(file, server, lock_timeout=0.2) as memory:
        with pytest.raises(LockedStoreError, match="reply of tiny") as caught:
            memory.add(SAID, **ANN)
        assert "not paid for again" in (caught.value.hint or "")
        assert caught.value.retry
        holding.release()
        assert memory.add(SAID, **ANN).facts == 1
        assert model.count() == 1
        (cost,) = memory.costs(**ANN)
        assert (cost.calls, cost.cached) == (2, 1)
        assert leftovers(memory) == (0, 0)


def test_forgotten_before_it_could_be_stored(file: Place, server: Server, holding: Holding) -> None:
    """A reply waiting in memory is dropped when its scope is forgotten."""
    with opened(file, server, lock_timeout=0.2) as memory:
        with pytest.raises(LockedStoreError):
            memory.add(SAID, **ANN)
        holding.release()
        memory.forget(**ANN)
        memory.add("Ben likes tea.", user_id="ben")
        assert (memory.stats(**ANN).windows, memory.stats(**ANN).calls, memory.stats(**ANN).replies) == (0, 0, 0)


@pytest.mark.parametrize("timeout", [0.0, 0.3])
def test_the_timeout_is_a_setting(file: Place, server: Server, holding: Holding, timeout: float) -> None:
    """The setting reaches the store, however it is opened."""
    with opened(file, server, lock_timeout=timeout) as memory:
        assert isinstance(memory, Memory)
        with pytest.raises(LockedStoreError, match="locked by another process"):
            memory.add(SAID, **ANN)
        holding.release()
    with closing(open_store(file.address)) as store:
        assert store.stats(Scope("ann")).messages == 0
