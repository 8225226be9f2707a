"""Bad input gets one line and a hint, an exit code that is not 0, and nothing written."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from mem0g.settings import LOCK_TIMEOUT_VARIABLE
from tests.cli.conftest import Shell

GOOD = json.dumps({"role": "user", "name": "Ann", "content": "I live in Oslo.", "id": "1"})
TRIPLE = {"subject": "Ann", "relation": "lives_in", "object": "Oslo", "text": "Ann lives in Oslo.", "evidence": ["1"]}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.txt", "", "empty"),
        ("binary.bin", b"\x00\x01\x02\xff" * 50, "binary"),
        ("broken.jsonl", GOOD + "\n{not json}\n", "line 2"),
        ("settings.txt", "version: 1\nname: mem0g\n", "format"),
        ("silent.jsonl", '{"role": "user", "content": ""}\n', "without text"),
        ("role.jsonl", '{"role": "ghost", "content": "boo"}\n', "ghost"),
        ("time.jsonl", '{"role": "user", "content": "hi", "timestamp": "teatime"}\n', "teatime"),
    ],
)
def test_unreadable_transcripts(shell: Shell, name: str, content: str | bytes, said: str) -> None:
    """Each kind of unreadable transcript is named with what is wrong, and no store is made."""
    message = shell.fails("ingest", shell.file(name, content), "--user", "ann")
    assert said in message
    assert name in message
    assert not shell.store.exists()


def test_no_such_file(shell: Shell) -> None:
    """A file that is not there is named."""
    assert "nowhere.txt" in shell.fails("ingest", "nowhere.txt", "--user", "ann")


def test_a_folder_with_nothing_readable(shell: Shell) -> None:
    """A folder without any transcript is an error."""
    (shell.folder / "empty").mkdir()
    assert "empty" in shell.fails("ingest", str(shell.folder / "empty"), "--user", "ann")


def test_a_blank_store(shell: Shell) -> None:
    """An address of blanks is refused, and makes no file of that name."""
    for store in (" ", "\t"):
        assert "blank" in shell.fails("add", "hi", "--user", "ann", store=store)
        assert "blank" in shell.fails("copy", str(shell.store), store, "--all")
    assert not Path(" ").exists()


def test_a_long_id_is_cut(shell: Shell) -> None:
    """What is not found is quoted to 80 characters."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    for command in ("why", "show", "undo", "erase"):
        said = shell.fails(command, "f_" + "9" * 5000, "--user", "ann", *(["--yes"] if command == "erase" else []))
        assert "9…'" in said
        assert len(said.splitlines()[0]) < 200


def test_unknown_format_name(shell: Shell) -> None:
    """A format that is forced must be one there is; the hint lists them."""
    said = shell.fails("ingest", shell.file("a.jsonl", GOOD), "--user", "ann", "--format", "telex")
    assert "telex" in said
    assert "whatsapp" in said


def test_unknown_names_of_settings(shell: Shell) -> None:
    """An unknown zone, extractor or embedder is named."""
    file = shell.file("a.jsonl", GOOD)
    assert "Mars/Base" in shell.fails("ingest", file, "--user", "ann", "--timezone", "Mars/Base")
    assert "magic" in shell.fails("ingest", file, "--user", "ann", "--extractor", "magic")
    assert "magic" in shell.fails("ingest", file, "--user", "ann", "--embedder", "magic")
    assert not shell.store.exists()


