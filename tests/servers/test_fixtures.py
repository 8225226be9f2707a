"""Tests without a server are skipped loudly, or fail where one is required; servers never outlive the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.fixtures import StartLocal

pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[2]

_BOTH = """
def test_shared(neo4j_server): pass
def test_own(local_neo4j): local_neo4j()
def test_none(): pass
"""
_WAITING = """
import time
def test_waits(local_neo4j):
    server = local_neo4j()
    print(server.pid, flush=True)
    time.sleep(600)
"""


def _command(test: Path, text: str, *options: str) -> list[str]:
    test.write_text(text, encoding="utf-8")
    plugin = ["-p", "tests.servers.fixtures", "-p", "no:cacheprovider"]
    config = ["-c", str(_ROOT / "pyproject.toml"), "--rootdir", str(test.parent)]
    return [sys.executable, "-m", "pytest", *plugin, *config, *options, str(test)]


def _without_a_server(tmp_path: Path, **more: str) -> dict[str, str]:
    """An environment with no Maven, no Docker, and a version that nobody has in the cache."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "MEM0G_"))}
    return kept | {"PATH": str(tmp_path / "empty"), "MEM0G_TEST_NEO4J_VERSION": "2026.99.0", **more}


def test_skipping_is_loud(tmp_path: Path) -> None:
    """Both fixtures skip, the rest passes, and the last lines say so and what to install."""
    command = _command(tmp_path / "test_it.py", _BOTH)
    environment = _without_a_server(tmp_path)
    run = subprocess.run(command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed, 2 skipped" in run.stdout
    assert "NEO4J TESTS WERE SKIPPED" in run.stdout
    assert "install" in run.stdout


def test_a_required_server_that_is_missing_fails(tmp_path: Path) -> None:
    """With MEM0G_REQUIRE_NEO4J=1 the same is a failure."""
    command = _command(tmp_path / "test_it.py", _BOTH)
    environment = _without_a_server(tmp_path, MEM0G_REQUIRE_NEO4J="1")
    run = subprocess.run(command, cwd=_ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "MEM0G_REQUIRE_NEO4J=1, but there is no Neo4j" in run.stdout
    assert "1 failed, 1 passed, 1 error" in run.stdout


def test_tests_with_a_server_are_marked(tmp_path: Path) -> None:
    """`-m neo4j` picks the tests that use one of the fixtures, with no marker of their own."""
    command = _command(tmp_path / "test_it.py", _BOTH, "-m", "neo4j", "--collect-only")
    run = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert "test_shared" in run.stdout
    assert "test_own" in run.stdout
    assert "test_none" not in run.stdout


def test_no_server_outlives_an_interrupted_run(tmp_path: Path, local_neo4j: StartLocal) -> None:
    """When pytest is told to end in the middle of a test, the servers it started end with it."""
    command = _command(tmp_path / "test_it.py", _WAITING, "-s")
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        first = run.stdout.readline()
        if not first.strip().isdecimal():
            pytest.skip(f"no server: {first}{run.stdout.read()}")
        pid = int(first)
        os.kill(pid, 0)
        run.send_signal(signal.SIGTERM)
        run.stdout.read()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
