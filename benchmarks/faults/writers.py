"""The work of child processes: each function writes to a place, and acknowledges once its call has returned."""

from __future__ import annotations

import resource
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.faults.checks import place_key
from benchmarks.faults.inputs import EQUAL, messages, utterances
from benchmarks.faults.places import DEFAULT, OTHER, SHARED, USER, Place, closing_store
from mem0g import Memory
from mem0g.errors import EmbedderMismatchError, LockedStoreError
from mem0g.transfer.copy import copy as copy_store
from mem0g.transfer.jsonl import import_lines

Acknowledge = Callable[..., None]
"""Acknowledges keys of stored data."""

MESSAGE_COUNT = 32
"""Number of messages of the conversation."""

DONE = "done"
"""Acknowledged by work that is a single call."""


def ingest(place: Place, count: int, acknowledge: Acknowledge) -> None:
    """Ingest the transcript by the rules, window by window."""
    with place.memory() as memory:
        _ingest(memory, count, acknowledge)


def ingest_with_model(place: Place, count: int, base_url: str, acknowledge: Acknowledge) -> None:
    """Ingest the transcript with a language model, prefetching two windows."""
    with place.memory(extractor="llm", base_url=base_url) as memory:
        _ingest(memory, count, acknowledge)
        for _ in memory.retry(user_id=USER):
            pass


def _ingest(memory: Memory, count: int, acknowledge: Acknowledge) -> None:
    talk, done = utterances(count), 0
    for report in memory.ingest(talk, user_id=USER):
        new = report.messages + report.known
        acknowledge(*(place_key(each.session, each.position) for each in talk[done : done + new]))
        done += new


def add(place: Place, count: int, user: str, acknowledge: Acknowledge) -> None:
    """Add messages that have ids, two at a time."""
    with place.memory() as memory:
        for start in range(0, count, 2):
            given = messages(min(2, count - start), first=start)
            memory.add(given, user_id=user)
            acknowledge(*(each["id"] for each in given))


def add_in_background(place: Place, count: int, acknowledge: Acknowledge) -> None:
    """Add messages without waiting for their facts, then flush."""
    with place.memory() as memory:
        for start in range(0, count, 2):
            given = messages(min(2, count - start), first=start)
            memory.add(given, wait=False, user_id=USER)
            acknowledge(*(each["id"] for each in given))
        memory.flush()


def add_beside(place: Place, count: int, user: str, acknowledge: Acknowledge) -> None:
    """Add messages with ids for one user, and after each the same text to a scope shared with other writers."""
    with place.memory() as memory:
        for given in messages(count):
            memory.add([given], user_id=user)
            acknowledge(f"{user} {given['id']}")
            memory.add(EQUAL, user_id=SHARED)
            acknowledge(EQUAL)


def add_equal(place: Place, times: int, threads: int, acknowledge: Acknowledge) -> None:
    """Add the same text repeatedly, in several threads of one memory."""
    with place.memory() as memory:

        def repeat() -> None:
            for _ in range(times):
                memory.add(EQUAL, user_id=SHARED)
                acknowledge(EQUAL)

        with ThreadPoolExecutor(threads) as pool:
            for running in [pool.submit(repeat) for _ in range(threads)]:
                running.result()


def add_and_search(place: Place, count: int, acknowledge: Acknowledge) -> None:
    """Add messages one by one and search after each; reopen when another embedder has filled the store."""
    left = messages(count)
    while left:
        embedder = place.claimed()
        if embedder not in (DEFAULT, OTHER):  # a reindex is under way
            continue
        with place.memory(embedder=embedder) as memory:
            try:
                while left:
                    memory.add([left[0]], user_id=USER)
                    acknowledge(left.pop(0)["id"])
                    memory.search("Where does Ann live?", user_id=USER)
            except (EmbedderMismatchError, LockedStoreError):  # a server that is being reindexed accepts no writes
                continue


def reindex(place: Place, times: int, acknowledge: Acknowledge) -> None:
    """Reindex the store repeatedly, alternating between the two embedders."""
    for _ in range(times):
        other = DEFAULT if place.claimed() == OTHER else OTHER
        with place.memory(extractor="none", embedder=other) as memory:
            memory.reindex()
            acknowledge(other)


def reindex_to_other(place: Place, acknowledge: Acknowledge) -> None:
    """Reindex the store with the other embedder."""
    with place.memory(extractor="none", embedder=OTHER) as memory:
        memory.reindex()
        acknowledge(DONE)


def copy(place: Place, source: str, acknowledge: Acknowledge) -> None:
    """Copy all of the file ``source``."""
    with closing_store(Place(source)) as given, closing_store(place) as taking:
        copy_store(given, taking)
        acknowledge(DONE)


def import_file(place: Place, lines: str, acknowledge: Acknowledge) -> None:
    """Import an export."""
    with closing_store(place) as store, Path(lines).open(encoding="utf-8") as opened:
        import_lines(store, opened)
        acknowledge(DONE)


def forget(place: Place, acknowledge: Acknowledge) -> None:
    """Forget the user."""
    with place.memory(extractor="none") as memory:
        memory.forget(user_id=USER)
        acknowledge(DONE)


def open_first(place: Place, acknowledge: Acknowledge) -> None:
    """Create a new store, and add one message."""
    with place.memory() as memory:
        (given,) = messages(1)
        memory.add([given], user_id=USER)
        acknowledge(given["id"])


def ingest_within(place: Place, count: int, size: int, acknowledge: Acknowledge) -> None:
    """Ingest the transcript with files limited to ``size`` bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    ingest(place, count, acknowledge)
