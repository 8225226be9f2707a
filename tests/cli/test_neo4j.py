"""The commands on a memory in Neo4j: as on a file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mem0g.model import Scope
from mem0g.store.neo4j import Neo4jStore
from mem0g.store.sqlite import SqliteStore
from tests.cli.conftest import EXAMPLE, Shell
from tests.making import change, message
from tests.servers.server import Server

QUESTION = "Where does Olivia live?"


@pytest.fixture(scope="module")
def served(
    bare: Neo4jStore, neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory, minilm_as_kept: None
) -> Shell:
    """A shell whose store is on a server and holds the example transcript; tests must not change that scope."""
    made = Shell(tmp_path_factory.mktemp("served"), neo4j_server)
    made.ok("ingest", str(EXAMPLE), "--user", "demo")
    return made


def lines(shell: Shell, *words: str) -> list[str]:
    """The records of an export, sorted, as the order of successions may differ; without the relation types."""
    return sorted(shell.ok("export", *(words or ("--all",))).splitlines()[1:])


def without_vectors(exported: Sequence[str]) -> list[str]:
    """The records without their vectors, which a file rounds."""
    return [re.sub(r'"vectors?":(?:"[^"]*"|\{[^}]*\})', "", each) for each in exported]


def texts(found: Sequence[dict[str, Any]]) -> list[str]:
    """The sentences of a list."""
    return [each["text"] for each in found]


def test_ingesting_again_changes_nothing(served: Shell) -> None:
    """The second ingest of a file adds nothing and says so."""
    before = served.ok("export", "--user", "demo")
    assert "nothing new" in served.ok("ingest", str(EXAMPLE), "--user", "demo")
    assert served.ok("export", "--user", "demo") == before


def test_the_same_counts_as_a_file(served: Shell, told: Shell) -> None:
    """Messages, sessions, entities, facts, decisions and relations are those of a file."""
    assert served.json("stats", "--user", "demo") == told.json("stats", "--user", "demo")
    assert served.ok("relations", "--user", "demo") == told.ok("relations", "--user", "demo")


@pytest.mark.parametrize("more", [(), ("--as-of", "2024-02-10"), ("--include-retired",)], ids=str)
def test_the_same_answers_as_a_file(served: Shell, told: Shell, more: tuple[str, ...]) -> None:
    """Searches, contexts and lists say what they say of a file."""
    for words in (("search", QUESTION), ("facts",)):
        found = [texts(shell.json(*words, "--user", "demo", *more)) for shell in (served, told)]
        assert found[0] == found[1]
        assert found[0]
    context = [shell.ok("context", QUESTION, "--user", "demo", "--tokens", "200", *more) for shell in (served, told)]
    assert context[0] == context[1]


def test_entities_and_drawings(served: Shell, told: Shell) -> None:
    """Entities by name, with their edges, as a list and as a drawing."""
    names = [[each["name"] for each in shell.json("entities", "--user", "demo")] for shell in (served, told)]
    assert names[0] == names[1]
    assert "Pepper" in served.ok("show", "Olivia", "--user", "demo")
    for form in ("tree", "mermaid"):
        assert "Lisbon" in served.ok("graph", "Olivia", "--user", "demo", "--format", form)


def test_history_and_why(served: Shell) -> None:
    """A retired fact has its history, its evidence and the decisions about it."""
    retired = [each for each in served.json("facts", "--user", "demo", "--include-retired") if not each["current"]]
    assert retired
    for fact in retired[:2]:
        history = served.json("history", fact["id"], "--user", "demo")
        assert any(link["fact_id"] == fact["id"] for link in history["successions"])
        why = served.json("why", fact["id"], "--user", "demo")
        assert why["evidence"]
        assert {decision["operation"] for decision in why["decisions"]} & {"UPDATE", "DELETE"}


def test_forget_leaves_others(served: Shell) -> None:
    """With a yes the scope is empty, and others are not."""
    served.ok("add", "I live in Oslo.", "--user", "zoe")
    assert served("forget", "--user", "zoe", stdin="n\n").exit_code == 1
    assert served.json("search", "Where does zoe live?", "--user", "zoe")[0]["fact"]["object"] == "Oslo"
    before = served.json("stats", "--user", "demo")
    assert "forgot 1 messages" in served.ok("forget", "--user", "zoe", "--yes")
    assert served.json("stats", "--user", "zoe")["messages"] == 0
    assert served.json("stats", "--user", "demo") == before


def test_export_and_import(served: Shell, shell: Shell) -> None:
    """An export of a file, imported on a server twice, exports the same; and back into a file."""
    shell.ok("add", "I live in Oslo. My sister Anna works as a nurse.", "--user", "imported")
    exported = shell.ok("export", "--all")
    for _ in range(2):
        served.ok("import", shell.file("export.jsonl", exported))
        assert lines(served, "--user", "imported") == sorted(exported.splitlines()[1:])


def test_copy_to_a_server_and_back(served: Shell, shell: Shell) -> None:
    """A memory is copied with all it holds, the second time nothing is new; a copy of the copy is equal."""
    shell.ok("ingest", str(EXAMPLE), "--user", "copied")
    stats = shell.json("stats", "--all")
    assert f"{stats['messages']} messages" in served.ok("copy", str(shell.store), served.address, "--all")
    assert "there already" in served.ok("copy", str(shell.store), served.address, "--all")
    back = str(shell.folder / "back.db")
    served.ok("copy", served.address, back, "--user", "copied")
    assert lines(served, "--user", "copied") == lines(shell)
    assert lines(shell, "--all", "--store", back) == lines(shell)


@pytest.mark.slow
def test_ctrl_c_stops_a_copy_and_a_second_one_goes_on(served: Shell, bare: Neo4jStore, tmp_path: Path) -> None:
    """What was copied stays whole; the second copy ends where one would have."""
    path, scope = tmp_path / "long.db", Scope("long")
    with closing(SqliteStore(path)) as store:
        store.load(iter([change(scope, [message(f"turn {n}", n, scope) for n in range(10_000)])]))
        told = store.list_messages(scope, 20_000)
    credentials = {name: value for name, value in served.credentials.items() if value}
    command = [sys.executable, "-m", "mem0g", "copy", str(path), served.address, "--all"]
    running = subprocess.Popen(
        command, env={**os.environ, **credentials}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while running.poll() is None and not bare.stats(scope).messages:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate()
    assert running.returncode == 130
    assert b"run the command again" in said
    kept = bare.list_messages(scope, 20_000)
    assert 0 < len(kept) < len(told)
    assert kept == told[: len(kept)]
    served.ok("copy", str(path), served.address, "--all")
    assert bare.list_messages(scope, 20_000) == told


def test_doctor_tells_what_the_server_is(served: Shell, neo4j_server: Server) -> None:
    """Version, edition, database, filters and the state of the indexes."""
    said = served.ok("doctor")
    assert "✗" not in said
    for words in ("layout 7", "edition ", f"database {neo4j_server.database}", "vector filters "):
        assert words in said
    assert re.search(r"indexes \d+ online\)", said)


def test_the_login_may_be_typed(served: Shell, neo4j_server: Server, tmp_path: Path) -> None:
    """Options open the server as the variables do, for every command and for both stores of a copy."""
    without = Shell(tmp_path)
    credentials = ["--username", neo4j_server.username, "--database", neo4j_server.database]
    credentials += ["--password", neo4j_server.password] if neo4j_server.password else []
    counted = without.json("stats", "--user", "demo", "--store", served.address, *credentials)
    assert counted == served.json("stats", "--user", "demo")
    without.ok("copy", served.address, str(tmp_path / "copy.db"), "--user", "demo", *credentials)
    copied = lines(without, "--all", "--store", str(tmp_path / "copy.db"))
    assert without_vectors(copied) == without_vectors(lines(served, "--user", "demo"))


def test_a_wrong_database_name(served: Shell) -> None:
    """A database that is not there is named; an option counts more than a variable."""
    assert "nowhere" in served.fails("stats", "--all", "--database", "nowhere")
    assert "✗ store" in served("doctor", "--database", "nowhere").stdout


def test_a_wrong_password(served: Shell, neo4j_server: Server) -> None:
    """It is refused with a hint, by doctor too, and never shown."""
    if neo4j_server.password is None:
        pytest.skip("this server asks for no password")
    wrong = ("--username", "nobody", "--password", "hush-hush")
    said = served.fails("stats", "--all", *wrong)
    assert "rejects the user 'nobody'" in said
    assert "NEO4J_PASSWORD" in said
    doctor = served("doctor", *wrong)
    assert doctor.exit_code == 1
    assert "✗ store" in doctor.stdout
    assert "NEO4J_PASSWORD" in doctor.stdout
    assert "hush-hush" not in said + doctor.stdout + doctor.stderr
