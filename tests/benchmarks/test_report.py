"""The output of a benchmark."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from pathlib import Path

import pytest

from benchmarks.report import Measurement, checksums, commit, document, show, write
from mem0g import __version__


def measured(*data: Path) -> Measurement:
    """A measurement of one row."""
    row = {"method": "m", "slice": "all", "k": 10, "recall": 50.0}
    milliseconds = [float(ms) for ms in range(101)]
    return Measurement(benchmark="recall", commit="0123456789ab", rows=[row], milliseconds=milliseconds, data=data)


def test_the_shape(tmp_path: Path) -> None:
    """OUT.json has exactly these keys for every benchmark, and its folder is created."""
    data = tmp_path / "data.json"
    data.write_bytes(b"[]")
    out = tmp_path / "new" / "out.json"
    write(out, measured(data))
    written = json.loads(out.read_text())
    keys = ["benchmark", "command", "commit", "versions", "data_sha256", "rows", "ms_per_query"]
    assert list(written) == keys
    assert (written["benchmark"], written["commit"]) == ("recall", "0123456789ab")
    assert written["rows"] == measured().rows
    assert written["ms_per_query"] == {"p50": 50.0, "p95": 95.0}
    assert written["data_sha256"] == {f"{tmp_path.name}/data.json": hashlib.sha256(b"[]").hexdigest()}


def test_versions() -> None:
    """The versions that the figures depend on are named."""
    versions = document(measured())["versions"]
    assert set(versions) == {"python", "mem0g", "numpy", "platform"}
    assert versions["mem0g"] == __version__
    assert versions["python"] == platform.python_version()


def test_the_command_can_be_pasted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is quoted for a shell."""
    monkeypatch.setattr("sys.argv", ["__main__.py", "recall", "--data", "my file.json"])
    assert document(measured())["command"] == "python -m benchmarks recall --data 'my file.json'"


def test_the_commit() -> None:
    """The commit is git's, marked when files differ from it, or "unknown"."""
    assert re.fullmatch(r"[0-9a-f]{12,40}(-dirty)?|unknown", commit())


def test_files_of_one_name(tmp_path: Path) -> None:
    """Files of the same name are distinguished by their folder."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.jsonl").write_text(folder)
    assert set(checksums([tmp_path / "a" / "x.jsonl", tmp_path / "b" / "x.jsonl"])) == {"a/x.jsonl", "b/x.jsonl"}


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The table has a column for every key that a row has, and a gap where a row has none."""
    show("figures", [{"method": "m", "budget": 250, "recall": 83.55}, {"method": "m", "k": 10, "recall": 1.0}])
    printed = capsys.readouterr().out
    assert "figures" in printed
    heading = next(line for line in printed.splitlines() if "method" in line)
    assert re.findall(r"\w+", heading) == ["method", "budget", "recall", "k"]
    assert "83.5" in printed
