"""Jars come whole or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.servers.errors import NoServerError, ServerFailedError
from tests.servers.jars import jars

# Stands where `mvn` would: understands its one option that matters, writes what Maven would, slowly.
_MAVEN = """#!/bin/sh
for argument; do case "$argument" in -DoutputDirectory=*) target="${argument#*=}";; esac; done
mkdir -p "$target"
grep -c '<version>5.26.30</version>' pom.xml > "$target/first.jar"
"""
_WHOLE = "sleep 0.2; : > $target/neo4j-server-5.26.30.jar\n"
_BROKEN = "echo '[ERROR] Could not transfer artifact'; exit 1\n"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def _maven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    mvn = tmp_path / "bin" / "mvn"
    mvn.parent.mkdir(exist_ok=True)
    mvn.write_text(_MAVEN + ending, encoding="utf-8")
    mvn.chmod(0o755)
    monkeypatch.setenv("PATH", str(mvn.parent), prepend=":")


def test_jars_are_fetched_once(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call fetches the version asked for into its folder, the second needs no Maven."""
    _maven(tmp_path, monkeypatch, _WHOLE)
    folder = jars("5.26.30", cache)
    assert folder == cache / "5.26.30"
    assert (folder / "first.jar").read_text(encoding="utf-8").strip() == "2"
    assert [path.name for path in cache.iterdir()] == ["5.26.30"]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert jars("5.26.30", cache) == folder


def test_half_a_fetch_leaves_nothing(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When Maven fails half way, its words are told and no folder stays that a later call might take for whole."""
    _maven(tmp_path, monkeypatch, _BROKEN)
    with pytest.raises(ServerFailedError, match="Could not transfer artifact"):
        jars("5.26.30", cache)
    assert list(cache.iterdir()) == []
    _maven(tmp_path, monkeypatch, _WHOLE)
    assert jars("5.26.30", cache).is_dir()


def test_two_fetch_at_once(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both get the one whole folder, and nothing else is left beside it."""
    _maven(tmp_path, monkeypatch, _WHOLE)
    with ThreadPoolExecutor(2) as pool:
        folders = list(pool.map(lambda version: jars(version, cache), ["5.26.30"] * 2))
    assert folders == [cache / "5.26.30"] * 2
    assert [path.name for path in cache.iterdir()] == ["5.26.30"]
    assert len(list(folders[0].iterdir())) == 2


def test_without_maven_it_is_said_what_to_install(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Maven and no jars is a machine without a server, not a failure."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerError, match="no Maven") as caught:
        jars("5.26.30", cache)
    assert caught.value.hint is not None
    assert "apt-get install maven" in caught.value.hint
