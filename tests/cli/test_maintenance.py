"""`mem0g verify`, `mem0g repair` and `mem0g forget --json`."""

from __future__ import annotations

import sqlite3

from tests.cli.conftest import Shell


def broken(shell: Shell, statement: str) -> None:
    """Run a statement past the store."""
    with sqlite3.connect(shell.store) as connection:
        assert connection.execute(statement).rowcount > 0
    connection.close()


def test_a_whole_store(shell: Shell) -> None:
    """Nothing is wrong, nothing is mended."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    assert shell.ok("verify") == "no problems found\n"
    assert shell.json("verify") == []
    assert shell.ok("repair") == "0 problems mended, 0 left\n"
    assert shell.json("repair") == {"mended": [], "left": []}


def test_what_is_wrong_is_a_line_each_with_what_to_do(shell: Shell) -> None:
    """verify ends with 1 and changes nothing; repair mends and ends with 0."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    broken(shell, "UPDATE message_stems SET stems = 'secret'")
    for _ in range(2):
        result = shell("verify")
        assert (result.exit_code, len(result.stdout.splitlines())) == (1, 1)
        assert "full text: m_" in result.stdout
        assert "`mem0g repair` fixes it" in result.stdout
    assert "1 problems mended, 0 left" in shell.ok("repair")
    assert shell.ok("verify") == "no problems found\n"


def test_what_stays_wrong(shell: Shell) -> None:
    """repair ends with 1 when something is left, and says what to do."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    broken(shell, "DELETE FROM message_vector")
    result = shell("repair", "--json")
    assert result.exit_code == 1
    assert '"kind": "vector"' in result.stdout
    assert "mem0g reindex" in result.stdout
    shell.ok("reindex")
    shell.ok("verify")


def test_forget_prints_its_receipt_as_json(shell: Shell) -> None:
    """``forget --json`` is the receipt with its counts."""
    shell.ok("add", "I live in Oslo.", "--user", "ann")
    receipt = shell.json("forget", "--yes", "--user", "ann")
    assert (receipt["messages"], receipt["facts"], receipt["complete"]) == (1, 1, True)
