"""Ingest on a Dask cluster: the same as in one process, also when a worker dies."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from mem0g.distributed import IngestTask, MemoryOptions, ingest_on_cluster
from mem0g.distributed.cluster import run_task
from mem0g.errors import InputError, UnreachableModelError, WorkerError
from mem0g.ingest.report import Report
from tests.distributed.users import alone, held
from tests.llm.server import Server, refused
from tests.pipeline.scripted import Model, Prompt, good
from tests.servers.server import Server as Database


@pytest.fixture(scope="module")
def client(neo4j_server: Database) -> Iterator[Client]:
    """Two workers in processes of their own, with the password in their environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NEO4J_USERNAME", neo4j_server.username)
        patch.setenv("NEO4J_PASSWORD", neo4j_server.password or "")
        patch.setenv("OPENAI_API_KEY", "of the worker")
        patch.setenv("NO_PROXY", "127.0.0.1")
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
            Client(cluster) as connected,
        ):
            yield connected


def ingest(tasks: list[IngestTask], options: MemoryOptions, client: Client) -> Report:
    """Ingest on the cluster; return the report in the order of the tasks."""
    return sum((each for _, each in sorted(ingest_on_cluster(tasks, options, client), key=_number)), start=Report())


def _number(found: tuple[int, Report]) -> int:
    return found[0]


@pytest.mark.slow
def test_the_same_as_in_one_process_though_a_worker_dies(
    on_neo4j: MemoryOptions, tasks: list[IngestTask], model: Model, server: Server, client: Client, tmp_path: Path
) -> None:
    """Its scope is ingested again by another; what it committed is known. No secret is sent."""
    file = replace(on_neo4j, store=str(tmp_path / "alone.db"))
    expected = alone(file, tasks)
    gate = model.holds("extract", model.count("extract") + 4)
    killing = threading.Thread(target=_kill_a_busy_worker, args=(client, gate))
    killing.start()
    found = ingest(tasks, on_neo4j, client)
    killing.join()
    assert found.messages + found.known == expected.messages
    theirs, ours = held(file, tasks), held(on_neo4j, tasks)
    for user in theirs:
        del theirs[user]["costs"], ours[user]["costs"]  # the reply that nobody waited for was paid for
    assert ours == theirs
    assert "Bearer of the worker" in {request.headers["authorization"] for request in server.requests}


def _kill_a_busy_worker(client: Client, gate: Any) -> None:
    gate.reached.wait()
    processes = client.run(os.getpid)
    busy = [address for address, tasks in client.processing().items() if tasks]
    os.kill(processes[busy[0]], signal.SIGKILL)
    gate.open.set()


@pytest.mark.slow
def test_an_error_ends_all(on_neo4j: MemoryOptions, tasks: list[IngestTask], model: Model, client: Client) -> None:
    """It is raised here as the class that it is; no further scope is begun, and a second run continues."""

    def broken(prompt: Prompt) -> object:
        return refused(500, "overloaded") if prompt.user.count("Ann lives in Oslo") else good(prompt)

    model.says(broken, "extract")
    with pytest.raises(UnreachableModelError, match=r"second\.txt.*overloaded"):
        ingest(tasks, on_neo4j, client)
    model.is_well()
    ingest(tasks, on_neo4j, client)
    after = held(on_neo4j, tasks)
    assert [(len(each["messages"]), each["waiting"]) for each in after.values()] == [(36, 0)] * 3


@pytest.mark.slow
def test_it_stops(on_neo4j: MemoryOptions, tasks: list[IngestTask], client: Client) -> None:
    """What runs ends after its window, and what was not begun is not stored."""
    found = list(ingest_on_cluster(tasks, on_neo4j, client, stopping=lambda: True))
    stored = sum(len(each["messages"]) for each in held(on_neo4j, tasks).values())
    assert stored == sum(report.messages for _, report in found) < 108


@pytest.mark.slow
def test_it_stops_without_a_worker(options: MemoryOptions, tasks: list[IngestTask]) -> None:
    """What waits for a worker to come is given up at once, and nothing is stored."""
    with (
        LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as connected,
    ):
        asked = iter([False, True])
        found = ingest_on_cluster(
            tasks, replace(options, store="neo4j://127.0.0.1:9"), connected, stopping=lambda: next(asked, True)
        )
        assert list(found) == []


def test_what_cannot_be_used(options: MemoryOptions, tasks: list[IngestTask]) -> None:
    """A store in a file, and a scheduler that does not answer."""
    with pytest.raises(InputError, match="cannot share a file"):
        list(ingest_on_cluster(tasks, options, "tcp://127.0.0.1:9"))
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(WorkerError, match=f"no Dask scheduler answers at {address}"):
            list(ingest_on_cluster(tasks, replace(options, store="neo4j://127.0.0.1:9"), address))


def test_another_version_is_refused(options: MemoryOptions, tasks: list[IngestTask]) -> None:
    """A worker of another mem0g does nothing."""
    with pytest.raises(WorkerError, match=r"a worker has mem0g .*, not 0\.0\.1"):
        run_task(tasks[0], options, "event", changes=False, version="0.0.1")
