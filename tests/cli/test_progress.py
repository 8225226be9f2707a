"""What long commands say of how far they are, where standard error is not a terminal."""

from __future__ import annotations

import pytest

from mem0g.cli.progress import SECONDS_BETWEEN_LINES, progress


def test_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    """Each line says how much is done of how much; on standard error, so that output for programs stays as it is."""
    with progress(100_000, "reading", every=0) as show:
        show(20, "20 messages, 4 facts")
        show(40, "40 messages, 9 facts")
    told = capsys.readouterr()
    assert told.err == "20 of 100000: 20 messages, 4 facts\n40 of 100000: 40 messages, 9 facts\n"
    assert told.out == ""


def test_a_short_command_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Before the first half minute is over there is no line, however much is done."""
    assert SECONDS_BETWEEN_LINES >= 10
    with progress(3, "reading") as show:
        show(3, "3 messages")
    assert capsys.readouterr().err == ""
