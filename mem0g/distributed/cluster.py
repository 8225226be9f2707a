"""Ingest on the workers of a Dask cluster.

A task carries the texts of one scope, so that workers need no common file system. Nothing secret goes with it: a worker
takes passwords and keys from its own environment. Dask runs the tasks of a worker that dies again, elsewhere; what they
had committed is known then.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing, nullcontext
from importlib.util import find_spec
from time import sleep
from typing import TYPE_CHECKING
from uuid import uuid4

from mem0g import __version__
from mem0g.distributed.tasks import IngestTask, MemoryOptions, Numbered, Stopping
from mem0g.errors import InputError, Mem0gError, WorkerError
from mem0g.ingest.report import Report
from mem0g.settings import Settings
from mem0g.store.address import local_path

if TYPE_CHECKING:
    from distributed import Client, Future

POLL_SECONDS = 0.05
"""How often to ask which tasks are done, and whether to stop."""

CONNECT_SECONDS = 5

AHEAD = 2
"""Tasks that the scheduler holds at a time, for each thread of the workers: so that no worker waits for the next one,
and the scheduler holds the texts of a few scopes only."""

_log = logging.getLogger(__name__)


def ingest_on_cluster(
    tasks: Sequence[IngestTask],
    options: MemoryOptions,
    scheduler: str | Client,
    *,
    stopping: Stopping = lambda: False,
    changes: bool = True,
) -> Iterator[Numbered]:
    """Ingest tasks on the workers of a Dask ``scheduler``; yield the number of each task that is done and its report.

    ``scheduler`` is its address, such as tcp://host:8786, or a client. The store has to be a Neo4j database that
    the workers reach by the same address; they need this version of mem0g, and the password and the key in their own
    environment (NEO4J_USERNAME, NEO4J_PASSWORD, OPENAI_API_KEY), since ``options`` reach them without. A task that a
    dying worker has begun is run again by another; the report counts what the first one committed as known.

    When ``stopping()`` becomes true, the workers end their tasks after the current windows. Without ``changes`` reports
    hold counts only.

    Raises InputError for a store in a file, or if Dask is not installed; WorkerError if the scheduler does not answer,
    or if a task fails on several workers; else the first error of any task, after the others have completed
    their current windows.
    """
    if find_spec("distributed") is None:
        raise InputError("a cluster needs the package distributed", hint='pip install "mem0g[dask]"')
    check_shared(options.store or options.settings.store)
    with _connected(scheduler) if isinstance(scheduler, str) else nullcontext(scheduler) as client:
        run = _ClusterRun(client, options.without_secrets(), changes)
        try:
            yield from run.results(tasks, stopping)
        finally:
            run.stop()  # of an iterator that is closed early: what runs ends soon


def check_shared(store: str | None) -> None:
    """Raise InputError for a store in a file: the workers of a cluster cannot share it."""
    if local_path(store) is not None:
        hint = "use a Neo4j that all workers reach (mem0g copy moves a memory), or --workers on this machine"
        raise InputError("the workers of a cluster cannot share a file", hint=hint)


def _connected(scheduler: str) -> Client:
    from distributed import Client

    try:
        return Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        hint = "start one with `dask scheduler`, and workers with `dask worker ADDRESS`"
        raise WorkerError(f"no Dask scheduler answers at {scheduler}", hint=hint) from error


class _ClusterRun:
    """The tasks of one ingest that the scheduler has."""

    def __init__(self, client: Client, options: MemoryOptions, changes: bool) -> None:
        from distributed import Event

        self._client, self._options, self._changes = client, options, changes
        self._name = f"mem0g-{uuid4().hex}"  # of tasks, too: dashboards and logs show no user's name
        self._stop = Event(self._name, client=client)
        self._stopped = False
        self._running: dict[Future, int] = {}

    def results(self, tasks: Sequence[IngestTask], stopping: Stopping) -> Iterator[Numbered]:
        """Yield the reports of tasks as they are done. Raises the first error when nothing runs any more."""
        coming = iter(enumerate(tasks))
        error: Mem0gError | None = None
        self._submit(coming)
        while self._running:
            for future in [each for each in self._running if each.status != "pending"]:
                number, found = self._running.pop(future), _result(future)
                if isinstance(found, Mem0gError):
                    error = error or found
                else:
                    yield number, found
            if error or stopping():
                self.stop()
            self._submit(coming)
            sleep(POLL_SECONDS)
        if error:
            raise error

    def stop(self) -> None:
        """Let the tasks that run end after their current windows; begin no further ones.

        Without a worker none runs, so that they are cancelled: nobody would end them.
        """
        if self._running and not self._stopped:
            self._stop.set()
        if self._running and not self._client.nthreads():
            self._client.cancel(list(self._running))
            self._running.clear()
        self._stopped = True

    def _submit(self, coming: Iterator[tuple[int, IngestTask]]) -> None:
        """Hand the next tasks to the scheduler, up to its bound."""
        if self._stopped:
            return
        threads = sum(self._client.nthreads().values())
        if not threads and not self._running:
            _log.warning("the Dask scheduler has no workers yet: waiting for one")
        while len(self._running) < AHEAD * max(1, threads):
            number, task = next(coming, (-1, None))
            if task is None:
                return
            given = (task, self._options, self._name, self._changes, __version__)
            future = self._client.submit(run_task, *given, key=f"{self._name}-{number}", pure=False)
            self._running[future] = number


def _result(future: Future) -> Report | Mem0gError:
    """Return what a task returned, or the error that it raised, if it is one of mem0g's."""
    from distributed import KilledWorker

    try:
        report: Report = future.result()
    except Mem0gError as error:
        return error
    except KilledWorker:
        hint = "see the workers' logs, perhaps they are short of memory; run it again to continue"
        return WorkerError("several workers died at the files of one scope", hint=hint)
    except CancelledError:
        return WorkerError("the Dask scheduler has dropped a task", hint="run it again to continue")
    return report


def run_task(task: IngestTask, options: MemoryOptions, event: str, changes: bool, version: str) -> Report:
    """Ingest a task on a worker, until ``event`` is set; return the report.

    Raises WorkerError if the worker has another version of mem0g than ``version``.
    """
    from distributed import Event

    if version != __version__:
        hint = "install the same version wherever the cluster runs"
        raise WorkerError(f"a worker has mem0g {__version__}, not {version}", hint=hint)
    stop, total = Event(event), Report()
    if stop.is_set():
        return total
    ours = options.with_secrets(Settings.from_environment())
    with ours.open() as memory, closing(task.reports(memory, changes=changes)) as reports:
        for report in reports:
            total += report
            if stop.is_set():
                break
    return total
