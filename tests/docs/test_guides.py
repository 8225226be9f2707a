"""The guides: their Python prints what they show, and their commands run, each page from its top to its end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.docs.conftest import Run
from tests.docs.pages import GUIDES, ROOT, commands_of, printing_blocks, text_of


@pytest.mark.parametrize("page", [page for page in GUIDES if printing_blocks(text_of(page))])
def test_the_python_of_a_guide_runs(page: str, folder: Path, minilm: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The blocks are one program; a block prints the text behind it, if there is one."""
    names: dict[str, object] = {"__name__": "__main__"}
    capsys.readouterr()
    for code, printed in printing_blocks(text_of(page)):
        exec(compile(code, page, "exec"), names)
        out = capsys.readouterr().out
        assert printed is None or out == printed


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory, minilm: None) -> Path:
    """A store with the example conversation, as the first command of most guides makes it."""
    from mem0g.cli.app import app

    store = tmp_path_factory.mktemp("guides") / "memory.db"
    example = ROOT / "examples" / "olivia-and-ben.txt"
    done = CliRunner().invoke(app, ["ingest", str(example), "--user", "demo", "--store", str(store)])
    assert done.exit_code == 0, done.stderr
    return store


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in GUIDES if commands_of(text_of(page))])
def test_the_commands_of_a_guide_run(page: str, folder: Path, run: Run, ingested: Path) -> None:
    """Those without a server run one after the other on one store, and end well."""
    store = folder / "memory.db"
    lines = [line for line in commands_of(text_of(page)) if "neo4j://" not in line]
    assert lines
    if "--llm-cache" not in "".join(lines):  # a model's replies are asked for; elsewhere ingesting again is enough
        shutil.copy(ingested, store)
    for line in lines:
        run(line, {"MEM0G_STORE": str(store)})
