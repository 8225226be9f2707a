"""`mem0g serve` as a process, and the commands that make and remove keys."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner, Result

from mem0g.cli.app import app
from mem0g.cli.listening import listening
from mem0g.errors import InputError


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """The path of a file of keys that does not exist yet."""
    return tmp_path / "keys.json"


def run(*line: str) -> Result:
    """Run a command."""
    return CliRunner().invoke(app, ["serve", *line])


def test_keys_are_made_listed_and_removed(keys: Path) -> None:
    """The key itself is shown once, when it is made."""
    file = ["--keys", str(keys)]
    secret = run("add-key", "phone", "--user", "ann", "--read-only", *file).stdout.strip()
    run("add-key", "admin", "--all", *file)
    assert secret.startswith("m0g_")
    listed = run("list-keys", "--json", *file).stdout
    assert secret not in listed
    assert json.loads(listed) == [
        {"name": "phone", "scope": {"user_id": "ann"}, "read_only": True},
        {"name": "admin", "scope": None, "read_only": False},
    ]
    assert "the whole store" in run("list-keys", *file).stdout
    assert run("remove-key", "phone", *file).exit_code == 0
    assert "phone" not in run("list-keys", *file).stdout


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (["--host", "0.0.0.0", "--user", "ann"], "there are no keys"),
        ([], "no scope given"),
        (["--keys", "{keys}"], "has no keys"),
        (["add-key", "phone"], "no scope given"),
        (["remove-key", "phone", "--keys", "{keys}"], "no key 'phone'"),
        (["list-keys", "--keys", "{broken}"], "is not a file of keys"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    line: list[str], problem: str, keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above all a memory without keys that others could reach."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    broken = tmp_path / "broken.json"
    broken.write_text("[")
    done = run(*(each.format(keys=keys, broken=broken) for each in line))
    assert done.exit_code == 1
    assert problem in done.stderr


@pytest.mark.parametrize("scope", [["--user", "ann"], ["--run", "7"], ["--all"]])
def test_a_scope_beside_keys_is_refused(scope: list[str], keys: Path) -> None:
    """It would not narrow what the keys open."""
    run("add-key", "admin", "--all", "--keys", str(keys))
    done = run(*scope, "--keys", str(keys))
    assert done.exit_code == 1
    assert "opens its own scope" in done.stderr


@pytest.mark.slow
def test_the_process_answers_with_a_key_until_it_is_stopped(keys: Path, tmp_path: Path) -> None:
    """And says nothing of the key."""
    secret = run("add-key", "phone", "--user", "ann", "--keys", str(keys)).stdout.strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-m", "mem0g", "serve", "--port", str(port), "--keys", str(keys)]
    program += ["--extractor", "rules", "--store", str(tmp_path / "memory.db")]
    served = subprocess.Popen(program, stderr=subprocess.PIPE, text=True, env={**os.environ, "NO_PROXY": "127.0.0.1"})
    try:
        while served.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client:
            assert client.get("/health").json()["status"] == "ok"
            assert client.get("/api/v1/stats").status_code == 401
            client.headers["Authorization"] = f"Bearer {secret}"
            assert client.post("/api/v1/facts", json={"text": "I live in Oslo."}).status_code == 201
            assert "Oslo" in client.get("/api/v1/context", params={"query": "Where do I live?"}).json()["text"]
        served.send_signal(signal.SIGINT)
        _, errors = served.communicate(timeout=60)
    finally:
        served.kill()
        served.wait()
    assert secret not in errors
    assert "Traceback" not in errors


STREAMING = """
import threading
from mem0g.cli.listening import listening, run

stopped = threading.Event()

async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while not stopped.is_set():
        await send({"type": "http.response.body", "body": b"x" * 70000, "more_body": True})
    await send({"type": "http.response.body"})

with listening("127.0.0.1", 0) as sockets:
    print(sockets[0].getsockname()[1], flush=True)
    run(app, sockets, stopping=stopped.set)
