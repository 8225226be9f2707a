"""The Python examples of the pages run as written, and those in examples/."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("extending", "from-mem0", "http", "mcp")


def examples() -> dict[str, str]:
    """Return the Python of each section, its blocks one after the other, by the section's heading."""
    pages = ((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") for page in PAGES)
    sections = [section for page in pages for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]]
    found = {}
    for section in sections:
        heading, _, body = section.partition("\n")
        found[heading] = "\n".join(re.findall(r"^```python\n(.*?)^```", body, re.DOTALL | re.MULTILINE))
    return {heading: code for heading, code in found.items() if code}


@pytest.mark.parametrize("heading", examples())
def test_an_example_runs(heading: str, tmp_path: Path, minilm: None) -> None:
    """The section's code ends without an error or a warning, and checks its own result."""
    code = examples()[heading]
    assert "assert " in code
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


FRAMEWORKS = {"langchain_agent.py"}
"""Programs that need an agent framework: tests/integrations runs them where it is installed."""


@pytest.mark.parametrize("example", sorted({path.name for path in (ROOT / "examples").glob("*.py")} - FRAMEWORKS))
def test_a_program_in_examples_runs(example: str, tmp_path: Path, minilm: None) -> None:
    """As the head of the file says, in a folder of its own."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / example)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Oslo" in done.stdout
