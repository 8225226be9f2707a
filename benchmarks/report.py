"""Output of a benchmark: OUT.json, in one format for all, and tables with their provenance on the terminal."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import typer

from benchmarks.timing import percentile
from mem0g import __version__

Row = dict[str, Any]

_REPOSITORY = Path(__file__).resolve().parent.parent

EXIT_INCOMPLETE = 3
"""Exit code when questions are left without an answer, a label or a score."""

PROVENANCE = ("command", "commit", "versions", "data_sha256")

_SHA256 = re.compile(r"\b[0-9a-f]{64}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The results: ``rows`` of one benchmark, the time of each query in ms, and the input files.

    ``commit`` is the one at the start, when the running code was loaded. ``versions`` are those of further dependencies
    of the figures, such as a server.
    """

    benchmark: str
    commit: str
    rows: Sequence[Row]
    milliseconds: Sequence[float]
    data: Sequence[Path] = ()
    versions: Mapping[str, str] = field(default_factory=dict)


def document(measured: Measurement, command: str | None = None) -> dict[str, Any]:
    """Return the content of OUT.json; ``command`` is the running one by default."""
    return {
        "benchmark": measured.benchmark,
        "command": command or shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]]),
        "commit": measured.commit,
        "versions": versions() | dict(measured.versions),
        "data_sha256": checksums(measured.data),
        "rows": list(measured.rows),
        "ms_per_query": {f"p{percent}": percentile(measured.milliseconds, percent) for percent in (50, 95)},
    }


def write(out: Path, measured: Measurement, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Write the measurement and the keys of ``more`` to OUT.json, creating its folder; return the document."""
    written = document(measured) | dict(more or {})
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return written


def written_before(out: Path, benchmark: str) -> dict[str, Any]:
    """Return the OUT.json of an earlier run of the same benchmark; empty when there is none that can be read."""
    try:
        found = json.loads(out.read_text(encoding="utf-8"))
    except (FileNotFoundError, UnicodeDecodeError, json.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) and found.get("benchmark") == benchmark else {}


@cache
def commit() -> str:
    """Return the commit of this repository, with "-dirty" if files differ from it; "unknown" outside a repository.

    It is that of the code which runs: a process asks git once.
    """
    described = _git("rev-parse", "--short=12", "HEAD")
    if not described:
        return "unknown"
    return described + ("-dirty" if _git("status", "--porcelain") else "")


def versions() -> dict[str, str]:
    """Return the versions of what the figures depend on."""
    import numpy as np

    return {
        "python": platform.python_version(),
        "mem0g": __version__,
        "numpy": np.__version__,
        "platform": platform.platform(),
    }


def checksums(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of each file, keyed by folder and file name."""
    return {
        f"{file.resolve().parent.name}/{file.name}": hashlib.sha256(file.read_bytes()).hexdigest() for file in files
    }


def prompt_files(package: str, names: Iterable[str], folder: Path | None) -> list[Path]:
    """Return the prompt files in use: those in ``folder`` where it has them, else the package's."""
    own = Path(str(resources.files(package)))
    places = ((folder / f"{name}.md" if folder else None, own / f"{name}.md") for name in names)
    return [given if given and given.exists() else usual for given, usual in places]


def show(title: str, rows: Sequence[Row]) -> None:
    """Print rows as a table, with a column for each key of any row."""
    from rich.console import Console
    from rich.table import Table

    columns = list(dict.fromkeys(key for row in rows for key in row))
    table = Table(title=title)
    for column in columns:
        numbers = any(isinstance(row.get(column), int | float) for row in rows)
        table.add_column(column, justify="right" if numbers else "left")
    for row in rows:
        table.add_row(*(_cell(row.get(column)) for column in columns))
    Console().print(table)


def show_provenance(written: Mapping[str, Any]) -> None:
    """Print the provenance of the figures: command, commit, versions, the first characters of the checksums."""
    for name in PROVENANCE:
        value = written[name]
        print(f"{name}: {_pairs(value) if isinstance(value, dict) else value}")


def note(text: str) -> None:
    """Print progress to standard error."""
    print(text, file=sys.stderr, flush=True)


def report_failures(failed: Iterable[str]) -> None:
    """Print what failed; exit with code 3 if anything did."""
    problems = list(failed)
    for each in problems:
        note(f"failed: {each}")
    if problems:
        raise typer.Exit(EXIT_INCOMPLETE)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {_SHA256.sub(_beginning, value)}" for name, value in values.items())


def _beginning(checksum: re.Match[str]) -> str:
    return checksum[0][:12]


def _git(*arguments: str) -> str:
    """Return the output of git; "" without git or a repository."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", *arguments],  # noqa: S607 - git from PATH
            cwd=_REPOSITORY,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
