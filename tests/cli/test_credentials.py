"""Who opens a store on a server: options, variables and addresses; and what is never shown."""

from __future__ import annotations

import pytest
import typer

from mem0g.cli.options import STORE, Target, takes
from mem0g.settings import Credentials
from tests.cli.conftest import Shell
from tests.docs.reference import commands

OPTIONS = ("username", "password", "database")
NOBODY = "bolt://ann:s3cret@127.0.0.1:1"
"""Where nothing listens."""


WITHOUT_STORE = ("prompts", "serve add-key", "serve list-keys", "serve remove-key")
"""The commands that open no store."""


def test_every_command_takes_the_login() -> None:
    """Each command that opens a store has the three options, in a panel of their own; no default is shown."""
    for name, command in commands().items():
        if name in WITHOUT_STORE:
            continue
        found = {each.name: each for each in command.params if each.name in OPTIONS}
        assert sorted(found) == sorted(OPTIONS), name
        assert all(getattr(each, "rich_help_panel", None) == "Neo4j" for each in found.values()), name
        assert all(each.default is None for each in found.values()), name


def test_a_command_gets_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target of a command has the credentials of its options, and the settings those of the environment."""
    seen: list[Target] = []
    monkeypatch.setenv("NEO4J_USERNAME", "usual")

    @takes(STORE)
    def look(target: Target) -> None:
        seen.append(target)

    look(store="x", username="", password="hush", database="mine")
    assert seen[0].store == "x"
    assert seen[0].credentials == Credentials(password="hush", database="mine")
    assert seen[0].settings.credentials == Credentials(username="usual")


def test_the_signature_is_that_of_the_command_and_the_shared_options() -> None:
    """A command keeps its name, help and parameters; the store's options stand before, the server's behind."""

    @takes(STORE)
    def look(target: Target, limit: int = 3) -> None:
        """Look."""
        del target

    command = typer.main.get_command_from_info(
        typer.models.CommandInfo(callback=look), pretty_exceptions_short=True, rich_markup_mode=None
    )
    assert (command.name, command.help) == ("look", "Look.")
    assert [each.name for each in command.params] == ["store", "limit", *OPTIONS]


@pytest.mark.parametrize(
    "words",
    [
        (
            "stats",
            "--all",
        ),
        ("add", "I live in Oslo.", "--user", "ann"),
        ("copy", NOBODY, "copy.db", "--all"),
        ("copy", "memory.db", NOBODY, "--all"),
        ("init",),
        ("init", "--drop"),
    ],
    ids=" ".join,
)
def test_no_password_is_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    """An address, an option or a variable with a password is named without it when nothing listens there."""
    monkeypatch.chdir(shell.folder)
    shell.ok("init")
    said = shell.fails(*words, "--password", "hush", store=NOBODY)
    assert "127.0.0.1:1" in said
    assert "s3cret" not in said
    assert "hush" not in said


def test_no_password_is_shown_by_doctor(shell: Shell) -> None:
    """The store has a cross and a hint, and the address is without its password."""
    done = shell("doctor", "--password", "hush", store=NOBODY)
    assert done.exit_code == 1
    assert "✗ store: no Neo4j answers at bolt://127.0.0.1:1" in done.stdout
    assert "make neo4j" in done.stdout
    assert "s3cret" not in done.stdout + done.stderr
    assert "hush" not in done.stdout + done.stderr


@pytest.mark.parametrize("store", ["mysql://ann:s3cret@host", "neo4j://ann:s3cret@", "neo4j://ann:s3cret@host/a/b"])
def test_no_password_is_shown_of_an_address_that_is_none(shell: Shell, store: str) -> None:
    """An address that cannot be read is named without its password."""
    for words in (("stats",), ("copy", store, "copy.db"), ("copy", str(shell.store), store)):
        shell.ok("init")
        assert "s3cret" not in shell.fails(*words, "--all", store=store)


def test_help_shows_no_password(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Help names the variables, not what is in them."""
    monkeypatch.setenv("NEO4J_PASSWORD", "hush")
    monkeypatch.setenv("MEM0G_STORE", NOBODY)
    said = shell("search", "--help", store=NOBODY).stdout
    assert "NEO4J_PASSWORD" in said
    assert "hush" not in said
    assert "s3cret" not in said
