"""A fork of a process that has a memory open cannot use it, and says so instead of hanging or damaging the file."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from mem0g.errors import StoreError
from mem0g.memory import Memory
from mem0g.testing import HashingEmbedder
from tests.pipeline.telling import ANN

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")


def uses(memory: Memory, path: Path, answer: Connection) -> None:
    """Report what the calls of a fork raise, and how many facts a memory of its own finds."""
    said: list[object] = []
    calls = (
        lambda: memory.search("Where does Ann live?", **ANN),
        lambda: memory.add("I like tea.", **ANN),
        lambda: memory.add("I like tea.", **ANN, wait=False),
        memory.flush,
    )
    for call in calls:
        try:
            said.append(call())
        except StoreError as error:
            said.append(str(error))
    memory.close()
    with Memory.open(path, embedder=HashingEmbedder(), extractor="rules") as own:
        said.append(len(own.facts(**ANN)))
    answer.send(said)


def test_a_fork_is_refused(tmp_path: Path) -> None:
    """Also while a thread of its parent holds the locks; the parent goes on, and the fork may open a memory."""
    path = tmp_path / "memory.db"
    with Memory.open(path, embedder=HashingEmbedder(), extractor="rules") as memory:
        memory.add("I live in Oslo.", **ANN, wait=False)
        memory.flush()
        held, go_on = threading.Event(), threading.Event()

        def hold() -> None:
            with memory.store._file.lock, memory.writer._background._lock:  # type: ignore[attr-defined]
                held.set()
                go_on.wait()

        holding = threading.Thread(target=hold)
        holding.start()
        held.wait()
        here, there = multiprocessing.Pipe()
        fork = multiprocessing.get_context("fork").Process(target=uses, args=(memory, path, there))
        fork.start()
        go_on.set()
        holding.join()
        answered = here.poll(30)
        fork.kill()
        fork.join()
        assert answered, "the fork hangs"
        *refused, facts = here.recv()
        assert len(refused) == 4
        assert all("of which this one is a fork" in str(each) for each in refused), refused
        assert facts == 1
        memory.add("I like coffee.", **ANN)
        assert len(memory.facts(**ANN)) == 2
        assert memory.verify() == ()
