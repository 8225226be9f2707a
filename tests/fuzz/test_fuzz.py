"""Broken and hostile files: a result or an error of mem0g, never another exception."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.__main__ import main
from benchmarks.fuzz.cases import Outcomes, Read, fuzz, readers
from mem0g.transcripts import FORMATS


@pytest.fixture(scope="module")
def found() -> Iterator[dict[str, tuple[bytes, Read]]]:
    """Return an example and its reader, by the reader's name."""
    with readers() as made:
        yield made


@pytest.mark.parametrize("name", [*FORMATS, "triples", "export"])
@given(seed=st.integers(0, 2**32))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file_is_read_or_refused(found: dict[str, tuple[bytes, Read]], name: str, seed: int) -> None:
    """Reading any variation of a file ends in a result or an error of mem0g that can be printed."""
    example, read = found[name]
    outcomes = Outcomes()
    fuzz(read, example, Random(seed), outcomes)
    assert outcomes.tracebacks == {}, outcomes.examples


def test_examples_are_read(found: dict[str, tuple[bytes, Read]]) -> None:
    """The examples are valid before they are varied."""
    for example, read in found.values():
        read(example)


def test_a_traceback_is_counted() -> None:
    """An exception that is not an error of mem0g is counted, with the input that raised it."""
    outcomes = Outcomes()
    for seed in range(5):
        fuzz(lambda data: 1 // 0, b"x", Random(seed), outcomes)
    row = outcomes.row("broken")
    assert (row["inputs"], row["results"], row["errors"], row["tracebacks"]) == (5, 0, 0, 5)
    assert list(outcomes.examples) == ["ZeroDivisionError: integer division or modulo by zero"]


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command reports a row for each reader."""
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit) as ended:
        main(["fuzz", "--minutes", "0", "--only", "triples", "--only", "srt", "--out", str(out)])
    assert ended.value.code == 0
    assert '"reader": "triples"' in out.read_text(encoding="utf-8")
    assert "srt" in capsys.readouterr().out
