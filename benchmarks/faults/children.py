"""Child processes that write, acknowledge and are killed; and the journal of their acknowledgements."""

from __future__ import annotations

import json
import os
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, TextIO

from mem0g.errors import Mem0gError

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(["benchmarks.faults.writers", "benchmarks.faults.preloaded"])

BEGUN, ENDED, REFUSED, FAILED = "begun", "ended", "refused", "error"

Work = Callable[..., None]
"""The work of a child; takes its arguments and an acknowledging function, see benchmarks.faults.writers."""


class Journal:
    """The acknowledgements, one a line, each written to disk before work continues."""

    def __init__(self, file: Path) -> None:
        self._file: TextIO = file.open("a", encoding="utf-8")
        self.keys: list[str] = []

    def note(self, keys: Iterable[str]) -> None:
        """Write ``keys`` to disk."""
        new = list(keys)
        self._file.write(json.dumps(new, ensure_ascii=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self.keys += new

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def journal(file: Path) -> Iterator[Journal]:
    """Open a journal in ``file``; it is closed afterwards."""
    opened = Journal(file)
    try:
        yield opened
    finally:
        opened.close()


class Child:
    """A process that runs ``work``.

    ``done``: it finished, after ``seconds``. ``refused`` is the error of mem0g that ended it, ``error`` any other
    error.
    """

    def __init__(self, work: Work, *given: Any) -> None:
        self.channel, theirs = _PROCESSES.Pipe(duplex=False)
        self._process = _PROCESSES.Process(target=_main, args=(theirs, work, given))
        self._process.start()
        theirs.close()
        self.began: float | None = None
        self.done = False
        self.killed = False
        self.error = ""
        self.refused = ""
        self.seconds = 0.0

    def kill(self) -> None:
        """Kill it at once; what it had acknowledged can still be read."""
        self._process.kill()

    def receive(self, log: Journal) -> bool:
        """Receive one message of the process; return whether it is still running."""
        try:
            what, *told = self.channel.recv()
        except (EOFError, OSError):  # it ended, perhaps in the middle of a message
            self.close()
            return False
        if what == BEGUN:
            self.began = monotonic()
        elif what == ENDED:
            self.done = True
            self.seconds = monotonic() - (self.began or 0)
        elif what in (REFUSED, FAILED):
            setattr(self, what, str(told[0]))
        else:
            log.note(told)
        return True

    def close(self) -> None:
        """Wait for the process, and release it."""
        self.channel.close()
        self._process.join()
        self.killed = self._process.exitcode == -signal.SIGKILL and not self.done
        if not (self.done or self.killed or self.refused or self.error):
            self.error = f"the process ended with code {self._process.exitcode}"
        self._process.close()


def watch(children: Sequence[Child], log: Journal, deaths: Sequence[float | None]) -> None:
    """Receive messages of all children until they end; kill each the given seconds after its start (None: never)."""
    living = dict(zip(children, deaths, strict=True))
    while living:
        ready = connection.wait([each.channel for each in living], _next_death(living))
        for child in [each for each in living if each.channel in ready]:
            if not child.receive(log):
                del living[child]
        for child, death in living.items():
            if death is not None and child.began is not None and monotonic() - child.began >= death:
                child.kill()
                living[child] = None


def _next_death(living: dict[Child, float | None]) -> float | None:
    """Return the seconds until the next child is to be killed."""
    left = [
        max(0.0, child.began + death - monotonic())
        for child, death in living.items()
        if death is not None and child.began is not None
    ]
    return min(left, default=None)


def _main(channel: Connection, work: Work, given: Sequence[Any]) -> None:
    """Run the work in the child process."""
    lock = Lock()

    def acknowledge(*keys: str) -> None:
        with lock:
            channel.send(("kept", *keys))

    channel.send((BEGUN,))
    try:
        work(*given, acknowledge)
    except Mem0gError as error:
        channel.send((REFUSED, f"{type(error).__name__}: {error}"))
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent reports it
        place = traceback.extract_tb(error.__traceback__)[-1]
        channel.send((FAILED, f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"))
    else:
        channel.send((ENDED,))
