"""A detached process is found by its lock, whoever looks and however it ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.errors import ServerFailedError
from tests.servers.process import Detached


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Detached]:
    process = Detached(lock=tmp_path / "run" / "lock", output=tmp_path / "run" / "output")
    yield process
    process.kill()


def _another(process: Detached) -> Detached:
    """What another program would make of the same files."""
    return Detached(lock=process.lock, output=process.output)


def test_nothing_runs_before_the_start(process: Detached) -> None:
    """No lock file, no process; and nothing to stop."""
    assert process.pid is None
    process.stop()


def test_a_running_process_is_found_by_others(process: Detached) -> None:
    """Another program that looks at the lock sees the process and can stop it."""
    process.start(["sleep", "600"])
    other = _another(process)
    assert process.pid == other.pid
    assert process.pid is not None
    os.kill(process.pid, 0)
    process.stop()
    assert other.pid is None


def test_a_crash_frees_the_lock(process: Detached) -> None:
    """A process that is killed from outside does not run, though its id still stands in the file."""
    process.start(["sleep", "600"])
    pid = process.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while process.pid is not None:
        time.sleep(0.01)
    assert process.lock.read_text(encoding="ascii") == str(pid)
    assert _another(process).pid is None


def test_two_do_not_run_on_one_lock(process: Detached) -> None:
    """A second start is refused with the id of the first, which goes on."""
    process.start(["sleep", "600"])
    first = process.pid
    with pytest.raises(ServerFailedError, match=f"process {first} holds"):
        _another(process).start(["sleep", "600"])
    assert process.pid == first


def test_output_is_kept(process: Detached) -> None:
    """What the process says on either stream is in the file, of the last start only."""
    for word in ("first", "second"):
        process.start(["sh", "-c", f"echo {word}; echo loud >&2"])
        while process.pid is not None:
            time.sleep(0.01)
    assert process.output.read_text(encoding="utf-8") == "second\nloud\n"


def test_a_command_that_is_not_there(process: Detached) -> None:
    """The lock is free again when the command could not even be started."""
    with pytest.raises(FileNotFoundError):
        process.start(["/nowhere/java"])
    assert process.pid is None
