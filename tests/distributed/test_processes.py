"""Ingest in several processes: the same as in one, also in trouble."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from dataclasses import replace

import pytest

from mem0g.distributed import IngestTask, MemoryOptions, ingest_in_processes
from mem0g.errors import UnreachableModelError, WorkerError
from mem0g.ingest.report import Report
from mem0g.model import Scope
from tests.distributed.users import USERS, alone, held, task_of
from tests.llm.server import refused
from tests.pipeline.scripted import Model, Prompt, good
from tests.pipeline.telling import talk
from tests.pipeline.test_review import ORDER, fill, ordered


def ingest(tasks: Sequence[IngestTask], options: MemoryOptions) -> Report:
    """Ingest in two processes; return the report in the order of the tasks."""
    found = sorted(ingest_in_processes(tasks, options, 2), key=lambda each: each[0])
    return sum((report for _, report in found), start=Report())


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def place(request: pytest.FixtureRequest, options: MemoryOptions) -> MemoryOptions:
    """A memory in a file, then one in a Neo4j: the test runs on both."""
    found: MemoryOptions = options if request.param == "sqlite" else request.getfixturevalue("on_neo4j")
    return found


@pytest.mark.slow
def test_the_same_as_in_one_process(
    place: MemoryOptions, tasks: list[IngestTask], model: Model, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Messages, facts, entities, costs and the report, with windows that are quarantined; a second run adds nothing."""

    def unusable(prompt: Prompt) -> object:
        return good(prompt) if "Person" in prompt.texts[-1] else {"nonsense": 1}

    model.says(unusable, "extract")
    file = replace(place, store=str(tmp_path_factory.mktemp("alone") / "memory.db"))
    expected = alone(file, tasks)
    assert expected.quarantined == len(tasks)
    found = ingest(tasks, place)
    assert found == expected
    assert [each.text for each in found.changes] == [each.text for each in expected.changes]
    assert held(place, tasks) == held(file, tasks)
    again = ingest(tasks, place)
    assert (again.messages, again.facts, again.known) == (0, 0, expected.messages)


@pytest.mark.slow
def test_an_error_ends_all_and_a_second_run_continues(
    options: MemoryOptions, tasks: list[IngestTask], model: Model
) -> None:
    """The first error is raised as it is; the messages of its scope are stored; what was not reached is not."""

    def broken(prompt: Prompt) -> object:
        return refused(500, "overloaded") if prompt.user.count("Ann lives in Oslo") else good(prompt)

    model.says(broken, "extract")
    with pytest.raises(UnreachableModelError, match=r"second\.txt.*overloaded"):
        ingest(tasks, options)
    stored = [len(each["messages"]) for each in held(options, tasks).values()]
    assert 36 in stored
    assert stored[2] == 0
    model.is_well()
    ingest(tasks, options)
    after = held(options, tasks)
    assert [(len(each["messages"]), each["waiting"]) for each in after.values()] == [(36, 0)] * 3


@pytest.mark.slow
def test_it_stops_after_the_current_windows(options: MemoryOptions) -> None:
    """What was reached is whole windows, two together, and is reported; the rest comes with the next run."""
    tasks = [task_of(user, 120) for user in USERS]
    reports: list[Report] = []
    for _, report in ingest_in_processes(tasks, options, 2, stopping=lambda: bool(reports), changes=False):
        reports.append(report)
    stored = sum(len(each["messages"]) for each in held(options, tasks).values())
    assert stored == sum(each.messages for each in reports) < 360
    assert stored % 40 == 0
    assert [report.changes for report in reports] == [()] * len(reports)
    assert alone(options, tasks).known == stored


@pytest.mark.slow
def test_a_process_that_dies(options: MemoryOptions, tasks: list[IngestTask], model: Model) -> None:
    """It is an error; the other one completes its window, no process is left, and a second run continues."""
    gate = model.holds("extract", 1, 2)

    def kill() -> bool:
        gate.reached.wait()
        victim = next((each for each in multiprocessing.active_children() if each.name == "mem0g-worker-1"), None)
        if victim:
            victim.kill()
            gate.open.set()
        return False

    with pytest.raises(WorkerError, match="exit code -9") as caught:
        list(ingest_in_processes(tasks, options, 2, stopping=kill))
    assert "run it again" in (caught.value.hint or "")
    assert multiprocessing.active_children() == []
    assert alone(options, tasks).messages > 0
    assert [len(each["messages"]) for each in held(options, tasks).values()] == [36, 36, 36]


@pytest.mark.slow
def test_warnings_of_the_processes_are_logged_here(
    options: MemoryOptions, model: Model, caplog: pytest.LogCaptureFixture
) -> None:
    """Retirements that are held for review are counted in the report, and logged in this process."""
    with options.open() as memory:
        fill(memory, model)
    model.says(ordered, "decide")
    said = tuple(talk(("2024-02-01", "Mal", ORDER), source="order"))
    report = ingest([IngestTask(scope=Scope(user), utterances=said) for user in ("ann", "other")], options)
    assert report.held > 6
    logged = [record.getMessage() for record in caplog.records if "held for review" in record.getMessage()]
    assert sorted(line.partition("of user_id=")[2].partition(" ")[0] for line in logged) == ["ann", "other"]
