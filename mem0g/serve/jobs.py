"""Messages that were taken and are being extracted, each request a job whose progress can be followed.

The messages are stored before a job exists, so that nothing is lost with the process; jobs themselves are forgotten
when it ends.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any
from uuid import uuid4

from starlette.concurrency import run_in_threadpool

from mem0g.errors import NotFoundError
from mem0g.ingest.report import Report
from mem0g.lookup import scope_keys
from mem0g.memory import Memory
from mem0g.model import Scope
from mem0g.transfer.jsonl import plain

MAX_JOBS = 10_000
"""Jobs that are remembered; the oldest are forgotten first."""

PULSE = 0.2
"""Seconds between two looks at what waits."""

UNUSABLE = "the language model gave no usable reply"
UNAVAILABLE = "what extracts facts cannot be used now; the server's log says why"
STOPPED = "the extraction has stopped; the server's log says why"
"""Reasons for which a job failed: the problem itself may name addresses, which are the server's own affair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Messages of one request: ``stored`` is the report of storing them."""

    id: str
    scope: Scope
    since: datetime
    stored: Report


class Jobs:
    """The jobs of this process, by id."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = Lock()
        self._stopped = False

    def add(self, scope: Scope, since: datetime, stored: Report) -> Job:
        """Remember a job for messages that were stored at ``since``."""
        job = Job(id=f"j_{uuid4().hex[:16]}", scope=scope, since=since, stored=stored)
        with self._lock:
            self._jobs[job.id] = job
            while len(self._jobs) > MAX_JOBS:
                self._jobs.popitem(last=False)
        return job

    def get(self, job_id: str) -> Job:
        """Return a job. Raises NotFoundError for an unknown one."""
        with self._lock:
            job = self._jobs.get(job_id)
        if job is None:
            raise NotFoundError(f"no job {job_id[:80]!r}", hint="jobs are forgotten when the server restarts")
        return job

    def state(self, job: Job) -> dict[str, Any]:
        """Return a job as JSON values: what was stored, what of it waits, and what changed since in its scope.

        ``status`` is "running" while windows with messages of the job wait, "failed" where one waits because of a
        problem or is no longer being extracted, as on a full disk, else "done"; ``reason`` and ``hint`` say as much of
        the problem as a client may know. Messages that were known before count as the job's.
        """
        keys = scope_keys(job.scope)
        ours = frozenset(job.stored.message_ids)
        stopped = not self._memory.writer.extracting  # asked first: what waits then, waits for something else
        waiting = [window for window in self._memory.pending(**keys) if not ours.isdisjoint(window.messages)]
        troubled = next((window for window in waiting if window.problem), None)
        found: dict[str, Any] = {
            "id": job.id,
            "status": "done" if not waiting else "failed" if troubled or stopped else "running",
            "messages": job.stored.messages,
            "known": job.stored.known,
            "waiting": len(waiting),
        }
        if found["status"] == "failed":
            unusable = troubled is not None and troubled.state == "quarantined"
            found["reason"] = UNUSABLE if unusable else UNAVAILABLE if troubled else STOPPED
            found["hint"] = "the messages are stored and can be searched; `mem0g retry` extracts their facts"
        if not waiting:
            changed = self._memory.diff(job.since, **keys)
            found["facts"] = [plain(fact) for fact in (*changed.learnt, *(each.new for each in changed.changed))]
            found["retired"] = [fact.id for each in changed.changed for fact in each.old]
            found["retired"] += [each.fact.id for each in changed.ended]
        return found

    def stop(self) -> None:
        """End what follows jobs: the server is to stop, which waits for all that it is sending."""
        self._stopped = True

    async def follow(self, job: Job) -> AsyncIterator[dict[str, Any]]:
        """Yield the state of a job each time that it changes, until it is done or has failed, or the server stops."""
        last: dict[str, Any] | None = None
        while last is None or (last["status"] == "running" and not self._stopped):
            state = await run_in_threadpool(self.state, job)
            if state != last:
                last = state
                yield state
            if last["status"] == "running":
                await asyncio.sleep(PULSE)
