"""How the encoder uses the processor: whole batches side by side, each computed by one thread.

A BLAS library with threads of its own cuts every product of matrices into parts that wait for each other, busily,
hundreds of times in one text. That makes a text 1.7 times faster on two idle cores, and up to 15 times slower on two
that have other work; four threads with a query each were 25 times slower (OpenBLAS 0.3.31). Batches need nothing of
each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Batch = TypeVar("Batch")

_turn = Lock()
"""BLAS has one number of threads for the whole process, so callers of `each` take turns, a round at a time."""


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def each(compute: Callable[[Batch], None], batches: Sequence[Batch]) -> None:
    """Call ``compute`` with each batch, as many at a time as there are cores; the first error is raised.

    Meanwhile numpy's BLAS has one thread, unless the process has limited its threads itself.
    """
    if len(batches) == 1:
        with _turn, _blas().limit(limits=1, user_api="blas"):
            compute(batches[0])
        return
    from concurrent.futures import ThreadPoolExecutor

    width = cores()
    with ThreadPoolExecutor(width) as pool:
        for begin in range(0, len(batches), width):
            with _turn, _blas().limit(limits=1, user_api="blas"):
                list(pool.map(compute, batches[begin : begin + width]))


@cache
def _blas() -> ThreadpoolController:
    """Finding the libraries takes 2 ms, so it is done once; numpy must be loaded by then."""
    import numpy  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
