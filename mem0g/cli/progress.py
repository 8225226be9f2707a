"""The progress of long commands, and how Ctrl-C stops them after the current step."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

from mem0g.cli.terminal import console, say

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

SECONDS_BETWEEN_LINES = 30.0
"""In a log file or a pipe a long command says this often how far it is; a short one says nothing."""

Show = Callable[[int, str], None]
"""Takes how much is done, and a description of it."""


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """Yield a list that is empty until Ctrl-C is pressed; a second Ctrl-C ends the program as usual."""
    pressed: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        del frame
        pressed.append(number)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress(total: int, doing: str, every: float = SECONDS_BETWEEN_LINES) -> Iterator[Show]:
    """Show a bar of ``total`` steps on standard error; a line ``every`` so many seconds when that is not a terminal."""
    if not sys.stderr.isatty():
        yield _lines(total, every)
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    described = TextColumn("{task.description}")
    columns = (BarColumn(), TaskProgressColumn(), described, TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)

        def show(done: int, what: str) -> None:
            bar.update(task, completed=done, description=what)

        yield show


def _lines(total: int, every: float) -> Show:
    """Return what prints a line where the last one, or the beginning, is at least ``every`` so many seconds ago."""
    last = monotonic()

    def show(done: int, what: str) -> None:
        nonlocal last
        if monotonic() - last >= every:
            last = monotonic()
            say(f"{done} of {total}: {what}", err=True)

    return show
