"""Read the files in a zip archive, within bounds: nothing is written, and no archive fills the memory."""

from __future__ import annotations

import codecs
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mem0g.errors import TranscriptError

MAX_MEMBERS = 20_000
"""Files in an archive at most: photos of a chat count, though they are not read."""

MAX_MEMBER_SIZE = 1 << 28
"""Bytes of a file in an archive at most, unpacked: 256 MiB."""

MAX_SIZE = 1 << 29
"""Bytes of all texts in an archive at most, unpacked: 512 MiB."""

BLOCK = 1 << 16
"""Bytes that are unpacked at a time; the first of them tell whether a file is text."""

_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, OSError, ValueError)
_OFFICE = frozenset(("[Content_Types].xml", "META-INF/container.xml", "META-INF/manifest.xml"))
"""Files in Word, Excel, EPUB and OpenDocument files, which are archives too."""


@dataclass(frozen=True, slots=True)
class Member:
    """A text file in an archive: its path within it, and its bytes, or the reason why it is not read."""

    name: str
    data: bytes
    problem: str = ""


def is_archive(path: Path) -> bool:
    """Return whether a file begins as a zip archive does; False if it cannot be read."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(4) in _SIGNATURES
    except (OSError, ValueError):
        return False


def members(path: Path, source: str) -> Iterator[Member]:
    """Yield the text files in a zip archive, by name; hidden ones are left out, files that are not text are counted.

    Raises TranscriptError for an archive that is broken, too large, encrypted, or a document of an office program.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            files = _listed(archive, source)
            left, others = MAX_SIZE, 0
            for name, info in sorted(files.items()):
                if problem := _unwanted(name):
                    yield Member(name, b"", problem)
                    continue
                data = _data(archive, info, f"{source}, {name}", left)
                left -= len(data)
                if data:
                    yield Member(name, data)
                elif name.lower().endswith(".zip"):
                    yield Member(name, b"", "an archive within the archive: unpack it")
                else:
                    others += 1
            if others:
                yield Member("", b"", f"{others:,} of its files are empty or no text, such as photos")
    except RuntimeError as error:  # the file is encrypted, password required
        raise TranscriptError(f"{source} is encrypted", hint="unpack it, and give the folder") from error
    except _BROKEN as error:
        raise TranscriptError(f"{source} is a broken archive: {error}", hint="export or download it again") from error


def _listed(archive: zipfile.ZipFile, source: str) -> dict[str, zipfile.ZipInfo]:
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if len(infos) > MAX_MEMBERS:
        hint = f"at most {MAX_MEMBERS:,}: unpack it, and give the folder"
        raise TranscriptError(f"{source} has {len(infos):,} files", hint=hint)
    files = {info.filename.replace("\\", "/"): info for info in infos}
    if _OFFICE & files.keys():
        raise TranscriptError(f"{source} is an office document", hint="save it as plain text or Markdown")
    return {name: info for name, info in files.items() if not _is_hidden(name)}


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or any(part.startswith(".") and part != ".." for part in parts)


def _unwanted(name: str) -> str:
    """Return why a file is not read, by its name: a name that leaves the archive was made to do harm."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
        return f"{name[:200]!r} is no path within the archive"
    return ""


def _data(archive: zipfile.ZipFile, info: zipfile.ZipInfo, place: str, left: int) -> bytes:
    """Return a file's bytes, none if they are not text. The sizes that the archive states are not relied on."""
    blocks: list[bytes] = []
    size = 0
    with archive.open(info) as file:
        while block := file.read(BLOCK):
            if not blocks and _is_binary(block):
                return b""
            size += len(block)
            if size > min(MAX_MEMBER_SIZE, left):
                limit = f"{MAX_MEMBER_SIZE >> 20} MiB a file, {MAX_SIZE >> 20} MiB in all"
                raise TranscriptError(f"{place}: too large once unpacked", hint=f"at most {limit}")
            blocks.append(block)
    return b"".join(blocks)


def _is_binary(block: bytes) -> bool:
    return b"\0" in block and not block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
