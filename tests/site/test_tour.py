"""The tour in examples/tour.py: a clean notebook that runs as a program, without a key and without the network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.integrations.extras import needs

TOUR = Path(__file__).parents[2] / "examples" / "tour.py"


def test_the_notebook_is_clean() -> None:
    """`marimo check` has no complaint, and the notebook is short enough to be read in one go."""
    needs("marimo", "docs")
    checked = [sys.executable, "-m", "marimo", "check", "--strict", str(TOUR)]
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert 10 <= TOUR.read_text(encoding="utf-8").count("\n@app.cell") <= 15


def test_it_runs_as_a_program(tmp_path: Path, minilm: None) -> None:
    """It asks, goes back in time, undoes and forgets; what it prints says so."""
    needs("marimo", "docs")
    done = subprocess.run([sys.executable, str(TOUR)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for said in (
        "messages: ",
        "Olivia moved to Lisbon on 6 April 2024.",
        "has dog named Pepper",
        "facts around her",
        "2024-03: Olivia has lived in Bergen for nine years.",
        "Olivia: Okay so! I moved to Lisbon on 6 April.",
        "undone: Olivia is allergic to sardines. (current again)",
        "forgotten: 88 messages",
    ):
        assert said in done.stdout
