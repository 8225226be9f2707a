"""Docs that cannot lie: README's blocks run, the command reference is what the program says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.reference import REFERENCE, commands, reference

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """README's fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def test_the_command_reference_is_generated() -> None:
    """docs/cli.md is what `make docs` writes."""
    assert REFERENCE.read_text(encoding="utf-8") == reference()


def test_every_command_and_option_is_explained() -> None:
    """Each command has a help text, and so has each of its options and arguments."""
    for name, command in commands().items():
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_readme_python_runs(tmp_path: Path, minilm: None) -> None:
    """README's Python blocks run as written and print what they promise."""
    for block in blocks("python"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "Lisbon" in done.stdout.splitlines()[0]
        assert "I live in Oslo" in done.stdout or "Oslo" in done.stdout


def test_readme_commands_run(tmp_path: Path, minilm: None) -> None:
    """README's mem0g commands run as written, one after the other, and end well."""
    environment = {**os.environ, "MEM0G_STORE": str(tmp_path / "memory.db")}
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    lines = [line.removeprefix("$ ") for block in blocks("console") for line in block.splitlines()]
    assert lines
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "mem0g"
        command = [sys.executable, "-m", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert done.stdout or "--output" in line


def test_make_targets_in_the_readme_exist() -> None:
    """README names only targets that the Makefile has."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([a-z-]+)", README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/how-it-works.md"])
def test_links_lead_somewhere(page: str) -> None:
    """Relative links name files that are there."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if not link.startswith("http"):
            assert ((ROOT / page).parent / link).exists(), link
