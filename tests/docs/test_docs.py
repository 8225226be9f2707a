"""Docs that cannot lie: README's blocks run, the command reference is what the program says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from neo4j import GraphDatabase
from typer.core import TyperGroup

from benchmarks.__main__ import application
from mem0g.store.neo4j.maintenance.schema import LAYOUT
from mem0g.store.sqlite.maintenance.upgrading import VERSION
from mem0g.transfer.jsonl import FORMAT
from tests.docs.conftest import Run
from tests.docs.pages import (
    DOCS,
    PAGES,
    ROOT,
    benchmarks_of,
    blocks,
    commands_of,
    mentioned_commands_of,
    text_of,
)
from tests.docs.reference import REFERENCE, commands, reference
from tests.servers.server import Server

README = text_of("README.md")


def test_the_command_reference_is_generated() -> None:
    """docs/cli.md is what `make docs` writes."""
    assert REFERENCE.read_text(encoding="utf-8") == reference()


def test_the_versions_of_layouts_and_exports_are_those_of_the_program() -> None:
    """docs/how-it-works.md names the versions that are written."""
    text = " ".join(text_of("docs/how-it-works.md").split())
    assert f"The layout of a file has version {VERSION}, that of a database version {LAYOUT}." in text
    assert f"Exports have format {FORMAT}" in text


def test_every_command_and_option_is_explained() -> None:
    """Each command has a help text, and so has each of its options and arguments."""
    for name, command in commands().items():
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_documented_benchmarks_can_be_called() -> None:
    """Every `python -m benchmarks` command of the pages is one that the program takes; its files need not be there."""
    program = typer.main.get_command(application())
    assert isinstance(program, TyperGroup)
    lines = set(benchmarks_of("\n".join(text_of(page) for page in PAGES)))
    assert len(lines) > 20
    for line in lines:
        name, *arguments = shlex.split(line)
        try:
            program.commands[name].make_context(name, [each for each in arguments if each != "…"])
        except typer.BadParameter as error:
            if "does not exist" not in str(error):
                pytest.fail(f"{line}: {error}")


@pytest.mark.parametrize("page", [page for page in PAGES if mentioned_commands_of(text_of(page))])
def test_mentioned_commands_have_their_options(page: str) -> None:
    """The program has every command that a page mentions, with the options that it is given; values may be left out."""
    known = commands()
    for line in mentioned_commands_of(text_of(page)):
        words = shlex.split(line, comments=True)[1:]
        name = next(name for count in (2, 1, 0) if (name := " ".join(words[:count])) in known or not count)
        assert name, line
        options = {option for each in known[name].params for option in (*each.opts, *each.secondary_opts, "--help")}
        given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert given <= options, f"{line}: {given - options}"


def test_mentioned_options_exist() -> None:
    """Every option between backticks without a command is one of some command."""
    known = {option for each in commands().values() for part in each.params for option in (*part.opts, "--help")}
    for page in ("docs/how-it-works.md", *(page for page in PAGES if page.startswith("docs/how-to/"))):
        assert set(re.findall(r"`(--[a-z][a-z-]*)", text_of(page))) <= known, page


@pytest.mark.slow
def test_readme_python_runs(tmp_path: Path, minilm: None) -> None:
    """README's Python blocks run as written, one after the other, and print what they promise."""
    printed = []
    for block in blocks("python", README):
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


@pytest.mark.slow
def test_readme_commands_run(folder: Path, run: Run, minilm: None) -> None:
    """README's mem0g commands run as written, one after the other, and end well."""
    environment = {"MEM0G_STORE": str(folder / "memory.db")}
    lines = [line for line in commands_of(README) if "neo4j://" not in line]
    assert lines
    for line in lines:
        run(line, environment)


@pytest.mark.slow
@pytest.mark.alters_schema
def test_neo4j_commands_run(neo4j_server: Server, folder: Path, run: Run, minilm: None) -> None:
    """The commands of the pages with a Neo4j store run, and so does every Cypher block, on what they made."""
    credentials = {"NEO4J_USERNAME": neo4j_server.username, "NEO4J_PASSWORD": neo4j_server.password or ""}
    environment = {**credentials, "NEO4J_DATABASE": neo4j_server.database or ""}
    run("mem0g init --store URI --drop --yes".replace("URI", neo4j_server.uri), environment)
    run("mem0g ingest examples/olivia-and-ben.txt --user file --store memory.db", environment)
    guide = text_of("docs/how-to/neo4j.md")
    lines = [line for line in commands_of(README + guide) if "neo4j://" in line]
    assert {line.split()[1] for line in lines} == {"init", "ingest", "search", "copy", "browser", "doctor"}
    for line in lines:
        served = f"{line} --output browser" if line.startswith("mem0g browser") else line  # else it serves until Ctrl-C
        run(served.replace("neo4j://localhost:7687", neo4j_server.uri), environment)
    auth = (neo4j_server.username, neo4j_server.password) if neo4j_server.password else None
    with GraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        for block in blocks("cypher", README + guide + text_of("docs/graph.md")):
            records = driver.execute_query(block, database_=neo4j_server.database).records
            assert records or '"Ann"' in block, block
    run("mem0g init --store URI --drop --yes".replace("URI", neo4j_server.uri), environment)


def test_make_targets_in_the_readme_exist() -> None:
    """README names only targets that the Makefile has."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([a-z0-9-]+)", README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Relative links name files that are there."""
    for link in re.findall(r"\]\(([^)#]+)\)", text_of(page)):
        if not link.startswith("http"):
            assert ((ROOT / page).parent / link).exists(), link


def test_files_that_the_architecture_names_exist() -> None:
    """Every file that docs/architecture.md names is in mem0g, in cypher or in the repository."""
    named = re.findall(r"`([\w/]+\.(?:py|md|cypher))`", text_of("docs/architecture.md"))
    known = [
        f"/{path.relative_to(ROOT)}" for room in ("mem0g", "cypher", "tests") for path in (ROOT / room).rglob("*.*")
    ]
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in known)] == []


def test_every_page_is_in_the_navigation() -> None:
    """The site's navigation has each page of docs/ once, and no other."""

    def pages(entry: Any) -> Iterator[str]:
        if isinstance(entry, str):
            yield entry
        else:
            for each in entry.values() if isinstance(entry, dict) else entry:
                yield from pages(each)

    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    listed = sorted(pages(site["project"]["nav"]))
    assert listed == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
