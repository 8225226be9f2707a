"""Where the commands of the pages run."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.docs.pages import ROOT

Run = Callable[[str, Mapping[str, str | None]], str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run, with the examples in it."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Runs a command in this process, which succeeds and prints something. DECISION stands for the latest decision."""
    from mem0g.cli.app import app

    def run(line: str, environment: Mapping[str, str | None]) -> str:
        if "DECISION" in line:
            latest = json.loads(run("mem0g log --user demo --limit 1 --json", environment))[0]
            line = line.replace("DECISION", latest["id"])
        done = CliRunner().invoke(app, shlex.split(line)[1:], env=environment)
        assert done.exit_code == 0, f"{line}: {done.stderr or done.exception}"
        assert done.output or "--output" in line, line
        return done.stdout

    return run