@pytest.mark.parametrize("command", ["ingest", "add", "search", "context", "facts", "entities", "show", "graph"])
def test_no_scope(told: Shell, command: str) -> None:
    """Every command that needs a scope says so."""
    words = {"ingest": [told.file("a.jsonl", GOOD)], "facts": [], "entities": []}.get(command, ["Oslo"])
    assert "no scope" in told.fails(command, *words)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"subject": " "}, "subject"),
        ({"object": ""}, "object"),
        ({"relation": "x" * 10_000}, "10000 characters"),
        ({"object": "Os\0lo"}, "NUL"),
        ({"relation": "🎉"}, "no letter"),
        ({"valid_from": "once"}, "once"),
        ({"evidence": ["77"]}, "77"),
    ],
)
def test_bad_triples(shell: Shell, change: dict[str, object], said: str) -> None:
    """A triple that cannot be stored is named, and not one fact is written."""
    transcript = shell.file("a.jsonl", GOOD)
    triples = shell.file("t.jsonl", json.dumps(TRIPLE) + "\n" + json.dumps({**TRIPLE, **change}) + "\n")
    assert said in shell.fails("ingest", transcript, "--user", "ann", "--triples", triples)
    if shell.store.exists():
        assert shell.json("stats", "--all")["facts"] == 0


def test_a_broken_line_of_triples(shell: Shell) -> None:
    """The line is named."""
    triples = shell.file("t.jsonl", json.dumps(TRIPLE) + "\n{\n")
    said = shell.fails("ingest", shell.file("a.jsonl", GOOD), "--user", "ann", "--triples", triples)
    assert "line 2" in said


@pytest.mark.parametrize("name", ["مريم", "🦊", 'Ann "the boss" `x`', "O'Brien); DROP TABLE fact;--", "$(rm -rf)"])
def test_any_name_comes_back_as_given(shell: Shell, name: str) -> None:
    """Right-to-left, emoji, quotes, backticks and code in names and types are kept, harmlessly."""
    triple = {**TRIPLE, "object": name, "object_type": name, "text": f"Ann knows {name}.", "relation": "knows"}
    shell.ok("ingest", shell.file("a.jsonl", GOOD), "--user", "ann", "--triples", shell.file("t", json.dumps(triple)))
    (fact,) = shell.json("facts", "--user", "ann")
    assert (fact["object"], fact["object_type"]) == (name, name)
    assert name in {entity["name"] for entity in shell.json("entities", "--user", "ann")}
    for form in ("tree", "graphml", "json", "mermaid", "dot", "html"):
        shell.ok("graph", "Ann", "--user", "ann", "--format", form)


@pytest.mark.parametrize("query", ['"', "NEAR(a b)", "Oslo AND", "* OR *", "col:Oslo", "'; DROP TABLE fact", "(", "\\"])
def test_search_syntax_is_words(told: Shell, query: str) -> None:
    """What means something to a full-text engine is only words here."""
    told.ok("search", query + " Lisbon", "--user", "demo")
    told.ok("search", query, "--user", "demo")


@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_query(told: Shell, query: str) -> None:
    """Nothing asked is an error."""
    assert "empty" in told.fails("search", query, "--user", "demo")


@pytest.mark.parametrize("limit", ["0", "-1"])
def test_limits(told: Shell, limit: str) -> None:
    """A limit or a budget under 1 is refused."""
    assert limit in told.fails("search", "Oslo", "--user", "demo", "--limit", limit)
    assert limit in told.fails("context", "Oslo", "--user", "demo", "--tokens", limit)


def test_as_of_that_is_no_date(told: Shell) -> None:
    """An unreadable date is named with the forms there are."""
    said = told.fails("search", "Oslo", "--user", "demo", "--as-of", "last summer")
    assert "last summer" in said
    assert "2023-05" in said


@pytest.mark.parametrize("command", ["why", "history", "show"])
def test_unknown_fact(told: Shell, command: str) -> None:
    """An id that is not there is named, and so is one of another scope."""
    assert "f_0000" in told.fails(command, "f_0000", "--user", "demo")
    fact = told.json("facts", "--user", "demo")[0]["id"]
    assert fact in told.fails(command, fact, "--user", "somebody-else")


def test_unknown_entity_and_drawing(told: Shell) -> None:
    """An entity nobody named, and a format nobody wrote."""
    assert "Nobody" in told.fails("show", "Nobody", "--user", "demo")
    assert "Nobody" in told.fails("graph", "Nobody", "--user", "demo")
    assert "png" in told.fails("graph", "Olivia", "--user", "demo", "--format", "png")


