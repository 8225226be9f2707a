"""`mem0g mcp` as clients start it: a process of its own, on standard input and output or on a port."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from typer.testing import CliRunner

from mem0g import Memory
from mem0g.cli.app import app
from tests.mcp.conftest import called


def started(file: Path, *options: str) -> StdioServerParameters:
    """The parameters with which a client starts the program for Ann."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "mem0g", "mcp", "--user", "ann", *options],
        env={**os.environ, "MEM0G_STORE": str(file)},
    )


@pytest.mark.anyio
@pytest.mark.slow
async def test_the_process_speaks_the_protocol_and_nothing_else(tmp_path: Path) -> None:
    """A new file is created; what one process stored, the next one recalls."""
    file = tmp_path / "memory.db"
    async with Client(started(file, "--extractor", "rules")) as client:
        await called(client, "remember", text="I live in Oslo.")
    async with Client(started(file, "--read-only")) as client:
        assert "Oslo" in await called(client, "recall", query="Where do I live?")


@pytest.mark.anyio
@pytest.mark.slow
async def test_three_processes_write_one_file(tmp_path: Path) -> None:
    """Every assistant that is open has a process of its own; none loses a fact, and the file stays whole."""
    file = tmp_path / "memory.db"
    Memory.open(file).close()

    async def write(writer: int) -> None:
        async with Client(started(file)) as client:
            for number in range(5):
                fact = {"subject": "ann", "relation": "likes", "object": f"band {writer}.{number}"}
                assert "added" in await called(client, "remember", facts=[fact])

    async with anyio.create_task_group() as group:
        for writer in range(3):
            group.start_soon(write, writer)
    with Memory.open(file, existing=True) as memory:
        assert len(memory.facts(user_id="ann")) == 15
        assert memory.verify() == ()


@pytest.mark.anyio
@pytest.mark.slow
async def test_streamable_http_on_this_computer(tmp_path: Path) -> None:
    """Answers a client on the port, until Ctrl-C; a request for another host is refused."""
    import httpx2

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = [sys.executable, "-m", "mem0g", "mcp", "--user", "ann", "--extractor", "rules", "--http"]
    served = subprocess.Popen(
        [*program, "--port", str(port), "--store", str(tmp_path / "memory.db")], stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        _wait_for(port, served)
        async with Client(url) as client:
            await called(client, "remember", text="I live in Oslo.")
            assert "Oslo" in await called(client, "recall", query="Where do I live?")
        async with httpx2.AsyncClient(trust_env=False) as http:
            refused = await http.post(url, headers={"Host": "evil.example"}, json={})
        assert refused.status_code == 421
        served.send_signal(signal.SIGINT)
        assert await anyio.to_thread.run_sync(served.wait) in (0, 130)
    finally:
        served.kill()
        served.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"the server ended with {process.returncode}")


@pytest.mark.parametrize(("client", "key"), [("claude-desktop", "mcpServers"), ("cursor", "mcpServers")])
def test_the_configuration_is_json_with_absolute_paths(client: str, key: str, tmp_path: Path) -> None:
    """A desktop program has another PATH and another folder."""
    file = tmp_path / "x.db"
    printed = CliRunner().invoke(app, ["mcp", "config", client, "--user", "ann b", "--store", str(file), "--read-only"])
    server = json.loads(printed.stdout)[key]["mem0g"]
    assert Path(server["command"]).is_absolute()
    assert server["args"][-4:] == ["mcp", "--user", "ann b", "--read-only"]
    assert server["env"] == {"MEM0G_STORE": str(file)}


def test_the_configurations_of_vs_code_and_claude_code(tmp_path: Path) -> None:
    """One has a key and a type of its own, the other is a command to run."""
    options = ["--user", "ann's", "--store", "neo4j://localhost"]
    vscode = CliRunner().invoke(app, ["mcp", "config", "vscode", *options]).stdout
    assert json.loads(vscode)["servers"]["mem0g"]["type"] == "stdio"
    claude = CliRunner().invoke(app, ["mcp", "config", "claude-code", *options]).stdout
    assert claude.startswith("claude mcp add mem0g --env MEM0G_STORE=neo4j://localhost -- /")
    assert """--user 'ann'"'"'s'""" in claude


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (["mcp"], "no scope given"),
        (["mcp", "config", "emacs", "--user", "ann"], "unknown client 'emacs'"),
        (["mcp", "config", "cursor"], "no scope given"),
        (["mcp", "--user", "ann", "config", "cursor"], "the scope comes before `config`"),
        (["mcp", "--user", "ann", "--read-only", "--store", "missing.db"], "missing.db"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    line: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On standard error; standard output belongs to the protocol."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 1
    assert problem in done.stderr
    assert done.stdout == ""


def test_without_the_extra_the_hint_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """mcp is not a dependency of mem0g."""
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["mcp", "--user", "ann"])
    assert (done.exit_code, 'pip install "mem0g[mcp]"' in done.stderr) == (1, True)
