"""`mem0g ingest` with several users and several workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Shell
from tests.cli.test_commands import _has_messages

FOLDERS = ("--user-from", "folder", "--agent", "helper", "--json")


@pytest.fixture
def chats(shell: Shell) -> str:
    """A folder with a folder for each of three users."""
    folder = shell.folder / "chats"
    for number, user in enumerate(("ann", "bob", "cy")):
        (folder / user).mkdir(parents=True)
        lines = [f"# 2024-05-0{number + 1}", "Ann: I live in Oslo.", "Ben: I like tea."]
        (folder / user / "a.txt").write_text("\n".join(lines), encoding="utf-8")
        (folder / user / "b.txt").write_text("# 2024-06-01\nAnn: I live in Rome.\n", encoding="utf-8")
    return str(folder)


def users(shell: Shell) -> list[Any]:
    """Return what `mem0g users` shows, without times."""
    return [{name: row[name] for name in ("user_id", "agent_id", "messages", "facts")} for row in shell.json("users")]


@pytest.mark.slow
def test_several_processes_do_as_one(shell: Shell, chats: str) -> None:
    """The users of the folders, the report with all changes in order, and nothing new the second time."""
    other = Shell(shell.folder / "other")
    other.folder.mkdir()
    expected = other.json("ingest", chats, *FOLDERS)
    assert expected["messages"] == 9
    found = shell.json("ingest", chats, *FOLDERS, "--workers", "2")
    assert [each["text"] for each in found.pop("changes")] == [each["text"] for each in expected.pop("changes")]
    assert found == expected
    assert users(shell) == users(other)
    assert [row["user_id"] for row in users(shell)] == ["ann", "bob", "cy"]
    assert "nothing new" in shell.ok("ingest", chats, *FOLDERS[:-1])


def test_one_scope_is_one_process(shell: Shell, chats: str) -> None:
    """More workers than scopes: what they are for is said."""
    done = shell("ingest", chats, "--user", "all", "--workers", "4")
    assert done.exit_code == 0
    assert "--user-from" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--user-from", "name"), "--user-from is 'name'"),
        (("--user-from", "file", "--user", "ann"), "--user and --user-from"),
        (("--user-from", "file", "--triples", "t.jsonl"), "--triples and --user-from"),
        (("--user", "ann", "--scheduler", "tcp://127.0.0.1:9"), "cannot share a file"),
        (("--user", "ann", "--scheduler", ""), "--scheduler is empty"),
        (
            ("--user", "ann", "--scheduler", "tcp://127.0.0.1:9", "--workers", "2"),
            "--workers and --scheduler were both",
        ),
        ((), "no scope"),
    ],
)
def test_options_that_do_not_fit(shell: Shell, chats: str, words: tuple[str, ...], said: str) -> None:
    """They are refused before anything is stored."""
    assert said in shell.fails("ingest", chats, *words)
    assert not shell.store.exists()


def test_triples_are_for_one_scope(shell: Shell, chats: str) -> None:
    """They are not sent to a cluster."""
    words = ("--user", "ann", "--scheduler", "tcp://127.0.0.1:9", "--triples", "t.jsonl")
    result = shell("ingest", chats, *words, store="neo4j://127.0.0.1:9")
    assert (result.exit_code, "--triples and --scheduler" in result.stderr) == (1, True)


def test_a_file_that_names_no_user(shell: Shell, chats: str) -> None:
    """Nothing is stored, of others neither."""
    (Path(chats) / "stray.txt").write_text("Ann: I live in Rome.\n", encoding="utf-8")
    assert "stray.txt is in no folder" in shell.fails("ingest", chats, "--user-from", "folder")
    assert not shell.store.exists()


@pytest.mark.slow
def test_ctrl_c_stops_all_processes_after_their_windows(shell: Shell) -> None:
    """As it comes from a terminal: to every process of the group. A second run goes on."""
    for user in ("ann", "bob"):
        (shell.folder / "chats" / user).mkdir(parents=True)
        lines = [
            json.dumps({"role": "user", "name": user, "content": f"I visited city{n} in 2020. I like food{n} a lot."})
            for n in range(200)
        ]
        (shell.folder / "chats" / user / "long.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = ["ingest", str(shell.folder / "chats"), "--user-from", "folder", "--workers", "2"]
    running = subprocess.Popen(
        [sys.executable, "-m", "mem0g", *words],
        env={**os.environ, "MEM0G_STORE": str(shell.store)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while running.poll() is None and not _has_messages(shell.store):
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate()
    assert (running.returncode, said.count("Traceback")) == (130, 0)
    assert "run the command again" in said
    kept = sum(row["messages"] for row in shell.json("users"))
    assert 0 < kept < 400
    assert kept % 20 == 0
    assert shell.json(*words)["known"] == kept
