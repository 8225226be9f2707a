"""The systems, and the environment of each: made once in a folder by ``python -m venv`` and pip, then kept."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from types import MappingProxyType

from benchmarks.report import note
from mem0g.errors import StoreError

REPOSITORY = Path(__file__).parents[2]

IMPORTS = 5
"""Times that a cold import is measured; the median counts."""

_MADE = "peers.json"
"""The file in an environment that says it is whole, and with what it was made."""

_PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")

_TOOLS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack")
"""What an environment has before anything is installed; it does not count."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A system: ``requirements`` for pip, and the ``distribution`` among them whose version counts.

    ``imports`` is the statement of a cold import, ``adapter`` the module that runs in its environment.
    """

    requirements: tuple[str, ...]
    distribution: str
    imports: str
    adapter: str
    uses_neo4j: bool = True

    @property
    def own(self) -> bool:
        """Whether it is mem0g."""
        return self.distribution == "mem0g"


_MEM0G = Kind((str(REPOSITORY),), "mem0g", "from mem0g import Memory", "benchmarks.peers.adapter_mem0g")

KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "mem0g-sqlite": Kind(_MEM0G.requirements, "mem0g", _MEM0G.imports, _MEM0G.adapter, uses_neo4j=False),
        "mem0g-neo4j": _MEM0G,
        "mem0": Kind(("mem0ai[graph]==1.0.11",), "mem0ai", "from mem0 import Memory", "benchmarks.peers.adapter_mem0"),
        "graphiti": Kind(
            ("graphiti-core", "httpx"),
            "graphiti-core",
            "from graphiti_core import Graphiti",
            "benchmarks.peers.adapter_graphiti",
        ),
    }
)


class NotInstalledError(StoreError):
    """A system cannot be installed on this machine."""


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment: its Python, the version of the system, what it takes on disk, and the time of a cold import.

    ``import_seconds`` is the time of a process that imports the system, less that of one that imports nothing.
    """

    python: Path
    version: str
    megabytes: float
    packages: int
    import_seconds: float


def environment(kind: Kind, folder: Path) -> Environment:
    """Return the environment of a system, made in ``folder`` if it is not there.

    mem0g itself is installed anew each time, as its code may have changed. Raises NotInstalledError with pip's last
    words.
    """
    home = folder.resolve() / kind.distribution
    python = home / "bin" / "python"
    made = home / _MADE
    wanted = {"requirements": list(kind.requirements), "python": sys.version}
    if kind.own:
        wanted["pyproject"] = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    if not made.exists() or json.loads(made.read_text(encoding="utf-8")) != wanted:
        note(f"installing {', '.join(kind.requirements)} into {home}")
        _run([sys.executable, "-m", "venv", "--clear", str(home)])
        _run([str(python), *_PIP, *kind.requirements])
        made.write_text(json.dumps(wanted), encoding="utf-8")
    elif kind.own:
        _run([str(python), *_PIP, "--force-reinstall", "--no-deps", *kind.requirements])
    packages = next((home / "lib").glob("python*/site-packages"))
    return Environment(
        python=python,
        version=_run(
            [str(python), "-c", f"from importlib.metadata import version; print(version({kind.distribution!r}))"]
        ),
        megabytes=round(_megabytes(packages), 1),
        packages=len([each for each in packages.glob("*.dist-info") if not each.name.startswith(_TOOLS)]),
        import_seconds=round(_seconds(python, kind.imports) - _seconds(python, "pass"), 2),
    )


def _megabytes(packages: Path) -> float:
    """Return the size of what is installed, with the bytecode that pip compiles."""
    sizes = (
        file.stat().st_size
        for top in packages.iterdir()
        if not top.name.startswith(_TOOLS)
        for file in ([top] if top.is_file() else top.rglob("*"))
        if file.is_file()
    )
    return sum(sizes) / 1e6


def _seconds(python: Path, statement: str) -> float:
    """Return the median time of a process that runs a statement, after one that compiles what it imports."""
    taken = []
    for _ in range(IMPORTS + 1):
        start = perf_counter()
        _run([str(python), "-c", statement])
        taken.append(perf_counter() - start)
    return statistics.median(taken[1:])


def _run(command: Sequence[str]) -> str:
    """Run a command away from this repository, in an environment without its paths; return what it prints."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(  # noqa: S603 - fixed commands
        command, cwd=Path(sys.prefix), env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode:
        words = done.stderr.strip().splitlines()[-1:] or ["no message"]
        raise NotInstalledError(f"{' '.join(command[:4])} … failed: {words[0]}", hint="see pip's output above")
    return done.stdout.strip()
