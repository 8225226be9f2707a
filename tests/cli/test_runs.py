"""The commands about runs of agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.procedural.traces import repair


def test_the_commands(shell: Shell, tmp_path: Path) -> None:
    """A trace is ingested as a file, again when it has grown; a task shows how it was done before."""
    file = tmp_path / "trace.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in repair()[:6]))
    keys = ["--agent", "coder", "--run", "r1"]
    assert "run r1: 2 steps, 1 failed; not finished" in shell.ok("ingest", str(file), "--procedural", *keys)
    file.write_text(json.dumps({"messages": repair()}, indent=1))
    assert "run r1: 4 steps, 1 failed; finished" in shell.ok("ingest", str(file), "--procedural", *keys)
    told = shell.ok("runs", "repair the build", "--agent", "coder")
    assert "Run r1: Repair the build of the web shop." in told
    assert "failed: shell" in told
    assert "**Agent Action**" in shell.ok("runs", "--agent", "coder", "--summary")
    (run,) = shell.json("runs", "--agent", "coder", "--json")
    assert (run["id"], run["failures"], run["steps"][3]["result"]) == ("r1", [2], "12 passed")
    assert "no runs are known" in shell.ok("runs", "--agent", "nobody")


def test_files_that_are_no_trace(shell: Shell, tmp_path: Path) -> None:
    """The error names the file and the record."""
    assert "cannot read" in shell.fails("ingest", str(tmp_path / "missing"), "--procedural", "--agent", "coder")
    place = shell.file("poem.jsonl", '{"a": 1}\n{"b": 2}\n')
    assert "record 1" in shell.fails("ingest", place, "--procedural", "--agent", "coder")
    broken = shell.file("broken.jsonl", '{"role": "user", "content": "Hi."}\n{"role":\n')
    assert "line 2" in shell.fails("ingest", broken, "--procedural", "--agent", "coder")


@pytest.mark.parametrize(
    "given",
    [
        ("--workers", "2"),
        ("--user-from", "file"),
        ("--triples", "t.jsonl"),
        ("--metadata", "a=b"),
        ("--speaker", "Ann"),
    ],
)
def test_options_of_conversations_are_refused(shell: Shell, given: tuple[str, str]) -> None:
    """Rather than ignored: the error names the option."""
    place = shell.file("trace.jsonl", "\n".join(json.dumps(each) for each in repair()))
    told = shell.fails("ingest", place, "--procedural", "--agent", "coder", *given)
    assert f"--procedural and {given[0]} were both given" in told
