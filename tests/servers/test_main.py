"""`make neo4j` and `make neo4j-stop`: what is said, and that saying it twice does no harm."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers.fixtures import StartLocal
from tests.servers.given import version_of
from tests.servers.local import LocalServer

pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[2]


def _run(*arguments: str, code: int = 0, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "NEO4J_PASSWORD"}
    command = [sys.executable, "-m", "tests.servers", *arguments]
    run = subprocess.run(command, cwd=_ROOT, env=kept | environment, capture_output=True, text=True, check=False)
    assert run.returncode == code, run.stdout + run.stderr
    return run.stdout + run.stderr


def test_stop_when_nothing_runs(tmp_path: Path) -> None:
    """Stopping what does not run says so and is no failure; the status tells it by its exit code."""
    assert "No Neo4j runs" in _run("stop", "--home", str(tmp_path))
    assert "No Neo4j runs" in _run("status", "--home", str(tmp_path), code=1)


def test_a_fresh_machine_is_told_what_to_install(tmp_path: Path) -> None:
    """Without Maven, or without Java, one line says what is missing and one what to install; no traceback."""
    said = _run("start", "--home", str(tmp_path), "--version", "2026.99.0", code=1, PATH=str(tmp_path))
    assert "no Maven" in said or "no Java" in said
    assert "install" in said
    assert "Traceback" not in said


def test_a_day_with_it(local_neo4j: StartLocal) -> None:
    """Started, it says how to go on; started again, that it runs; a taken port is told; stopped, it is gone."""
    with local_neo4j() as server:
        home = ["--home", str(server.home)]
        said = _run("start", *home)
        assert "runs already" in said
        assert (
            f"mem0g ingest examples/olivia-and-ben.txt --user demo --store bolt://localhost:{server.bolt_port}" in said
        )
        assert f"{server.http}/browser/" in said
        assert version_of(server.uri, "neo4j", None, "neo4j") == server.version  # no password: anyone may ask
        assert f"process {server.pid}" in _run("status", *home)
        assert "is stopped" in _run("stop", *home)
        assert server.pid is None
        assert LocalServer.running_in(server.home) is None
        server.stop()  # stopped twice is stopped

        with socket.create_server(("127.0.0.1", 0)) as other:
            taken = other.getsockname()[1]
            said = _run(
                "start", *home, "--version", server.version, "--bolt-port", str(taken), NEO4J_PASSWORD="olivia-8"
            )
        assert f"Port {taken} is taken" in said
        assert "password from NEO4J_PASSWORD" in said
        again = LocalServer.running_in(server.home)
        assert again is not None
        assert again.bolt_port != taken
        assert version_of(again.uri, "neo4j", "olivia-8", "neo4j") == server.version
        assert "olivia-8" not in said
