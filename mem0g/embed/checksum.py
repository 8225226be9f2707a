"""Whether a file is the one expected, without reading 90 MB at every start.

Hashing the weights takes 50 ms where the processor has instructions for SHA-256 and 300 ms where not. So a file that
was right once leaves a stamp in the user's cache, with its size and time of change; while those stay, so does the
verdict. A stamp is never needed: a cache that cannot be written, or is emptied, costs only the time.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from mem0g.errors import ChecksumError

Stamp = dict[str, str | int]


def verify(path: Path, sha256: str, *, stamps: Path) -> None:
    """Do nothing if ``path`` has the checksum; ``stamps`` is the folder that remembers it.

    Raises ChecksumError, with a hint, if it has another one.
    """
    state = path.stat()  # before hashing, so that a change meanwhile leaves a stamp that no longer fits
    name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
    stamp = stamps / f"{name}.json"
    fresh: Stamp = {"path": str(path.resolve()), "size": state.st_size, "mtime_ns": state.st_mtime_ns, "sha256": sha256}
    if _read(stamp) == fresh:
        return
    check(path, sha256)
    _write(stamp, fresh)


def check(path: Path, sha256: str, *, source: str | None = None) -> None:
    """Do nothing if ``path`` has the checksum; ``source`` is what an error calls it, by default its path.

    Raises ChecksumError if it has another one.
    """
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise ChecksumError(
            f"{source or path} is not the file expected: sha256 {found[:12]}… instead of {sha256[:12]}…",
            hint="it is damaged or of another model: remove it, or use another model as sentence-transformers:MODEL",
        )


def _read(stamp: Path) -> object:
    try:
        return json.loads(stamp.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _write(stamp: Path, content: Stamp) -> None:
    import tempfile

    try:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=stamp.parent, suffix=".part", encoding="utf-8", delete=False) as file:
            json.dump(content, file)
        Path(file.name).replace(stamp)
    except OSError:
        return  # the next start hashes again
