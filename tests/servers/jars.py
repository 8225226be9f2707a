"""Fetch a release of Neo4j, with Browser, from Maven Central into the user's cache."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import tempfile
from pathlib import Path

import platformdirs

from tests.servers.errors import NoServerError, ServerFailedError

BROWSER = "5.24.0"
"""The last Neo4j Browser that is on Maven Central; the server serves it at /browser/."""

_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>mem0g</groupId>
  <artifactId>neo4j-jars</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.neo4j.client</groupId><artifactId>neo4j-browser</artifactId><version>{browser}</version></dependency>
  </dependencies>
</project>
"""


_CACHE = platformdirs.user_cache_path("mem0g", appauthor=False) / "neo4j"
"""As it is when the tests begin. A test with a cache of its own may be the first that needs a server, and its cache is
removed after it: a server without its jars does not find its own full-text analyzers."""


def cache_folder() -> Path:
    """Where jars are kept, one folder a version, in the user's cache."""
    return _CACHE


def is_fetched(version: str) -> bool:
    """Whether the jars of a version are in the user's cache."""
    return (cache_folder() / version).is_dir()


def jars(version: str, cache: Path | None = None) -> Path:
    """The folder with the jars of a version, fetched (about 150 MB) when it is not in the cache.

    A folder appears under its version only when it is whole. NoServerError without Maven; ServerFailedError with
    Maven's own words when the fetch fails.
    """
    folder = (cache or cache_folder()) / version
    if folder.is_dir():
        return folder
    mvn = shutil.which("mvn")
    if mvn is None:
        raise NoServerError(
            f"the jars of Neo4j {version} are not in {folder}, and there is no Maven to fetch them",
            hint="install Maven (Debian: apt-get install maven; macOS: brew install maven)",
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Suites that start beside each other fetch once: the others wait for the first.
    with folder.parent.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.is_dir():
            return folder
        # Beside its final place, so that the rename stays within one file system and is atomic.
        with tempfile.TemporaryDirectory(prefix=f".{version}-", dir=folder.parent) as work:
            return _fetch(mvn, version, Path(work)).rename(folder)


def _fetch(mvn: str, version: str, work: Path) -> Path:
    (work / "pom.xml").write_text(_POM.format(version=version, browser=BROWSER), encoding="utf-8")
    target = work / "jars"
    run = subprocess.run(
        # Strict checksums: without the option Maven only warns of a damaged download.
        [mvn, "-q", "-B", "-C", "dependency:copy-dependencies", f"-DoutputDirectory={target}"],
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode or not (target / f"neo4j-server-{version}.jar").is_file():
        raise ServerFailedError(
            f"Maven could not fetch Neo4j {version}:\n{_reason(run.stdout + run.stderr)}",
            hint="is there such a version, and is Maven Central reachable?",
        )
    return target


def _reason(output: str) -> str:
    """Maven's words up to the first empty one: the rest is general advice."""
    return output.strip().partition("\n[ERROR] \n")[0]
