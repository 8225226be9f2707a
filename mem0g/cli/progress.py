"""The progress bar of long commands, and how Ctrl-C stops them after the current step."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from mem0g.cli.terminal import console

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

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
def progress(total: int, doing: str) -> Iterator[Show]:
    """Show a bar of ``total`` steps on standard error; nothing when that is not a terminal."""
    if not sys.stderr.isatty():
        yield _show_nothing
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)

        def show(done: int, what: str) -> None:
            bar.update(task, completed=done, description=what)

        yield show


def _show_nothing(done: int, what: str) -> None:
    del done, what
