from __future__ import annotations

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from mem0g.embed.bert import cores, each


def blas_threads() -> list[int]:
    assert np.__version__  # numpy brings its BLAS library with it
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_every_batch_once() -> None:
    """Each batch is computed once, whether there is one or many."""
    for count in (0, 1, 50):
        seen: list[int] = []
        each(seen.append, range(count))
        assert sorted(seen) == list(range(count))


def test_one_thread_inside_as_before_outside() -> None:
    """While batches are computed BLAS has one thread; afterwards it has as many as before."""
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        seen: list[list[int]] = []
        each(lambda batch: seen.append(blas_threads()), [1, 2, 3])
        assert seen == [[1] * len(before)] * 3
        assert blas_threads() == before


def test_restored_after_an_error() -> None:
    """An error in a batch reaches the caller, and BLAS is as before."""

    def fail(batch: int) -> None:
        raise ValueError(f"batch {batch}")

    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with pytest.raises(ValueError, match="batch 1"):
            each(fail, [1, 2])
        assert blas_threads() == before


def test_callers_take_turns() -> None:
    """Callers in several threads find BLAS with one thread each time, and leave it as it was."""
    seen: list[list[int]] = []
    before = blas_threads()

    def call() -> None:
        for _ in range(20):
            each(lambda batch: seen.append(blas_threads()), [0, 1, 2])

    callers = [threading.Thread(target=call) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert seen == [[1] * len(before)] * 240
    assert blas_threads() == before


def test_another_turn_between_rounds() -> None:
    """A caller with a single batch need not wait until another's many batches are all done."""
    many = iter(range(10**6))
    begun, done = threading.Event(), threading.Event()

    def slow(batch: int) -> None:
        begun.set()
        next(many)
        if not done.is_set():
            done.wait(0.01)

    crowd = threading.Thread(target=each, args=(slow, range(2000)))
    crowd.start()
    assert begun.wait(30)
    each(lambda batch: None, [0])
    done.set()
    left = next(many)
    crowd.join()
    assert left < 2000


def test_cores() -> None:
    """There is at least one core."""
    assert cores() >= 1
