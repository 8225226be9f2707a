"""What can be wrong with a copy: it is said, and nothing is made."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Shell


@pytest.fixture
def filled(shell: Shell) -> Shell:
    """A shell whose store holds a message."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    return shell


def test_from_a_file_to_a_file(filled: Shell) -> None:
    """The copy exports what the original does; a scope may go alone."""
    other = str(filled.folder / "other.db")
    assert "1 messages, 2 entities, 1 facts copied to" in filled.ok("copy", str(filled.store), other, "--all")
    assert filled("export", "--all", store=other).stdout == filled.ok("export", "--all")
    filled.ok("add", "I live in Rome.", "--user", "bob")
    assert "1 messages, 2 entities, 1 facts copied to" in filled.ok("copy", str(filled.store), other, "--user", "bob")
    filled.ok("add", "I live in Lima.", "--user", "cleo")
    said = filled.ok("copy", str(filled.store), other, "--all")
    assert "1 messages, 2 entities, 1 facts copied to" in said
    assert "; 10 were there already" in said
    assert filled("export", "--all", store=other).stdout == filled.ok("export", "--all")
    assert "all of it was there already" in filled.ok("copy", str(filled.store), other, "--all")
    (home,) = re.findall(r"\bf_\w+", filled.ok("facts", "--user", "cleo"))
    filled.ok("retire", home, "--user", "cleo")
    said = filled.ok("copy", str(filled.store), other, "--all")
    assert "were there already, 1 of them in another state, which they keep" in said


def test_from_nowhere(shell: Shell) -> None:
    """A store that is not there is named, and neither is made."""
    said = shell.fails("copy", str(shell.folder / "nowhere.db"), str(shell.folder / "other.db"), "--all")
    assert "nowhere.db" in said
    assert list(shell.folder.iterdir()) == []


def test_a_scope_that_holds_nothing(filled: Shell) -> None:
    """A scope without a memory is named, and no file is made."""
    assert "user_id=an" in filled.fails("copy", str(filled.store), str(filled.folder / "other.db"), "--user", "an")
    assert not (filled.folder / "other.db").exists()


@pytest.mark.parametrize("other", ["{store}", "sqlite:///{store}", "{folder}/../{name}/memory.db", "{folder}/link.db"])
def test_onto_itself(filled: Shell, other: str) -> None:
    """The same file by another spelling, or by a link, is refused."""
    (filled.folder / "link.db").symlink_to(filled.store)
    address = other.format(store=filled.store, folder=filled.folder, name=filled.folder.name)
    assert "the same store" in filled.fails("copy", str(filled.store), address, "--all")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bolt://127.0.0.1:1", "neo4j://localhost:1"),
        ("neo4j://ann:a@host", "bolt+s://bob:b@HOST:7687"),
        ("neo4j://host/graph", "neo4j://host/graph/"),
    ],
)
def test_onto_the_same_database(shell: Shell, one: str, other: str) -> None:
    """The same database by another scheme, user or spelling is refused before anything is asked of it."""
    assert "the same store" in shell.fails("copy", one, other, "--all")


def test_two_databases_of_one_server(shell: Shell) -> None:
    """Two names are two stores, whatever the options say of the address without a name."""
    said = shell.fails("copy", "bolt://127.0.0.1:1/one", "bolt://127.0.0.1:1", "--database", "two", "--all")
    assert "the same store" not in said
    assert "the same store" in shell.fails(
        "copy", "bolt://127.0.0.1:1/one", "bolt://127.0.0.1:1", "--database", "one", "--all"
    )


def test_into_a_store_of_another_embedder(filled: Shell) -> None:
    """Which embedder filled it is said, and nothing is written."""
    other = filled.folder / "other.db"
    filled("add", "I live in Rome.", "--user", "bob", store=str(other))
    with sqlite3.connect(other) as raw:
        raw.execute("UPDATE meta SET value = 'other-model' WHERE key = 'embedder'")
    raw.close()
    before = filled("export", "--all", store=str(other)).stdout
    assert "other-model" in filled.fails("copy", str(filled.store), str(other), "--all")
    assert filled("export", "--all", store=str(other)).stdout == before


def test_into_what_is_no_store(filled: Shell) -> None:
    """A file of another kind is named and left as it is."""
    notes = filled.file("notes.txt", "hello " * 400)
    assert "notes.txt" in filled.fails("copy", str(filled.store), notes, "--all")
    assert Path(notes).read_text() == "hello " * 400
