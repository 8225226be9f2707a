"""A Java that is new enough is found, or it is said what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.errors import NoServerError, ServerFailedError
from tests.servers.java import find_java, java_version, parse_version
from tests.servers.release import LTS, NEWEST, Release


def _java(home: Path, version: str) -> Path:
    """An executable that says of itself what a Java of that version does."""
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2026-01-20' >&2\n", encoding="utf-8")
    java.chmod(0o755)
    return java


@pytest.mark.parametrize(
    ("words", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment (build 17.0.15+6)', 17),
        ('openjdk version "25" 2025-09-16 LTS', 25),
        ('openjdk version "24-ea" 2025-03-18', 24),
        ('java version "1.8.0_292"', 8),
        ("No Java runtime present, requesting install.", None),
    ],
)
def test_parse_version(words: str, version: int | None) -> None:
    """The feature version is read from what every vendor's `java -version` says."""
    assert parse_version(words) == version


def test_java_home_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A JAVA_HOME that is new enough is taken before anything else."""
    java = _java(tmp_path, "99.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java_version(java) == 99
    assert find_java(17) == java


def test_an_old_java_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Java that is too old, in JAVA_HOME, does not hide a newer one on the PATH."""
    _java(tmp_path / "old", "11.0.2")
    newer = _java(tmp_path / "new", "99.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    monkeypatch.setenv("PATH", str(newer.parent), prepend=":")
    assert find_java(90) == newer


def test_no_java_is_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the Java that is too old, and its hint the package to install."""
    java = _java(tmp_path, "11.0.2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(NoServerError, match=f"no Java 900 or newer .*{java} is 11") as caught:
        find_java(900)
    assert caught.value.hint is not None
    assert "openjdk-900-jdk" in caught.value.hint


def test_a_java_that_does_not_run_has_no_version(tmp_path: Path) -> None:
    """What is not there, or cannot be executed, is no Java."""
    assert java_version(tmp_path / "bin" / "java") is None


@pytest.mark.parametrize(("version", "least"), [(NEWEST, 21), (LTS, 17), ("2025.01.0", 21), ("5.26.0", 17)])
def test_a_release_knows_its_java(version: str, least: int) -> None:
    """Releases named by year need Java 21, Neo4j 5 needs 17."""
    assert Release.of(version).least_java == least


@pytest.mark.parametrize("version", ["latest", "", "5", "../5.26", "5.x", "²026.08"])
def test_what_is_no_version_is_refused(version: str) -> None:
    """A word that is no version never becomes a folder name or part of a pom."""
    with pytest.raises(ServerFailedError, match="is no version of Neo4j"):
        Release.of(version)