"""
"""A server that sends without end until it is told to stop."""


@pytest.mark.slow
def test_what_is_sent_without_end_ends_with_the_server() -> None:
    """It is told before the server waits for what it is sending."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    served = subprocess.Popen([sys.executable, "-c", STREAMING], **pipes)
    try:
        assert served.stdout is not None
        address = f"http://127.0.0.1:{served.stdout.readline().strip()}/"
        with httpx2.stream("GET", address, trust_env=False, timeout=60) as answer:
            for number, _ in enumerate(answer.iter_bytes()):
                if number == 3:
                    served.send_signal(signal.SIGINT)
        _, errors = served.communicate(timeout=60)
    finally:
        served.kill()
        served.wait()
    assert (served.returncode, errors) == (0, "")


@pytest.mark.slow
def test_a_memory_is_viewed_on_this_computer(tmp_path: Path) -> None:
    """Read-only, without a key, at the address that is printed; Ctrl-C ends it."""
    store = ["--store", str(tmp_path / "memory.db")]
    made = CliRunner().invoke(app, ["add-fact", "I live in Oslo.", "--user", "ann", *store])
    assert made.exit_code == 0, made.output
    program = [sys.executable, "-m", "mem0g", "view", "--no-open", "--port", "0", *store]
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "PYTHONUNBUFFERED": "1"}
    view = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert view.stdout is not None
        (address,) = re.findall(r"http://127\.0\.0\.1:\d+/", view.stdout.readline())
        with httpx2.Client(base_url=address, trust_env=False, timeout=60) as client:
            assert "Content-Security-Policy" in client.get("/").headers
            assert client.get("/api/v1/scopes").json() == [{"user_id": "ann", "agent_id": None, "run_id": None}]
            assert client.get("/api/v1/stats?user_id=ann").json()["facts"] == 1
            assert client.post("/api/v1/facts", json={"text": "x", "user_id": "ann"}).status_code == 403
        view.send_signal(signal.SIGINT)
        _, errors = view.communicate(timeout=60)
    finally:
        view.kill()
        view.wait()
    assert (view.returncode, errors) == (0, "")


@pytest.mark.parametrize("command", [["serve", "--all"], ["mcp", "--http", "--user", "ann"]])
def test_a_taken_port_is_one_line(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which names the port and the option, and comes before anything is said to be served."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        line = [*command, "--port", port, "--extractor", "none", "--store", str(tmp_path / "memory.db")]
        done = CliRunner().invoke(app, line)
    assert done.exit_code == 1
    assert f"cannot listen on port {port} of 127.0.0.1: Address already in use" in done.stderr
    assert "--port" in done.stderr
    assert "serving" not in done.output


def test_a_host_that_is_not_this_computer_is_one_line(tmp_path: Path) -> None:
    """With keys, without which no other host is listened on."""
    keys = ["--keys", str(tmp_path / "keys.json")]
    run("add-key", "phone", "--user", "ann", *keys)
    done = run("--host", "192.0.2.1", *keys, "--extractor", "none", "--store", str(tmp_path / "memory.db"))
    assert done.exit_code == 1
    assert "of 192.0.2.1: Cannot assign requested address" in done.stderr
    assert "--host" in done.stderr


@pytest.mark.parametrize("host", ["a..b", "a" * 64])
def test_a_host_that_is_no_name_is_one_line(host: str) -> None:
    """A name with an empty or overlong part is refused before anything is looked up."""
    with pytest.raises(InputError, match=f"cannot listen on {host}: it is no name") as refused, listening(host, 0):
        pass
    assert "--host" in str(refused.value.hint)


def test_sockets_listen_on_the_first_port_that_is_free() -> None:
    """Every address of a name that the computer has, and none is left open."""
    with listening("localhost", 0) as sockets:
        port = sockets[0].getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}"), listening("localhost", port):
            raise AssertionError
        with listening("localhost", port, 0) as others:
            assert others[0].getsockname()[1] != port
    assert {each.fileno() for each in (*sockets, *others)} == {-1}


def test_a_view_that_cannot_be_served_is_one_line(tmp_path: Path) -> None:
    """A port that is taken, a store that is not there."""
    store = ["--store", str(tmp_path / "memory.db")]
    assert "no memory" in CliRunner().invoke(app, ["view", *store]).output
    CliRunner().invoke(app, ["init", *store])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(app, ["view", "--no-open", "--port", port, *store])
    assert done.exit_code == 1
    assert f"cannot listen on port {port}" in done.output
