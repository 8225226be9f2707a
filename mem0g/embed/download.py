"""Files from a model hub over HTTP: with a progress bar, a checksum, and either whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

from mem0g.embed.checksum import check
from mem0g.errors import EmbedderError, WeightsMissingError

if TYPE_CHECKING:
    from rich.progress import Progress

_BLOCK = 1 << 18
_SECONDS = 20.0
"""How long the hub may be silent."""


def download(hub: str, folder: Path, checksums: Mapping[str, str], *, hint: str) -> None:
    """Fetch the files named in ``checksums`` (name to sha256) from the address ``hub`` into ``folder``.

    Shows a bar on stderr if that is a terminal, one line if not. A file that is there with its checksum stays.

    Raises WeightsMissingError with ``hint`` if the hub cannot be reached, refuses, or breaks off; ChecksumError if it
    gives another file; EmbedderError if ``folder`` cannot be written. Nothing unfinished is left behind.
    """
    if not hub.startswith(("https://", "http://")):
        raise EmbedderError(f"{hub!r} is not the address of a model hub", hint="an https:// address")
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
    """The body of ``url`` piece by piece, each with the size of the whole, where the hub says it."""
    request = Request(url, headers={"User-Agent": "mem0g"})  # noqa: S310 - the caller checked the scheme
    try:
        with urlopen(request, timeout=_SECONDS) as reply:  # noqa: S310
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
