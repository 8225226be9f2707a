"""The Python examples of the pages run as written, and those in examples/."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks, text_of

pytestmark = pytest.mark.slow

PAGES = ("extending", "filters", "from-mem0", "http", "mcp", "scaling")


def examples() -> dict[str, str]:
    """Return the Python of each section, its blocks one after the other, by the page and the section's heading."""
    found = {}
    for page in PAGES:
        for section in re.split(r"^## ", text_of(f"docs/{page}.md"), flags=re.MULTILINE)[1:]:
            heading, _, body = section.partition("\n")
            found[f"{page}: {heading}"] = "\n".join(blocks("python", body))
    return {place: code for place, code in found.items() if code}


@pytest.mark.parametrize("place", examples())
def test_an_example_runs(place: str, tmp_path: Path, minilm: None) -> None:
    """The section's code ends without an error or a warning, and checks its own result."""
    code = examples()[place]
    assert "assert " in code
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


ELSEWHERE = {"langchain_agent.py", "tour.py"}
"""Programs that need more than mem0g: tests/integrations and tests/site run them where it is installed."""


@pytest.mark.parametrize("example", sorted({path.name for path in (ROOT / "examples").glob("*.py")} - ELSEWHERE))
def test_a_program_in_examples_runs(example: str, tmp_path: Path, minilm: None) -> None:
    """As the head of the file says, in a folder of its own."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / example)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Oslo" in done.stdout
