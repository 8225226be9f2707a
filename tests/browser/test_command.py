"""`mem0g browser` as a user runs it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from mem0g.model import Scope
from mem0g.store.neo4j import Neo4jStore
from tests.browser.worlds import town
from tests.cli.conftest import Shell
from tests.servers.server import Server


@pytest.fixture
def looking(neo4j_server: Server, store: Neo4jStore, tmp_path: Path) -> Shell:
    """A shell whose store is on a server and holds a town."""
    store.load(iter([town(Scope(user_id="looked-at"))]))
    return Shell(tmp_path, neo4j_server)


def test_writing_to_a_folder(looking: Shell) -> None:
    """--output writes the three files, says what to do with them, and serves nothing."""
    folder = looking.folder / "out" / "here"
    said = looking.ok("browser", "--user", "looked-at", "--output", str(folder))
    assert {path.name for path in folder.iterdir()} == {"style.grass", "queries.zip", "guide.html"}
    assert "node.Person" in (folder / "style.grass").read_text(encoding="utf-8")
    assert len(zipfile.ZipFile(folder / "queries.zip").namelist()) == 11
    assert "The memory of user looked-at: 7 facts, 2 of them true no longer" in said
    assert "?connectURL=" in said
    assert "drop style.grass and queries.zip on Browser" in said


def test_who_logs_in(looking: Shell, neo4j_server: Server) -> None:
    """The link names the user and the database that the options give, and never the password."""
    given = {"username": neo4j_server.username, "password": neo4j_server.password, "database": neo4j_server.database}
    options = [f"--{name}={value}" for name, value in given.items() if value]
    words = ("browser", "--user", "looked-at", "--output", str(looking.folder), *options)
    result = Shell(looking.folder)(*words, store=looking.address)
    assert result.exit_code == 0, result.stderr
    assert f"://{neo4j_server.username}@" in result.stdout
    assert f"&db={neo4j_server.database}" in result.stdout
    assert not neo4j_server.password or neo4j_server.password not in result.stdout


def test_serving(looking: Shell) -> None:
    """It prints the link, how to connect, the style, the tour and the queries; serves them; and ends with Ctrl-C."""
    words = ["browser", "--store", looking.address, "--user", "looked-at", "--port", "0"]
    command = [sys.executable, "-m", "mem0g", *words, "--browser-url", "http://localhost:1/browser/"]
    credentials = {name: value for name, value in looking.credentials.items() if value}
    environment = {**os.environ, **credentials, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stdout is not None
        told = {}
        for line in run.stdout:
            if line.startswith("Serving"):
                break
            name, _, rest = line.strip().partition(" ")
            told[name] = rest.strip()
        base = told["Style"].removeprefix(":style ").removesuffix("/style.grass")
        assert base.startswith("http://localhost:")
        assert told["Open"].startswith("http://localhost:1/browser/?connectURL=")
        assert told["Open"].endswith(f"&cmd=guide&arg={base}/guide.html")
        assert told["Tour"] == f":guide {base}/guide.html"
        assert told["Queries"].startswith(f"{base}/queries.zip")
        assert looking.address in told["By"]
        for path, said in (("/", "Open it in Neo4j Browser"), ("/guide.html", "<slide>"), ("/style.grass", "node")):
            with urllib.request.urlopen(base + path) as answer:
                assert said in answer.read().decode()
        run.send_signal(signal.SIGINT)
        assert run.wait() == 0


def test_a_memory_that_is_a_file(tmp_path: Path) -> None:
    """Browser shows Neo4j alone; the hint says how a memory gets there. The file need not be there."""
    shell = Shell(tmp_path)
    said = shell.fails("browser", "--user", "ann")
    assert "memory.db is not in Neo4j" in said
    assert "mem0g copy" in said
    assert not shell.store.exists()


def test_nobodys_memory(looking: Shell) -> None:
    """A user without a memory is named."""
    assert "user nobody" in looking.fails("browser", "--user", "nobody")


def test_a_port_that_is_taken(looking: Shell) -> None:
    """A port that was asked for and is taken is an error; nothing is served elsewhere."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert port in looking.fails("browser", "--user", "looked-at", "--port", port)
