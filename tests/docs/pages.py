"""The pages of the documentation, and the blocks of code in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = ("README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in DOCS.rglob("*.md")))
"""All pages, as paths from the root of the repository."""
GUIDES = (
    "docs/index.md",
    "docs/working-memory.md",
    "docs/procedural.md",
    *(page for page in PAGES if page.startswith("docs/how-to/")),
)
"""The pages whose blocks follow each other: Python in one program, commands on one store."""


def text_of(page: str) -> str:
    """Return the text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(language: str, text: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def printing_blocks(text: str) -> list[tuple[str, str | None]]:
    """Return the Python blocks, each with what it prints by the text block right behind it, if there is one."""
    found = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", text, re.DOTALL | re.MULTILINE)
    return [(code, printed or None) for code, printed in found]


def commands_of(text: str) -> list[str]:
    """Return the mem0g commands that stand at a prompt."""
    lines = [line.removeprefix("$ ") for block in blocks("console", text) for line in block.splitlines()]
    return [line for line in lines if line.startswith("mem0g ")]


def mentioned_commands_of(text: str) -> set[str]:
    """Return the mem0g commands at a prompt, in the blocks of a shell and between backticks."""
    lines = "\n".join(blocks("sh", text)).replace("\\\n", " ").splitlines()
    quoted = re.findall(r"(?<!`)`(mem0g [a-z][^`\n]*)`", text)
    return {*commands_of(text), *quoted, *(line for line in lines if line.startswith("mem0g "))}


def benchmarks_of(text: str) -> list[str]:
    """Return the arguments of the benchmarks that are called in blocks and between backticks."""
    return re.findall(r"python -m benchmarks ([a-z][^\n`#]*)", text.replace("\\\n", " "))
