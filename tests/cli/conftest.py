"""What the tests of the command line share."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.servers.server import Server

EXAMPLE = Path(__file__).parents[2] / "examples" / "olivia-and-ben.txt"


@dataclass(frozen=True)
class Shell:
    """Runs commands of the program on a store of its own: a file in its folder, or one on a server."""

    folder: Path
    server: Server | None = None

    @property
    def store(self) -> Path:
        """The store's file."""
        return self.folder / "memory.db"

    @property
    def address(self) -> str:
        """What --store says."""
        return self.server.uri if self.server else str(self.store)

    @property
    def credentials(self) -> dict[str, str | None]:
        """The variables that open the server's store; none are set for a file."""
        given = self.server
        user = (given.username, given.password, given.database) if given else (None, None, None)
        return dict(zip(("NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"), user, strict=True))

    def __call__(self, *words: str, stdin: str | None = None, store: str | None = None) -> Result:
        """Run a command; it may fail."""
        from mem0g.cli.app import app

        environment = {"MEM0G_STORE": store or self.address, "NO_COLOR": "1", "COLUMNS": "200", **self.credentials}
        return CliRunner().invoke(app, list(words), env=environment, input=stdin)

    def ok(self, *words: str, stdin: str | None = None) -> str:
        """Run a command that must end well; answers what it printed."""
        result = self(*words, stdin=stdin)
        assert result.exit_code == 0, result.stderr or result.exception
        return result.stdout

    def json(self, *words: str) -> Any:
        """Run a command with --json; answers the document."""
        return json.loads(self.ok(*words, "--json"))

    def fails(self, *words: str, stdin: str | None = None, store: str | None = None) -> str:
        """Run a command that must fail with one line and perhaps a hint; answers what it said."""
        result = self(*words, stdin=stdin, store=store)
        assert result.exit_code == 1, (result.exit_code, result.stdout, result.exception)
        assert result.stdout == ""
        lines = result.stderr.strip().splitlines()
        assert lines[0].startswith("mem0g: ")
        assert len(lines) == 2, result.stderr
        assert lines[1].startswith("hint: ")
        return result.stderr

    def file(self, name: str, content: str | bytes) -> str:
        """A file with this content; answers its path."""
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)


@pytest.fixture
def shell(tmp_path: Path, minilm: None) -> Shell:
    """A shell in an empty folder."""
    return Shell(tmp_path)


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory, minilm: None) -> Shell:
    """A shell whose store holds the example transcript; tests must not change it."""
    made = Shell(tmp_path_factory.mktemp("told"))
    made.ok("ingest", str(EXAMPLE), "--user", "demo")
    return made
