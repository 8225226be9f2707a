"""The examples of docs/integrations.md and examples/ run as written, where the framework is installed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations.extras import needs

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
FRAMEWORKS = {
    "LangGraph": ("langgraph.store", "langgraph"),
    "LangChain": ("langchain", "langchain"),
    "OpenAI Agents SDK": ("agents", "openai-agents"),
    "Pydantic AI": ("pydantic_ai", "pydantic-ai"),
    "LlamaIndex": ("llama_index.core", "llama-index"),
    "Google ADK": ("google.adk", "google-adk"),
}


def sections() -> dict[str, str]:
    """The Python of each section of the page, by its heading."""
    found = re.findall(r"^## (.+?)\n.*?^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return dict(found)


def test_each_framework_has_an_example() -> None:
    """And a row in the table, with its extra."""
    assert sections().keys() == FRAMEWORKS.keys()
    for heading, (_, extra) in FRAMEWORKS.items():
        assert f"| {heading} | `{extra}` |" in PAGE


@pytest.mark.parametrize("heading", FRAMEWORKS)
def test_an_example_runs(heading: str, tmp_path: Path, minilm: None) -> None:
    """The section's code ends without an error, and checks its own result."""
    needs(*FRAMEWORKS[heading])
    code = sections()[heading]
    assert "assert " in code
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_agent_in_examples_runs(minilm: None) -> None:
    """What one user said in one thread is known in another, and to no other user."""
    needs("langchain", "langchain")
    program = ROOT / "examples" / "langchain_agent.py"
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second, other = done.stdout.strip().split("\n\nann: Where")[0], *done.stdout.split("Where do I live?")[1:]
    assert "I know nothing about you yet." in first
    assert "Oslo" in second
    assert "I know nothing about you yet." in other
