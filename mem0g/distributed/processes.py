"""Ingest in several processes of this machine.

Each process has a pipe of its own to this one: a task goes in, reports and log records come out. A process that dies
closes its pipe, and so does this one, so that neither waits for the other in vain.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Lock
from typing import Any, cast

from mem0g.distributed.tasks import IngestTask, MemoryOptions, Numbered, Stopping
from mem0g.errors import Mem0gError, WorkerError
from mem0g.ingest.report import Report

POLL_SECONDS = 0.1
"""How often to ask whether to stop while no process says anything."""

_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks, and the connections to a store


def ingest_in_processes(
    tasks: Sequence[IngestTask],
    options: MemoryOptions,
    workers: int,
    *,
    stopping: Stopping = lambda: False,
    changes: bool = True,
) -> Iterator[Numbered]:
    """Ingest tasks in ``workers`` processes; yield the number of a task and the report of each of its windows.

    Tasks are begun in order, and those of different scopes run side by side. When ``stopping()`` becomes true,
    or the iterator is closed, the processes end after their current windows; messages that were not reached are not
    stored. Without ``changes`` reports hold counts only.

    Processes are started as `multiprocessing` does with "spawn": a script that calls this needs its
    ``if __name__ == "__main__"``.

    Raises the first error of any process, after the others have completed their current windows, and WorkerError if
    a process dies.
    """
    with _started(min(workers, len(tasks)), options, changes) as started:
        team = _Team(started, iter(enumerate(tasks)))
        while team.busy:
            yield from team.reports(POLL_SECONDS)
            if team.error or stopping():
                team.stop()
    if team.error:
        raise team.error


class _Team:
    """The processes that have something to do, by their pipes, and the tasks to come."""

    def __init__(self, workers: Sequence[_Worker], coming: Iterator[tuple[int, IngestTask]]) -> None:
        self.busy = {worker.connection: worker for worker in workers}
        self.error: Mem0gError | None = None
        self._coming = coming
        self._stopped = False
        for worker in workers:
            worker.begin(next(coming, None))

    def reports(self, seconds: float) -> Iterator[Numbered]:
        """Wait up to so many seconds for the processes; yield what they report, and give them their next tasks."""
        for connection in wait(list(self.busy), seconds):
            worker = self.busy[cast("Connection", connection)]
            said = worker.heard()
            if isinstance(said, Report):
                yield worker.number, said
            elif isinstance(said, logging.LogRecord):
                logging.getLogger(said.name).handle(said)
            elif isinstance(said, Mem0gError):
                self.error = self.error or said
                del self.busy[worker.connection]
            elif not worker.begin(None if self._stopped else next(self._coming, None)):
                del self.busy[worker.connection]

    def stop(self) -> None:
        """Tell the processes to end after their current windows."""
        if not self._stopped:
            for worker in self.busy.values():
                worker.end()
        self._stopped = True


@dataclass(slots=True)
class _Worker:
    """A process, this end of its pipe, and the number of the task that it works on."""

    process: SpawnProcess
    connection: Connection
    number: int = -1

    def begin(self, task: tuple[int, IngestTask] | None) -> bool:
        """Send the next task; if there is none, ask the process to end and return False."""
        if task is None:
            self.end()
            return False
        self.number = task[0]
        with suppress(OSError):  # it died: the next ``heard`` says so
            self.connection.send(task[1])
        return True

    def end(self) -> None:
        """Tell the process to end, after its current window."""
        with suppress(OSError):  # it has ended
            self.connection.send(None)

    def heard(self) -> Report | logging.LogRecord | Mem0gError | None:
        """Return what the process has sent; None when its task is done."""
        try:
            said: Report | logging.LogRecord | Mem0gError | None = self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            return WorkerError(
                f"a worker process ended before its work (exit code {self.process.exitcode})",
                hint="what it committed is kept; run it again to continue, with fewer workers if memory was short",
            )
        return said


@contextmanager
def _started(count: int, options: MemoryOptions, changes: bool) -> Iterator[list[_Worker]]:
    """Start processes; wait for their ends, or terminate them on KeyboardInterrupt."""
    started: list[_Worker] = []
    try:
        for number in range(count):
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(
                target=_work, args=(theirs, options, changes), name=f"mem0g-worker-{number + 1}", daemon=True
            )
            process.start()
            theirs.close()
            started.append(_Worker(process, ours))
        yield started
    except KeyboardInterrupt:
        for worker in started:
            worker.process.terminate()
        raise
    finally:
        for worker in started:
            worker.connection.close()
        for worker in started:
            worker.process.join()


def _work(connection: Connection, options: MemoryOptions, changes: bool) -> None:
    """Ingest what comes, in a process of its own, until None comes or the pipe is closed at the other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal; the first one decides
    line = _Line(connection)
    logging.getLogger().addHandler(QueueHandler(line))  # type: ignore[arg-type]  # it is only put into
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the first process is gone
        try:
            with options.open() as memory:
                while (task := connection.recv()) is not None:
                    _ingest(task.reports(memory, changes=changes), line, connection)
                    line.send(None)
        except Mem0gError as error:
            line.send(error)


def _ingest(reports: Generator[Report], line: _Line, connection: Connection) -> None:
    """Send the reports, until the first process has something to say: that this one is to end."""
    with closing(reports):
        for report in reports:
            line.send(report)
            if connection.poll():
                return


class _Line:
    """The process's end of its pipe, for several threads; a queue for a QueueHandler of log records."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = Lock()

    def send(self, said: object) -> None:
        with self._lock:
            self._connection.send(said)

    def put_nowait(self, record: Any) -> None:
        with suppress(OSError):  # the first process is gone, and with it who would read
            self.send(record)
