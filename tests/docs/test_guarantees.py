"""docs/guarantees.md names tests that exist, and every kind of problem that a store can have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:tests|mem0g/testing)/[\w/]+(?:\.py)?/?(?:::\w+)?)`", PAGE)))
CHECKS = (
    "mem0g/verify.py",
    "mem0g/store/sqlite/maintenance/integrity.py",
    "mem0g/store/neo4j/maintenance/integrity.py",
)


@pytest.mark.parametrize("name", NAMED)
def test_a_promise_names_a_test_that_exists(name: str) -> None:
    """The file or folder is there, and so is the test in it."""
    path, _, function = name.partition("::")
    assert (ROOT / path).exists()
    if function:
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8")


def test_every_promise_has_a_test() -> None:
    """Each row of the tables of promises names at least one."""
    tables = re.findall(r"^\| promise \| test \|\n.*?\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    rows = [row for table in tables for row in table.splitlines()]
    assert len(rows) > 30
    assert [row for row in rows if not re.search("`(tests|mem0g/testing)/", row.rsplit("|", 2)[1])] == []


def test_every_kind_of_problem_is_explained() -> None:
    """The kinds in the table are those that the checks can report."""
    kinds = {kind for file in CHECKS for kind in re.findall(r'kind="([\w ]+)"', (ROOT / file).read_text("utf-8"))}
    (table,) = re.findall(r"^\| kind \| invariant \| mended \|\n.*?\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    explained = {kind for row in table.splitlines() for kind in re.findall(r"`([\w ]+)`", row.split("|")[1])}
    assert explained == kinds
