"""`mem0g retry`: what waits is extracted again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from mem0g import Memory
from mem0g.errors import UnreachableModelError, UnusableReplyError
from mem0g.extract.protocol import Window
from mem0g.model import Triple
from tests.cli.conftest import Shell


class Refusing:
    """An extractor whose model answers nothing that can be used."""

    name = "refusing"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def extract(self, window: Window) -> Sequence[Triple]:
        """Raise the error."""
        raise self.error


def waiting(shell: Shell, error: Exception, user: str = "ann") -> list[str]:
    """Add a message whose extraction fails; answers the states of the windows that wait."""
    with Memory.open(shell.store, extractor=Refusing(error)) as memory:
        with suppress(UnreachableModelError):
            memory.add("I live in Rome.", user_id=user)
        return [each.state for each in memory.pending(user_id=user)]


def test_without_a_model_rules_read_what_failed(shell: Shell) -> None:
    """No key is asked for where none is configured."""
    assert waiting(shell, UnreachableModelError("no answer")) == ["failed"]
    assert "1 facts" in shell.ok("retry", "--user", "ann")
    assert [fact["object"] for fact in shell.json("facts", "--user", "ann")] == ["Rome"]
    assert shell.ok("retry", "--user", "ann") == "no windows are waiting\n"


def test_rules_read_what_a_model_quarantined_only_if_asked(shell: Shell) -> None:
    """Without a model it goes on waiting: rules find less, and nothing would show that it was not read again."""
    assert waiting(shell, UnusableReplyError("no JSON")) == ["quarantined"]
    assert "--extractor rules" in shell.fails("retry", "--user", "ann")
    assert [each["state"] for each in shell.json("stats", "--user", "ann")["pending"]] == ["quarantined"]
    assert "1 facts" in shell.ok("retry", "--user", "ann", "--extractor", "rules")


def test_a_quarantined_window_holds_up_no_other(shell: Shell) -> None:
    """Without a model the others are read; how many are left is said, with what helps."""
    assert waiting(shell, UnreachableModelError("no answer")) == ["failed"]
    assert waiting(shell, UnusableReplyError("no JSON"), "bob") == ["quarantined"]
    done = shell("retry", "--all")
    assert done.exit_code == 0
    assert "1 facts" in done.stdout
    assert "still quarantined: 1 window; configure a model" in done.stderr
    assert [fact["object"] for fact in shell.json("facts", "--user", "ann")] == ["Rome"]
    assert [each["state"] for each in shell.json("stats", "--all")["pending"]] == ["quarantined"]
    assert "a model quarantined 1 window, and none is configured" in shell.fails("retry", "--all")
