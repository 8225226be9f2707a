"""Figures with their provenance, in OUT.json and on the terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from benchmarks.report import Measurement, document

TOLD = ("command", "commit", "versions", "data_sha256")

_SHA256 = re.compile(r"\b[0-9a-f]{64}\b")


def write_with(out: Path, measured: Measurement, more: Mapping[str, Any]) -> dict[str, Any]:
    """Write the measurement and the keys of ``more`` to OUT.json, creating its folder; return the document."""
    written = document(measured) | dict(more)
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


def tell(written: Mapping[str, Any]) -> None:
    """Print the provenance of the figures: command, commit, versions, the first characters of the checksums."""
    for name in TOLD:
        value = written[name]
        print(f"{name}: {_pairs(value) if isinstance(value, dict) else value}")


def prompt_files(package: str, names: Iterable[str], folder: Path | None) -> list[Path]:
    """Return the prompt files in use: those in ``folder`` where it has them, else the package's."""
    own = Path(str(resources.files(package)))
    places = ((folder / f"{name}.md" if folder else None, own / f"{name}.md") for name in names)
    return [given if given and given.exists() else usual for given, usual in places]


def _pairs(values: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {_SHA256.sub(_beginning, value)}" for name, value in values.items())


def _beginning(checksum: re.Match[str]) -> str:
    return checksum[0][:12]
