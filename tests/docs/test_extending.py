"""The examples of docs/extending.md run as written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")


def examples() -> dict[str, str]:
    """Return the Python of each section, its blocks one after the other, by the section's heading."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
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
