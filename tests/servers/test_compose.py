"""docker-compose.neo4j.yml is safe as it stands, and what .env.example names is what it reads."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.servers.release import NEWEST

_ROOT = Path(__file__).parents[2]
_FILE = _ROOT / "docker-compose.neo4j.yml"


@pytest.fixture
def compose() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return parsed


@pytest.fixture
def service(compose: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = compose["services"]["neo4j"]
    return found


def test_the_image_is_the_version_that_is_tested(service: dict[str, Any]) -> None:
    """Compose starts what `make test` runs on, not whatever is newest on the day."""
    assert service["image"] == f"neo4j:{NEWEST}"


def test_the_password_has_no_default(service: dict[str, Any]) -> None:
    """Without a password of one's own there is no start; no password stands in the file."""
    assert service["environment"]["NEO4J_AUTH"] == "neo4j/${NEO4J_PASSWORD:?set it in .env}"


def test_ports_are_open_to_this_machine_only(service: dict[str, Any]) -> None:
    """Bolt and Browser are published on 127.0.0.1, and nothing else is."""
    assert service["ports"] == ["127.0.0.1:7474:7474", "127.0.0.1:7687:7687"]


def test_data_are_in_a_named_volume(compose: dict[str, Any], service: dict[str, Any]) -> None:
    """Data survive the container."""
    name, _, place = service["volumes"][0].partition(":")
    assert place == "/data"
    assert name in compose["volumes"]


def test_health_and_memory_are_set(service: dict[str, Any]) -> None:
    """`up --wait` has a check to wait for, and memory is bounded."""
    assert service["healthcheck"]["test"][0] == "CMD-SHELL"
    assert "7474" in service["healthcheck"]["test"][1]
    assert {"interval", "timeout", "retries", "start_period"} <= service["healthcheck"].keys()
    memory = {name for name in service["environment"] if "memory" in name}
    assert memory == {
        "NEO4J_server_memory_heap_initial__size",
        "NEO4J_server_memory_heap_max__size",
        "NEO4J_server_memory_pagecache_size",
    }


def test_the_example_has_no_password() -> None:
    """.env.example names the variable with an empty value, and .env itself never reaches git."""
    lines = (_ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == ["NEO4J_PASSWORD="]
    assert ".env" in (_ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("password", "accepted"), [("a-password-of-mine", True), ("", False)])
def test_compose_itself_agrees(password: str, accepted: bool) -> None:
    """Docker Compose takes the file with a password, and without one stops with the hint."""
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("no Docker Compose")
    command = [docker, "compose", "-f", str(_FILE), "--env-file", os.devnull, "config", "--quiet"]
    environment = os.environ | {"NEO4J_PASSWORD": password}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (run.returncode == 0) is accepted, run.stderr
    assert accepted or "set it in .env" in run.stderr
