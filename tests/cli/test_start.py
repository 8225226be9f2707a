"""What starting the program costs: it loads and reads what the command called needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mem0g import Memory
from mem0g.cli.app import app, program
from tests.test_imports import HEAVY

STAGES = ("mem0g.model", "mem0g.memory", "mem0g.store", "mem0g.ingest", "mem0g.retrieve", "mem0g.embed.minilm")


def started(*arguments: str) -> tuple[str, set[str]]:
    """Return what the program prints in a process of its own, and the modules loaded by its end."""
    script = (
        f"import sys\nfrom mem0g.cli import main\nsys.argv = {['mem0g', *arguments]!r}\n"
        "try:\n    main()\nexcept SystemExit:\n    print('LOADED', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    shown, _, loaded = done.stdout.partition("LOADED")
    return shown, set(loaded.split())


def test_the_help_loads_no_stage_and_no_library() -> None:
    """`mem0g --help` loads typer, the commands and nothing that they work with."""
    shown, loaded = started("--help")
    assert "search" in shown
    assert HEAVY.intersection(loaded) <= {"typer"}
    assert loaded.isdisjoint(STAGES)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["search", "--help"], ["serve", "--help"], ["serach"], ["--version"]]
)
def test_the_program_of_a_command_line_says_what_the_whole_says(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the options of the other commands, the output and the exit code are the same."""
    monkeypatch.delenv("_MEM0G_COMPLETE", raising=False)
    whole, part = (CliRunner().invoke(each, arguments) for each in (app, program(arguments)))
    assert (part.output, part.exit_code) == (whole.output, whole.exit_code)


def test_the_program_alone_prints_its_help() -> None:
    """`mem0g` without a command prints what `mem0g --help` does, on as many lines."""
    alone, helped = (CliRunner().invoke(app, words) for words in ([], ["--help"]))
    assert alone.stderr.splitlines() == helped.stdout.splitlines()


def test_a_shell_completes_all_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell hands the command line over in the environment, so that every command has its options."""
    monkeypatch.setenv("_MEM0G_COMPLETE", "complete_bash")
    assert program([]) is app


def test_a_search_loads_what_it_needs(tmp_path: Path) -> None:
    """`mem0g search` loads numpy and the embedder, and neither a stage of an ingest, a picture nor a client."""
    store = tmp_path / "memory.db"
    with Memory.open(store, extractor="none") as memory:
        memory.add_fact(subject="Ann", relation="lives_in", object="Oslo", user_id="ann")
    shown, loaded = started("search", "Where does Ann live?", "--user", "ann", "--store", str(store))
    assert "Oslo" in shown
    assert HEAVY.intersection(loaded) <= {"typer", "numpy", "Stemmer", "tokenizers", "pydantic"}  # typer loads pydantic
    changing = ("extract.rules", "resolve", "conflict", "ingest", "llm", "transcripts", "writer", "editor", "transfer")
    other = ("answer", "views", "procedural", "integrations", "serve", "mcp", "store.neo4j")
    unneeded = tuple(f"mem0g.{name}" for name in (*changing, *other))
    assert [name for name in loaded if name.startswith(unneeded)] == []
