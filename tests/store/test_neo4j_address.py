"""The parts of the Neo4j store that need no server: addresses, versions, full-text queries, names of what is drawn."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mem0g.errors import NewerStoreError, OldServerError, UnknownStoreError
from mem0g.model import Scope
from mem0g.settings import Credentials
from mem0g.store.neo4j.fulltext import covered, parts, scope_token, within
from mem0g.store.neo4j.maintenance.schema import LAYOUT, Server, check, read_version
from mem0g.store.neo4j.rows import OWN_LABELS, OWN_TYPES, edge_type, type_label
from mem0g.store.neo4j.server.address import read_address
from mem0g.store.neo4j.server.queries import statements
from mem0g.store.queries import key_token
from mem0g.text.names import normal_relation
from tests.making import ANN
from tests.store.ingested import error_text

SECRET = "open-sesame-1001"


@pytest.mark.parametrize(
    ("text", "uri", "username", "password", "database"),
    [
        ("neo4j://host", "neo4j://host", None, None, None),
        ("bolt://host:7688/", "bolt://host:7688", None, None, None),
        ("neo4j+s://x.databases.neo4j.io/neo4j", "neo4j+s://x.databases.neo4j.io", None, None, "neo4j"),
        ("bolt://ann@host", "bolt://host", "ann", None, None),
        ("bolt://ann:s3cret@host:1/d.b-1", "bolt://host:1", "ann", "s3cret", "d.b-1"),
        ("bolt://ann:p%40ss%3A%2F%3F%23%25@host/d%20b", "bolt://host", "ann", "p@ss:/?#%", "d b"),
        ("bolt://:s3cret@host", "bolt://host", None, "s3cret", None),
        ("bolt://[::1]:7687/x", "bolt://[::1]:7687", None, None, "x"),
    ],
)
def test_addresses(text: str, uri: str, username: str | None, password: str | None, database: str | None) -> None:
    """An address holds the server, and may hold the user, the password and the database, quoted as in any URL."""
    read = read_address(text)
    assert (read.uri, read.username, read.password, read.database) == (uri, username, password, database)


def test_a_login_counts_more() -> None:
    """What is given by itself replaces that part of the address, and no other."""
    read = read_address("bolt://ann:old@host/one", Credentials(password=SECRET, database="two"))
    assert (read.username, read.password, read.database) == ("ann", SECRET, "two")
    assert read.auth == ("ann", SECRET)


def test_the_password_is_not_shown() -> None:
    """An address is shown without its user and password, in full and in the words of a debugger."""
    read = read_address(f"bolt://ann:{SECRET}@host:1/db")
    assert str(read) == "bolt://host:1/db"
    assert SECRET not in repr(read) + repr(Credentials(password=SECRET))


def test_who_is_let_in() -> None:
    """A password alone is that of the user neo4j; without user and password nobody is named."""
    assert read_address("bolt://host", Credentials(password="x")).auth == ("neo4j", "x")
    assert read_address("bolt://host").auth is None


@pytest.mark.parametrize(
    "text",
    [
        "bolt://",
        "neo4j:///db",
        "bolt://host:port",
        "bolt://host:99999",
        "bolt://host/a/b",
        "bolt://host?x=1",
        "bolt://host#x",
        "bolt://[::1",
    ],
)
def test_addresses_that_are_none(text: str) -> None:
    """What cannot be read is named with how to write it; a password in it is not shown."""
    for address in (text, text.replace("://", f"://ann:{SECRET}@")):
        with pytest.raises(UnknownStoreError) as caught:
            read_address(address)
        assert "neo4j://host:7687" in error_text(caught.value, SECRET)


@pytest.mark.parametrize("sign", ["/", "?", "#"])
def test_a_password_that_is_not_quoted(sign: str) -> None:
    """A password with a sign that ends the host, not quoted, is refused without being shown."""
    with pytest.raises(UnknownStoreError) as caught:
        read_address(f"bolt://ann:{SECRET}{sign}more@host:1/db")
    error_text(caught.value, SECRET)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("5.26.30", (5, 26, 30)),
        ("5.26.0-rc1", (5, 26, 0)),
        ("2026.08.1", (2026, 8, 1)),
        ("2025.12.0+build.7", (2025, 12, 0)),
        ("5.27-aura", (5, 27)),
    ],
)
def test_versions(text: str, version: tuple[int, ...]) -> None:
    """A version is read as numbers, whatever is behind them."""
    assert read_version(text) == version


def server(version: str, layout: int | None = LAYOUT) -> Server:
    """What a server of this version says of itself."""
    return Server(read_version(version), "community", layout, None, None)


@pytest.mark.parametrize(("version", "shown"), [("5.25.1", "5.25.1"), ("4.4.40", "4.4.40"), ("3.5.0", "3.5.0")])
def test_a_server_that_is_too_old(version: str, shown: str) -> None:
    """It is named with its version and the oldest that will do."""
    with pytest.raises(OldServerError) as caught:
        check(server(version), "bolt://host")
    assert f"bolt://host is Neo4j {shown}; mem0g needs 5.26 or newer" in error_text(caught.value)


@pytest.mark.parametrize(
    ("version", "filters"), [("5.26.0", False), ("2025.11.2", False), ("2026.01.4", False), ("2026.02.0", True)]
)
def test_a_server_that_will_do(version: str, filters: bool) -> None:
    """From 5.26 on all will do; vector indexes filter from 2026.02 on."""
    check(server(version), "bolt://host")
    assert server(version).filters is filters
    assert server(version).version_text == version


def test_a_newer_layout() -> None:
    """What a newer mem0g made is refused, with both layouts."""
    with pytest.raises(NewerStoreError) as caught:
        check(server("2026.08.1", LAYOUT + 1), "bolt://host")
    assert f"layout {LAYOUT + 1}" in error_text(caught.value)
    check(server("2026.08.1", None), "bolt://host")


def test_full_text_of_scopes() -> None:
    """Every key of a scope must be there, and says nothing about relevance; words are quoted, each once."""
    scope = Scope(user_id="ann", run_id="r")
    keys = f"+keys:{key_token('user_id', 'ann')}^0 +keys:{key_token('run_id', 'r')}^0"
    assert covered(scope, "terms", ["a", "b", "a"], "current") == f'{keys} +keys:current^0 +terms:("a" "b")'
    assert within(scope, "names", ["a b"]) == f'+keys:{scope_token(scope)}^0 +names:("a b")'
    assert covered(scope, "terms", []) == within(scope, "terms", [" "]) == ""


@given(st.text())
def test_no_word_is_syntax(word: str) -> None:
    """Whatever a word holds, it stays between its quotes."""
    made = within(ANN, "terms", [word])
    if not word.strip():
        assert made == ""
        return
    inner = made.removeprefix(f'+keys:{scope_token(ANN)}^0 +terms:("').removesuffix('")')
    assert inner.replace("\\\\", "").replace('\\"', "").count('"') == 0
    assert inner.replace('\\"', '"').replace("\\\\", "\\") == word


@given(st.text(min_size=1), st.text(min_size=1))
def test_tokens_are_letters_and_digits(one: str, other: str) -> None:
    """Tokens of scope keys are plain, and different for different keys and values."""
    tokens = {key_token("user_id", one), key_token("agent_id", one), key_token("user_id", other)}
    assert len(tokens) == (2 if one == other else 3)
    assert all(token.isascii() and token.isalnum() for token in tokens)


def test_long_lists_are_cut() -> None:
    """A query asks for no more words than Lucene takes."""
    words = [str(n) for n in range(1201)]
    assert [len(part) for part in parts(words)] == [500, 500, 201]
    assert [word for part in parts(words) for word in part] == words


@pytest.mark.parametrize("own", sorted(OWN_TYPES))
def test_types_of_edges(own: str) -> None:
    """A relation is drawn as its name, one that mem0g draws itself with a ``_`` behind it."""
    assert edge_type(own) == f"{own}_"
    assert edge_type(normal_relation(own.lower())) == f"{own}_"
    assert edge_type(f"{own}S") == f"{own}S"


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("person", "Person"),
        ("sports team", "SportsTeam"),
        ("fact", "Fact_"),
        ("Mem0g scope", "Mem0gScope_"),
        ("人", "人"),
        ("3D model", "_3DModel"),
        ("🦊", ""),
        ("", ""),
    ],
)
def test_labels_of_types(kind: str, label: str) -> None:
    """A type is drawn as its words in one, what mem0g draws itself with a ``_`` behind it; no letters, no label."""
    assert type_label(kind) == label


@given(st.text())
def test_labels_are_nobody_elses(kind: str) -> None:
    """Whatever a type is called, its label is none of mem0g's own, and at most a character longer than 64."""
    assert type_label(kind) not in OWN_LABELS
    assert len(type_label(kind)) <= 65


@pytest.mark.parametrize("file", ["schema", "vectors", "lts/vectors"])
def test_every_index_is_named_as_mem0gs(file: str) -> None:
    """All that is made bears mem0g's name, so that it can be told from others'."""
    made: list[Any] = [text.split(" IF NOT EXISTS")[0].split()[-1] for text in statements(file)]
    assert all(name.startswith("mem0g_") for name in made)
    assert len(set(made)) == len(made)
