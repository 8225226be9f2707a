"""Which scope a command is about: a usable one, or the whole store when --all says so; never by accident."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
import typer

from mem0g import Memory
from mem0g.cli.app import app
from mem0g.errors import ScopeError
from mem0g.model import Scope
from mem0g.testing import HashingEmbedder
from tests.cli.conftest import Shell

SECRET = "xylophone"
"""A word of what the store holds: no refused command may print it."""

ARGUMENTS = {
    "ingest": ["talk.txt"],
    "add": ["hello"],
    "search": [SECRET],
    "context": [SECRET],
    "ask": [SECRET],
    "show": ["bob"],
    "history": ["f_0"],
    "why": ["f_0"],
    "graph": ["bob"],
    "forget": ["--yes"],
    "copy": ["memory.db", "copy.db"],
    "import": ["mem0-neo4j", "bolt://127.0.0.1:9"],
    "add-fact": ["Bob likes tea."],
    "correct": ["f_0", "Bob likes tea."],
    "retire": ["f_0"],
    "erase": ["f_0", "--yes"],
    "merge": ["bob", "robert"],
    "unmerge": ["bob", "robert"],
    "undo": ["d_0"],
    "diff": ["--since", "2020"],
}
"""What each command needs beside a scope."""

OPTIONS = ("--user", "--agent", "--run")


def scoped(option: str = "--user") -> list[str]:
    """The names of the commands that take this option."""
    group = typer.main.get_command(app)
    commands = group.commands.items()  # type: ignore[attr-defined]
    return sorted(name for name, command in commands if any(option in each.opts for each in command.params))


WHOLE = ("browser", "copy", "costs", "export", "retry", "serve", "stats")
"""The commands that can be asked about the whole store."""


def test_the_commands_are_those_expected() -> None:
    """No command with a scope is forgotten below, and those that can take the whole store all say --all."""
    assert set(ARGUMENTS) <= set(scoped())
    assert set(scoped("--all")) == set(WHOLE)
    assert scoped("--user") == scoped("--agent") == scoped("--run")


@pytest.fixture(scope="module")
def bobs(tmp_path_factory: pytest.TempPathFactory, minilm: None) -> Shell:
    """A shell whose store holds something of Bob's; no command that is refused changes it."""
    shell = Shell(tmp_path_factory.mktemp("bobs"))
    shell.ok("add", f"I play the {SECRET}. I live in Oslo.", "--user", "bob")
    shell.file("talk.txt", "Ann: I live in Rome.\n")
    return shell


@pytest.fixture
def filled(bobs: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Bob's shell, in its folder."""
    monkeypatch.chdir(bobs.folder)
    return bobs


@pytest.mark.parametrize("command", scoped())
def test_a_blank_key_is_refused(filled: Shell, command: str) -> None:
    """An empty key, as of an unset shell variable, or one of blanks, is an error that names it; nothing is shown."""
    before = filled.ok("export", "--all")
    for option in OPTIONS:
        for value in ("", " ", "\t"):
            for more in ([], ["--user", "bob"] if option != "--user" else []):
                said = filled.fails(command, *ARGUMENTS.get(command, ()), option, value, *more)
                assert f"{option[2:]}_id {value!r}" in said
                assert SECRET not in said
    assert filled.ok("export", "--all") == before
    assert not (filled.folder / "copy.db").exists()


@pytest.mark.parametrize("command", WHOLE)
def test_the_whole_store_is_asked_for_by_name(filled: Shell, command: str) -> None:
    """Without a scope and without --all nothing happens, and the hint names both; with both neither."""
    words = (command, *ARGUMENTS.get(command, ()))
    said = filled.fails(*words)
    assert "no scope given" in said
    assert "--user" in said
    assert "--all" in said
    assert "user_id=bob" in filled.fails(*words, "--user", "bob", "--all")
    assert "user_id ''" in filled.fails(*words, "--user", "", "--all")
    assert not (filled.folder / "copy.db").exists()


@pytest.mark.parametrize("value", ["", " ", "\n", 7, 0, True, False, b"ann", Path("ann"), ["ann"], 1.5])
@pytest.mark.parametrize("key", ["user_id", "agent_id", "run_id"])
def test_a_key_that_is_no_text_in_python(value: object, key: str) -> None:
    """A scope refuses blanks and whatever is no text; the error names the value."""
    with pytest.raises(ScopeError) as refused:
        Scope(**{key: value})  # type: ignore[arg-type]
    assert key in str(refused.value)
    assert repr(value)[:5] in str(refused.value) or str(value) in str(refused.value)


def test_every_method_of_memory_refuses_a_key_that_is_none(tmp_path: Path) -> None:
    """Whatever takes a scope refuses an empty key, a number and no key; `all_scopes` is refused beside a key."""
    given: dict[str, object] = {
        "messages": "hi",
        "triples": [],
        "request": None,
        "steps": [],
        "query": "hi",
        "entity": "bob",
        "fact": "f_0",
        "other": "robert",
    }
    given |= {
        "alias": "robert",
        "message": "m_0",
        "question": "hi",
        "decision": "d_0",
        "erased": "f_0",
        "held_id": "r_0",
        "name": "likes",
        "run_id": "r",
        "since": "2020",
    }
    with Memory.open(tmp_path / "memory.db", embedder=HashingEmbedder(), extractor="rules") as memory:
        memory.add(f"I play the {SECRET}.", user_id="bob")
        seen = 0
        for name, method in inspect.getmembers(memory, inspect.ismethod):
            parameters = inspect.signature(method).parameters
            if name.startswith("_") or "user_id" not in parameters:
                continue
            needed = {each: given[each] for each in parameters if parameters[each].default is inspect.Parameter.empty}
            refused: list[dict[str, object]] = [{"user_id": ""}, {"user_id": 7}, {"agent_id": "", "user_id": "bob"}, {}]
            refused = refused[:2] if "run_id" in needed else refused  # the scope of one run has that key always
            refused += [{"user_id": "bob", "all_scopes": True}] if "all_scopes" in parameters else []
            for keys in refused:
                with pytest.raises(ScopeError):
                    method(**needed, **keys)
                seen += 1
        assert seen > 60
        assert memory.stats(all_scopes=True).messages == 1
