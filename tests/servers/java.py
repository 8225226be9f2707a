"""Find a Java that is new enough for a release of Neo4j."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.servers.errors import NoServerError

# Where Linux distributions, macOS and SDKMAN put Java.
_PLACES = (
    "/usr/lib/jvm/*/bin/java",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java",
    "~/.sdkman/candidates/java/*/bin/java",
)


def find_java(least: int) -> Path:
    """The first Java of version `least` or newer: JAVA_HOME, then PATH, then where Java is usually installed.

    NoServerError when there is none; it names those that are too old.
    """
    seen: dict[Path, int] = {}
    for java in _candidates():
        version = java_version(java)
        if version is None:
            continue
        if version >= least:
            return java
        seen[java] = version
    found = ", ".join(f"{path} is {version}" for path, version in seen.items()) or "none found"
    raise NoServerError(
        f"no Java {least} or newer ({found})",
        hint=f"install one (Debian: apt-get install openjdk-{least}-jdk; any system: https://adoptium.net) "
        "or point JAVA_HOME to it",
    )


def java_version(java: Path) -> int | None:
    """The feature version (17, 21…) that a java says it is; None when it does not run or does not say."""
    try:
        run = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return parse_version(run.stderr + run.stdout)


def parse_version(text: str) -> int | None:
    """The feature version in the words of `java -version`: 17 of `"17.0.15"`, 8 of `"1.8.0_292"`."""
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(found[1]) if found else None


def _candidates() -> Iterator[Path]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if on_path := shutil.which("java"):
        yield Path(on_path)
    for place in _PLACES:
        pattern = Path(place).expanduser()
        yield from sorted(Path(pattern.anchor).glob(str(pattern.relative_to(pattern.anchor))))
