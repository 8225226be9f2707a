"""Docs that cannot lie: README's blocks run, the command reference is what the program says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from neo4j import GraphDatabase
from typer.testing import CliRunner

from tests.docs.reference import REFERENCE, commands, reference
from tests.servers.server import Server

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


GRAPH = (ROOT / "docs" / "graph.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands_of(text: str) -> list[str]:
    """The mem0g commands that stand at a prompt."""
    lines = [line.removeprefix("$ ") for block in blocks("console", text) for line in block.splitlines()]
    return [line for line in lines if line.startswith("mem0g ")]


def run(line: str, environment: Mapping[str, str | None]) -> str:
    """Run a command in this process; it succeeds and prints something. DECISION stands for the latest decision."""
    from mem0g.cli.app import app

    if "DECISION" in line:
        latest = json.loads(run("mem0g log --user demo --limit 1 --json", environment))[0]
        line = line.replace("DECISION", latest["id"])
    done = CliRunner().invoke(app, shlex.split(line)[1:], env=environment)
    assert done.exit_code == 0, f"{line}: {done.stderr or done.exception}"
    assert done.stdout or "--output" in line
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which commands run, with the examples in it."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
    """README's Python blocks run as written, one after the other, and print what they promise."""
    printed = []
    for block in blocks("python"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", block], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout)
    asked, by_hand = printed
    found, *facts = asked.splitlines()
    assert found.startswith("Ann moved to Lisbon in ")
    assert facts[:2] == ["Ann lives in Oslo. (retired)", "Ann works as a nurse. (current)"]
    assert facts[2:] == [f"{found} (current)"]
    assert by_hand.startswith("updated Ann lives in Porto.\nretired Ann ")
    assert "Porto" in by_hand.splitlines()[3]
    assert "Receipt(" in by_hand
    assert "messages=2" in by_hand


def test_readme_commands_run(folder: Path, minilm: None) -> None:
    """README's mem0g commands run as written, one after the other, and end well."""
    environment = {"MEM0G_STORE": str(folder / "memory.db")}
    lines = [line for line in commands_of(README) if "neo4j://" not in line]
    assert lines
    for line in lines:
        run(line, environment)


def test_readme_neo4j_commands_run(neo4j_server: Server, folder: Path, minilm: None) -> None:
    """README's commands with a Neo4j store run, and so does every Cypher block, on what they made."""
    credentials = {"NEO4J_USERNAME": neo4j_server.username, "NEO4J_PASSWORD": neo4j_server.password or ""}
    environment = {**credentials, "NEO4J_DATABASE": neo4j_server.database or ""}
    run("mem0g init --store URI --drop --yes".replace("URI", neo4j_server.uri), environment)
    run("mem0g ingest examples/olivia-and-ben.txt --user file --store memory.db", environment)
    lines = [line for line in commands_of(README) if "neo4j://" in line]
    assert {line.split()[1] for line in lines} == {"ingest", "search", "copy", "browser"}
    for line in lines:
        served = f"{line} --output browser" if line.startswith("mem0g browser") else line  # else it serves until Ctrl-C
        run(served.replace("neo4j://localhost:7687", neo4j_server.uri), environment)
    auth = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        for block in [*blocks("cypher"), *blocks("cypher", GRAPH)]:
            records = driver.execute_query(block, database_=neo4j_server.database).records
            assert records or '"Ann"' in block, block
    run("mem0g init --store URI --drop --yes".replace("URI", neo4j_server.uri), environment)


def test_make_targets_in_the_readme_exist() -> None:
    """README names only targets that the Makefile has."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([a-z0-9-]+)", README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize(
    "page",
    ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))],
)
def test_links_lead_somewhere(page: str) -> None:
    """Relative links name files that are there."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if not link.startswith("http"):
            assert ((ROOT / page).parent / link).exists(), link