def test_unknown_store_scheme(shell: Shell) -> None:
    """A store of another scheme is named."""
    assert "mysql://x" in shell.fails("stats", "--all", store="mysql://x")


def test_stores_that_are_none(shell: Shell) -> None:
    """No database, another program's database, a newer layout, a folder: each is named and left as it is."""
    text = shell.file("notes.txt", "hello " * 400)
    assert "notes.txt" in shell.fails("stats", "--all", store=text)
    other = shell.folder / "other.db"
    with sqlite3.connect(other) as raw:
        raw.execute("CREATE TABLE t (x)")
    raw.close()
    assert "another program" in shell.fails("stats", "--all", store=str(other))
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    with sqlite3.connect(shell.store) as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    assert "newer" in shell.fails("stats", "--all")
    assert "folder" in shell.fails("stats", "--all", store=str(shell.folder))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a" * 300, "name too long"),
        ("~nobody-of-that-name/memory.db", "there is no user whose folder"),
        ("/dev/null", "/dev/null is no regular file"),
    ],
)
def test_names_of_no_store(shell: Shell, name: str, said: str) -> None:
    """What no file can be named, or what is none, is refused by what reads and by what would make a store."""
    for words in (("stats", "--all"), ("add", "I live in Oslo.", "--user", "ann"), ("verify",)):
        assert said.casefold() in shell.fails(*words, store=name).casefold()
    assert "too long" in shell.fails("backup", "b" * 300, store=str(_filled(shell)))


def _filled(shell: Shell) -> Path:
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    return shell.store


def test_a_locked_store(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that another process is writing to asks to try again."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    monkeypatch.setattr("mem0g.store.sqlite.opening.BUSY_SECONDS", 0.05)
    monkeypatch.setenv(LOCK_TIMEOUT_VARIABLE, "0.2")
    holder = sqlite3.connect(shell.store, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert "locked" in shell.fails("add", "I live in Rome.", "--user", "ann")
    holder.close()


def test_reading_makes_no_store(shell: Shell) -> None:
    """A question to a memory that is not there is an error, and makes no file."""
    assert "no memory" in shell.fails("search", "Oslo", "--user", "ann")
    assert not shell.store.exists()


def test_weights_that_are_missing_or_wrong(shell: Shell, tmp_path: Path) -> None:
    """A folder without weights, and one with other weights, are each named."""
    folder = tmp_path / "weights"
    folder.mkdir()
    transcript = shell.file("a.jsonl", GOOD)
    assert "weights" in shell.fails("ingest", transcript, "--user", "ann", "--embedder", str(folder))
    (folder / "model.safetensors").write_bytes(b"x" * 100)
    (folder / "tokenizer.json").write_text("{}")
    assert "model.safetensors" in shell.fails("ingest", transcript, "--user", "ann", "--embedder", str(folder))


def test_a_store_of_another_embedder(shell: Shell) -> None:
    """A store that another embedder filled is not mixed with this one's vectors."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    with sqlite3.connect(shell.store) as raw:
        raw.execute("UPDATE meta SET value = 'other-model' WHERE key = 'embedder'")
    raw.close()
    said = shell.fails("search", "Oslo", "--user", "ann")
    assert "other-model" in said
    assert "reindex" in said
    shell.ok("reindex")
    shell.ok("search", "Oslo", "--user", "ann")


def test_bad_imports(shell: Shell) -> None:
    """A file that is no export, and one with a broken line, are refused whole."""
    assert "nowhere" in shell.fails("import", "nowhere")
    assert "line 1" in shell.fails("import", shell.file("a.txt", "hello"))
    header = '{"mem0g":1,"embedder":null,"dimensions":null}\n'
    assert "line 2" in shell.fails("import", shell.file("b.txt", header + '{"kind":"facts"}\n'))
