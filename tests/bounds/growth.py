"""Measures how the time of a call grows with the size of its input."""

from __future__ import annotations

import time
from collections.abc import Callable

LINEAR = 2.5
"""Most that the time may grow when the size doubles: 2 for linear, 4 for quadratic time, and room for noise."""

FLOOR = 0.005
"""Seconds of CPU below which a time is not compared: what is quadratic is far above it at the sizes tested."""

TRIES = 4
"""Doublings in a row, each measured anew, that must all be too slow before growth counts as more than linear."""


def worst_growth(run: Callable[[str], object], make: Callable[[int], str], *, most: int, least: int = 32) -> float:
    """Return the factor by which the time of ``run(make(size))`` grows when the size doubles.

    Sizes start at ``least``, so that exponential growth is detected before it takes forever, and go up to ``most``.
    Returns less than LINEAR when the time stays under FLOOR. The smallest growth of a few doublings counts, so that
    noise passes and quadratic time does not.
    """
    size, spent = least, 0.0
    while size < most and spent < FLOOR:
        size = min(4 * size, most)
        spent = seconds(run, make(size), enough=FLOOR)
    if spent < FLOOR:
        return 1.0
    growth = []
    for _ in range(TRIES):
        twice = seconds(run, make(2 * size), enough=LINEAR * spent)
        growth.append(twice / spent)
        if growth[-1] < LINEAR:
            break
        if twice < 0.1:
            size *= 2
        spent = seconds(run, make(size))
    return min(growth)


def seconds(run: Callable[[str], object], text: str, *, enough: float = 0.0) -> float:
    """Return the CPU time of one call: the best of three, or of fewer when one takes long or less than ``enough``."""
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        run(text)
        best = min(best, time.process_time() - begun)
        if best > 0.2 or best < enough:
            break
    return best
